"""Puts the bodies of functions and methods in the place of calls (PyTorch: passes/inliner.cpp).

The callee is the function of that name in the module; a method `m` of class `C` is the function
`C.m`. As in PyTorch, what is put in place is the callee after a cleaning of its own: its calls
inlined, peephole rules, constants propagated and pooled. A call of something that is not in the
module, or of a function that is not to be inlined, stays. Private functions are there to be called, and stay as they are.

Note [Deep callees]
To clean each function of a chain of calls with all that it calls is quadratic in the length of the chain. A callee that is `DEEP` is
cleaned without what it calls; that is inlined where the callee was put.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, NameLoc, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.places import InlinedPlace, hierarchy_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.calls import callee_name, is_inlined
from torchscript_dialect.ir.locations import below_call, place_of_call
from torchscript_dialect.ir.module import is_private
from torchscript_dialect.transforms._pass import FunctionPass, dump, functions
from torchscript_dialect.transforms.constant_pooling import ConstantPooling
from torchscript_dialect.transforms.constant_propagation import ConstantPropagation
from torchscript_dialect.transforms.peephole import Peephole
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.recursion import deep_recursion

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


_CLEANING = (
    Peephole(disable_shape_peepholes=True),
    ConstantPropagation(immutable_types=True),
    ConstantPooling(),
)
"""What a function goes through before its copies are put in the place of calls."""

DEEP = 32
"""Levels of calls below a callee: Note [Deep callees]."""

MOST_NODES = 1 << 20
"""Of a function with all that it calls: twenty functions that each call the one before twice have as many."""


@dataclass(frozen=True)
class Inline(FunctionPass):
    """`keep_hierarchy`: nodes remember the modules whose calls they came from (`Node.getModuleHierarchy`)."""

    name = "ts-inline"

    keep_hierarchy: bool = False

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        module = function.parent_op()
        symbols = functions(module) if isinstance(module, ModuleOp) else []
        return _Inliner(symbols, self.keep_hierarchy).inline_into(function)

    def run_on_module(self, module: ModuleOp, analyses: Analyses) -> bool:
        inliner = _Inliner(functions(module), self.keep_hierarchy)
        changed = False
        with deep_recursion():
            for name in inliner.symbols:
                inliner.check_size(name)
            for function in functions(module):
                if is_private(function):
                    continue
                if inliner.inline_into(function):
                    edit.update_function_type(function)
                    analyses.invalidate(function)
                    changed = True
        return changed


class _Inliner:
    """Inlines with the functions of one module, each of which is cleaned once."""

    def __init__(self, symbols: list[FuncOp], keep_hierarchy: bool) -> None:
        self.keep_hierarchy = keep_hierarchy
        self.symbols = {one.sym_name.data: one for one in symbols if is_inlined(one)}
        self.cleaned: dict[str, Block] = {}
        self.depths: dict[str, int] = {}
        self.sizes: dict[str, int] = {}
        """How many nodes a function has once all that it calls is inlined."""
        self.in_progress: dict[str, None] = {}

    def inline_into(self, function: FuncOp) -> bool:
        dump(LOG, "Before Inlining: ", function)
        changed = self.block(function.body.block)
        dump(LOG, "After Inlining: ", function)
        return changed

    def block(self, block: Block) -> bool:
        changed = False
        op = block.first_op
        while op is not None:
            following = op.next_op
            name = callee_name(op)
            if name is not None and name in self.symbols and LIMIT.allows():
                first = self.call(op, name)
                if self.is_deep(name):
                    following = first
                changed = True
            else:
                for inner in blocks_of(op):
                    changed |= self.block(inner)
            op = following
        return changed

    def call(self, op: Operation, name: str) -> Operation | None:
        """Inline a call; gives the first of the nodes that are there now, or the one after it."""
        if LOG.updates:
            LOG.update(f"Inlining '{name}' to {op.name}")
        self.check_size(name)
        body = self.body_of(name)
        is_function = isinstance(op, prim.CallFunctionOp)
        arguments = op.operands[1:] if is_function else op.operands[:]
        if len(arguments) != len(body.args):
            raise TorchScriptError(
                f"'{name}' takes {len(body.args)} arguments and is called with {len(arguments)}"
            )
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, arguments, strict=True))
        before, last = op.prev_op, edit.terminator(body)
        block = op.parent
        assert block is not None
        caller = place_of_call(name, op.location)
        for inner in body.ops:
            if inner is not last:
                copy = edit.clone(inner, values)
                _put_below(copy, caller)
                if self.keep_hierarchy:
                    _note_hierarchy(copy, op)
                edit.insert_before(op, copy)
        for result, value in zip(op.results, last.operands, strict=True):
            new = values.get(value, value)
            if result.name_hint is not None:
                new.name_hint = result.name_hint
            edit.replace_uses(result, new)
        edit.erase(op)
        return block.first_op if before is None else before.next_op

    def depth_of(self, name: str) -> int:
        """How many levels of calls are below a function.

        Raises:
            TorchScriptError: the function calls itself.
        """
        known = self.depths.get(name)
        if known is not None:
            return known
        if name in self.in_progress:
            cycle = " -> ".join((*self.in_progress, name))
            raise TorchScriptError(f"function '{name}' is called recursively ({cycle})")
        self.in_progress[name] = None
        names = [*map(callee_name, edit.nested_ops(self.symbols[name].body.block))]
        called = [callee for callee in names if callee in self.symbols]
        self.depths[name] = 1 + max(map(self.depth_of, called)) if called else 0
        self.sizes[name] = len(names) + sum(self.sizes[callee] for callee in called if callee)
        del self.in_progress[name]
        return self.depths[name]

    def check_size(self, name: str) -> None:
        """Refuse a function that would be too large.

        Raises:
            TorchScriptError: it would, or calls itself.
        """
        self.depth_of(name)
        if self.sizes[name] > MOST_NODES:
            raise TorchScriptError(
                f"'{name}' has {self.sizes[name]} nodes with all that it calls, and may have {MOST_NODES}"
            )

    def is_deep(self, name: str) -> bool:
        """Whether a function is cleaned without what it calls."""
        return self.depth_of(name) >= DEEP

    def body_of(self, name: str) -> Block:
        """The cleaned body of a function of the module, to be copied; it has no calls left unless it `is_deep`.

        Raises:
            TorchScriptError: the function calls itself.
        """
        known = self.cleaned.get(name)
        if known is not None:
            return known
        is_deep = self.is_deep(name)
        copy = edit.clone(self.symbols[name], {})
        assert isinstance(copy, FuncOp)
        if not is_deep:
            self.block(copy.body.block)
        analyses = Analyses()
        for pass_ in _CLEANING:
            pass_.run_deep(copy, analyses)
        self.cleaned[name] = copy.body.block
        return self.cleaned[name]


def _put_below(op: Operation, caller: NameLoc) -> None:
    """Let an op, and those in it, tell beside their places where they were inlined."""
    op.location = below_call(op.location, caller)
    for block in blocks_of(op):
        for inner in edit.nested_ops(block):
            inner.location = below_call(inner.location, caller)


def _note_hierarchy(op: Operation, call: Operation) -> None:
    """Let a node that stands in the place of a call, and those in it, remember that, as PyTorch spells it."""
    caller = "UNKNOWN_INSTANCE(UNKNOWN_TYPE)"
    if isinstance(call, prim.CallMethodOp):
        instance, type_ = call.operands[0].owner, prim.type_of(call.operands[0])
        attribute = (
            instance.attributes.get("name") if isinstance(instance, prim.GetAttrOp) else None
        )
        field = attribute.data if isinstance(attribute, StringAttr) else "SELF"
        class_ = type_.qualified_name.data if isinstance(type_, ClassType) else "UNKNOWN_TYPE"
        caller = f"{field}({class_.rpartition('.')[2]})"
    for one in op.walk():
        inner = hierarchy_of(one.location)
        place = InlinedPlace(one.location, f"{caller}.{inner}" if inner else caller)
        one.location = place  # pyright: ignore[reportAttributeAccessIssue]
