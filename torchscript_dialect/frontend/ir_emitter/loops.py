"""Loops, unrolled loops, and what leaves them (PyTorch: emitLoopCommon and around)."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Block, Operation, Region

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.ir_emitter.assignments import emit_targets
from torchscript_dialect.frontend.ir_emitter.conditions import emit_to_bool
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext, LoopStatus
from torchscript_dialect.frontend.source.expr_views import make_list
from torchscript_dialect.frontend.source.tree_views import (
    Break,
    Continue,
    Expr,
    For,
    List,
    TupleLiteral,
    While,
)
from torchscript_dialect.frontend.sugared.sugared_value import SimpleValue, SugaredValue
from torchscript_dialect.ir.edit import add_argument, new_block, set_outputs
from torchscript_dialect.types.core import INT
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

MAX_INT = 2**63 - 1
"""The trip count of a loop that only its condition ends."""


def emit_for(m: EmissionContext, statement: For) -> None:
    emit_for_loop(
        m,
        statement.range,
        statement.targets,
        statement.itrs,
        lambda: m.emit_statements(statement.body),
    )


def emit_for_loop(
    m: EmissionContext,
    range: SourceRange,
    targets: List[Expr],
    iterables: List[Expr],
    emit_body: Callable[[], None],
) -> None:
    """A for loop; over a tuple or a list of modules its body is repeated instead."""
    if len(iterables) != 1:
        raise FrontendError("List of iterables is not supported currently", range)
    iterable = m.emit_sugared(iterables[0]).iter(range, m)
    if iterable.static_length() is None:
        _emit_loop(m, range, emit_body, iterable, targets, None)
    else:
        _emit_unrolled(m, range, emit_body, iterable, targets)


def emit_while(m: EmissionContext, statement: While) -> None:
    _emit_loop(
        m,
        statement.range,
        lambda: m.emit_statements(statement.body),
        None,
        None,
        statement.cond,
    )


def _emit_loop(
    m: EmissionContext,
    range: SourceRange,
    emit_body: Callable[[], None],
    iterable: SugaredValue | None,
    targets: List[Expr] | None,
    condition: Expr | None,
) -> None:
    if iterable is None:
        trip_count = m.literal(MAX_INT, range)
    else:
        trip_count = iterable.length(range, m)
    op = m.graph.node(prim.LoopOp, (), (), range)
    body, header = new_block(), new_block()
    _add_regions(op, body, header)
    with m.in_frame(header):
        if condition is not None:
            go_on = emit_to_bool(m, condition.range, m.emit_expr(condition))
        else:
            with m.graph.before(op):
                go_on = m.graph.constant(True, range)
        set_outputs(header, (go_on,))
    op.operands = (trip_count,)
    outer_status, m.loop_status = m.loop_status, LoopStatus.IN_LOOP
    trip = add_argument(body, INT)
    with m.in_frame(body):
        if iterable is not None and targets is not None:
            element = iterable.getitem(range, m, trip).as_value(range, m)
            wrapped: List[Expr] = targets
            if len(targets) > 1:
                together: Expr = TupleLiteral.create(range, list(targets))
                wrapped = make_list(range, [together])
            emit_targets(m, wrapped, [SimpleValue(element)], range, 1)
        emit_body()
    m.loop_status = outer_status


def _add_regions(op: Operation, *blocks: Block) -> None:
    for block in blocks:
        op.add_region(Region(block))


def _emit_unrolled(
    m: EmissionContext,
    range: SourceRange,
    emit_body: Callable[[], None],
    iterable: SugaredValue,
    targets: List[Expr],
) -> None:
    length = iterable.static_length()
    assert length is not None
    outer_status, m.loop_status = m.loop_status, LoopStatus.IN_UNROLLED_LOOP
    index = 0
    while index < length:
        element = iterable.getitem(range, m, m.literal(index, range))
        emit_targets(m, targets, [element], targets.range, 1)
        emit_body()
        index += 1
    m.loop_status = outer_status


def _check_in_loop(m: EmissionContext, range: SourceRange, what: str) -> None:
    if m.loop_status is LoopStatus.NOT_IN_LOOP:
        raise FrontendError(f"SyntaxError: '{what}' outside loop", range)
    if m.loop_status is LoopStatus.IN_UNROLLED_LOOP:
        raise FrontendError(
            "Because we emit iteration over modulelists or tuples as unrolled loops, we do not"
            " support break or continue inside the body of these loops",
            range,
        )


def emit_break(m: EmissionContext, statement: Break) -> None:
    _check_in_loop(m, statement.range, "break")
    m.graph.node(prim.BreakStmtOp, (), (), statement.range)


def emit_continue(m: EmissionContext, statement: Continue) -> None:
    _check_in_loop(m, statement.range, "continue")
    m.graph.node(prim.ContinueStmtOp, (), (), statement.range)
