"""Operations of memref that xDSL 0.74 lacks."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """`memref.prefetch` of the cache line of an element of a flat buffer; it faults nowhere.

    `%memref[%index], write, locality<3>, data : memref type`.
    """

    name = "memref_ext.prefetch"
    memref = operand_def(MemRefType)
    index = operand_def(IndexType)
    isWrite = prop_def(IntegerAttr)

    def print(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(" ")
        printer.print_operand(self.memref)
        printer.print_string("[")
        printer.print_operand(self.index)
        way = "write" if self.isWrite.value.data else "read"
        printer.print_string(f"], {way}, locality<3>, data : ")
        printer.print_attribute(self.memref.type)

    @classmethod
    def parse(cls, parser: Parser) -> PrefetchOp:
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


MemRefExt = Dialect("memref_ext", [PrefetchOp])
