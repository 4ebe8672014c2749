"""What upstream's nvvm dialect has for a GPU's threads: special registers, barriers, shuffles; xDSL 0.74 has no such dialect."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr, f32, i32
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

from lowering.dialects.nvvm_copy import ASYNCHRONOUS, LdMatrixOp
from lowering.dialects.nvvm_mma import (
    TO_NEAREST_AWAY,
    FPRoundingModeAttr,
    MMALayoutAttr,
    MmaOp,
    MMAShapeAttr,
    MMATypesAttr,
)

KERNEL = "nvvm.kernel"
"""The attribute of a function that is launched."""
MOST_REGISTERS = "nvvm.maxnreg"
"""The attribute of one whose threads get so many registers at most, so that there is room for those of a large block."""


class SpecialRegister(IRDLOperation):
    """A special register that a thread reads: `%0 = nvvm.read.ptx.sreg.tid.x : i32`."""

    res = result_def(i32)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($res)"


@irdl_op_definition
class ThreadIdXOp(SpecialRegister):
    """Which thread of its block it is."""

    name = "nvvm.read.ptx.sreg.tid.x"


@irdl_op_definition
class BlockIdXOp(SpecialRegister):
    """Which block of the grid its block is."""

    name = "nvvm.read.ptx.sreg.ctaid.x"


@irdl_op_definition
class BlockDimXOp(SpecialRegister):
    """How many threads a block has."""

    name = "nvvm.read.ptx.sreg.ntid.x"


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """All threads of a block come here before any goes on: `nvvm.barrier0`."""

    name = "nvvm.barrier0"
    assembly_format = "attr-dict"


@irdl_op_definition
class ShflOp(IRDLOperation):
    """Threads of a warp exchange 32 bits: `%0 = nvvm.shfl.sync bfly %mask, %value, %offset, %clamp : f32 -> f32` gives the value of the
    thread whose number differs in the bits of the offset.
    """

    name = "nvvm.shfl.sync"

    kind = prop_def(StringAttr)
    thread_mask = operand_def(i32)
    val = operand_def()
    offset = operand_def(i32)
    mask_and_clamp = operand_def(i32)
    res = result_def()

    @classmethod
    def bfly(cls, mask: SSAValue, value: SSAValue, offset: SSAValue, clamp: SSAValue) -> ShflOp:
        """The exchange with the thread whose number differs in the bits of the offset."""
        return cls.create(
            operands=[mask, value, offset, clamp],
            result_types=[value.type],
            properties={"kind": StringAttr("bfly")},
        )

    @classmethod
    def parse(cls, parser: Parser) -> ShflOp:
        kind = parser.parse_identifier()
        names = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        parser.parse_punctuation("->")
        result = parser.parse_type()
        operands = parser.resolve_operands(names, [i32, type_, i32, i32], parser.pos)
        return cls.create(
            operands=operands, result_types=[result], properties={"kind": StringAttr(kind)}
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind.data} ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.val.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.res.type)

    def verify_(self) -> None:
        """The kind is one that is translated, and the result is of the value's type, of 32 bits."""
        if self.kind.data != "bfly":
            raise VerifyException(f"a shuffle is a 'bfly' here, not '{self.kind.data}'")
        if self.val.type != self.res.type or self.val.type not in (i32, f32):
            raise VerifyException("threads exchange values of one type, i32 or f32")


@irdl_op_definition
class ConvertFloatToTF32Op(IRDLOperation):
    """A float32 with the 10 bits of a fraction that tensor cores take, to nearest, ties away from zero:
    `%0 = nvvm.convert.float.to.tf32 %value {rnd = #nvvm.fp_rnd_mode<rna>}`. The bits left are 0.
    """

    name = "nvvm.convert.float.to.tf32"

    src = operand_def(f32)
    rnd = prop_def(FPRoundingModeAttr)
    res = result_def(i32)
    traits = traits_def(Pure())

    @classmethod
    def of(cls, value: SSAValue) -> ConvertFloatToTF32Op:
        """The bits of a value."""
        return cls.create(operands=[value], result_types=[i32], properties={"rnd": TO_NEAREST_AWAY})

    @classmethod
    def parse(cls, parser: Parser) -> ConvertFloatToTF32Op:
        """The inverse of `print`."""
        value = parser.resolve_operand(parser.parse_unresolved_operand(), f32)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(operands=[value], result_types=[i32], properties=attributes)

    def print(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(" ")
        printer.print_ssa_value(self.src)
        printer.print_op_attributes(self.properties)

    def verify_(self) -> None:
        """The rounding is the one that all devices with tensor cores for tf32 have."""
        if self.rnd != TO_NEAREST_AWAY:
            raise VerifyException(
                f"float32 is rounded to tf32 by 'rna' here, not '{self.rnd.word.data}'"
            )


SPECIAL_REGISTERS = (ThreadIdXOp, BlockIdXOp, BlockDimXOp)
ATTRIBUTES: list[type[Attribute]] = [
    MMAShapeAttr,
    MMALayoutAttr,
    MMATypesAttr,
    FPRoundingModeAttr,
]
NVVM = Dialect(
    "nvvm",
    [*SPECIAL_REGISTERS, BarrierOp, ShflOp, MmaOp, ConvertFloatToTF32Op, LdMatrixOp, *ASYNCHRONOUS],
    ATTRIBUTES,
)
