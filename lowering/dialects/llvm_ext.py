"""Operations of the llvm dialect that xDSL 0.74 lacks, or defines for scalars only."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from lowering.dialects.vector_forms import Compare, Select


@irdl_op_definition
class SelectOp(Select):
    """`llvm.select` whose condition is a vector."""

    name = "llvm_ext.select"


@irdl_op_definition
class FCmpOp(Compare):
    """`llvm.fcmp` on vectors."""

    name = "llvm_ext.fcmp"
    fastmathFlags = prop_def(llvm.FastMathAttr, default_value=llvm.FastMathAttr(None))


class _Cast(IRDLOperation):
    arg = operand_def(Attribute)
    res = result_def(Attribute)
    traits = traits_def(Pure())
    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"


@irdl_op_definition
class FPToSIOp(_Cast):
    """Float to signed integer; NaN and what does not fit is poison."""

    name = "llvm_ext.fptosi"


@irdl_op_definition
class FPToUIOp(_Cast):
    """Float to unsigned integer; NaN and what does not fit is poison."""

    name = "llvm_ext.fptoui"


@irdl_op_definition
class UIToFPOp(_Cast):
    """Unsigned integer to float."""

    name = "llvm_ext.uitofp"


@irdl_op_definition
class AddrSpaceCastOp(_Cast):
    """An address in another space."""

    name = "llvm_ext.addrspacecast"


@irdl_op_definition
class AtomicRMWOp(IRDLOperation):
    """`llvm.atomicrmw` that orders nothing, among the threads of a device: what was in memory, which is combined with a value."""

    name = "llvm_ext.atomicrmw"

    ptr = operand_def(llvm.LLVMPointerType)
    val = operand_def(Attribute)
    bin_op = prop_def(StringAttr)
    res = result_def(Attribute)
    assembly_format = (
        "$bin_op $ptr `,` $val attr-dict `:` type($ptr) `,` type($val) `->` type($res)"
    )


@irdl_op_definition
class CmpXchgOp(IRDLOperation):
    """`llvm.cmpxchg` that orders nothing, among the threads of a device: what was in memory, where a value takes its place if that is
    what is expected. Upstream's gives whether it was, too.
    """

    name = "llvm_ext.cmpxchg"

    ptr = operand_def(llvm.LLVMPointerType)
    cmp = operand_def(Attribute)
    val = operand_def(Attribute)
    res = result_def(Attribute)
    assembly_format = "$ptr `,` $cmp `,` $val attr-dict `:` type($ptr) `,` type($cmp) `,` type($val) `->` type($res)"


LLVMExt = Dialect(
    "llvm_ext",
    [SelectOp, FCmpOp, FPToSIOp, FPToUIOp, UIToFPOp, AddrSpaceCastOp, AtomicRMWOp, CmpXchgOp],
)
