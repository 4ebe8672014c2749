"""Operations of memref that xDSL 0.74 lacks."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntAttr, IntegerAttr, MemRefType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from lowering.shaped import element_type


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


@irdl_op_definition
class PointerOp(IRDLOperation):
    """The address of an element of a flat buffer, of a type, in a space:
    `%p = memref_ext.pointer %a[%i] of i8 : memref<8xi8, 3> to !llvm.ptr<3>`.
    """

    name = "memref_ext.pointer"
    memref = operand_def(MemRefType)
    index = operand_def(IndexType)
    elem_type = prop_def(Attribute)
    res = result_def(LLVMPointerType)
    traits = traits_def(Pure())
    assembly_format = (
        "$memref `[` $index `]` `of` $elem_type attr-dict `:` type($memref) `to` type($res)"
    )

    @classmethod
    def of(cls, base: SSAValue, index: SSAValue, space: int) -> PointerOp:
        """The address in a space."""
        return cls.create(
            operands=[base, index],
            result_types=[LLVMPointerType(IntAttr(space))],
            properties={"elem_type": element_type(base.type)},
        )

    def verify_(self) -> None:
        """The type is that of the elements."""
        if self.elem_type != element_type(self.memref.type):
            raise VerifyException(f"the buffer has no elements of {self.elem_type}")


MemRefExt = Dialect("memref_ext", [PrefetchOp, PointerOp])
