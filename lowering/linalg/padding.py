"""Padding with a number, which is lowered for other compilers: `linalg.fill`, into which `tensor.insert_slice` puts the tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, fixed
from torchscript_dialect.dialects.operators import OperatorOp

if TYPE_CHECKING:
    from lowering.export.export_builder import ExportBuilder


class Padding(OperatorLowering):
    """`aten::constant_pad_nd(%x, [1, 2], %number)`; dimensions that are padded have one size."""

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, pads, number = op.operands
        found = constant(pads)
        return (
            is_known(source)
            and constant(number) is not None
            and found is not None
            and all(pad >= 0 for pad in found.value)
        )

    def pads(self, b: ExportBuilder, op: OperatorOp) -> list[tuple[int, int]]:
        """What stands before and after each dimension; the operator names it from the last dimension on."""
        given: list[int] = b.constant(op.operands[1])
        pairs = list(zip(given[::2], given[1::2], strict=True))
        return [(0, 0)] * (len(b.shapes[op.operands[0]]) - len(pairs)) + pairs[::-1]

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        pads = self.pads(b, op)
        for symbol, pad in zip(source, pads, strict=True):
            if any(pad):
                symbol.unite(fixed(symbol.size))
        sizes = zip(source, pads, strict=True)
        return [tuple(fixed(s.size + sum(pad)) if any(pad) else s for s, pad in sizes)]

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, _, number = op.operands
        return [b.padded(source, self.pads(b, op), b.constant(number), b.dtype_of(source))]
