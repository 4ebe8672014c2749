"""Peephole rules for tensors (PyTorch: passes/peephole.cpp, peephole_alias_sensitive.cpp)."""

from __future__ import annotations

from enum import Enum, auto
from math import copysign
from typing import cast

from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.ops.shapes import known_ints
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.strides import contiguous_strides, dense_strides
from torchscript_dialect.transforms._peephole_context import Rewriter, Rule, overload
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.tensor_type import TensorType


def _transpose(rewriter: Rewriter, op: Operation) -> bool:
    """`t(t(x))` is `x`: both are views of one memory."""
    inner = op.operands[0].owner
    if not isinstance(inner, OperatorOp) or inner.KIND != "aten::t":
        return False
    if rewriter.is_written(inner.operands[0]):
        return False
    return rewriter.replace(op.results[0], inner.operands[0])


def _number_of_tensor(rewriter: Rewriter, op: Operation) -> bool:
    """`int(tensor(i))` is `i`, where the types fit."""
    inner = op.operands[0].owner
    if not isinstance(inner, OperatorOp) or inner.KIND != "prim::NumToTensor":
        return False
    number = inner.operands[0]
    if number.type != op.results[0].type or rewriter.is_written(inner.results[0]):
        return False
    return rewriter.replace(op.results[0], number)


def _cat_of_one(rewriter: Rewriter, op: Operation) -> bool:
    """The concatenation of a single contiguous tensor is a copy of it."""
    made = op.operands[0].owner
    if overload(op) != "aten::cat" or getattr(made, "KIND", "") != "prim::ListConstruct":
        return False
    assert isinstance(made, Operation)
    if len(made.operands) != 1 or rewriter.is_written(op.operands[0]):
        return False
    source = made.operands[0]
    if _layout_of_copy(rewriter, source) is not Layout.CONTIGUOUS:
        return False
    return rewriter.replace_fresh(op.results[0], source)


def _plus_zero(rewriter: Rewriter, op: Operation) -> bool:
    """`x + 0` and `x - 0` where they are `x`: the dtype stays, and so does the sign of a zero
    (`-0.0 + 0` is `0.0`).
    """
    if overload(op) not in ("aten::add.Scalar", "aten::sub.Scalar"):
        return False
    number, alpha = (edit.constant_value(v) for v in op.operands[1:3])
    if number != 0 or alpha != 1 or isinstance(number, (bool, complex)):
        return False
    subtracts = overload(op) == "aten::sub.Scalar"
    if _is_float(op.operands[0]) and (copysign(1, number) > 0) != subtracts:
        return False
    return _is_identity(rewriter, op) and rewriter.replace_fresh(op.results[0], op.operands[0])


def _times_one(rewriter: Rewriter, op: Operation) -> bool:
    """`x * 1`, and `x / 1` of a float tensor."""
    if overload(op) not in ("aten::mul.Scalar", "aten::div.Scalar"):
        return False
    number = edit.constant_value(op.operands[1])
    if number != 1 or isinstance(number, (bool, complex)):
        return False
    if overload(op) == "aten::div.Scalar" and not _is_float(op.operands[0]):
        return False
    return _is_identity(rewriter, op) and rewriter.replace_fresh(op.results[0], op.operands[0])


def _is_identity(rewriter: Rewriter, op: Operation) -> bool:
    """Whether arithmetic with a neutral number gives a tensor of the same dtype and strides.

    Without knowing the operand's dtype nothing is known: `bool + 0` is an int. Without its strides
    neither: the result of arithmetic is dense, so that it can be viewed in ways in which the
    operand may not.
    """
    layout = _layout_of_copy(rewriter, op.operands[0])
    if layout is Layout.OTHER:
        return False
    return _is_float(op.operands[0]) or (
        _is_integer(op.operands[0]) and all(operand.type == INT for operand in op.operands[1:])
    )


class Layout(Enum):
    CONTIGUOUS = auto()
    DENSE = auto()
    OTHER = auto()


def _layout_of_copy(rewriter: Rewriter, value: SSAValue) -> Layout:
    """How the elements lie, if that is known."""
    type_ = rewriter.known_tensor(value) if rewriter.shapes else None
    if type_ is None:
        return Layout.OTHER
    sizes, strides = known_ints(type_.sizes), known_ints(type_.strides)
    if sizes is None or strides is None:
        return Layout.OTHER
    if strides == tuple(contiguous_strides(sizes)):
        return Layout.CONTIGUOUS
    return Layout.DENSE if strides == tuple(dense_strides(sizes, strides)) else Layout.OTHER


def _is_float(value: SSAValue) -> bool:
    element = _element(value)
    return element is not None and element.is_floating_point


def _is_integer(value: SSAValue) -> bool:
    element = _element(value)
    return element is not None and element.is_integral


def _element(value: SSAValue) -> dtype | None:
    type_ = value.type
    if not isinstance(type_, TensorType) or type_.dtype is None:
        return None
    return from_name(type_.dtype)


TENSOR_RULES: dict[str, Rule] = {
    "aten::t": _transpose,
    "aten::Int": _number_of_tensor,
    "aten::Float": _number_of_tensor,
    "aten::IntImplicit": _number_of_tensor,
    "aten::FloatImplicit": _number_of_tensor,
    "aten::ScalarImplicit": _number_of_tensor,
    "aten::cat": _cat_of_one,
    "aten::add": _plus_zero,
    "aten::sub": _plus_zero,
    "aten::mul": _times_one,
    "aten::div": _times_one,
}


# What types say.


def _expand(rewriter: Rewriter, op: Operation) -> bool:
    """`x.expand(x.size())` is `x`."""
    type_ = rewriter.known_tensor(op.operands[0])
    sizes = edit.constant_value(op.operands[1])
    if type_ is None or type_.sizes is None or sizes is None:
        return False
    return tuple(sizes) == type_.sizes and rewriter.replace(op.results[0], op.operands[0])


def _type_as(rewriter: Rewriter, op: Operation) -> bool:
    """`x.type_as(y)` is `x` where their dtypes and devices are the same."""
    a, b = (rewriter.known_tensor(operand) for operand in op.operands)
    if a is None or b is None or None in (a.dtype, a.device):
        return False
    if (a.dtype, a.device) != (b.dtype, b.device):
        return False
    return rewriter.replace(op.results[0], op.operands[0])


def _size(rewriter: Rewriter, op: Operation) -> bool:
    type_ = rewriter.known_tensor(op.operands[0])
    if type_ is None or type_.sizes is None:
        return False
    if overload(op) == "aten::size":
        known = [size for size in type_.sizes if size is not None]
        if len(known) != len(type_.sizes) or rewriter.is_written(op.results[0]):
            return False
        return rewriter.fold(op, known, op.results[0].type)  # pyright: ignore[reportArgumentType]
    if overload(op) != "aten::size.int":
        return False
    dim, rank = edit.constant_value(op.operands[1]), len(type_.sizes)
    if dim is None or not -rank <= dim < rank:
        return False
    size = cast(int | None, type_.sizes[dim])
    return size is not None and rewriter.fold(op, size)


def _dim(rewriter: Rewriter, op: Operation) -> bool:
    type_ = rewriter.known_tensor(op.operands[0])
    return type_ is not None and type_.dim is not None and rewriter.fold(op, type_.dim)


def _rank_by_len(rewriter: Rewriter, op: Operation) -> bool:
    """`len(x.size())` is `x.dim()`."""
    sizes = op.operands[0].owner
    if overload(op) != "aten::len.t" or not isinstance(sizes, OperatorOp):
        return False
    if overload(sizes) != "aten::size" or rewriter.is_written(sizes.results[0]):
        return False
    type_ = rewriter.known_tensor(sizes.operands[0])
    return type_ is not None and type_.dim is not None and rewriter.fold(op, type_.dim)


def _dtype(rewriter: Rewriter, op: Operation) -> bool:
    type_ = rewriter.known_tensor(op.operands[0])
    if type_ is None or type_.dtype is None:
        return False
    return rewriter.fold(op, from_name(type_.dtype).scalar_type)


def _is_floating_point(rewriter: Rewriter, op: Operation) -> bool:
    type_ = rewriter.known_tensor(op.operands[0])
    if type_ is None or type_.dtype is None:
        return False
    return rewriter.fold(op, from_name(type_.dtype).is_floating_point)


def _is_complex(rewriter: Rewriter, op: Operation) -> bool:
    type_ = rewriter.known_tensor(op.operands[0])
    if type_ is None or type_.dtype is None:
        return False
    return rewriter.fold(op, from_name(type_.dtype).is_complex)


def _device(rewriter: Rewriter, op: Operation) -> bool:
    type_ = rewriter.known_tensor(op.operands[0])
    if type_ is None or type_.device is None:
        return False
    return rewriter.fold(op, type_.device, op.results[0].type)  # pyright: ignore[reportArgumentType]


def _is_on(device: str) -> Rule:
    def rule(rewriter: Rewriter, op: Operation) -> bool:
        type_ = rewriter.known_tensor(op.operands[0])
        if type_ is None or type_.device is None:
            return False
        return rewriter.fold(op, type_.device.partition(":")[0] == device)

    return rule


SHAPE_RULES: dict[str, Rule] = {
    "aten::expand": _expand,
    "aten::type_as": _type_as,
    "aten::size": _size,
    "aten::dim": _dim,
    "aten::len": _rank_by_len,
    "aten::is_floating_point": _is_floating_point,
    "aten::is_complex": _is_complex,
    "prim::dtype": _dtype,
    "prim::device": _device,
    "prim::is_cuda": _is_on("cuda"),
    "prim::is_cpu": _is_on("cpu"),
}
