"""Tensors that are another tensor (PyTorch: passes/peephole.cpp, peephole_alias_sensitive.cpp)."""

from enum import Enum, auto
from math import copysign
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten, prim, prim_operators
from torchscript_dialect.ir import edit
from torchscript_dialect.ops.shapes import known_ints
from torchscript_dialect.patterns.memory import Memory
from torchscript_dialect.patterns.values import forward
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.strides import contiguous_strides, dense_strides
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.tensor_type import TensorType

Arithmetic: TypeAlias = aten.AddScalarOp | aten.SubScalarOp | aten.MulScalarOp | aten.DivScalarOp


class Layout(Enum):
    CONTIGUOUS = auto()
    DENSE = auto()
    OTHER = auto()


class TensorPattern(RewritePattern):
    """A pattern that looks at tensors, or takes one for another."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def use_operand(self, op: Operation, rewriter: PatternRewriter, operand: SSAValue) -> None:
        """Use an operand for its copy that the op gives, where nobody can tell the difference."""
        if self.memory.unify(op.results[0], operand):
            forward(rewriter, op, operand)

    def layout(self, value: SSAValue) -> Layout:
        """How the elements of a tensor lie, if that is known."""
        type_ = self.memory.known_tensor(value)
        if type_ is None:
            return Layout.OTHER
        sizes, strides = known_ints(type_.sizes), known_ints(type_.strides)
        if sizes is None or strides is None:
            return Layout.OTHER
        if strides == tuple(contiguous_strides(sizes)):
            return Layout.CONTIGUOUS
        return Layout.DENSE if strides == tuple(dense_strides(sizes, strides)) else Layout.OTHER

    def keeps_all(self, op: Arithmetic) -> bool:
        """Whether arithmetic with a neutral number gives a tensor of the same dtype and strides.

        Without knowing the operand's dtype nothing is known: `bool + 0` is an int. Without its strides neither: the result of
        arithmetic is dense, so that it can be viewed in ways in which the operand may not.
        """
        if self.layout(op.self) is Layout.OTHER:
            return False
        element = _element(op.self)
        if element is None:
            return False
        is_int = all(operand.type == INT for operand in op.operands[1:])
        return element.is_floating_point or (element.is_integral and is_int)


def _element(value: SSAValue) -> dtype | None:
    type_ = value.type
    if not isinstance(type_, TensorType) or type_.dtype is None:
        return None
    return from_name(type_.dtype)


def _is_float(value: SSAValue) -> bool:
    element = _element(value)
    return element is not None and element.is_floating_point


class DoubleTranspose(TensorPattern):
    """`aten::t(aten::t(%x))` -> `%x`: both are views of one memory."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.TOp, rewriter: PatternRewriter, /) -> None:
        inner = op.self.owner
        if isinstance(inner, aten.TOp) and not self.memory.is_written(inner.self):
            forward(rewriter, op, inner.self)


class NumberOfNumToTensor(TensorPattern):
    """`aten::Int(prim::NumToTensor(%i : int))` -> `%i`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: aten.IntTensorOp | aten.IntImplicitOp | aten.FloatTensorOp | aten.FloatImplicitOp
        | aten.ScalarImplicitOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:  # fmt: skip
        inner = op.a.owner
        if not isinstance(inner, prim_operators.NumToTensorScalarOp):
            return
        if inner.a.type == op.results[0].type and not self.memory.is_written(op.a):
            forward(rewriter, op, inner.a)


class CatOfOne(TensorPattern):
    """`aten::cat(prim::ListConstruct(%x : Float(2, 3, strides=[3, 1])), 0)` -> `%x`: a copy of a contiguous tensor."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.CatOp, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op.tensors.owner, prim.ListConstructOp):
            return
        elements = self.memory.elements(op.tensors)
        if elements is None or len(elements) != 1:
            return
        if self.layout(elements[0]) is Layout.CONTIGUOUS:
            self.use_operand(op, rewriter, elements[0])


class TensorPlusZero(TensorPattern):
    """`aten::sub(%x : Float(2, strides=[1]), 0, 1)` -> `%x`

    A float keeps the sign of its zeros: `-0.0 + 0` is `0.0`, so what is added to it must be `-0.0`.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.AddScalarOp | aten.SubScalarOp, rewriter: PatternRewriter, /
    ) -> None:
        number, alpha = edit.constant_value(op.other), edit.constant_value(op.alpha)
        if number != 0 or alpha != 1 or isinstance(number, (bool, complex)):
            return
        subtracts = isinstance(op, aten.SubScalarOp)
        if _is_float(op.self) and (copysign(1, number) > 0) != subtracts:
            return
        if self.keeps_all(op):
            self.use_operand(op, rewriter, op.self)


class TensorTimesOne(TensorPattern):
    """`aten::mul(%x : Float(2, strides=[1]), 1)`, `aten::div(%x, 1)` -> `%x`

    A quotient of ints is a float.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.MulScalarOp | aten.DivScalarOp, rewriter: PatternRewriter, /
    ) -> None:
        number = edit.constant_value(op.other)
        if number != 1 or isinstance(number, (bool, complex)):
            return
        if isinstance(op, aten.DivScalarOp) and not _is_float(op.self):
            return
        if self.keeps_all(op):
            self.use_operand(op, rewriter, op.self)


VIEWS: tuple[type[TensorPattern], ...] = (DoubleTranspose, NumberOfNumToTensor)
COPIES: tuple[type[TensorPattern], ...] = (CatOfOne, TensorPlusZero, TensorTimesOne)
"""Those that need to know the layout of tensors."""
