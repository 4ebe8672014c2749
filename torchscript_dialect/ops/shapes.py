"""What is known of results from what is known of operands.

Note [Shape rules]
A shape rule takes one fact per argument of the schema, in order: a tensor's `TensorProperties` (any part of which may be
None), the Python value of a constant, a list of such facts for a list of known length, or an `Unknown` with the type of a
value of which nothing else is known. It gives one fact for each result in the same form, a tuple where the schema has several
results. A rule does not check: where operands do not fit together it knows nothing, and the kernel raises when it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeAlias, cast

import numpy as np

from torchscript_dialect.ops.registry import Operator, ShapeRule, is_registered
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import storage, type_promotion
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    dense_strides,
    element_strides,
    pointwise_strides,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import BOOL, COMPLEX, FLOAT, INT, TorchScriptType
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.tensor_type import Dims, TensorProperties
from torchscript_dialect.utils.memo import Memo


@dataclass(frozen=True)
class Unknown:
    """A value of which only the type is known."""

    type: TorchScriptType | None = None


UNKNOWN = Unknown()
NOTHING = TensorProperties()
"""A tensor of which nothing is known."""

Fact: TypeAlias = Any
Ints: TypeAlias = tuple[int, ...]

_NUMBER_DTYPES: dict[TorchScriptType, dtype] = {BOOL: dtypes.bool_, INT: dtypes.int64}


def is_known(*facts: Fact) -> bool:
    """Whether all are constants (lists must hold constants only)."""
    return not any(
        isinstance(fact, (Unknown, TensorProperties))
        or (isinstance(fact, (list, tuple)) and not is_known(*fact))  # pyright: ignore[reportUnknownArgumentType]
        for fact in facts
    )


def known_ints(dims: Dims | None) -> Ints | None:
    """The sizes or strides if every one is known."""
    if dims is None:
        return None
    known = tuple(dim for dim in dims if dim is not None)
    return known if len(known) == len(dims) else None


def dtype_of(tensor: TensorProperties) -> dtype | None:
    """The element type, if known."""
    return None if tensor.dtype is None else dtypes.from_name(tensor.dtype)


def fresh(
    element: dtype | None, sizes: Dims | None, *like: Fact, strides: Dims | None = None
) -> TensorProperties:
    """A new tensor, contiguous unless `strides` say otherwise, on the device of the first of `like` that has another than
    the host's.
    """
    exact = known_ints(sizes)
    if strides is None and exact is not None:
        strides = contiguous_strides(exact)
    devices = [fact.device for fact in like if isinstance(fact, TensorProperties) and fact.device]
    device = devices[0] if devices else None
    if device == "cpu":  # a single number, beside tensors elsewhere
        device = next((one for one in devices if one != device), device)
    name = None if element is None else element.type_name
    return TensorProperties(name, sizes, strides, device)


def preserved(element: dtype | None, like: TensorProperties) -> TensorProperties:
    """A new tensor of the same shape that keeps the order of dimensions in memory."""
    sizes, strides = known_ints(like.sizes), known_ints(like.strides)
    result = fresh(element, like.sizes, like)
    if sizes is None or strides is None:
        return replace(result, strides=None)
    return replace(result, strides=dense_strides(sizes, strides))


def view(of: TensorProperties, sizes: Dims | None, strides: Dims | None = None) -> TensorProperties:
    """Another view of the same elements."""
    return replace(of, sizes=sizes, strides=strides, requires_grad=None)


def of_any_sizes(like: Fact) -> TensorProperties:
    """A tensor of the dtype and the number of dimensions of another."""
    if not isinstance(like, TensorProperties):
        return NOTHING
    unknown = None if like.sizes is None else (None,) * len(like.sizes)
    return TensorProperties(like.dtype, unknown, unknown, like.device)


def rank_known(tensor: Fact) -> Dims | None:
    """The sizes of a tensor, some of them perhaps None; None where even the rank is unknown."""
    return tensor.sizes if isinstance(tensor, TensorProperties) else None


def wrap(dim: int, rank: int) -> int | None:
    """A dimension counted from the front; None where there is no such dimension."""
    rank = max(rank, 1)
    return dim % rank if -rank <= dim < rank else None


def broadcast(shapes: Sequence[Dims | None]) -> Dims | None:
    """What the shapes broadcast to; None where a rank is unknown or the sizes do not fit."""
    result: list[int | None] = []
    for shape in shapes:
        if shape is None:
            return None
        missing = len(shape) - len(result)
        if missing > 0:
            result[:0] = [1] * missing
        for dim in range(1, len(shape) + 1):
            have, new = result[-dim], shape[-dim]
            if have == new or new == 1:
                continue
            if have == 1:
                result[-dim] = new
            elif have is None or new is None:
                result[-dim] = have if new is None else new
            else:
                return None
    return tuple(result)


def numel(sizes: Dims | None) -> int | None:
    """The number of elements, if every size is known."""
    exact = known_ints(sizes)
    return None if exact is None else prod(exact)


def promote(facts: Sequence[Fact]) -> dtype | None:
    """The common dtype of tensors and numbers, if enough is known of them."""
    ranks: list[dtype | None] = [None, None, None]
    tensors = [fact for fact in facts if isinstance(fact, TensorProperties)]
    if any(fact.sizes is None for fact in tensors) and len({one.dtype for one in tensors}) > 1:
        return None  # those without dimensions give way to others
    for fact in facts:
        if isinstance(fact, TensorProperties):
            element, rank = dtype_of(fact), 1 if fact.sizes == () else 0
            if element is None:
                return None
        elif isinstance(fact, Unknown):
            element, rank = _number_dtype(fact.type), 2
            if element is None:
                return None
        else:
            element, rank = type_promotion.scalar_dtype(fact), 2
        before = ranks[rank]
        try:
            ranks[rank] = (
                element if before is None else type_promotion.promote_types(before, element)
            )
        except RuntimeError:
            return None
    try:
        return type_promotion.combine_ranks(*ranks)
    except RuntimeError:
        return None


def _number_dtype(type_: TorchScriptType | None) -> dtype | None:
    if type_ == FLOAT:
        return dtypes.get_default_dtype()
    if type_ == COMPLEX:
        return dtypes.get_default_complex_dtype()
    return None if type_ is None else _NUMBER_DTYPES.get(type_)


def pointwise_rule(
    is_tensor: Sequence[bool],
    promotes: Sequence[bool],
    has_strides: Sequence[bool],
    dtypes_of: Callable[[dtype, Sequence[Fact]], tuple[dtype, dtype]],
    *,
    is_inplace: bool,
    contiguous: bool = False,
    reverse_operands: bool = False,
    kept: frozenset[int] = frozenset(),
) -> ShapeRule:
    """The rule of a pointwise operator: sizes broadcast, dtypes promote, strides follow the operands.

    `dtypes_of` gives the dtypes of computation and result from the common one, or raises RuntimeError. The in-place variant
    gives its first operand. Operands at the places in `kept` are not cast. For the other options see `pointwise.Pointwise`.
    """

    def rule(facts: Sequence[Fact]) -> TensorProperties:
        if is_inplace:
            return facts[0] if len(facts) == len(is_tensor) else facts[-1]
        tensors = [
            fact
            for fact, tensor in zip(facts, is_tensor)
            if tensor and isinstance(fact, TensorProperties)
        ]
        sizes = broadcast([tensor.sizes for tensor in tensors])
        common = promote(
            [f for f, promoting in zip(facts, promotes) if promoting and f is not None]
        )
        computed = result = None
        if common is not None:
            try:
                computed, result = dtypes_of(common, facts)
            except (RuntimeError, NotImplementedError):
                return NOTHING
        if contiguous:
            return fresh(result, sizes, *tensors)
        described = [
            fact for fact, counts in zip(facts, has_strides) if counts and fact is not None
        ]
        if reverse_operands:
            described.reverse()
        strides = None if computed is None else _result_strides(described, sizes, computed, kept)
        if strides is None and sizes is not None:
            return replace(fresh(result, sizes, *tensors), strides=None)
        return fresh(result, sizes, *tensors, strides=strides)

    return rule


def _result_strides(
    facts: Sequence[Fact], sizes: Dims | None, common: dtype, kept: frozenset[int]
) -> Dims | None:
    exact = known_ints(sizes)
    if exact is None:
        return None
    operands: list[tuple[Ints, Ints]] = []
    for place, fact in enumerate(facts):
        if not isinstance(fact, TensorProperties):
            operands.append(((), ()))
            continue
        shape, strides = known_ints(fact.sizes), known_ints(fact.strides)
        if shape is None or strides is None:
            return None
        if dtype_of(fact) is not common and place not in kept:
            strides = dense_strides(shape, strides)
        operands.append((shape, strides))
    return pointwise_strides(operands, exact)


def with_dtypes(schema: FunctionSchema, rule: ShapeRule, facts: Sequence[Fact]) -> Fact:
    """What a rule says, with the dtypes that it gives for other numbers where it knows none for want of those that tell sizes."""
    said = rule(facts)
    if all(isinstance(one, TensorProperties) and one.dtype for one in _each(said)):
        return said
    given = [_some_number(fact, argument) for fact, argument in zip(facts, schema.arguments)]
    if given == list(facts) or isinstance(said, list):
        return cast("Fact", said)
    found = [_with_dtype_of(*pair) for pair in zip(_each(said), _each(rule(given)))]
    return tuple(found) if isinstance(said, tuple) else found[0]


_REMEMBERED: Memo[Any, Fact] = Memo(8192)
_ATOMS = frozenset((int, float, bool, str, type(None), complex))


def said_of(
    operator: Operator, rule: ShapeRule, facts: Sequence[Fact], *, follows_ranks: bool
) -> Fact:
    """What the rule of an operator says, `with_dtypes` if it `follows_ranks`; by what was said before of such operands, since passes
    ask many times of each node, and nodes are alike. Nothing is remembered of operators that this process has added.
    """
    keys = tuple(map(_key_of, facts))
    name = operator.qualified_name
    if None in keys or is_registered(name):
        return with_dtypes(operator.schema, rule, facts) if follows_ranks else rule(facts)
    key = name, follows_ranks, dtypes.get_default_dtype(), keys
    if key in _REMEMBERED:
        return _REMEMBERED[key]
    said = with_dtypes(operator.schema, rule, facts) if follows_ranks else rule(facts)
    _REMEMBERED[key] = said
    return said


def _key_of(fact: Fact) -> Any:
    """What is equal for facts of which the same is said; None where that is not known."""
    class_ = fact.__class__
    if class_ is TensorProperties or class_ is Unknown:
        return fact
    if class_ in _ATOMS:
        return class_, fact  # True is not 1
    if class_ is not list and class_ is not tuple:
        return None
    keys = tuple(map(_key_of, cast("Sequence[Fact]", fact)))
    return None if None in keys else (class_, keys)


def _each(said: Fact) -> Sequence[Fact]:
    return cast("Sequence[Fact]", said) if isinstance(said, (tuple, list)) else (said,)


def _some_number(fact: Fact, argument: Argument) -> Fact:
    """An integer, or a list of such, for one that is not known and names no dtype."""
    if not isinstance(fact, Unknown) or "type" in argument.name:
        return fact
    return 0 if fact.type == INT else [] if fact.type == ListType(INT) else fact


def _with_dtype_of(said: Fact, tried: Fact) -> Fact:
    """A fact with the dtype of another."""
    if not isinstance(said, TensorProperties) or not isinstance(tried, TensorProperties):
        return said
    device = said.device if said.device is not None else tried.device
    return said if said.dtype else replace(said, dtype=tried.dtype, device=device)


_SUBSTITUTES = (5, 1, 2, 3, 12, 0)
_NO_END = 2**63 - 1
"""The end of a slice that has none; its negative stands for no start."""


def by_running(
    kernel: Callable[..., Any], *, gives_list: bool = False, anywhere: int | None = None
) -> ShapeRule:
    """The rule of an operator that only looks at shapes and strides: run its kernel on views of nothing.

    Sizes that are not known are tried with several numbers, one of them beyond the numbers that the operator is given: `x[16:]` has
    elements. What all successful runs agree on is known. The kernel must not read elements. `gives_list` says that it gives a list
    of tensors; `anywhere` which operand says no more than where a part begins, which may be unknown.
    """

    def unknown(facts: Sequence[Fact]) -> Fact:
        return UNKNOWN if gives_list else _like_results(facts)

    def rule(facts: Sequence[Fact]) -> Fact:
        if anywhere is not None and isinstance(facts[anywhere], Unknown):
            facts = [0 if place == anywhere else fact for place, fact in enumerate(facts)]
        if any(isinstance(fact, Unknown) for fact in facts):
            return unknown(facts)
        results: list[Fact] = []
        for number in (*_SUBSTITUTES, 2 * max(map(_largest_number, facts)) + 1):
            try:
                standins = [_standin(fact, number) for fact in facts]
            except (ValueError, OverflowError):  # no tensor is that large
                return unknown(facts)
            if any(standin is None and fact is not None for standin, fact in zip(standins, facts)):
                return unknown(facts)
            try:
                result = kernel(*standins)
            except (RuntimeError, IndexError, ValueError, TypeError):
                continue
            results.append(_fact_of(result, facts))
            if all(_is_complete(fact) for fact in facts):
                return results[0]
        # A single success says as much about the number that was tried as about the operator.
        return _common(results) if len(results) > 1 else unknown(facts)

    return rule


def _largest_number(fact: Fact) -> int:
    """The largest absolute value among the numbers of a constant; 0 where there are none, and for ends that are no number."""
    if isinstance(fact, (list, tuple)):
        return max(map(_largest_number, cast("Sequence[Fact]", fact)), default=0)
    return abs(fact) if isinstance(fact, int) and abs(fact) < _NO_END else 0


def _is_complete(fact: Fact) -> bool:
    return not isinstance(fact, TensorProperties) or known_ints(fact.sizes) is not None


def _like_results(facts: Sequence[Fact]) -> TensorProperties:
    of = next((fact for fact in facts if isinstance(fact, TensorProperties)), NOTHING)
    return TensorProperties(of.dtype, device=of.device)


def _standin(fact: Fact, number: int) -> Any:
    """A tensor of the fact's shape over a single element; a constant as it is; None for an unknown rank."""
    if not isinstance(fact, TensorProperties):
        return fact
    if fact.sizes is None:
        return None
    sizes = tuple(number if size is None else size for size in fact.sizes)
    strides = known_ints(fact.strides) or contiguous_strides(sizes)
    element = (dtype_of(fact) or dtypes.float32).numpy_dtype
    steps = tuple(stride * element.itemsize for stride in strides)
    return tensor_of(storage.restride_unchecked(np.empty(1, element), sizes, steps))


def _fact_of(result: Any, facts: Sequence[Fact]) -> Fact:
    if isinstance(result, (list, tuple)):
        return [_fact_of(item, facts) for item in cast("Sequence[Any]", result)]
    if not isinstance(result, Tensor):
        return result
    first = next(fact for fact in facts if isinstance(fact, TensorProperties))
    strides_known = all(
        known_ints(fact.strides) is not None for fact in facts if isinstance(fact, TensorProperties)
    )
    name = result.dtype.type_name if first.dtype is not None else None
    strides = element_strides(result.array) if strides_known else None
    return TensorProperties(name, result.array.shape, strides, first.device)


def _common(results: list[Fact]) -> Fact:
    first = results[0]
    if isinstance(first, list):
        lists = cast("list[list[Fact]]", results)
        if any(len(other) != len(lists[0]) for other in lists):
            return UNKNOWN
        return [_common(list(column)) for column in zip(*lists)]
    if not isinstance(first, TensorProperties):
        return first if all(other == first for other in results) else UNKNOWN
    merged = first
    for other in results[1:]:
        merged = replace(
            merged,
            sizes=_agreeing(merged.sizes, other.sizes),
            strides=_agreeing(merged.strides, other.strides),
        )
    return merged


def _agreeing(a: Dims | None, b: Dims | None) -> Dims | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b))
