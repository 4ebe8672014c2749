"""An elementary function that is applied several times becomes a private function, which is applied instead.

Before: `math` operations over floats, scalar or vector. After: of each that has a recipe and stands in the module more than once
with the same types, one is left, in a function of its own that asks LLVM to inline it. So a recipe is expanded, converted,
translated and simplified once for a module, and the machine code stays what it was.
"""

from __future__ import annotations

import re

from xdsl.context import Context
from xdsl.dialects import gpu
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter

from lowering.create import create
from lowering.math.expand_math import RECIPES
from torchscript_dialect.ir.pattern_driver import RootedPattern, apply_conversion
from torchscript_dialect.utils.errors import PassError

ALWAYS_INLINE = ArrayAttr([StringAttr("alwaysinline")])

Key = tuple[type[Operation], tuple[Attribute, ...]]


class OutlineMathPass(ModulePass):
    """See the module."""

    name = "ts-outline-math"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if any(isinstance(one, gpu.ModuleOp) for one in op.ops):
            raise PassError(f"{self.name} is for a CPU, and the module has a gpu.module")
        counts: dict[Key, int] = {}
        for inner in op.walk():
            if type(inner) in RECIPES and _is_plain(inner):
                key = _key(inner)
                counts[key] = counts.get(key, 0) + 1
        shared = {key: _function_name(key) for key, count in counts.items() if count > 1}
        if not shared:
            return
        apply_conversion(op, [CallShared(shared)])
        for key, name in shared.items():
            op.body.block.add_op(_function(key, name))


class CallShared(RootedPattern):
    """`%y = math.tanh %x : f32` becomes `%y = func.call @math.tanh.f32(%x) : (f32) -> f32`."""

    def __init__(self, shared: dict[Key, str]) -> None:
        self.roots = tuple({root for root, _ in shared})
        self.callees = {key: {"callee": SymbolRefAttr(name)} for key, name in shared.items()}

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        callee = self.callees.get(_key(op))
        if callee is not None and _is_plain(op):
            rewriter.replace(op, create(CallOp, op.operands, op.result_types, callee))


def _key(op: Operation) -> Key:
    return type(op), tuple(op.operand_types)


def _is_plain(op: Operation) -> bool:
    """Whether the op allows nothing that others may not: calls carry no fast-math flags."""
    flags = op.properties.get("fastmath")
    return not isinstance(flags, FastMathFlagsAttr) or not flags.data


def _function_name(key: Key) -> str:
    root, types = key
    return f"{root.name}.{re.sub(r'[^a-z0-9]+', '_', str(types[0])).strip('_')}"


def _function(key: Key, name: str) -> FuncOp:
    """`func.func private @math.tanh.f32(%x: f32) -> f32` of one op."""
    root, types = key
    block = Block(arg_types=types)
    op = create(root, block.args, types[:1])
    block.add_ops([op, ReturnOp(op.results[0])])
    function = FuncOp(name, (types, types[:1]), Region(block), visibility="private")
    function.attributes["passthrough"] = ALWAYS_INLINE
    return function
