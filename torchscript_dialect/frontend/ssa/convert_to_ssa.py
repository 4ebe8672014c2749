"""From loads and stores to values (PyTorch: torch/csrc/jit/frontend/convert_to_ssa.cpp).

1. Loops and ifs load and store the variables that they change: they become loop-carried values and results.
2. `break` and `continue` become prim::LoopContinuation with the condition to go on and the loop-carried values.
3. Loop conditions move into the graph: before the loop, and at the end of its body.
4. Loads and stores go: each load is the value in scope.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.prim import (
    BreakStmtOp,
    ClosureOp,
    ComprehensionScopeOp,
    ConstantOp,
    ContinueStmtOp,
    IfOp,
    LoadOp,
    LoopContinuationOp,
    LoopOp,
    StoreOp,
)
from torchscript_dialect.frontend.unit.scope import Scope
from torchscript_dialect.frontend.unit.variables import value_name
from torchscript_dialect.ir.edit import (
    add_outputs,
    append_arguments,
    append_operands,
    append_results,
    body_ops,
    clone_into,
    erase,
    inline_block,
    insert_before,
    move_before,
    new_block,
    new_op,
    op_classes,
    operands_of,
    outputs,
    replace_all_uses,
    set_name,
    set_outputs,
    terminator,
    type_of,
)
from torchscript_dialect.ir.locations import UNKNOWN_LOCATION, text_attribute
from torchscript_dialect.types.core import BOOL, TorchScriptType
from torchscript_dialect.types.subtyping import unify_types


def _name(op: Operation) -> str:
    name = op.attributes["name"]
    assert isinstance(name, StringAttr)
    return name.data


def _load(name: str, type_: TorchScriptType) -> Operation:
    return new_op(LoadOp, (), (type_,), {"name": text_attribute(name)}, UNKNOWN_LOCATION)


def _store(name: str, value: SSAValue) -> Operation:
    return new_op(StoreOp, (value,), (), {"name": text_attribute(name)}, UNKNOWN_LOCATION)


def convert_to_ssa(block: Block) -> None:
    """Take the loads, stores, breaks and continues out of a function's block; exits stay."""
    classes = op_classes(block)
    _add_control_flow_loads_and_stores(block, None)
    if not classes.isdisjoint((ContinueStmtOp, BreakStmtOp)):
        _LoopContinuations(block).assign(block)
    if LoopOp in classes:
        _inline_loop_conditions(block)
    _LoadsAndStores(block).erase()


# Loads and stores at control flow.


def _add_control_flow_loads_and_stores(
    block: Block, parent: Scope[TorchScriptType] | None
) -> Scope[TorchScriptType]:
    scope = Scope(parent)
    for op in body_ops(block):
        if type(op) is StoreOp:
            (value,) = operands_of(op)
            scope.define(_name(op), type_of(value))
        elif not op.regions:
            continue
        elif isinstance(op, IfOp):
            _add_to_if(op, scope)
        elif isinstance(op, LoopOp):
            _add_to_loop(op, scope)
        elif isinstance(op, (ClosureOp, ComprehensionScopeOp)):
            for region in op.regions:
                _add_control_flow_loads_and_stores(region.block, scope)
    scope.close()
    return scope


# Values of many variables are appended together: one by one, each would copy those before it.


def _add_block_outputs(block: Block, types: dict[str, TorchScriptType]) -> None:
    loads = [_load(name, type_) for name, type_ in types.items()]
    for load in loads:
        move_before(load, terminator(block))
    add_outputs(block, [load.results[0] for load in loads])


def _add_results(op: Operation, types: dict[str, TorchScriptType]) -> None:
    for name, result in zip(types, append_results(op, types.values()), strict=True):
        set_name(result, value_name(name))
        following = op.next_op
        assert following is not None
        insert_before(following, _store(name, result))


def _add_to_if(op: IfOp, outer: Scope[TorchScriptType]) -> None:
    blocks = [region.block for region in op.regions]
    on_true, on_false = (_add_control_flow_loads_and_stores(block, outer) for block in blocks)
    changed = {name for name in on_true.here if on_false.find(name) is not None}
    changed |= {name for name in on_false.here if on_true.find(name) is not None}
    true_types: dict[str, TorchScriptType] = {}
    false_types: dict[str, TorchScriptType] = {}
    types: dict[str, TorchScriptType] = {}
    for name in sorted(changed):
        true_type, false_type = on_true.find(name), on_false.find(name)
        assert true_type is not None and false_type is not None
        unified = unify_types(true_type, false_type, default_to_union=True)
        if unified is None:
            continue
        true_types[name], false_types[name], types[name] = true_type, false_type, unified
    _add_block_outputs(blocks[0], true_types)
    _add_block_outputs(blocks[1], false_types)
    _add_results(op, types)
    for name, unified in types.items():
        outer.define(name, unified)


def _add_to_loop(op: LoopOp, outer: Scope[TorchScriptType]) -> None:
    body = op.regions[0].block
    inner = _add_control_flow_loads_and_stores(body, outer)
    outer_types: dict[str, TorchScriptType] = {}
    inner_types: dict[str, TorchScriptType] = {}
    types: dict[str, TorchScriptType] = {}
    for name in sorted(inner.here):
        outer_type, inner_type = outer.find(name), inner.here[name]
        if outer_type is None:
            continue
        unified = unify_types(outer_type, inner_type, default_to_union=True)
        assert unified is not None
        outer_types[name], inner_types[name], types[name] = outer_type, inner_type, unified
    loads = [_load(name, type_) for name, type_ in outer_types.items()]
    for load in loads:
        insert_before(op, load)
    append_operands(op, [load.results[0] for load in loads])
    for name, argument in zip(types, append_arguments(body, types.values()), strict=True):
        set_name(argument, value_name(name))
        first = body.first_op
        assert first is not None
        insert_before(first, _store(name, argument))
    _add_block_outputs(body, inner_types)
    _add_results(op, types)
    for name, unified in types.items():
        outer.define(name, unified)


# Breaks and continues.


class _LoopContinuations:
    def __init__(self, block: Block) -> None:
        self.block = block
        self.loop: LoopOp | None = None
        self.false: SSAValue | None = None

    def _false(self) -> SSAValue:
        if self.false is None:
            constant = ConstantOp.of(False, BOOL)
            first = self.block.first_op
            assert first is not None
            insert_before(first, constant)
            self.false = constant.results[0]
        return self.false

    def assign(self, block: Block) -> None:
        for op in body_ops(block):
            if not op.regions and type(op) not in (ContinueStmtOp, BreakStmtOp):
                continue
            if isinstance(op, LoopOp):
                outer, self.loop = self.loop, op
                self.assign(op.regions[0].block)
                self.loop = outer
            elif isinstance(op, ClosureOp):
                for region in op.regions:
                    _LoopContinuations(region.block).assign(region.block)
            elif isinstance(op, ContinueStmtOp):
                self._replace(op, self._condition(op))
            elif isinstance(op, BreakStmtOp):
                self._replace(op, self._false())
            else:
                for region in op.regions:
                    self.assign(region.block)

    def _condition(self, op: Operation) -> SSAValue:
        assert self.loop is not None
        copy = new_block()
        clone_into(self.loop.regions[1].block, copy)
        (condition,) = outputs(copy)
        set_outputs(copy, ())
        inline_block(copy, op)
        return condition

    def _replace(self, op: Operation, condition: SSAValue) -> None:
        assert self.loop is not None
        operands = [condition]
        for carried in outputs(self.loop.regions[0].block):
            owner = carried.owner
            assert isinstance(owner, LoadOp)
            load = _load(_name(owner), type_of(carried))
            move_before(load, op)
            operands.append(load.results[0])
        move_before(LoopContinuationOp.create(operands=operands), op)
        erase(op)


# Loop conditions.


def _inline_loop_conditions(block: Block) -> None:
    for op in body_ops(block):
        if op.regions:
            for region in op.regions:
                _inline_loop_conditions(region.block)
            if isinstance(op, LoopOp) and len(op.regions) == 2:
                _inline_loop_condition(op)


def _inline_loop_condition(op: LoopOp) -> None:
    body, header = op.regions[0].block, op.regions[1].block
    copy = new_block()
    clone_into(header, copy)
    (condition,) = outputs(copy)
    set_outputs(copy, ())
    inline_block(copy, op)
    op.operands = (op.operands[0], condition, *op.operands[1:])
    (condition,) = outputs(header)
    set_outputs(header, ())
    inline_block(header, terminator(body))
    set_outputs(body, (condition, *outputs(body)))
    op.detach_region(1)
    op.regions = op.regions[:1]


# Loads and stores.


class _LoadsAndStores:
    """The variables that are stored, and the loads that were found, each with the value in scope."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.loads: list[Operation] = []
        self.values: dict[SSAValue, SSAValue] = {}

    def erase(self) -> None:
        """Use the values in the place of loads. All at once: a literal of thousands of variables is one op."""
        self.visit(self.block, None)
        replace_all_uses(self.values.items())
        for load in self.loads:
            erase(load)

    def visit(self, block: Block, parent: Scope[SSAValue] | None) -> None:
        scope = Scope(parent)
        for op in body_ops(block):
            if type(op) is StoreOp:
                (stored,) = operands_of(op)
                scope.define(_name(op), self.values.get(stored, stored))
                erase(op)
            elif type(op) is LoadOp:
                self.load(op, scope.find(_name(op)))
            elif type(op) is ComprehensionScopeOp:
                inner = op.regions[0].block
                self.visit(inner, scope)
                inline_block(inner, op)
                erase(op)
            else:
                for region in op.regions:
                    self.visit(region.block, scope)
        scope.close()

    def load(self, op: LoadOp, value: SSAValue | None) -> None:
        (loaded,) = op.results
        self.loads.append(op)
        if value is not None:
            self.values[loaded] = value
        else:
            assert loaded.first_use is None, f"no value for the variable {_name(op)}"
