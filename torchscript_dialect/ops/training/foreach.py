"""Operators on lists of tensors: the operator of one tensor, for each (PyTorch: native/ForeachOpsKernels.cpp).

`aten::_foreach_add.List` gives `aten::add` of the elements of two lists. What the schema has as a list is gone through; what it has
as one value every call gets. Variants in place and with `out` follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.conversion import store
from torchscript_dialect.ops.eager import dispatch
from torchscript_dialect.ops.registry import Kernel, Operator, ShapeRule
from torchscript_dialect.ops.shapes import UNKNOWN, Fact, broadcast, dtype_of, fresh
from torchscript_dialect.tensor.tensor import Tensor, give_array
from torchscript_dialect.tensor.type_promotion import check_castable
from torchscript_dialect.types.tensor_type import TensorProperties

_CLAMPS = {"maximum": "clamp_min", "minimum": "clamp_max"}
"""What these are of a tensor and a number, and in place."""


def _norm(x: Tensor, degree: complex, wanted: int | None) -> Tensor:
    return dispatch.call("aten::linalg_vector_norm", [x, degree], {"dtype": wanted})


def _powers(x: Tensor, degree: complex, wanted: int | None) -> Tensor:
    powers = dispatch.call("aten::pow", [dispatch.call("aten::abs", [x]), degree])
    return dispatch.call("aten::sum", [powers], {"dtype": wanted})


_SPECIAL: dict[str, Callable[..., Tensor]] = {"norm": _norm, "powsum": _powers}


def _length(tensors: Sequence[Sequence[Any]], scalars: Sequence[Sequence[Any]]) -> int:
    first, *others = tensors
    for other in others:
        if len(other) != len(first):
            raise RuntimeError(
                f"Tensor lists must have the same number of tensors, got {len(first)} and {len(other)}"
            )
    if not first:
        raise RuntimeError("Tensor list must have at least one tensor.")
    if any(len(one) != len(first) for one in scalars):
        raise RuntimeError("Tensor list must have same number of elements as scalar list.")
    return len(first)


def _spread(operands: Sequence[Any], arguments: Sequence[str]) -> list[tuple[Any, ...]]:
    """The operands of the call for each element."""
    values = [
        value.array.tolist() if name == "scalars" and isinstance(value, Tensor) else value
        for name, value in zip(arguments, operands)
    ]
    lists = [(n, cast("list[Any]", v)) for n, v in zip(arguments, values) if isinstance(v, list)]
    tensors = [value for name, value in lists if name != "scalars"]
    count = _length(tensors, [value for name, value in lists if name == "scalars"])
    columns: list[list[Any]] = [
        cast("list[Any]", value) if isinstance(value, list) else [value] * count for value in values
    ]
    return list(zip(*columns))


def _single(operator: Operator) -> Callable[..., Any]:
    """What is done to each element: `call(*operands)`, for operands of the schema's order without `out`."""
    base = operator.name.removeprefix("aten::_foreach_")
    in_place = base.endswith("_")
    plain = base.removesuffix("_")
    if plain in _SPECIAL:
        return _SPECIAL[plain]
    if in_place or operator.overload.startswith("Scalar"):
        plain = _CLAMPS.get(plain, plain)
    keywords = [argument.name for argument in operator.schema.arguments if argument.kwarg_only]
    keywords = [name for name in keywords if name != "out"]
    scaled = plain in ("addcdiv", "addcmul")
    name = f"aten::{plain}{'_' if in_place else ''}"

    def run(*operands: Any) -> Any:
        count = len(operands) - len(keywords)
        named = dict(zip(keywords, operands[count:]))
        given = list(operands[:count])
        if scaled:
            named["value"] = given.pop()
        return dispatch.call(name, given, named)

    return run


def _kernel(operator: Operator) -> Kernel:
    single = _single(operator)
    names = [argument.name for argument in operator.schema.arguments]
    has_out, gives = names[-1] == "out", bool(operator.schema.returns)

    def kernel(*operands: Any) -> list[Tensor] | None:
        targets: Iterable[Tensor] = operands[-1] if has_out else ()
        inputs = operands[:-1] if has_out else operands
        results = [single(*each) for each in _spread(inputs, names)]
        for target, result in zip(targets, results):
            check_castable(result.dtype, target.dtype)
            if target.array.shape != result.array.shape:
                give_array(target, result.array.astype(target.array.dtype))
            else:
                store(target.array, result.array)
        return results if gives else None

    return kernel


def _shape(operator: Operator) -> ShapeRule:
    """A list of tensors: sizes broadcast, and are gone where an operator reduces; floats stay what they are beside real numbers."""
    reduces = operator.name.removeprefix("aten::_foreach_") in ("max", "norm", "powsum")
    is_product = operator.name == "aten::_foreach_mm"

    def rule(facts: Sequence[Fact]) -> Fact:
        lists = _lists(facts)
        tensors = [each for each in lists if each and isinstance(each[0], TensorProperties)]
        if not tensors or len({len(each) for each in lists}) != 1 or is_product:
            return UNKNOWN
        return [_element(column, facts, reduces) for column in zip(*tensors)]

    return rule


def _element(column: Sequence[Fact], facts: Sequence[Fact], reduces: bool) -> Fact:
    first = column[0]
    kinds = {each.dtype for each in column}
    element = dtype_of(first) if len(kinds) == 1 and first.dtype is not None else None
    others = [fact for fact in facts if not isinstance(fact, list)]
    if element is None or not element.is_floating_point or not all(map(_is_real, others)):
        element = None
    sizes = () if reduces else broadcast([each.sizes for each in column])
    lists = _lists(facts)
    if any(
        not isinstance(each, TensorProperties) and not _is_real(each) for of in lists for each in of
    ):
        element = None
    return replace(fresh(element, sizes, first), strides=None)


def _lists(facts: Sequence[Fact]) -> list[list[Fact]]:
    return [cast("list[Fact]", fact) for fact in facts if isinstance(fact, list)]


def _is_real(fact: Fact) -> bool:
    return fact.__class__ in (int, float, bool)


for _name in registry.texts():
    if not _name.startswith("aten::_foreach_"):
        continue
    _gives = registry.texts()[_name].endswith("Tensor[]")
    _derive_shape = _shape if _gives and "out" not in _name.rpartition(".")[2] else None
    registry.attach(
        _name,
        derive_kernel=_kernel,
        derive_shape=_derive_shape,
        calls_operators=not _name.endswith("out"),
    )
