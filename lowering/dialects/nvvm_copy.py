"""What upstream's nvvm dialect has for pieces of matrices on their way to shared memory and from there to the registers of a warp."""

from __future__ import annotations

from xdsl.dialects.builtin import IntAttr, IntegerAttr, StringAttr, i32
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from lowering.dialects.nvvm_mma import COLUMN, ROW, MMALayoutAttr
from lowering.shaped import integer_of

GLOBAL_SPACE, SHARED_SPACE = 1, 3
CHUNK = 16
"""The bytes of a copy that goes past the first-level cache, and of a line of a small matrix."""
WORDS = LLVMStructType.from_type_list([i32] * 4)
"""What a thread has of four small matrices."""


def pointer_to(space: int) -> LLVMPointerType:
    """Addresses in a space."""
    return LLVMPointerType(IntAttr(space))


@irdl_op_definition
class LdMatrixOp(IRDLOperation):
    """A warp loads small matrices from shared memory, of eight lines of 16 bytes, whose addresses its threads give:
    `%0 = nvvm.ldmatrix %ptr {layout = #nvvm.mma_layout<row>, num = 4 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>`.

    A thread has a word of each matrix, of the line of a quarter of its number; with `col`, it has an element of 16 bits of each of two
    lines (PTX ISA, section 9.7.14.5.15).
    """

    name = "nvvm.ldmatrix"

    ptr = operand_def(LLVMPointerType)
    num = prop_def(IntegerAttr)
    layout = prop_def(MMALayoutAttr)
    res = result_def()

    @classmethod
    def of(cls, address: SSAValue, *, is_transposed: bool) -> LdMatrixOp:
        """Four matrices."""
        layout = COLUMN if is_transposed else ROW
        properties: dict[str, Attribute] = {"num": IntegerAttr(4, i32), "layout": layout}
        return cls.create(operands=[address], result_types=[WORDS], properties=properties)

    @property
    def is_transposed(self) -> bool:
        """Whether a thread has elements of two lines."""
        return self.layout == COLUMN

    @classmethod
    def parse(cls, parser: Parser) -> LdMatrixOp:
        """The inverse of `print`."""
        operand = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        with parser.in_parens():
            type_ = parser.parse_type()
        parser.parse_punctuation("->")
        result = parser.parse_type()
        operands = [parser.resolve_operand(operand, type_)]
        return cls.create(operands=operands, result_types=[result], properties=attributes)

    def print(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(" ")
        printer.print_ssa_value(self.ptr)
        printer.print_op_attributes({name: self.properties[name] for name in ("layout", "num")})
        printer.print_string(" : (")
        printer.print_attribute(self.ptr.type)
        printer.print_string(") -> ")
        printer.print_attribute(self.res.type)

    def verify_(self) -> None:
        """Four matrices of shared memory are four words of a thread."""
        if self.ptr.type != pointer_to(SHARED_SPACE):
            raise VerifyException("small matrices are loaded from shared memory")
        if integer_of(self.num) != 4 or self.res.type != WORDS:
            raise VerifyException("four small matrices are loaded at once here")


@irdl_op_definition
class CpAsyncOp(IRDLOperation):
    """A thread begins to copy 16 bytes to shared memory, perhaps so many of them, and the others are 0:
    `nvvm.cp.async.shared.global %dst, %src, 16, cache = cg, %cpSize : !llvm.ptr<3>, !llvm.ptr<1>, i32`.
    """

    name = "nvvm.cp.async.shared.global"

    dst = operand_def(LLVMPointerType)
    src = operand_def(LLVMPointerType)
    cpSize = opt_operand_def(i32)
    size = prop_def(IntegerAttr)
    modifier = prop_def(StringAttr)

    @classmethod
    def of(cls, target: SSAValue, source: SSAValue, count: SSAValue | None = None) -> CpAsyncOp:
        """The copy of all bytes, or of so many."""
        properties: dict[str, Attribute] = {
            "size": IntegerAttr(CHUNK, i32),
            "modifier": StringAttr("cg"),
        }
        operands = [target, source] if count is None else [target, source, count]
        return cls.create(operands=operands, properties=properties)

    @classmethod
    def parse(cls, parser: Parser) -> CpAsyncOp:
        """The inverse of `print`."""
        names = [parser.parse_unresolved_operand()]
        parser.parse_punctuation(",")
        names.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(",")
        size = parser.parse_integer()
        for text in (",", "cache", "="):
            parser.parse_characters(text)
        modifier = parser.parse_identifier()
        if parser.parse_optional_punctuation(",") is not None:
            names.append(parser.parse_unresolved_operand())
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls.create(
            operands=parser.resolve_operands(names, types, parser.pos),
            properties={"size": IntegerAttr(size, i32), "modifier": StringAttr(modifier)},
        )

    def print(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(" ")
        printer.print_list((self.dst, self.src), printer.print_ssa_value)
        printer.print_string(f", {integer_of(self.size)}, cache = {self.modifier.data}")
        if self.cpSize is not None:
            printer.print_string(", ")
            printer.print_ssa_value(self.cpSize)
        printer.print_string(" : ")
        printer.print_list([one.type for one in self.operands], printer.print_attribute)

    def verify_(self) -> None:
        """The copy goes from global to shared memory, past the first-level cache."""
        spaces = (pointer_to(SHARED_SPACE), pointer_to(GLOBAL_SPACE))
        if (self.dst.type, self.src.type) != spaces:
            raise VerifyException("what is copied comes from global memory, to shared memory")
        if (integer_of(self.size), self.modifier.data) != (CHUNK, "cg"):
            raise VerifyException(
                f"{CHUNK} bytes are copied at once here, past the first-level cache"
            )


@irdl_op_definition
class CpAsyncCommitGroupOp(IRDLOperation):
    """The copies that a thread has begun since the last one are a group: `nvvm.cp.async.commit.group`."""

    name = "nvvm.cp.async.commit.group"
    assembly_format = "attr-dict"


@irdl_op_definition
class CpAsyncWaitGroupOp(IRDLOperation):
    """A thread waits until no more than the last `n` of its groups are on their way: `nvvm.cp.async.wait.group 1`."""

    name = "nvvm.cp.async.wait.group"

    n = prop_def(IntegerAttr)

    @classmethod
    def of(cls, count: int) -> CpAsyncWaitGroupOp:
        """The wait for all but so many groups."""
        return cls.create(properties={"n": IntegerAttr(count, i32)})

    @classmethod
    def parse(cls, parser: Parser) -> CpAsyncWaitGroupOp:
        """The inverse of `print`."""
        return cls.of(parser.parse_integer())

    def print(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(f" {integer_of(self.n)}")


ASYNCHRONOUS = (CpAsyncOp, CpAsyncCommitGroupOp, CpAsyncWaitGroupOp)
