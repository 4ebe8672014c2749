"""What has to hold of the operands of nodes that kernels compute: the parts of which lowerings make their conditions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from xdsl.ir import Operation, SSAValue

from lowering.linalg.operator_lowering import is_view, lowering_of
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects import prim
from torchscript_dialect.tensor.strides import contiguous_strides, memory_order
from torchscript_dialect.types.tensor_type import TensorType

HALVES = frozenset(("Half", "BFloat16"))
"""Those that kernels widen to float32 where they load them, and round where operators do. Devices alone multiply their matrices."""
INTEGERS = frozenset(("Int", "Long"))
"""Those whose sums of products wrap around; devices have kernels for these."""
DTYPES = frozenset(("Float", "Double", *HALVES, *INTEGERS, "Short", "Char", "Byte", "Bool"))
"""The element types that kernels compute with."""
COMPLEX = frozenset(("ComplexFloat", "ComplexDouble"))
"""Those that kernels of the CPU have as pairs, where a lowering `takes_complex`."""


def dtypes_taken(*, takes_complex: bool) -> frozenset[str]:
    """The element types of the operands and results of a lowering."""
    return DTYPES | COMPLEX if takes_complex and fusing_device() == "cpu" else DTYPES


def is_known(value: SSAValue, *, takes_complex: bool = False) -> bool:
    """A tensor of which dtype, device, sizes and strides are known, without a gradient."""
    type_ = value.type
    if not isinstance(type_, TensorType):
        return False
    if type_.dtype not in dtypes_taken(takes_complex=takes_complex):
        return False
    if type_.device is None or type_.requires_grad or type_.sizes is None or type_.strides is None:
        return False
    return None not in type_.sizes and None not in type_.strides


def rank(value: SSAValue) -> int:
    """How many dimensions a tensor has; 0 for anything else, and where that is not known."""
    return len(value.type.sizes or ()) if isinstance(value.type, TensorType) else 0


def is_complex(value: SSAValue) -> bool:
    """A tensor of complex numbers."""
    return isinstance(value.type, TensorType) and value.type.dtype in COMPLEX


def is_dense(value: SSAValue) -> bool:
    """A tensor of which it is known that its elements lie in the order of their indices."""
    type_ = value.type
    assert isinstance(type_, TensorType)
    sizes, strides = type_.sizes, type_.strides
    if sizes is None or strides is None:
        return False
    known = [size for size in sizes if size is not None]
    if len(known) != len(sizes) or None in strides:
        return False
    dense = contiguous_strides(known)
    return all(size == 1 or a == b for size, a, b in zip(known, strides, dense, strict=True))


def is_packed(value: SSAValue) -> bool:
    """A tensor without gaps, whose dimensions may lie in another order, if strides tell it for all sizes that a kernel serves."""
    type_ = value.type
    assert isinstance(type_, TensorType)
    return is_dense(value) or memory_order(type_.sizes, type_.strides) is not None


def has_elements(value: SSAValue) -> bool:
    """Whether a tensor has any: what has none tells nothing of the strides of others."""
    type_ = value.type
    return isinstance(type_, TensorType) and 0 not in (type_.sizes or ())


def is_made_here(value: SSAValue) -> bool:
    """Whether a node that a kernel may hold computes what a value is a view of."""
    while isinstance(value.owner, Operation) and is_view(value.owner) and value.owner.operands:
        value = value.owner.operands[0]
    lowering = lowering_of(type(value.owner)) if isinstance(value.owner, Operation) else None
    return lowering is not None and lowering.joins_groups


def turned(value: SSAValue) -> list[SSAValue]:
    """The views that a value is made by, and what it is a view of, where one has its dimensions in another order than memory.

    Views that have the dimensions of others, and more, are left out. Where all sizes are 2 or more, or always 1, strides tell the
    order of the dimensions: a kernel for such sizes makes results of the order that the operator gives them.
    """
    chain: list[SSAValue] = []
    is_turned = False
    while isinstance(value.owner, Operation) and is_view(value.owner) and value.owner.operands:
        lowering = lowering_of(type(value.owner))
        assert lowering is not None
        is_turned |= lowering.turns
        if not lowering.repeats and isinstance(value.type, TensorType):
            chain.append(value)
        value = value.owner.operands[0]
    chain.append(value)
    return chain if is_turned or not _descends(value) else []


def _descends(value: SSAValue) -> bool:
    """Whether a tensor has its dimensions in the order of memory."""
    if not isinstance(type_ := value.type, TensorType):
        return True
    pairs = zip(type_.sizes or (), type_.strides or (), strict=False)
    strides = [stride for size, stride in pairs if size != 1 and stride]
    return all(a >= b for a, b in pairwise(strides))


def may_turn(value: SSAValue) -> bool:
    """Whether a view has dimensions in another order such that its strides cannot tell, for want of elements.

    The kernel would serve sizes for which the result has another order. Of a list: whether an element is such a view.
    """
    if isinstance(value.owner, prim.ListConstructOp):
        return any(map(may_turn, value.owner.operands))
    types = [one.type for one in turned(value)]
    return any(isinstance(type_, TensorType) and not _tells_order(type_) for type_ in types)


def _tells_order(type_: TensorType) -> bool:
    """Whether strides tell the order of all dimensions."""
    sizes = type_.sizes or ()
    if any(size is None or size < 1 for size in sizes):
        return False
    return 1 not in sizes or memory_order(sizes, type_.strides) is not None


def are_floats(values: Sequence[SSAValue]) -> bool:
    """Tensors of one float dtype, of which all is known."""
    types = [value.type for value in values]
    found = {type_.dtype for type_ in types if isinstance(type_, TensorType)}
    if len(found) != 1 or not found <= {"Float", "Double", *HALVES}:
        return False
    return all(map(is_known, values))


def are_halves(values: Sequence[SSAValue]) -> bool:
    """Whether a tensor among them is of 16-bit floats."""
    types = [value.type for value in values]
    return any(isinstance(type_, TensorType) and type_.dtype in HALVES for type_ in types)


def multiply(values: Sequence[SSAValue]) -> bool:
    """Tensors of one dtype, of which all is known, that kernels multiply: of floats, and of integers on a device."""
    if are_floats(values):
        return True
    types = [value.type for value in values]
    found = {type_.dtype for type_ in types if isinstance(type_, TensorType)}
    is_there = fusing_device() != "cpu" and len(found) == 1 and found <= INTEGERS
    return is_there and all(map(is_known, values))


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


def value_of(value: SSAValue) -> Any:
    """What a value is that is known to be a constant."""
    found = constant(value)
    assert found is not None
    return found.value


def sizes_of(value: SSAValue) -> tuple[int | None, ...]:
    """The sizes of a tensor; none where its rank is not known."""
    type_ = value.type
    assert isinstance(type_, TensorType)
    return type_.sizes or ()


def static_sizes(value: SSAValue) -> tuple[int, ...]:
    """The sizes of a tensor of which all are known."""
    return cast("tuple[int, ...]", sizes_of(value))
