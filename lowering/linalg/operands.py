"""What has to hold of the operands of nodes that kernels compute: the parts of which lowerings make their conditions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from lowering.linalg.operator_lowering import is_view
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.types.tensor_type import TensorType

DTYPES = frozenset(("Float", "Double", "Int", "Long", "Bool"))
"""The element types that kernels compute with."""


def is_known(value: SSAValue) -> bool:
    """A tensor of which dtype, sizes and strides are known, on the CPU, without a gradient."""
    type_ = value.type
    if not isinstance(type_, TensorType) or type_.dtype not in DTYPES:
        return False
    if type_.device != "cpu" or type_.requires_grad or type_.sizes is None or type_.strides is None:
        return False
    return None not in type_.sizes and None not in type_.strides


def is_dense(value: SSAValue) -> bool:
    """A tensor whose elements lie in the order of their indices."""
    type_ = value.type
    assert isinstance(type_, TensorType)
    sizes = tuple(size for size in type_.sizes or () if size is not None)
    pairs = zip(sizes, type_.strides or (), contiguous_strides(sizes), strict=True)
    return all(size == 1 or a == b for size, a, b in pairs)


def may_turn(value: SSAValue) -> bool:
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


def are_floats(values: Sequence[SSAValue]) -> bool:
    """Tensors of one float dtype, of which all is known."""
    types = [value.type for value in values]
    dtypes = {type_.dtype for type_ in types if isinstance(type_, TensorType)}
    return all(map(is_known, values)) and dtypes in ({"Float"}, {"Double"})


def broadcasts_to(value: SSAValue, target: SSAValue) -> bool:
    """Whether a tensor can be added to another that stays as large as it is: what cannot makes PyTorch raise."""
    given, wanted = value.type, target.type
    assert isinstance(given, TensorType) and isinstance(wanted, TensorType)
    sizes, whole = given.sizes or (), wanted.sizes or ()
    if len(sizes) > len(whole):
        return False
    pairs = zip(reversed(sizes), reversed(whole), strict=False)
    return all(size in (1, total) for size, total in pairs)


def constant(value: SSAValue) -> prim.ConstantOp | None:
    """The node of a constant that is no function, None for anything else."""
    owner = value.owner
    return owner if isinstance(owner, prim.ConstantOp) and owner.function_symbol is None else None


def is_none(value: SSAValue) -> bool:
    """Whether a value is the constant None."""
    found = constant(value)
    return found is not None and found.value is None
