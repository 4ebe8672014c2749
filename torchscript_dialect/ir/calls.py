"""Which functions a function calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from xdsl.dialects.builtin import ModuleOp, StringAttr
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


def reached(name: str, function_of: Callable[[str], FuncOp | None]) -> Iterator[FuncOp]:
    """The function of a name and all that it calls, as far as `function_of` knows them, each once."""
    waiting, seen = [name], {name}
    while waiting:
        function = function_of(waiting.pop())
        if function is None:
            continue
        yield function
        for op in nested_ops(function.body.block):
            callee = callee_name(op)
            if callee is not None and callee not in seen:
                seen.add(callee)
                waiting.append(callee)


NO_INLINE = "no_inline"
"""The attribute of a function whose calls stay calls: MLIR's name."""


def is_inlined(function: FuncOp) -> bool:
    """Whether calls of a function become its body. A function that bails out leaves itself, so it must stay one."""
    return NO_INLINE not in function.attributes and not any(
        isinstance(op, prim.BailoutTemplateOp) for op in function.body.block.ops
    )


class Calls:
    """What the functions of a module call, and how large that makes them."""

    def __init__(self, module: ModuleOp) -> None:
        self.functions = {one.sym_name.data: one for one in functions_of(module)}
        self._called: dict[str, Counter[str]] = {}
        self._own: dict[str, int] = {}
        self._sizes: dict[str, int] = {}

    def called(self, name: str) -> Counter[str]:
        """How often a function names each that it calls."""
        self._read(name)
        return self._called[name]

    def size(self, name: str) -> int:
        """How many nodes a function has once its calls are inlined, give or take what is cleaned away; a function that calls itself
        counts once.
        """
        with deep_recursion():
            return self._size(name)

    def repeated(self, name: str, *, times: int, size: int) -> set[str]:
        """The functions of at least that size that would be inlined so often, without those that only such ones call."""
        found: set[str] = set()
        level, seen = self.called(name), {name}
        while level:
            below = Counter[str]()
            for callee, count in level.items():
                if self.size(callee) < size:
                    continue
                if count >= times:
                    found.add(callee)
                elif callee not in seen:
                    seen.add(callee)
                    below.update({one: count * n for one, n in self.called(callee).items()})
            level = below
        return found

    def _size(self, name: str) -> int:
        if name not in self._sizes:
            self._sizes[name] = 0
            self._read(name)
            inner = sum(self._size(one) * count for one, count in self._called[name].items())
            self._sizes[name] = self._own[name] + inner
        return self._sizes[name]

    def _read(self, name: str) -> None:
        if name in self._own:
            return
        ops = nested_ops(self.functions[name].body.block)
        names = (callee_name(op) for op in ops)
        self._own[name] = len(ops)
        self._called[name] = Counter(one for one in names if one in self.functions)


def inlined_size(function: FuncOp) -> int:
    """How many nodes a function has once its calls are inlined: `Calls.size`."""
    return Calls(module_around(function)).size(function.sym_name.data)
