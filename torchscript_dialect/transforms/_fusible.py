"""Which nodes a fusion group may hold: one place for what `ts-fuse-tensorexprs` and the backends
agree on.

A node is fusible if everything about its tensors is known, if they are dense CPU tensors of a dtype
that kernels have, and if its scalar body, run once on stand-ins, asks for nothing that could raise
or that no kernel computes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ops.pointwise import Pointwise, Role, computation, opmath, roles
from torchscript_dialect.ops.scalar_math import ScalarMath
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.core import BOOL, FLOAT, INT, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorProperties, TensorType

DTYPES = frozenset(("Float", "Double", "Int", "Long", "Bool"))
"""The element types that kernels compute with."""

_ANY_KIND = frozenset(
    "kind bits constant cast add sub mul neg abs minimum maximum where eq ne lt le gt ge bit_and bit_or"
    " bit_xor bit_not isnan isinf isfinite".split()
)
_FLOATS_ONLY = frozenset(
    "div pow pow_number copysign exp exp2 expm1 log log2 log10 log1p sqrt rsqrt sin cos tan asin acos atan sinh"
    " cosh tanh asinh acosh atanh atan2 erf sigmoid floor ceil trunc round".split()
)
_PREDICATES = frozenset("eq ne lt le gt ge isnan isinf isfinite".split())


class NotFusible(Exception):
    """A body asks for what kernels do not compute."""


class _Token(NamedTuple):
    dtype: dtype


def _kind(of: dtype) -> str:
    if of.name == "bool":
        return "b"
    return "f" if of.is_floating_point else "i"


class _Probe:
    """A ScalarMath that computes kinds only."""

    def kind(self, x: _Token, /) -> str:
        return _kind(x.dtype)

    def bits(self, x: _Token, /) -> int:
        return 8 * x.dtype.itemsize

    def constant(self, number: complex, like: _Token, /) -> _Token:
        return like

    def cast(self, x: _Token, name: str, /) -> _Token:
        return _Token(from_name(name))

    def where(self, condition: _Token, x: Any, y: Any, /) -> _Token:
        return x if isinstance(x, _Token) else y

    def __getattr__(self, name: str) -> Callable[..., _Token]:
        def method(*operands: Any) -> _Token:
            first = next(x for x in operands if isinstance(x, _Token))
            is_float = first.dtype.is_floating_point
            if name not in _ANY_KIND and not (name in _FLOATS_ONLY and is_float):
                raise NotFusible(name)
            return _Token(from_name("bool")) if name in _PREDICATES else first

        return method


def is_fusible(op: Operation) -> bool:
    """Whether the node may be in a group; view nodes (`is_view`) count, constants do not."""
    if isinstance(op, prim.ConstantChunkOp):
        return _is_even_chunk(op)
    if not isinstance(op, OperatorOp) or op.OPERATOR is None:
        return False
    if not all(_is_known(value) for value in op.results):
        return False
    rule = _RULES.get(op.OPERATOR.qualified_name)
    if rule is not None:
        return rule(op)
    declared = op.OPERATOR.rules.pointwise
    return isinstance(declared, Pointwise) and _is_pointwise(op, declared)


def is_candidate(op: Operation) -> bool:
    """Whether the node might be fusible if more were known of its tensors."""
    if not isinstance(op, OperatorOp) or op.OPERATOR is None or op.OPERATOR.schema.is_mutable:
        return False
    if all(_is_known(value) for value in op.results):
        return False
    is_pointwise = isinstance(op.OPERATOR.rules.pointwise, Pointwise)
    return is_pointwise or op.OPERATOR.qualified_name in _RULES


def is_view(op: Operation) -> bool:
    """Whether the node's results are views of its operand."""
    if isinstance(op, prim.ConstantChunkOp):
        return True
    return isinstance(op, OperatorOp) and op.KIND in ("aten::t", "aten::unsqueeze")


def _is_known(value: SSAValue) -> bool:
    """A tensor of which dtype, sizes and strides are known, on the CPU, without a gradient."""
    type_ = value.type
    if not isinstance(type_, TensorType) or type_.dtype not in DTYPES:
        return False
    if type_.device != "cpu" or type_.requires_grad or type_.sizes is None or type_.strides is None:
        return False
    return None not in type_.sizes and None not in type_.strides


def _is_dense(value: SSAValue) -> bool:
    type_ = value.type
    assert isinstance(type_, TensorType)
    sizes = tuple(size for size in type_.sizes or () if size is not None)
    pairs = zip(sizes, type_.strides or (), contiguous_strides(sizes), strict=True)
    return all(size == 1 or a == b for size, a, b in pairs)


def _may_turn(value: SSAValue) -> bool:
    """Whether a view is transposed such that its strides cannot tell, for want of elements.

    The kernel would serve sizes for which the result is not contiguous.
    """
    turned = False
    source = value
    while isinstance(source.owner, Operation) and is_view(source.owner):
        owner = source.owner
        turned |= isinstance(owner, OperatorOp) and owner.KIND == "aten::t"
        source = owner.operands[0]
    type_ = source.type
    if not turned or not isinstance(type_, TensorType):
        return False
    return any(size is None or size < 2 for size in type_.sizes or ())


def _constant(value: SSAValue) -> prim.ConstantOp | None:
    owner = value.owner
    return owner if isinstance(owner, prim.ConstantOp) and owner.function_symbol is None else None


def _is_pointwise(op: OperatorOp, declared: Pointwise) -> bool:
    operator = op.OPERATOR
    assert operator is not None
    if operator.schema.is_mutable or len(op.results) != 1 or not _is_dense(op.results[0]):
        return False
    facts: list[Any] = []
    for role, value in zip(roles(operator.schema), op.operands, strict=True):
        fact = _fact(role, value)
        if isinstance(fact, NotFusible) or _may_turn(value):
            return False
        facts.append(fact)
    try:
        common, result = computation(operator, facts)
        if common.type_name not in DTYPES or result.type_name not in DTYPES:
            return False
        _check(declared, facts, common)
        token = _Token(opmath(common))
        declared.body(cast(ScalarMath, _Probe()), *_stand_ins(op, declared, facts, token))
    except (NotFusible, ValueError, RuntimeError, NotImplementedError):
        return False
    return True


def _check(declared: Pointwise, facts: list[Any], common: dtype) -> None:
    """Raise what the operator raises for operands of such dtypes; kernels do not check."""
    if declared.check is not None:
        declared.check(common)
    if declared.check_operands is not None:
        declared.check_operands(*map(_tensor_like, facts))


def _tensor_like(fact: Any) -> Any:
    """A tensor without elements of the dtype and rank that a fact tells of; anything else as it is."""
    if not isinstance(fact, TensorProperties) or fact.dtype is None:
        return fact
    rank = len(fact.sizes or ())
    return Tensor(np.empty((0,) * rank, from_name(fact.dtype).numpy_dtype))


def _fact(role: Role, value: SSAValue) -> Any:
    """What dtype rules are told of an operand; a NotFusible where a kernel cannot take it."""
    if isinstance(value.type, TensorType):
        return value.type.data if _is_known(value) else NotFusible("an operand")
    constant = _constant(value)
    if constant is not None:
        number = constant.value
        return NotFusible("a complex number") if isinstance(number, complex) else number
    numbers: dict[TorchScriptType, Any] = {INT: 1, FLOAT: 1.5, BOOL: True}
    if role is Role.NUMBER and type_of(value) in numbers:
        return numbers[type_of(value)]
    return NotFusible("an operand that is not constant")


def _stand_ins(op: OperatorOp, declared: Pointwise, facts: list[Any], token: _Token) -> list[Any]:
    assert op.OPERATOR is not None
    schema = op.OPERATOR.schema
    stand_ins: list[Any] = []
    for role, argument, fact in zip(roles(schema), schema.arguments, facts, strict=False):
        if fact is None or role is Role.STATIC:
            stand_ins.append(fact)
        elif argument.name in declared.keeps and role is Role.TENSOR:
            stand_ins.append(_Token(from_name(fact.dtype)))
        else:
            stand_ins.append(token)
    return stand_ins


def _is_product(op: OperatorOp) -> bool:
    """`aten::mm`, or `aten::matmul` of two matrices of one float dtype."""
    a, b = op.operands
    return _are_factors(a, b) and _are_floats((a, b))


def _is_sum_with_product(op: OperatorOp) -> bool:
    """`aten::addmm` with numbers that are known."""
    start, a, b, *factors = op.operands
    numbers = [None if (found := _constant(f)) is None else found.value for f in factors]
    if not all(isinstance(number, int | float) for number in numbers):
        return False
    if numbers[1] == 0 or not _are_factors(a, b) or not _are_floats((start, a, b)):
        return False
    return _broadcasts_to(start, op.results[0])


def _is_layer(op: OperatorOp) -> bool:
    """`aten::linear` of a matrix, with a bias or without."""
    x, weight, bias = op.operands
    tensors = [x, weight] if _is_none(bias) else [x, weight, bias]
    if not _are_factors(x, weight) or not _are_floats(tensors):
        return False
    return _is_none(bias) or _broadcasts_to(bias, op.results[0])


def _broadcasts_to(value: SSAValue, product: SSAValue) -> bool:
    """Whether a tensor can be added to a product that stays as large as it is: others make PyTorch raise."""
    given, wanted = value.type, product.type
    assert isinstance(given, TensorType) and isinstance(wanted, TensorType)
    sizes, whole = given.sizes or (), wanted.sizes or ()
    if len(sizes) > len(whole):
        return False
    pairs = zip(reversed(sizes), reversed(whole), strict=False)
    return all(size in (1, total) for size, total in pairs)


def _is_none(value: SSAValue) -> bool:
    constant = _constant(value)
    return constant is not None and constant.value is None


def _are_factors(a: SSAValue, b: SSAValue) -> bool:
    """Two matrices."""
    x, y = a.type, b.type
    if not isinstance(x, TensorType) or not isinstance(y, TensorType):
        return False
    return len(x.sizes or ()) == len(y.sizes or ()) == 2


def _are_floats(values: Sequence[SSAValue]) -> bool:
    """Tensors of one float dtype."""
    types = [value.type for value in values]
    dtypes = {type_.dtype for type_ in types if isinstance(type_, TensorType)}
    return all(map(_is_known, values)) and dtypes in ({"Float"}, {"Double"})


def _is_transposition(op: OperatorOp) -> bool:
    return _is_known(op.operands[0])


def _is_unsqueeze(op: OperatorOp) -> bool:
    return _is_known(op.operands[0]) and _constant(op.operands[1]) is not None


_RULES: dict[str, Callable[[OperatorOp], bool]] = {
    "aten::mm": _is_product,
    "aten::matmul": _is_product,
    "aten::addmm": _is_sum_with_product,
    "aten::linear": _is_layer,
    "aten::t": _is_transposition,
    "aten::unsqueeze": _is_unsqueeze,
}
"""Fusible operators that are not pointwise, and when they are."""


def _is_even_chunk(op: prim.ConstantChunkOp) -> bool:
    if not all(map(_is_known, (*op.operands, *op.results))):
        return False
    type_ = op.operands[0].type
    assert isinstance(type_, TensorType) and type_.sizes is not None
    count, dim = (from_attribute(op.attributes[name]) for name in ("chunks", "dim"))
    size = cast(int | None, type_.sizes[dim])
    return size is not None and size % count == 0 and len(op.results) == count
