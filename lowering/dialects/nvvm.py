"""What upstream's nvvm dialect has for the special registers of a GPU's threads; xDSL 0.74 has no such dialect."""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def, traits_def
from xdsl.traits import Pure

KERNEL = "nvvm.kernel"
"""The attribute of a function that is launched."""


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


NVVM = Dialect("nvvm", [ThreadIdXOp, BlockIdXOp, BlockDimXOp])
