"""Makes copies of called functions for the None, bools and strings that calls give them.

What decides between the branches of a function is often such an argument: a mask that is not there, `need_weights=False`. In the copy
the branches that are not taken are gone before they are inlined, with all that they would call: of a layer of a transformer nine
tenths. The copy serves all calls that give the same, so it is folded once for all layers.

Note [Functions specialized by constants]
In the order of calls: what one gives that is such a constant takes the place of its result, and the caller is folded before its
next call is looked at, with fewer calls left and more that is known of what they are given. Calls of methods become calls of
functions, as a copy is no method of its class. Only functions that have branches, or call others, are copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.calls import callee_name, is_inlined
from torchscript_dialect.ir.module import is_private
from torchscript_dialect.transforms._pass import FunctionPass, functions
from torchscript_dialect.transforms.constant_propagation import ConstantPropagation
from torchscript_dialect.transforms.peephole import Peephole
from torchscript_dialect.types.core import NONE
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.recursion import deep_recursion

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

COPIES = 1000
"""As many are made at most: where functions call each other, there may be ever new ones."""

Given = tuple[tuple[int, Any], ...]
"""Places of arguments, and the constants that are given there."""

_FOLDING = (Peephole(disable_shape_peepholes=True), ConstantPropagation(immutable_types=True))


class SpecializeFunctions(FunctionPass):
    name = "ts-specialize-functions"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        module = function.parent_op()
        return isinstance(module, ModuleOp) and _Specializer(module, analyses).settle(function)

    def run_on_module(self, module: ModuleOp, analyses: Analyses) -> bool:
        specializer = _Specializer(module, analyses)
        callers = [function for function in functions(module) if not is_private(function)]
        with deep_recursion():
            found = [specializer.settle(function) for function in callers]
        return any(found)


class _Specializer:
    """Copies functions of one module, each once for the same constants."""

    def __init__(self, module: ModuleOp, analyses: Analyses) -> None:
        self.module = module
        self.analyses = analyses
        inlined = filter(is_inlined, functions(module))
        self.symbols = {function.sym_name.data: function for function in inlined}
        self.copies: dict[tuple[str, Given], FuncOp] = {}
        self.origins: dict[str, str] = {}
        """Of each copy, what it is a copy of."""
        self.settled: set[FuncOp] = set()

    def settle(self, function: FuncOp) -> bool:
        """Specialize what a function calls, and what is called there; whether there was anything."""
        self.settled.add(function)
        changed = False
        while self._next_constant(function):
            self.fold(function)
            changed = True
        return changed or bool(self.copies)

    def fold(self, function: FuncOp) -> None:
        """Take the branches away that are not taken."""
        for pass_ in _FOLDING:
            pass_.run_deep(function, self.analyses)

    def _next_constant(self, caller: FuncOp) -> bool:
        """Specialize calls up to one that gives a constant, which takes the place of its result; whether there was one."""
        for op, name in list(self._calls(caller)):
            call, callee, given = op, self.symbols[name], _constants(op)
            if given and _has_choices(callee) and len(self.copies) < COPIES and LIMIT.allows():
                callee = self._copy(self.origins.get(name, name), given)
                if callee.sym_name.data != name:
                    call = _redirected(op, callee)
            if callee not in self.settled:
                self.settle(callee)
            if _use_constant_results(call, callee):
                return True
        return False

    def _calls(self, function: FuncOp) -> Iterator[tuple[Operation, str]]:
        """What a function calls itself; regions that are forked are programs of their own."""
        for op in edit.nested_ops(function.body.block, isolated=False):
            name = callee_name(op)
            if name in self.symbols:
                yield op, name

    def _copy(self, name: str, given: Given) -> FuncOp:
        known = self.copies.get((name, given))
        if known is not None:
            return known
        copy = edit.clone(self.symbols[name], {})
        assert isinstance(copy, FuncOp)
        copy.sym_name = StringAttr(f"{name}.{len(self.copies)}")
        copy.sym_visibility = StringAttr("private")
        self.module.body.block.add_op(copy)
        for place, value in given:
            argument, first = copy.body.block.args[place], copy.body.block.first_op
            assert first is not None
            type_ = NONE if value is None else edit.type_of(argument)
            edit.replace_uses(argument, edit.insert_constant(first, value, type_))
        self.fold(copy)
        self.copies[name, given] = self.symbols[copy.sym_name.data] = copy
        self.origins[copy.sym_name.data] = name
        return copy


def _constants(op: Operation) -> Given:
    """What a call gives to branches to decide on."""
    arguments = op.operands[1:] if isinstance(op, prim.CallFunctionOp) else op.operands
    found: list[tuple[int, Any]] = []
    for place, argument in enumerate(arguments):
        value = _constant(argument)
        if value is not edit.NOT_CONSTANT:
            found.append((place, value))
    return tuple(found)


def _constant(value: SSAValue) -> Any:
    """A None, bool or string; `NOT_CONSTANT` for any other value."""
    known = None if edit.type_of(value) == NONE else edit.constant_value(value, edit.NOT_CONSTANT)
    return known if known is None or isinstance(known, bool | str) else edit.NOT_CONSTANT


def _use_constant_results(call: Operation, callee: FuncOp) -> bool:
    """Put constants that a function gives in the place of the results of a call; whether there are any."""
    found = False
    outputs = edit.terminator(callee.body.block).operands
    for result, output in zip(call.results, outputs, strict=True):
        value = _constant(output)
        if result.uses and value is not edit.NOT_CONSTANT:
            type_ = NONE if value is None else edit.type_of(output)
            edit.replace_uses(result, edit.insert_constant(call, value, type_))
            found = True
    return found


def _has_choices(function: FuncOp) -> bool:
    """Whether there may be branches, here or in what is called."""
    ops = edit.nested_ops(function.body.block)
    return any(isinstance(op, prim.IfOp) or callee_name(op) is not None for op in ops)


def _redirected(op: Operation, callee: FuncOp) -> Operation:
    """A call of `callee` in the place of another."""
    function = prim.ConstantOp.of_function(callee.sym_name.data)
    edit.insert_before(op, function)
    arguments = op.operands[1:] if isinstance(op, prim.CallFunctionOp) else op.operands
    types = [result.type for result in op.results]
    operands = (function.results[0], *arguments)
    call = edit.new_op(prim.CallFunctionOp, operands, types, {}, op.location)
    edit.insert_before(op, call)
    for old, new in zip(op.results, call.results, strict=True):
        new.name_hint = old.name_hint
        edit.replace_uses(old, new)
    edit.erase(op)
    return call
