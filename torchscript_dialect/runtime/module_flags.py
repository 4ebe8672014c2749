"""What plans know of the attributes of modules.

Note [Module flags]
Modules do one thing in training and another in evaluation, and the attribute that decides changes when somebody calls `train` or
`eval`. A tensor that a module need not have, as the bias of a convolution, is there or not for good. What a method reads of such
attributes, its module's own and those of submodules, is part of the key of its plans: these have constants in place of
`training` and of what is None, and know the rest to be tensors. A program that writes to such an attribute or calls Python,
which may do so, goes on reading them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.calls import callee_name
from torchscript_dialect.ir.edit import (
    erase,
    insert_constant,
    nested_ops,
    replace_uses,
    set_type,
    type_of,
)
from torchscript_dialect.runtime.objects import ScriptObject
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import BOOL, NONE, TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR

TRAINING = "training"
OPTIONAL_TENSOR = OptionalType(TENSOR)

Path = tuple[str, ...]
"""The attributes by which a module leads to one of its own or of a submodule."""
Flags = Mapping[Path, bool]
"""By attribute: whether `training` is set, or whether there is a tensor."""
NO_FLAGS: Flags = MappingProxyType({})


class _Reads:
    """What a function does with its first argument, a module."""

    def __init__(self, function: FuncOp) -> None:
        self.read: dict[SSAValue, Path] = {}
        """What is read of it, and by which attributes."""
        self.flags: dict[prim.GetAttrOp, Path] = {}
        """What reads flags, and which."""
        self.calls: list[tuple[Path | None, str]] = []
        """The functions that it calls; methods with the submodule whose they are, as far as that is known."""
        self.written: set[str] = set()
        """The names of attributes that it writes to, of any object."""
        self.may_write_all = False
        block = function.body.block
        if block.args:
            self.read[block.args[0]] = ()
        for op in nested_ops(block):
            match op:
                case prim.GetAttrOp():
                    self._note(op)
                case prim.SetAttrOp():
                    self.written.add(op.attribute_name)
                case prim.PythonOp():
                    self.may_write_all = True
                case prim.CallMethodOp() | prim.CallFunctionOp():
                    self._note_call(op)
                case _:
                    pass

    def _note(self, op: prim.GetAttrOp) -> None:
        module = self.read.get(op.object)
        if module is None:
            return
        path = self.read[op.results[0]] = (*module, op.attribute_name)
        if _is_flag(op.attribute_name, type_of(op.results[0])):
            self.flags[op] = path

    def _note_call(self, op: Operation) -> None:
        callee = callee_name(op)
        if callee is None:
            self.may_write_all = True
        else:
            self.calls.append((self.read.get(op.operands[0]), callee))


def _is_flag(name: str, type_: TorchScriptType) -> bool:
    """Whether an attribute of that name and type is a flag."""
    return type_ == BOOL if name == TRAINING else type_ == OPTIONAL_TENSOR


def flags_read(name: str, function_of: Callable[[str], FuncOp | None]) -> list[Path]:
    """The flags that a method reads, with all that it calls, but for those that it may write to."""
    found: dict[Path, None] = {}
    reads: dict[str, _Reads] = {}
    pending: list[tuple[Path | None, str]] = [((), name)]
    seen = set(pending)
    written: set[str] = set()
    while pending:
        path, callee = pending.pop()
        if callee not in reads:
            function = function_of(callee)
            if function is None:
                return []
            reads[callee] = _Reads(function)
        read = reads[callee]
        if read.may_write_all:
            return []
        written |= read.written
        if path is not None:
            found.update(((*path, *inner), None) for inner in read.flags.values())
        for inner, called in read.calls:
            below = None if path is None or inner is None else (*path, *inner)
            if (below, called) not in seen:
                seen.add((below, called))
                pending.append((below, called))
    return [path for path in found if path[-1] not in written]


def flags_of(module: ScriptObject, paths: Sequence[Path]) -> Flags:
    """What flags of a module and its submodules are; none where one is not there."""
    try:
        return {path: _flag(module, path) for path in paths}
    except (AttributeError, KeyError):
        return NO_FLAGS


def _flag(module: ScriptObject, path: Path) -> bool:
    fields = module.__torchscript_fields__
    *submodules, attribute = path
    for name in submodules:
        fields = fields[name].__torchscript_fields__
    found = fields[attribute]
    return found if attribute == TRAINING else found is not None


def use_flags(function: FuncOp, flags: Flags) -> None:
    """Put constants in the place of flags that an inlined method reads, and say what is a tensor."""
    if not flags:
        return
    for op, path in _Reads(function).flags.items():
        if path not in flags:
            continue
        if path[-1] != TRAINING and flags[path]:
            set_type(op.results[0], TENSOR)
            continue
        constant = flags[path] if path[-1] == TRAINING else None
        type_ = BOOL if path[-1] == TRAINING else NONE
        replace_uses(op.results[0], insert_constant(op, constant, type_))
        erase(op)


def said(flags: Flags) -> str:
    """Which modules are in training, in words."""
    modules = {path[:-1]: flag for path, flag in flags.items() if path[-1] == TRAINING}
    if not modules:
        return ""
    if all(modules.values()):
        return ", in training"
    if not any(modules.values()):
        return ", in evaluation"
    names = [".".join(path) or "the module" for path, flag in modules.items() if flag]
    return f", in training: {', '.join(names)}"
