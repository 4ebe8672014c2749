"""`kernel.im2col_matmul`: a matrix product whose right factor is gathered from a tensor while it is packed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    f32,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from lowering.shaped import element_type, is_memref

DIGITS = 4
"""Loops that the rows of the right factor are, and its columns; those beyond what there is have size 1."""


class Digits(NamedTuple):
    """The loops that rows or columns are: the size of each, and how far elements lie apart along it."""

    sizes: Sequence[SSAValue]
    steps: Sequence[SSAValue]


@irdl_op_definition
class Im2colMatmulOp(IRDLOperation):
    """`%c[m, n] += sum over k of %a[m, k] * b[k, n]`, of which b is no matrix in memory.

    A row k is four indices, k = ((k0 * s1 + k1) * s2 + k2) * s3 + k3 of `row_sizes` s, and so is a column n of `column_sizes`. The
    element is that of the flat buffer `%x` at `%offset + k0 * row_steps[0] + ... + n3 * column_steps[3]`, which increases with n: the
    windows of an image that a convolution multiplies (im2col: Chellapilla, Puri and Simard, High Performance Convolutional Neural
    Networks for Document Processing, 2006).
    """

    name = "kernel.im2col_matmul"

    a = operand_def()
    x = operand_def()
    offset = operand_def(IndexType)
    row_sizes = var_operand_def(IndexType)
    row_steps = var_operand_def(IndexType)
    column_sizes = var_operand_def(IndexType)
    column_steps = var_operand_def(IndexType)
    c = operand_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$a `,` $x `[` $offset `]` `rows` $row_sizes `by` $row_steps `columns` $column_sizes `by` $column_steps"
        " `into` $c attr-dict `:` type($a) `,` type($x) `,` type($c)"
    )
    traits = traits_def(MemoryWriteEffect())

    @classmethod
    def of(
        cls,
        a: SSAValue,
        x: SSAValue,
        offset: SSAValue,
        rows: Digits,
        columns: Digits,
        c: SSAValue,
    ) -> Im2colMatmulOp:
        """The product."""
        return cls.build(operands=[[a], [x], [offset], *rows, *columns, [c]])

    @property
    def rows(self) -> Digits:
        """The rows of the right factor."""
        return Digits(self.row_sizes, self.row_steps)

    @property
    def columns(self) -> Digits:
        """Its columns."""
        return Digits(self.column_sizes, self.column_steps)

    def verify_(self) -> None:
        """Factors of one float type, a result of it, or of f32 where they have 16 bits, and as many sizes as steps."""
        types = [self.a.type, self.x.type, self.c.type]
        ranks = [len(one.get_shape()) if is_memref(one) else 0 for one in types]
        if ranks != [2, 1, 2]:
            raise VerifyException("the factor and the result are matrices, the image is flat")
        a, x, c = map(element_type, types)
        halves = isinstance(a, Float16Type | BFloat16Type)
        if a != x or c != (f32 if halves else a) or not isinstance(c, Float32Type | Float64Type):
            raise VerifyException(
                "elements are floats of 32 or 64 bits, all of one type, or factors have 16 bits and the result 32"
            )
        lists = (self.row_sizes, self.row_steps, self.column_sizes, self.column_steps)
        if any(len(one) != DIGITS for one in lists):
            raise VerifyException(f"rows and columns have {DIGITS} sizes and steps each")
