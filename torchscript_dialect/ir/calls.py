"""Which functions a function calls."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.module import functions_of, module_around
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.recursion import deep_recursion


def callee_name(op: Operation) -> str | None:
    """The symbol of the function that a node calls; None for other nodes, and where only running it
    tells.
    """
    if isinstance(op, prim.CallFunctionOp):
        constant = op.operands[0].owner
        if not isinstance(constant, prim.ConstantOp) or "fallback" in constant.attributes:
            return None
        return constant.function_symbol
    if isinstance(op, prim.CallMethodOp):
        type_, method = op.operands[0].type, op.attributes.get("name")
        if isinstance(type_, ClassType) and isinstance(method, StringAttr):
            return f"{type_.qualified_name.data}.{method.data}"
    return None


def inlined_size(function: FuncOp) -> int:
    """How many nodes a function has once its calls are inlined, give or take what is cleaned away; a function that calls itself counts
    once.
    """
    by_name = {one.sym_name.data: one for one in functions_of(module_around(function))}
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in sizes:
            sizes[name] = 0
            sizes[name] = total(by_name[name])
        return sizes[name]

    def total(one: FuncOp) -> int:
        ops = nested_ops(one.body.block)
        called = [name for op in ops if (name := callee_name(op)) in by_name]
        return len(ops) + sum(map(size, filter(None, called)))

    with deep_recursion():
        return total(function)
