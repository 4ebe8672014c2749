"""Brings nodes to the form that fusion looks for (PyTorch:
passes/canonicalize_graph_fuser_ops.cpp).

`aten::chunk` with constant arguments whose list is only unpacked becomes `prim::ConstantChunk`,
which gives as many chunks or fails, as the unpacking did; constant tensors without dimensions as
the second operand of arithmetic become numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.operators import OperatorOp, class_for
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.constants import type_of_constant
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms._peephole_context import overload
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

_ARITHMETIC = ("aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor")


@dataclass(frozen=True)
class CanonicalizeOps(FunctionPass):
    name = "ts-canonicalize-ops"
    preserves = (AliasDb,)

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = _visit(function.body.block)
        if changed:
            analyses.invalidate(function)
        dump(LOG, "After CanonicalizeOps: ", function)
        return eliminate_dead_code(function, analyses) or changed


def _visit(block: Block) -> bool:
    changed = False
    for op in list(block.ops):
        for inner in blocks_of(op):
            changed |= _visit(inner)
        if not isinstance(op, OperatorOp):
            continue
        if overload(op) == "aten::chunk":
            changed |= _chunk(op)
        elif overload(op) in _ARITHMETIC:
            changed |= _number_operand(op)
    return changed


def _number_operand(op: OperatorOp) -> bool:
    other = edit.constant_value(op.operands[1])
    if not isinstance(other, Tensor) or other.array.ndim or not LIMIT.allows():
        return False
    number = other.array.item()
    operands = list(op.operands)
    operands[1] = edit.insert_constant(op, number, type_of_constant(number))
    class_ = class_for(op.KIND, [type_of(operand) for operand in operands])
    new = class_.create(operands=operands, result_types=op.result_types, location=op.location)
    edit.insert_before(op, new)
    new.results[0].name_hint = op.results[0].name_hint
    edit.replace_uses(op.results[0], new.results[0])
    return True


def _chunk(op: OperatorOp) -> bool:
    chunks, dim = (edit.constant_value(value) for value in op.operands[1:3])
    if not isinstance(chunks, int) or not isinstance(dim, int):
        return False
    outputs = _outputs_in_sight(op.results[0], chunks)
    if not outputs or not LIMIT.allows():
        return False
    new = prim.ConstantChunkOp.create(
        operands=[op.operands[0]],
        result_types=[TensorType()] * chunks,
        attributes={"chunks": to_attribute(chunks), "dim": to_attribute(dim)},
        location=op.location,
    )
    edit.insert_before(op, new)
    for place, value in outputs:
        result = new.results[place]
        edit.set_type(result, value.type)
        result.name_hint = result.name_hint or value.name_hint
        edit.replace_uses(value, result)
    return True


def _outputs_in_sight(chunked: SSAValue, chunks: int) -> list[tuple[int, SSAValue]] | None:
    """The tensors that come out of a list of chunks with their places; None if the list is used in
    another way.
    """
    found: list[tuple[int, SSAValue]] = []
    for use in chunked.uses:
        user = use.operation
        if isinstance(user, prim.ListUnpackOp) and len(user.results) == chunks:
            found += enumerate(user.results)
        elif overload(user) == "aten::select.t":
            index = edit.constant_value(user.operands[1])
            if index is None or not 0 <= index < chunks:
                return None
            found.append((index, user.results[0]))
        else:
            return None
    return found
