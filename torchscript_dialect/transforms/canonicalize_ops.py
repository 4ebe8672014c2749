"""Brings nodes into the one form that later passes look for (PyTorch: passes/canonicalize.cpp, passes/graph_fuser.cpp).

`aten::chunk` with constant arguments, taken apart by a `prim::ListUnpack` and used by nothing else, becomes a `prim::ConstantChunk`,
whose results need no list.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.transforms import _edit as edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class CanonicalizeOps(FunctionPass):
    name = "ts-canonicalize-ops"

    def run(self, function: FuncOp) -> bool:
        changed = False
        for op in list(function.body.walk()):
            if isinstance(op, OperatorOp) and op.KIND == "aten::chunk" and _chunk(op):
                changed = True
        dump(LOG, "After CanonicalizeOps: ", function)
        return changed


def _chunk(op: OperatorOp) -> bool:
    unpack = _only_user(op)
    count, dim = (_constant(value) for value in op.operands[1:])
    if not isinstance(unpack, prim.ListUnpackOp) or not isinstance(dim, int):
        return False
    if count != len(unpack.results) or not _gives(op, count, dim) or not LIMIT.allows():
        return False
    chunk = prim.ConstantChunkOp.create(
        operands=op.operands[:1],
        result_types=unpack.result_types,
        attributes={"chunks": to_attribute(count), "dim": to_attribute(dim)},
        location=op.location,
    )
    block = op.parent_block()
    assert block is not None
    block.insert_op_before(chunk, op)
    for old, new in zip(unpack.results, chunk.results, strict=True):
        new.name_hint = old.name_hint
        edit.replace_uses(old, new)
    unpack_block = unpack.parent_block()
    assert unpack_block is not None
    unpack_block.erase_op(unpack)
    block.erase_op(op)
    return True


def _gives(op: OperatorOp, count: int, dim: int) -> bool:
    """Whether it gives that many chunks: `aten::chunk` gives fewer of a size that is too small, and the program then fails."""
    type_ = op.operands[0].type
    if not isinstance(type_, TensorType) or type_.sizes is None:
        return False
    if not -len(type_.sizes) <= dim < len(type_.sizes):
        return False
    size = type_.sizes[dim]
    return size is not None and count > 0 and size % count == 0


def _only_user(op: Operation) -> Operation | None:
    uses = list(op.results[0].uses)
    return uses[0].operation if len(uses) == 1 else None


def _constant(value: object) -> object:
    owner = getattr(value, "owner", None)
    if isinstance(owner, prim.ConstantOp) and owner.function_symbol is None:
        return owner.value
    return None
