"""What groups may hold, as far as linalg has a form for it, and where they end.

Note [Cut groups]
All pointwise nodes of a group with the same sizes share a loop. Where an iteration takes more instructions than a processor looks
ahead, iterations do not overlap any more: every instruction of a chain then waits for the one before. Measured on x86-64, an operator
of a chain of 500 takes half as long again as one in a chain of 100. So a run of pointwise nodes becomes several groups, about equally
long, with `CAPACITY` instructions to an iteration. It is cut where few values have to go through memory, and only there: where many
are alive, much can be computed side by side, and nothing is gained. But as LLVM's time for a loop grows faster than its length, no
loop has more than `LONGEST`. Where else it could be cut, the operators around decide: what repeats is cut at the same places, and its
groups share kernels.

A group of many products and reductions, each of which has loops of its own, would take time to compile that grows faster than their
number, and the layers of a network would be compiled one by one. So from `MANY_LOOPS` on it is cut, too, by the same rule, into pieces
with `FEWEST_LOOPS` of them and up to twice as many: of fifty equal layers, a few are compiled. The call of another kernel is little
beside what so many loops take.

Last, a native call has room for `MAX_BUFFERS` tensors. A piece that takes and gives more is halved until none does. What writes stays
with what it writes to.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any

from xdsl.ir import Operation, SSAValue

from lowering.linalg.operands import HALVES, is_known, may_turn
from lowering.linalg.operator_lowering import is_view, lowering_of, pays_alone, vanishes
from torchscript_dialect.analysis.live_values import values_alive
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.runtime.native.table import MAX_BUFFERS
from torchscript_dialect.types.core import NONE
from torchscript_dialect.types.tensor_type import TensorType

__all__ = [
    "can_lower",
    "cut",
    "is_lowered",
    "is_view",
    "pays_alone",
    "pays_at_once",
    "updates",
    "vanishes",
]

CAPACITY = 256
"""Instructions of a piece, as `OperatorLowering.weight` counts them."""
LARGE = 1024
"""Loops with fewer stay whole: on small tensors, the call of another kernel takes longer than what it saves."""
LONGEST = 2048
FEW_VALUES = 2
FEWEST_CUT = 32
"""So many nodes are cut: fewer are hardly large, and need not be looked at."""
MANY_LOOPS = 48
"""Nodes with loops of their own."""
FEWEST_LOOPS = 12
LOOP = 32
"""Instructions that a node with loops of its own takes for an element."""
AT_ONCE = 1 << 20
"""Instructions that NumPy takes about as long for as a tenth of what it takes to compile a kernel."""
OF_HALVES = 32
"""Instructions on 32 bits that NumPy takes about as long for as for one on 16 bits, which it converts one by one."""
SLACK = 4
"""A cut may be off its place by this part of a piece."""


def is_lowered(op_class: type[Operation]) -> bool:
    """Whether ops of a class have a lowering which groups may take."""
    lowering = lowering_of(op_class)
    return lowering is not None and lowering.joins_groups


def can_lower(op: Operation) -> bool | None:
    """Whether an op that has a lowering may stand in a group; None where that follows from no more than the types of tensors, which
    are not known.
    """
    lowering = lowering_of(type(op))
    assert lowering is not None
    results = op.results
    if lowering.skips_unused:
        results = [result for result in results if result.first_use is not None]
    tensors = [result for result in results if isinstance(result.type, TensorType)]
    if not all(is_known(one, takes_complex=lowering.takes_complex) for one in tensors):
        return None if isinstance(op, OperatorOp) else False
    if isinstance(op, OperatorOp) and _lacks_tensor(op):
        return False
    if not lowering.takes(op) or not lowering.suits_kernel(op):
        return False
    is_ordered = lowering.gives_views(op) or not lowering.follows_order
    return is_ordered or not any(map(may_turn, op.operands))


def _lacks_tensor(op: OperatorOp) -> bool:
    """Whether an operator is given None for a tensor, as by a default of None."""
    if op.OPERATOR is None or not any(value.type == NONE for value in op.operands):
        return False
    arguments = zip(op.operands, op.OPERATOR.schema.arguments)
    return any(one.type == NONE and isinstance(each.type, TensorType) for one, each in arguments)


def pays_at_once(op: Operation) -> bool:
    """Whether a kernel of an op alone saves in a few calls what its compilation takes: tensors are large, and elements take long."""
    lowering = lowering_of(type(op))
    assert lowering is not None
    weight = lowering.weight(op)
    types = [value.type for value in (*op.operands, *op.results)]
    sizes = [type_.sizes or () for type_ in types if isinstance(type_, TensorType)]
    elements = max((prod(size or 0 for size in one) for one in sizes), default=0)
    if any(isinstance(type_, TensorType) and type_.dtype in HALVES for type_ in types):
        elements *= OF_HALVES
    is_much = elements * (LOOP if weight is None else weight) >= AT_ONCE
    return lowering.pays_alone(op) and (is_much or lowering.pays_at_once(op))


def updates(op: Operation) -> Sequence[SSAValue]:
    """The operands from outside that an op which may stand in a group writes to."""
    lowering = lowering_of(type(op))
    return () if lowering is None else lowering.updates(op)


def cut(nodes: Sequence[Operation]) -> list[Sequence[Operation]]:
    """See `torchscript_dialect.backend.Backend` and Note [Cut groups]."""
    places = {0, len(nodes)}
    if len(nodes) >= FEWEST_CUT:
        alive, weights = values_alive(nodes), _weights(nodes)
        for run in _runs(weights):
            places.update(_cuts(nodes, alive, *run))
        places.update(_cuts_between_loops(nodes, alive, weights))
    places -= _held(nodes)
    pieces = [nodes[first:last] for first, last in pairwise(sorted(places))]
    return [part for piece in pieces for part in _fitting(piece)]


def _held(nodes: Sequence[Operation]) -> set[int]:
    """Where a cut would part what is written to and what writes."""
    index = {op: number for number, op in enumerate(nodes)}
    held: set[int] = set()
    for number, op in enumerate(nodes):
        lowering = lowering_of(type(op))
        if lowering is None or not lowering.writes:
            continue
        maker = op.operands[0].owner
        while isinstance(maker, Operation) and is_view(maker) and maker in index:
            maker = maker.operands[0].owner
        if isinstance(maker, Operation) and maker in index:
            held.update(range(index[maker] + 1, number + 1))
    return held


def _weights(nodes: Sequence[Operation]) -> list[int | None]:
    """What each node adds to a loop; None for those with loops of their own."""
    known: dict[type[Operation], int | None] = {}
    for op in nodes:
        if type(op) not in known:
            lowering = lowering_of(type(op))
            assert lowering is not None
            known[type(op)] = lowering.weight(op)
    return [known[type(op)] for op in nodes]


def _cuts_between_loops(
    nodes: Sequence[Operation], alive: Sequence[int], weights: Sequence[int | None]
) -> Iterator[int]:
    """Where a group of many loops is cut."""
    loops = list(accumulate(weight is None for weight in weights))
    since = 0
    while loops[-1] >= MANY_LOOPS and loops[-1] - since > 2 * FEWEST_LOOPS:
        lowest = bisect_left(loops, since + FEWEST_LOOPS)
        near = range(lowest, bisect_left(loops, since + 2 * FEWEST_LOOPS))
        best = min(near, key=lambda place: (alive[place], _names_around(nodes, place)))
        since = loops[best]
        yield best + 1


def _fitting(nodes: Sequence[Operation]) -> Iterator[Sequence[Operation]]:
    """Nodes in pieces that have no more tensors, with one for memory of their own, than a native call has room for."""
    if len(nodes) == 1 or len(_tensors(nodes)) < MAX_BUFFERS:
        yield nodes
        return
    alive, held = values_alive(nodes), _held(nodes)
    middle = len(nodes) // 2
    near = set(range(middle - middle // 2, middle + middle // 2 + 1)) - {0, len(nodes)} - held
    if not near and not (near := set(range(1, len(nodes))) - held):
        yield nodes
        return
    best = min(near, key=lambda place: (alive[place - 1], abs(place - middle), place))
    yield from _fitting(nodes[:best])
    yield from _fitting(nodes[best:])


def _tensors(nodes: Sequence[Operation]) -> set[SSAValue]:
    """The tensors that a group of nodes takes and gives."""
    inside = set(nodes)
    operands = {one for op in nodes for value in op.operands for one in _elements(value)}
    taken = {one for one in operands if one.owner not in inside and _is_tensor(one)}
    results = [result for op in nodes for result in op.results if _is_tensor(result)]
    given = {one for one in results if any(use.operation not in inside for use in one.uses)}
    return taken | given


def _elements(value: SSAValue) -> Sequence[SSAValue]:
    """What a list holds that is made for a node, or the value itself."""
    owner = value.owner
    return owner.operands if isinstance(owner, prim.ListConstructOp) else (value,)


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) and not isinstance(value.owner, prim.ConstantOp)


def _runs(weights: Sequence[int | None]) -> Iterator[tuple[int, list[int]]]:
    """Where neighbours begin that share a loop, and how many instructions the loop has after each of them."""
    first = 0
    totals: list[int] = []
    for index, weight in enumerate(weights):
        if weight is None:
            yield first, totals
            first, totals = index + 1, []
        else:
            totals.append(weight + (totals[-1] if totals else 0))
    yield first, totals


def _names_around(nodes: Sequence[Operation], place: int) -> list[str]:
    """What stands around the place behind a node."""
    return [op.name for op in nodes[max(place - 1, 0) : place + 3]]


def _cuts(
    nodes: Sequence[Operation], alive: Sequence[int], first: int, totals: list[int]
) -> Iterator[int]:
    """Where a run is cut."""
    if not totals or totals[-1] <= LARGE:
        return
    size = totals[-1] / -(-totals[-1] // CAPACITY)
    piece = since = 0
    while totals[-1] - since > size + size / SLACK:
        wanted = since + size
        lowest = bisect_left(totals, wanted - size / SLACK)
        near = range(lowest, max(bisect_right(totals, wanted + size / SLACK), lowest + 1))

        def rank(i: int, wanted: float = wanted) -> tuple[Any, ...]:
            place = first + i
            return alive[place], _names_around(nodes, place), abs(totals[i] - wanted)

        best = min(near, key=rank)
        since = totals[best]
        if alive[first + best] <= FEW_VALUES or since + size - piece > LONGEST:
            piece = since
            yield first + best + 1
