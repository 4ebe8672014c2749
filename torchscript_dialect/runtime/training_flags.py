"""The `training` attributes of modules, by which plans are specialized.

Note [Training flags]
Modules do one thing in training and another in evaluation, and the attribute that decides changes when somebody calls `train` or
`eval`. What a method reads of such attributes, its module's own and those of submodules, is part of the key of its plans, so
that these have constants in their place. A program that writes to such an attribute or calls Python, which may do so,
goes on reading them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.calls import callee_name
from torchscript_dialect.ir.edit import erase, insert_constant, nested_ops, replace_uses
from torchscript_dialect.runtime.objects import ScriptObject
from torchscript_dialect.types.core import BOOL

ATTRIBUTE = "training"

Path = tuple[str, ...]
"""The attributes by which a module leads to a submodule."""
Flags = Mapping[Path, bool]
"""The flags of the submodules of which they are known."""
NO_FLAGS: Flags = MappingProxyType({})


class _Reads:
    """What a function does with its first argument, a module."""

    def __init__(self, function: FuncOp) -> None:
        self.submodules: dict[SSAValue, Path] = {}
        """What is read of it, and by which attributes."""
        self.flags: dict[prim.GetAttrOp, Path] = {}
        """What reads the flags of which submodules."""
        self.calls: list[tuple[Path | None, str]] = []
        """The functions that it calls; methods with the submodule whose they are, as far as that is known."""
        self.may_write = False
        block = function.body.block
        if block.args:
            self.submodules[block.args[0]] = ()
        for op in nested_ops(block):
            match op:
                case prim.GetAttrOp():
                    self._note(op)
                case prim.SetAttrOp():
                    self.may_write |= op.attribute_name == ATTRIBUTE
                case prim.PythonOp():
                    self.may_write = True
                case prim.CallMethodOp() | prim.CallFunctionOp():
                    self._note_call(op)
                case _:
                    pass

    def _note(self, op: prim.GetAttrOp) -> None:
        path = self.submodules.get(op.object)
        if path is None:
            return
        self.submodules[op.results[0]] = (*path, op.attribute_name)
        if op.attribute_name == ATTRIBUTE and op.results[0].type == BOOL:
            self.flags[op] = path

    def _note_call(self, op: Operation) -> None:
        callee = callee_name(op)
        if callee is None:
            self.may_write = True
        else:
            self.calls.append((self.submodules.get(op.operands[0]), callee))


def flags_read(name: str, function_of: Callable[[str], FuncOp | None]) -> list[Path]:
    """The submodules whose flags a method reads, with all that it calls; none where it may write to one."""
    found: dict[Path, None] = {}
    reads: dict[str, _Reads] = {}
    pending: list[tuple[Path | None, str]] = [((), name)]
    seen = set(pending)
    while pending:
        path, callee = pending.pop()
        if callee not in reads:
            function = function_of(callee)
            if function is None:
                return []
            reads[callee] = _Reads(function)
        read = reads[callee]
        if read.may_write:
            return []
        if path is not None:
            found.update(((*path, *inner), None) for inner in read.flags.values())
        for inner, called in read.calls:
            below = None if path is None or inner is None else (*path, *inner)
            if (below, called) not in seen:
                seen.add((below, called))
                pending.append((below, called))
    return list(found)


def flags_of(module: ScriptObject, paths: Sequence[Path]) -> Flags:
    """The flags of submodules; none where one is not there."""
    try:
        return {path: _flag(module, path) for path in paths}
    except (AttributeError, KeyError):
        return NO_FLAGS


def _flag(module: ScriptObject, path: Path) -> bool:
    fields = module.__torchscript_fields__
    for name in path:
        fields = fields[name].__torchscript_fields__
    return fields[ATTRIBUTE]


def use_flags(function: FuncOp, flags: Flags) -> None:
    """Put constants in the place of flags that an inlined method reads."""
    if not flags:
        return
    for op, path in _Reads(function).flags.items():
        if path in flags:
            replace_uses(op.results[0], insert_constant(op, flags[path], BOOL))
            erase(op)


def said(flags: Flags) -> str:
    """The flags in words."""
    if not flags:
        return ""
    if all(flags.values()):
        return ", in training"
    if not any(flags.values()):
        return ", in evaluation"
    names = [".".join(path) or "the module" for path, flag in flags.items() if flag]
    return f", in training: {', '.join(names)}"
