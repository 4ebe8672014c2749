"""Where a long list of nodes repeats itself.

Note [Cuts of long graphs]
Fifty equal layers in one differentiable graph are differentiated, simplified and compiled fifty times; in graphs of a few layers each
the work is done for one of them (Note [Equal graphs] in equal_graphs.py). Nodes of more than `LONGEST` are therefore cut where they
repeat themselves: with `period` the distance after which most nodes come again, into graphs of whole periods that have at least
`SHORTEST` nodes. The first period is a graph of its own, with what comes before it: its inputs often require no gradient. Periods
begin where the fewest values are alive; a list of tensors, which no gradient goes out of a graph through, counts as all. What does not
repeat itself is not cut, however long it is: nothing would be gained.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.analysis.live_values import values_alive
from torchscript_dialect.autodiff.differentiability import is_list_of_tensors
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.attributes_key import attributes_key
from torchscript_dialect.types.tensor_type import TensorType

LONGEST = 128
"""The most nodes that stay together though they repeat themselves."""
SHORTEST = 20
"""The fewest nodes of a graph of whole periods."""
_LONGEST_PERIOD = 512
"""What comes again after more nodes is not looked for."""


class _Run(NamedTuple):
    """Nodes `start` to `stop`, each of which comes again after `period` nodes, but for those of the last period."""

    start: int
    stop: int
    period: int


def cut_where_repeated(nodes: Sequence[Operation]) -> list[Sequence[Operation]]:
    """The nodes in pieces, in order: one piece where they are few, or do not repeat themselves."""
    if len(nodes) <= LONGEST:
        return [nodes]
    alive = values_alive(nodes, lambda value: len(nodes) if is_list_of_tensors(value.type) else 1)
    cuts = [place for run in _runs(_kinds(nodes)) for place in _cuts(run, alive)]
    places = sorted({0, *cuts, len(nodes)})
    return [nodes[start:stop] for start, stop in pairwise(places)]


def _cuts(run: _Run, alive: Sequence[int]) -> Iterable[int]:
    """Where to cut a run: behind its first period, and behind as many more as go into one graph each time."""
    start, stop, period = run
    spare = min(period - 1, stop - start - 2 * period)
    first = start + period
    begin = min(range(first, first + spare + 1), key=lambda place: alive[place - 1])
    periods = (stop - begin) // period
    at_once = _periods_at_once(periods, period)
    return range(begin, begin + periods * period + 1, at_once * period)


def _periods_at_once(periods: int, period: int) -> int:
    """How many of so many periods go into one graph: of those numbers that make no more than `LONGEST` nodes, the one with which the
    fewest different ones are left.
    """
    least = min(-(-SHORTEST // period), periods)
    most = max(least, min(LONGEST // period, periods))
    return min(range(least, most + 1), key=lambda count: count + periods % count)


def _runs(kinds: np.ndarray) -> list[_Run]:
    """Runs that do not overlap, in order. Where some would, nodes are part of that one in which most come again, and among equal ones
    of that with the shortest period.
    """
    found: list[_Run] = []
    for period in range(1, min(len(kinds) // 2, _LONGEST_PERIOD) + 1):
        differs = np.flatnonzero(kinds[period:] != kinds[:-period])
        bounds = np.concatenate(([-1], differs, [len(kinds) - period]))
        again = np.diff(bounds) - 1
        for place in np.flatnonzero(again >= max(period, SHORTEST)):
            start, stop = int(bounds[place]) + 1, int(bounds[place + 1]) + period
            found.append(_Run(start, stop, period))
    found.sort(key=lambda run: (run.start + run.period - run.stop, run.period))
    chosen: list[_Run] = []
    for run in found:
        place = bisect(chosen, run)
        start = max(run.start, chosen[place - 1].stop if place else 0)
        stop = min(run.stop, chosen[place].start if place < len(chosen) else run.stop)
        if stop - start - run.period >= max(run.period, SHORTEST):
            chosen.insert(place, _Run(start, stop, run.period))
    return chosen


def _kinds(nodes: Sequence[Operation]) -> np.ndarray:
    """A number for each node, the same for nodes that look the same by themselves."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(_kind(op), len(numbers)) for op in nodes], np.int64)


def _kind(op: Operation) -> Any:
    operands = tuple([_operand(value) for value in op.operands])
    results = tuple([_type(value) for value in op.results])
    return (type(op), operands, results, attributes_key(op), len(op.regions))


def _operand(value: SSAValue) -> Any:
    owner = value.owner
    return attributes_key(owner) if isinstance(owner, prim.ConstantOp) else _type(value)


def _type(value: SSAValue) -> Any:
    """The type of a value, less whether it requires a gradient, which is not known of every one."""
    type_ = value.type
    return type_.replace(requires_grad=None) if isinstance(type_, TensorType) else type_
