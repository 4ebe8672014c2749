"""Makes a function without tuples (PyTorch: `LowerAllTuples` in passes/lower_tuples.cpp).

Tuples in arguments and results, of the function, of `prim::If` and of `prim::Loop`, become their
elements. Afterwards no node gives a tuple.

No pipeline needs it: it is there for those who export graphs to formats without tuples.

Raises:

    TorchScriptError: a tuple is used in a way that needs it to be one value (an element of a list, an operand of a call).
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_conversion
from torchscript_dialect.patterns.flat_tuples import FLAT_TUPLES, FORWARDING, flatten_arguments
from torchscript_dialect.patterns.tuples import TUPLES
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)

_PATTERNS = FrozenPatternSet((*TUPLES, *FLAT_TUPLES))
_TAKE = (prim.TupleUnpackOp, prim.TupleIndexOp, prim.TupleSliceOp)


class LowerAllTuples(FunctionPass):
    """No pipeline has it: tracing and exporters of other formats need it."""

    name = "ts-lower-all-tuples"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        block = function.body.block
        before = (*block.arg_types, *edit.terminator(block).operand_types)
        flatten_arguments(block)
        apply_conversion(
            block,
            _PATTERNS,
            blocks_of=blocks_of,
            illegal=_illegal,
            rewrites=analyses.rewrites,
        )
        analyses.invalidate(function)
        changed = eliminate_dead_code(function, analyses)
        _check(block)
        dump(LOG, "After LowerAllTuples: ", function)
        return changed or before != (*block.arg_types, *edit.terminator(block).operand_types)


def _illegal(op: Operation) -> Exception | None:
    """What is wrong with a node that no pattern has rewritten."""
    kind = getattr(op, "KIND", op.name)
    if isinstance(op, _TAKE):
        return TorchScriptError(f"{kind} is not matched to a tuple construct")
    if isinstance(op, (*FORWARDING, prim.ConstantOp, prim.TupleConstructOp)):
        return None
    if any(isinstance(value.type, TupleType) for value in (*op.operands, *op.results)):
        return TorchScriptError(
            f"tuple appears in op that does not forward tuples, unsupported kind: {kind}"
        )
    return None


def _check(block: Block) -> None:
    for op in block.ops:
        for inner in blocks_of(op):
            _check(inner)
        if any(isinstance(result.type, TupleType) for result in op.results):
            raise TorchScriptError("Couldn't lower all tuples.")
