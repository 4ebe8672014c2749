"""Makes methods of the calls of submodules in a trace (PyTorch: passes/fixup_trace_scope_blocks.cpp).

The order of the steps and of what they add is PyTorch's, as graphs show it: attributes are read at the start of the block that uses
them, the last one that is used first; a method gives first what its caller gives itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.frontend.ssa.lift_closures import lift_closures
from torchscript_dialect.frontend.ssa.normalize_ops import normalize_ops
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.locations import UNKNOWN_LOCATION
from torchscript_dialect.ir.module import mark_traced, new_function
from torchscript_dialect.passes.lists import current
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.tracer.modules import (
    ROOT,
    AttributeOp,
    ModuleCallOp,
    ModuleScopes,
    scope_text,
)
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import NONE
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import unshaped


def make_methods(unit: CompilationUnit, block: Block, scopes: ModuleScopes) -> list[Function]:
    """Make a method of each call of a submodule in the block of a trace; gives the methods."""
    attributes: dict[str, SSAValue] = {
        scope_text(op): op.results[0] for op in block.ops if isinstance(op, AttributeOp)
    }
    _add_self(block, attributes)
    _Attributes(scopes.definition).read_locally(block, ROOT, block.args[0])
    for op in [op for op in block.ops if isinstance(op, AttributeOp)]:
        edit.erase(op)
    _Lifting().block(block)
    _one_result_each(block)
    for call in _calls(block):
        _lift_arguments(call)
    made: list[Function] = []
    _call_methods(unit, block, made)
    return made


def clean_up(function: FuncOp) -> None:
    """What traced functions go through at last."""
    lift_closures(function.body.block)
    pipeline(current(), "after-tracing").apply(function)
    normalize_ops(function.body.block)


def _ops(block: Block) -> list[Operation]:
    """The ops of a block and of the forked calls in it."""
    found: list[Operation] = []
    for op in block.ops:
        if isinstance(op, prim.ClosureOp):
            found += _ops(_body(op))
        found.append(op)
    return found


def _calls(block: Block) -> list[ModuleCallOp]:
    return [op for op in _ops(block) if isinstance(op, ModuleCallOp)]


def _body(call: Operation) -> Block:
    return call.regions[0].block


# Attributes.


def _add_self(block: Block, attributes: dict[str, SSAValue]) -> None:
    """Give each call the module that it is a call of."""
    for call in _calls(block):
        module = attributes[scope_text(call)]
        edit.append_operand(call, module)
        own = _body(call).insert_arg(module.type, 0)
        own.name_hint = "self"
        _add_self(_body(call), attributes)


class _Attributes:
    """Reads attributes where they are used, in the methods of the modules that have them."""

    def __init__(self, root: ModuleDefinition) -> None:
        self._root = root

    def read_locally(self, block: Block, path: str, own: SSAValue) -> list[SSAValue]:
        """Replace attributes in a block of the module at `path`; gives those of modules further out, which become arguments."""
        outer: dict[SSAValue, SSAValue] = {}
        self._read_in(block, block, path, own, outer)
        return list(outer)

    def _read_in(
        self, block: Block, home: Block, path: str, own: SSAValue, outer: dict[SSAValue, SSAValue]
    ) -> None:
        """The same in the block of a method, `home`, or of a forked call in it; `outer` has the arguments of `home`."""
        known: dict[SSAValue, SSAValue] = {}
        for op in list(block.ops):
            if isinstance(op, ModuleCallOp):
                body = _body(op)
                for value in self.read_locally(body, scope_text(op), body.args[0]):
                    edit.append_operand(op, value)
            elif isinstance(op, prim.ClosureOp):
                self._read_in(_body(op), home, path, own, outer)
            for place, operand in enumerate(op.operands):
                if not isinstance(operand.owner, AttributeOp):
                    continue
                if operand not in known:
                    found = scope_text(operand.owner)
                    is_inside = found.startswith(f"{path}.")
                    known[operand] = (
                        self._read(block, own, path, found)
                        if is_inside
                        else _argument_for(operand, home, outer)
                    )
                op.operands[place] = known[operand]

    def _read(self, block: Block, own: SSAValue, path: str, attribute: str) -> SSAValue:
        """Read an attribute of a module, or of one inside it, at the start of a block."""
        definition = self._root
        for name in path.split(".")[1:]:
            definition = definition.submodules[name]
        value, first = own, block.first_op
        assert first is not None
        for name in attribute.removeprefix(f"{path}.").split("."):
            op = prim.GetAttrOp.create(
                operands=[value],
                result_types=[definition.attributes[name]],
                attributes={"name": StringAttr(name)},
                location=UNKNOWN_LOCATION,
            )
            block.insert_op_before(op, first)
            value = op.results[0]
            if name.isidentifier():
                value.name_hint = name
            definition = definition.submodules.get(name, definition)
        return value


# Values that one call makes and another uses.


class _Lifting:
    """Makes results of calls what is used outside of them."""

    def __init__(self) -> None:
        self._lifted: dict[SSAValue, SSAValue] = {}

    def block(self, block: Block) -> None:
        last = block.last_op
        assert last is not None
        self._operands(last, block)
        for op in list(block.ops):
            if op is not last:
                self._operands(op, block)

    def _operands(self, op: Operation, block: Block) -> None:
        for place, original in enumerate(op.operands):
            home = _home(original)
            if home is block or any(home is one for one in _around(block)):
                continue
            value = self._lifted.get(original, original)
            home = _home(value)
            if home is not block:
                value = self._lift(value, home, _common_block(block, home))
                self._lifted[original] = value
            op.operands[place] = value
        if isinstance(op, (ModuleCallOp, prim.ClosureOp)):
            self.block(_body(op))

    @staticmethod
    def _lift(value: SSAValue, home: Block, target: Block) -> SSAValue:
        while home is not target:
            last, call = home.last_op, home.parent_op()
            assert last is not None and isinstance(call, ModuleCallOp) and call.parent is not None
            edit.append_operand(last, value)
            value = edit.append_result(call, value.type)
            home = call.parent
        return value


def _home(value: SSAValue) -> Block:
    if isinstance(value, BlockArgument):
        return value.block
    assert isinstance(value, OpResult) and value.op.parent is not None
    return value.op.parent


def _around(block: Block) -> list[Block]:
    found = [block]
    while (op := block.parent_op()) is not None and op.parent is not None:
        block = op.parent
        if isinstance(op, FuncOp):
            break
        found.append(block)
    return found


def _common_block(one: Block, other: Block) -> Block:
    around = set(map(id, _around(one)))
    return next(block for block in _around(other) if id(block) in around)


def _one_result_each(block: Block) -> None:
    """Let each call give one value: a tuple where it gives several, None where it gives nothing."""
    for call in _calls(block):
        body = _body(call)
        _one_result_each(body)
        last = body.last_op
        assert last is not None
        values = list(last.operands)
        if len(values) == 1:
            continue
        if not values:
            none = prim.ConstantOp.of(None, NONE)
            body.insert_op_before(none, last)
            edit.set_outputs(body, [none.results[0]])
            edit.append_result(call, NONE)
            continue
        types = [prim.type_of(value) for value in values]
        pack = prim.TupleConstructOp.create(operands=values, result_types=[TupleType.get(types)])
        body.insert_op_before(pack, last)
        edit.set_outputs(body, [pack.results[0]])
        unpack = prim.TupleUnpackOp.create(
            operands=[edit.append_result(call, pack.results[0].type)], result_types=types
        )
        assert call.parent is not None
        call.parent.insert_op_after(unpack, call)
        old = list(call.results)[: len(values)]
        for result, new in zip(old, unpack.results, strict=True):
            if result.name_hint is not None:
                new.name_hint = result.name_hint
            edit.replace_uses(result, new)
        edit.erase_results(call, list(range(len(values))))


# Methods.


def _call_methods(unit: CompilationUnit, block: Block, made: list[Function]) -> None:
    for call in _calls(block):
        body = _body(call)
        _call_methods(unit, body, made)
        method = _method_of(unit, call, body)
        made.append(method)
        result = method.schema.returns[0].type
        replacement = prim.CallMethodOp.create(
            operands=list(call.operands),
            result_types=[result],
            attributes={"name": StringAttr(method.name)},
            location=UNKNOWN_LOCATION,
        )
        assert call.parent is not None
        call.parent.insert_op_before(replacement, call)
        edit.replace_uses(call.results[0], replacement.results[0])
        edit.erase(call)


def _lift_arguments(call: ModuleCallOp) -> None:
    """Let a call be given what its block uses from outside, and what calls in it do."""
    body = _body(call)
    known: dict[SSAValue, SSAValue] = {}
    inside: set[int] = {id(argument) for argument in body.args}
    for op in _ops(body):
        if isinstance(op, ModuleCallOp):
            _lift_arguments(op)
        for place, operand in enumerate(op.operands):
            if id(operand) in inside:
                continue
            if operand not in known:
                argument = body.insert_arg(operand.type, len(body.args))
                argument.name_hint = operand.name_hint
                edit.append_operand(call, operand)
                known[operand] = argument
            op.operands[place] = known[operand]
        inside |= {id(result) for result in op.results}


def _method_of(unit: CompilationUnit, call: ModuleCallOp, body: Block) -> Function:
    type_ = prim.type_of(call.operands[0])
    assert isinstance(type_, ClassType)
    definition = unit.class_of(type_)
    name = free_method_name(definition.methods, "forward")
    return declare_method(unit, definition, name, take_body(body))


def take_body(body: Block) -> FuncOp:
    """A function with a block that was one of another op."""
    function = new_function("forward")
    target = function.body.block
    for argument in body.args:
        new = target.insert_arg(argument.type, len(target.args))
        new.name_hint = argument.name_hint
        edit.replace_uses(argument, new)
    last = body.last_op
    assert last is not None
    outputs: Sequence[SSAValue] = list(last.operands)
    edit.erase(last)
    end = target.last_op
    assert isinstance(end, ReturnOp)
    for op in list(body.ops):
        op.detach()
        target.insert_op_before(op, end)
    edit.set_outputs(target, list(outputs))
    edit.update_function_type(function)
    return function


def free_method_name(methods: dict[str, Function], name: str) -> str:
    """`forward`, `forward1`, `forward2`, ...: the first that no method has."""
    found, count = name, 0
    while found in methods:
        count += 1
        found = f"{name}{count}"
    return found


def declare_method(
    unit: CompilationUnit, definition: ClassDefinition, name: str, op: FuncOp
) -> Function:
    """Make a function a method of a class."""
    symbol = f"{definition.type.qualified_name.data}.{name}"
    method = declare_function(unit, name, op, symbol, symbol)
    definition.methods[name] = method
    return method


def declare_function(
    unit: CompilationUnit, name: str, op: FuncOp, qualified_name: str, symbol: str | None = None
) -> Function:
    """Put a traced function into a unit."""

    def define(function: Function) -> None:
        op.sym_name = StringAttr(function.symbol)
        edit.update_function_type(op)
        mark_traced(op)
        function.func_op = op
        function.is_clean = True
        function.set_schema(_schema(name, op))
        unit.add_op(op)

    return unit.declare(name, define, qualified_name, symbol).ensure_defined()


def _schema(name: str, op: FuncOp) -> FunctionSchema:
    """What a function takes and gives; shapes are those of one run, and no part of it."""
    taken: set[str] = set()
    arguments: list[Argument] = []
    for place, value in enumerate(op.body.block.args):
        hint = (value.name_hint or "").partition(".")[0]
        called = hint if hint.isidentifier() and hint not in taken else f"argument_{place}"
        taken.add(called)
        arguments.append(Argument(called, unshaped(prim.type_of(value))))
    returns = tuple(
        Argument("", unshaped(prim.type_of(value))) for value in edit.outputs(op.body.block)
    )
    return FunctionSchema(name, "", tuple(arguments), returns)


def _argument_for(value: SSAValue, home: Block, outer: dict[SSAValue, SSAValue]) -> SSAValue:
    """The argument of a method that stands for a value from further out."""
    if value not in outer:
        argument = home.insert_arg(value.type, len(home.args))
        argument.name_hint = value.name_hint
        outer[value] = argument
    return outer[value]
