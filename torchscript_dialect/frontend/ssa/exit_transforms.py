"""Early exits as values (PyTorch: torch/csrc/jit/frontend/exit_transforms.cpp).

`prim.LoopContinuation` gives its values to the innermost loop's block, `prim.ReturnStmt` to the innermost closure or function.
Where a block may have exited, a bool tells so and what follows is guarded by it. Blocks that always throw need no guard:
what they should give is `prim.Uninitialized`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.dialects.prim import (
    ClosureOp,
    ConstantOp,
    EnterOp,
    ExitOp,
    IfOp,
    LoopContinuationOp,
    LoopOp,
    RaiseExceptionOp,
    ReturnStmtOp,
    UninitializedOp,
    WithOp,
)
from torchscript_dialect.ir.edit import (
    add_argument,
    add_output,
    append_operand,
    append_result,
    body_ops,
    constant_value,
    erase,
    inline_block,
    move_before,
    move_to_end,
    new_block,
    op_classes,
    outputs,
    replace_uses,
    set_name,
    set_outputs,
    terminator,
    type_of,
)
from torchscript_dialect.types.containers import NestedType
from torchscript_dialect.types.core import BOOL, TorchScriptType
from torchscript_dialect.types.named import EnumType
from torchscript_dialect.types.subtyping import unify_types

_CONTROL = {RaiseExceptionOp, LoopContinuationOp, ReturnStmtOp, IfOp, LoopOp, WithOp, ClosureOp}
"""The ops that may leave a block; the check by class is much faster than `isinstance`, and most ops are others."""

_MADE_ANEW = (NestedType, EnumType)


class ExitStatus(Enum):
    """Whether control leaves a block early; `THROWS` is never guarded."""

    WILL = 0
    MIGHT = 1
    WONT = 2
    THROWS = 3


class Exit:
    """Whether a block has exited, as a bool of the graph, and the values that go to the target."""

    __slots__ = ("has_exited", "values")

    def __init__(self, has_exited: SSAValue, values: Sequence[SSAValue] = ()) -> None:
        self.has_exited = has_exited
        self.values = tuple(values)


def transform_exits(block: Block) -> None:
    """Take all continuations and returns out of a function's block."""
    classes = op_classes(block)
    if EnterOp in classes:
        _enter_and_exit_to_with(block)
    if not classes.isdisjoint((LoopContinuationOp, RaiseExceptionOp)):
        _ExitTransformer(block, LoopContinuationOp).transform(block)
    _ExitTransformer(block, ReturnStmtOp).transform(block)
    if not classes.isdisjoint((IfOp, LoopOp)):  # exits of loops have made some
        _inline_consecutive_ifs(block)
    if EnterOp in classes:
        _with_to_enter_and_exit(block)


class _ExitTransformer:
    def __init__(self, graph_block: Block, kind: type[Operation]) -> None:
        self.graph_block = graph_block
        self.kind = kind
        self.target: Block | None = None
        first = graph_block.first_op
        assert first is not None
        self.true, self.false = (
            self._before(first, ConstantOp.of(value, BOOL)) for value in (True, False)
        )
        self.uninitialized: dict[TorchScriptType | int, SSAValue] = {}
        self.throws = self.unit_value(BOOL)

    @staticmethod
    def _before(target: Operation, op: Operation) -> SSAValue:
        move_before(op, target)
        return op.results[0]

    def unit_value(self, type_: TorchScriptType) -> SSAValue:
        """The value of a type that is never used: one for each type, and of those types that are made anew wherever they are written,
        as in PyTorch, one for each object.
        """
        key = id(type_) if isinstance(type_, _MADE_ANEW) else type_
        known = self.uninitialized.get(key)
        if known is None:
            first = self.graph_block.first_op
            assert first is not None
            known = self._before(first, UninitializedOp.create(result_types=(type_,)))
            self.uninitialized[key] = known
        return known

    def _unit_values(self, like: Sequence[SSAValue]) -> list[SSAValue]:
        return [self.unit_value(type_of(value)) for value in like]

    def status(self, exit_: Exit) -> ExitStatus:
        if exit_.has_exited is self.true:
            return ExitStatus.WILL
        if exit_.has_exited is self.false:
            return ExitStatus.WONT
        return ExitStatus.THROWS if exit_.has_exited is self.throws else ExitStatus.MIGHT

    def transform(self, block: Block) -> Exit:
        """Transform a block; the result tells of exits to targets outside it.

        What follows an op that may have exited goes under an if. Each op moves at most once, right into the innermost of those.
        """
        outer_target = self.target
        if self._is_target(block):
            self.target = block
        exit_ = Exit(self.false)
        guards: list[tuple[IfOp, Exit]] = []
        here = block
        op = block.first_op
        end = terminator(block)
        while op is not None and op is not end:
            following = op.next_op
            assert following is not None
            if here is not block:
                move_to_end(op, here)
            if type(op) not in _CONTROL:
                op = following
                continue
            exit_ = self._transform_op(op, exit_)
            status = self.status(exit_)
            if status in (ExitStatus.WILL, ExitStatus.THROWS):
                self._delete_from(following, end)
                break
            if status is ExitStatus.MIGHT and following is not end:
                guard = self._guard(here, exit_)
                if here is block:
                    end = guard
                guards.append((guard, exit_))
                here = guard.regions[1].block
                exit_ = Exit(self.false)
            op = following
        for guard, before in reversed(guards):
            exit_ = self._merge_exits(guard, Exit(self.true, before.values), exit_)
        if self.target is block:
            self._leave(block, exit_)
            exit_ = Exit(self.false)
        self.target = outer_target
        return exit_

    def _is_target(self, block: Block) -> bool:
        owner = block.parent_op()
        if self.kind is LoopContinuationOp:
            return isinstance(owner, LoopOp)
        return isinstance(owner, (FuncOp, ClosureOp))

    def _transform_op(self, op: Operation, exit_: Exit) -> Exit:
        if isinstance(op, RaiseExceptionOp):
            return Exit(self.throws)
        if isinstance(op, self.kind):
            values = tuple(op.operands)
            erase(op)
            return Exit(self.true, values)
        if isinstance(op, IfOp):
            return self._transform_if(op)
        if isinstance(op, LoopOp):
            return self._transform_loop(op)
        if isinstance(op, WithOp):
            return self.transform(op.regions[0].block)
        if isinstance(op, ClosureOp):
            self.transform(op.regions[0].block)
        return exit_

    def _leave(self, block: Block, exit_: Exit) -> None:
        status = self.status(exit_)
        if status is ExitStatus.WILL:
            set_outputs(block, exit_.values)
        elif status is ExitStatus.MIGHT:
            op = _new_if(exit_.has_exited, terminator(block))
            _add_if_results(op, exit_.values, outputs(block))
            set_outputs(block, op.results)

    def _transform_if(self, op: IfOp) -> Exit:
        on_true, on_false = op.regions
        return self._merge_exits(op, self.transform(on_true.block), self.transform(on_false.block))

    def _merge_exits(self, op: IfOp, then_exit: Exit, else_exit: Exit) -> Exit:
        """What leaves an if, given what leaves its branches."""
        then_status, else_status = self.status(then_exit), self.status(else_exit)
        status = _if_status(then_status, else_status)
        if status is ExitStatus.THROWS:
            return Exit(self.throws)
        if status is ExitStatus.WONT:
            return Exit(self.false)
        if then_status in (ExitStatus.WONT, ExitStatus.THROWS):
            then_exit = Exit(then_exit.has_exited, self._unit_values(else_exit.values))
        elif else_status in (ExitStatus.WONT, ExitStatus.THROWS):
            else_exit = Exit(else_exit.has_exited, self._unit_values(then_exit.values))
        if status is ExitStatus.WILL:
            has_exited = self.true
        else:
            _add_if_results(op, [then_exit.has_exited], [else_exit.has_exited])
            has_exited = op.results[-1]
        _add_if_results(op, then_exit.values, else_exit.values)
        count = len(then_exit.values)
        return Exit(has_exited, op.results[len(op.results) - count :])

    def _transform_loop(self, op: LoopOp) -> Exit:
        body = op.regions[0].block
        exit_ = self.transform(body)
        status = self.status(exit_)
        if status in (ExitStatus.WONT, ExitStatus.THROWS):
            return Exit(self.false)
        go_on, *carried = outputs(body)
        guard = _new_if(exit_.has_exited, terminator(body))
        _add_if_results(guard, [self.false], [go_on])
        set_outputs(body, (guard.results[0], *carried))
        pairs = [(self.false, exit_.has_exited)]
        pairs += [(self.unit_value(type_of(value)), value) for value in exit_.values]
        for initial, value in pairs:
            type_ = type_of(value)
            append_operand(op, initial)
            add_argument(body, type_)
            add_output(body, value)
            append_result(op, type_)
        has_exited, *values = op.results[len(op.results) - len(pairs) :]
        return Exit(has_exited, values)

    def _guard(self, block: Block, exit_: Exit) -> IfOp:
        """An if at the end of a block: what follows goes into its second branch, since the first has exited."""
        op = _new_if(exit_.has_exited, terminator(block))
        exited, guarded = (region.block for region in op.regions)
        values = outputs(block)
        for value, unit in zip(values, self._unit_values(values), strict=True):
            add_output(exited, unit)
            add_output(guarded, value)
            append_result(op, type_of(value))
        set_outputs(block, op.results)
        return op

    def _delete_from(self, op: Operation, end: Operation) -> None:
        """Delete the ops from `op` to `end`, which are never reached; their values are never used."""
        while op is not end:
            current = end.prev_op
            assert current is not None
            for result in current.results:
                if result.first_use is not None:
                    replace_uses(result, self.unit_value(type_of(result)))
            is_last = current is op
            erase(current)
            if is_last:
                return


def _if_status(then_status: ExitStatus, else_status: ExitStatus) -> ExitStatus:
    if then_status is ExitStatus.THROWS:
        return else_status
    if else_status is ExitStatus.THROWS:
        return then_status
    if then_status is else_status and then_status is not ExitStatus.MIGHT:
        return then_status
    return ExitStatus.MIGHT


def _new_if(condition: SSAValue, before: Operation) -> IfOp:
    op = IfOp.create(operands=(condition,), regions=(Region(new_block()), Region(new_block())))
    move_before(op, before)
    return op


def _add_if_results(
    op: Operation, on_true: Sequence[SSAValue], on_false: Sequence[SSAValue]
) -> None:
    for true_value, false_value in zip(on_true, on_false, strict=True):
        unified = unify_types(type_of(true_value), type_of(false_value), default_to_union=True)
        assert unified is not None
        add_output(op.regions[0].block, true_value)
        add_output(op.regions[1].block, false_value)
        append_result(op, unified)


# Two ifs in a row, the second on what the first knows.


def _inline_consecutive_ifs(block: Block) -> None:
    op = block.first_op
    while op is not None:
        if op.regions:
            while _inline_next_if(op):
                pass
            for region in op.regions:
                _inline_consecutive_ifs(region.block)
        op = op.next_op


def _inline_next_if(first: Operation) -> bool:
    """Merge the next if into this one where each branch of this one decides it, one so and one so."""
    second = first.next_op
    if type(first) is not IfOp or not isinstance(second, IfOp):
        return False
    condition = second.condition
    if condition.owner is not first:
        return False
    offset = list(first.results).index(condition)  # pyright: ignore[reportArgumentType]
    known = [constant_value(outputs(region.block)[offset]) for region in first.regions]
    if None in known or bool(known[0]) == bool(known[1]):
        return False
    chosen = [second.regions[0 if value else 1] for value in known]
    given = [outputs(region.block) for region in first.regions]
    for index, result in enumerate(first.results):
        _replace_uses_in(result, {s: g[index] for s, g in zip(chosen, given, strict=True)})
    for region, source in zip(first.regions, chosen, strict=True):
        yielded = outputs(source.block)
        inline_block(source.block, terminator(region.block))
        for value in yielded:
            add_output(region.block, value)
    for result in second.results:
        added = append_result(first, type_of(result))
        set_name(added, result.name_hint)
        replace_uses(result, added)
    erase(second)
    return True


def _replace_uses_in(value: SSAValue, values: dict[Region, SSAValue]) -> None:
    """Use, in each of these regions of one op, its value instead."""
    around = value.owner.parent_region()
    for use in list(value.uses):
        region = use.operation.parent_region()
        while region is not around and region is not None and region not in values:
            parent = region.parent_op()
            region = None if parent is None else parent.parent_region()
        if region is not None and region in values:
            use.operation.operands[use.index] = values[region]


# With statements: two ops outside this pass, an op with two blocks inside it.


def _enter_and_exit_to_with(block: Block) -> None:
    entered: list[Operation] = []
    pairs: list[tuple[Operation, Operation]] = []
    stack = list(reversed(body_ops(block)))
    while stack:
        op = stack.pop()
        if type(op) is EnterOp:
            entered.append(op)
        elif type(op) is ExitOp:
            pairs.append((entered.pop(), op))
        for region in reversed(op.regions):
            stack.extend(reversed(body_ops(region.block)))
    for enter, exit_ in pairs:
        body, leaving = new_block(), new_block()
        current = enter.next_op
        while current is not None and current is not exit_:
            following = current.next_op
            move_to_end(current, body)
            current = following
        move_to_end(exit_, leaving)
        parent = enter.parent
        assert parent is not None
        parent.insert_op_after(WithOp.create(regions=(Region(body), Region(leaving))), enter)


def _with_to_enter_and_exit(block: Block) -> None:
    for op in body_ops(block):
        for region in op.regions:
            _with_to_enter_and_exit(region.block)
        if type(op) is WithOp:
            for region in op.regions:
                inline_block(region.block, op)
            erase(op)
