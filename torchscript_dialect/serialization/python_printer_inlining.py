"""Which nodes are printed inside the expression that uses them (python_print.cpp: `scanBlock`, `canInline`).

Code is evaluated left to right, operands before the operator. So the operands of a node may be written inside it as long
as, read from right to left, they are the nodes just before it, read backwards; then they run in the order that they had.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.prim import ConstantOp
from torchscript_dialect.serialization.graph_printer import is_subgraph_op

TERMINATORS = ("func.return", "prim.yield")
_CALLED_LATER = ("prim.fork", "prim.rpc_async", "prim.rpc_sync", "prim.rpc_remote")


def inlined_nodes(block: Block) -> set[Operation]:
    """The nodes of a block, and of the blocks in it, that are written where their result is used.

    Constants that anything uses are among them. Takes time linear in the number of nodes and operands.
    """
    inlined: set[Operation] = set()
    waiting = [block]
    while waiting:
        for op in reversed(waiting.pop().ops):
            if op not in inlined:
                _scan(op, inlined)
            waiting += inner_blocks(op)
    return inlined


def inner_blocks(op: Operation) -> list[Block]:
    """The blocks that run as part of the function, not those of sub-graphs."""
    if not op.regions or is_subgraph_op(op) or op.name == "prim.Closure":
        return []
    return [region.block for region in op.regions]


def _scan(op: Operation, inlined: set[Operation]) -> None:
    """Walk the operands from right to left, into those that are the node just before."""
    expected = _previous(op)
    walks: list[Iterator[SSAValue]] = [reversed(op.operands)]
    while walks:
        value = next(walks[-1], None)
        if value is None:
            walks.pop()
            continue
        owner = value.owner
        if isinstance(owner, ConstantOp):
            inlined.add(owner)
        elif owner is expected and isinstance(owner, Operation) and _can_inline(value, owner):
            inlined.add(owner)
            expected = _previous(owner)
            walks.append(reversed(owner.operands))


def _previous(op: Operation) -> Operation | None:
    """The node before, constants not counted."""
    previous = op.prev_op
    while isinstance(previous, ConstantOp):
        previous = previous.prev_op
    return previous


def _can_inline(value: SSAValue, owner: Operation) -> bool:
    use = value.get_unique_use()
    if use is None or len(owner.results) != 1:
        return False
    user = use.operation.name
    if value.name_hint is not None and user not in TERMINATORS:
        return False  # a variable of the program stays one
    if inner_blocks(owner):
        return False
    if user == "prim.Loop" and use.index >= 2:
        return False  # else the trip count would be evaluated after it
    # What an isinstance in a condition tells has been made use of; the compiler must not see it again.
    return user not in _CALLED_LATER and owner.name != "prim.isinstance"
