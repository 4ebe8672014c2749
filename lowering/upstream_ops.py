"""Operations of upstream MLIR dialects that xDSL 0.74 lacks, or defines for scalars only.

Names, operands and text are upstream's. They are registered with no dialect (a second
`llvm.fcmp` would clash): passes create them, the printer prints them, `mlir-opt` reads the text.
`VECTOR_FORMS` gives the class to use for an arith operation on vectors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.parser import Parser
    from xdsl.printer import Printer


class _Select(IRDLOperation):
    cond = operand_def()
    lhs = operand_def()
    rhs = operand_def()
    res = result_def()
    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        """`%cond, %lhs, %rhs : cond type, result type`."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_string(" : ")
        printer.print_list((self.cond.type, self.res.type), printer.print_attribute)


@irdl_op_definition
class VectorSelectOp(_Select):
    """`arith.select` whose condition is a vector."""

    name = "arith.select"


@irdl_op_definition
class LLVMSelectOp(_Select):
    """`llvm.select` whose condition may be a vector."""

    name = "llvm.select"


class _Compare(IRDLOperation):
    lhs = operand_def()
    rhs = operand_def()
    res = result_def()
    predicate = prop_def(IntegerAttr)
    traits = traits_def(Pure())

    def _print_rest(self, printer: Printer) -> None:
        printer.print_list(self.operands, printer.print_operand)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)


@irdl_op_definition
class LLVMFCmpOp(_Compare):
    """`llvm.fcmp` on scalars or vectors."""

    name = "llvm.fcmp"

    def print(self, printer: Printer) -> None:
        """`"olt" %lhs, %rhs : operand type`."""
        printer.print_string(f' "{CMPF_COMPARISON_OPERATIONS[self.predicate.value.data]}" ')
        self._print_rest(printer)


@irdl_op_definition
class VectorCmpfOp(_Compare):
    """`arith.cmpf` on vectors."""

    name = "arith.cmpf"
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none"))

    def print(self, printer: Printer) -> None:
        """`olt, %lhs, %rhs : operand type`."""
        printer.print_string(f" {CMPF_COMPARISON_OPERATIONS[self.predicate.value.data]}, ")
        self._print_rest(printer)


@irdl_op_definition
class VectorCmpiOp(_Compare):
    """`arith.cmpi` on vectors."""

    name = "arith.cmpi"

    def print(self, printer: Printer) -> None:
        """`slt, %lhs, %rhs : operand type`."""
        printer.print_string(f" {CMPI_COMPARISON_OPERATIONS[self.predicate.value.data]}, ")
        self._print_rest(printer)


@irdl_op_definition
class MemrefPrefetchOp(IRDLOperation):
    """`memref.prefetch` of the cache line of an element of a flat buffer; it faults nowhere."""

    name = "memref.prefetch"
    memref = operand_def(MemRefType)
    index = operand_def(IndexType)
    isWrite = prop_def(IntegerAttr)

    def print(self, printer: Printer) -> None:
        """`%memref[%index], write, locality<3>, data : memref type`."""
        printer.print_string(" ")
        printer.print_operand(self.memref)
        printer.print_string("[")
        printer.print_operand(self.index)
        way = "write" if self.isWrite.value.data else "read"
        printer.print_string(f"], {way}, locality<3>, data : ")
        printer.print_attribute(self.memref.type)

    @classmethod
    def parse(cls, parser: Parser) -> MemrefPrefetchOp:
        """The inverse of `print`."""
        memref = parser.parse_unresolved_operand()
        parser.parse_punctuation("[")
        index = parser.parse_unresolved_operand()
        parser.parse_punctuation("]")
        parser.parse_punctuation(",")
        way = parser.parse_identifier()
        for text in (",", "locality", "<", "3", ">", ",", "data", ":"):
            parser.parse_characters(text)
        operands = [
            parser.resolve_operand(memref, parser.parse_type()),
            parser.resolve_operand(index, IndexType()),
        ]
        writes = IntegerAttr.from_bool(way == "write")
        return cls.create(operands=operands, properties={"isWrite": writes})


class _Cast(IRDLOperation):
    arg = operand_def()
    res = result_def()
    traits = traits_def(Pure())

    def print(self, printer: Printer) -> None:
        """`%arg : argument type to result type`."""
        printer.print_string(" ")
        printer.print_operand(self.arg)
        printer.print_string(" : ")
        printer.print_attribute(self.arg.type)
        printer.print_string(" to ")
        printer.print_attribute(self.res.type)


@irdl_op_definition
class LLVMFPToSIOp(_Cast):
    """Float to signed integer; NaN and what does not fit is poison."""

    name = "llvm.fptosi"


@irdl_op_definition
class LLVMFPToUIOp(_Cast):
    """Float to unsigned integer; NaN and what does not fit is poison."""

    name = "llvm.fptoui"


@irdl_op_definition
class LLVMUIToFPOp(_Cast):
    """Unsigned integer to float."""

    name = "llvm.uitofp"


@irdl_op_definition
class VectorExtSIOp(_Cast):
    """`arith.extsi` on vectors."""

    name = "arith.extsi"


@irdl_op_definition
class VectorExtUIOp(_Cast):
    """`arith.extui` on vectors."""

    name = "arith.extui"


@irdl_op_definition
class VectorTruncIOp(_Cast):
    """`arith.trunci` on vectors."""

    name = "arith.trunci"


@irdl_op_definition
class VectorSIToFPOp(_Cast):
    """`arith.sitofp` on vectors."""

    name = "arith.sitofp"


@irdl_op_definition
class VectorUIToFPOp(_Cast):
    """`arith.uitofp` on vectors."""

    name = "arith.uitofp"


@irdl_op_definition
class VectorFPToSIOp(_Cast):
    """`arith.fptosi` on vectors."""

    name = "arith.fptosi"


@irdl_op_definition
class VectorFPToUIOp(_Cast):
    """`arith.fptoui` on vectors."""

    name = "arith.fptoui"


VECTOR_FORMS: dict[type[Operation], type[Operation]] = {
    arith.SelectOp: VectorSelectOp,
    arith.CmpfOp: VectorCmpfOp,
    arith.CmpiOp: VectorCmpiOp,
    arith.ExtSIOp: VectorExtSIOp,
    arith.ExtUIOp: VectorExtUIOp,
    arith.TruncIOp: VectorTruncIOp,
    arith.SIToFPOp: VectorSIToFPOp,
    arith.UIToFPOp: VectorUIToFPOp,
    arith.FPToSIOp: VectorFPToSIOp,
    arith.FPToUIOp: VectorFPToUIOp,
}
