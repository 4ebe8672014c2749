"""Which gradients of a loop are undefined: those that no defined gradient of its results reaches.

Note [Undefined gradients of loops]
The loop that goes back carries zeros for what is undefined (Note [Gradients of loops] in loops.py), so that its body is the same in
all trips. What it gives is undefined all the same where it was made of nothing else: of a value that all trips overwrite, of what
only another result is made of. Of which results' gradients each one is made depends on how many trips there are: with
`a, b = b, a + b` that of `b` reaches `a` by one trip, that of `a` by two. From some trips on it stays so, and the runtime leaves calls
with fewer to the tape; and it leaves all to it where values change places in each trip, so that what has a gradient goes by whether
their number is odd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Block, OpResult, SSAValue

from torchscript_dialect.dialects import prim

Reach = Mapping[int, frozenset[int]]
"""By place of what a trip takes, the numbers of the results whose gradients its own is made of."""

NEVER = 1 << 62
"""More trips than a loop makes: the tape takes all calls."""
_MOST_TRIPS = 1024


class Reached(NamedTuple):
    """What is so after `least` trips and more."""

    reach: Reach
    least: int


def reach_of_trip(graph: prim.DifferentiableGraphOp) -> Reach:
    """That of the body of a loop as a graph."""
    assert graph.reverse is not None
    made_of: dict[SSAValue, frozenset[int]] = {
        argument: frozenset((number,))
        for number, argument in zip(graph.vjps, graph.reverse.args, strict=False)
    }
    found = [_made_of(value, made_of) for value in prim.yielded(graph.regions[1])]
    return dict(zip(graph.differentiated, found, strict=True))


def _made_of(value: SSAValue, known: dict[SSAValue, frozenset[int]]) -> frozenset[int]:
    found = known.get(value)
    if found is None:
        found = known[value] = frozenset[int]().union(
            *(_made_of(one, known) for one in _sources(value))
        )
    return found


def _sources(value: SSAValue) -> Sequence[SSAValue]:
    """The gradients that make one defined."""
    if isinstance(value.owner, Block) or not isinstance(value, OpResult):
        return ()
    if not isinstance(value.owner, prim.GradOfOp):
        return value.owner.operands
    inner = prim.yielded(value.owner.regions[0])[value.index].owner
    if isinstance(inner, prim.GradOfOp) and inner.parent is value.owner.body:
        return inner.operands
    return value.owner.operands


def reach_of_trips(one: Reach, carried: int, known: frozenset[int], trips: int | None) -> Reached:
    """That of so many trips, or where it is not known how many, from some on; `one` is that of one trip. `carried` values are at the
    places from 1 on. The gradients of other results than the `known` ones are undefined.
    """
    one = {**dict.fromkeys(range(1, 1 + carried), frozenset[int]()), **one}
    now: Reach = {place: frozenset((place - 1,) if place <= carried else ()) for place in one}
    states: list[Reach] = []
    while now not in states and len(states) < _MOST_TRIPS:
        states.append(now)
        now = {place: _after_trip(place, numbers, now, carried) for place, numbers in one.items()}
    if now not in states:
        return Reached(_within(states, known), NEVER)
    first = states.index(now)
    if trips is not None:
        place = trips if trips < first else first + (trips - first) % (len(states) - first)
        return Reached(_within(states[place : place + 1], known), 1)
    found = _within(states[first:], known)
    if any(found[place] and not known & one[place] for one in states[first:] for place in found):
        return Reached(found, NEVER)
    least = max(first, 1)
    while least > 1 and _within([states[least - 1]], known) == found:
        least -= 1
    return Reached(found, least)


def _after_trip(place: int, numbers: frozenset[int], now: Reach, carried: int) -> frozenset[int]:
    """What one more trip, the first, makes of a gradient: carried ones come through what the trip yields, others are added up."""
    before = frozenset[int]() if place <= carried else now[place]
    return before.union(*(now[number + 1] for number in numbers))


def _within(states: Sequence[Reach], known: frozenset[int]) -> Reach:
    """What any of the states has, of the known ones."""
    return {
        place: known & frozenset[int]().union(*(one[place] for one in states))
        for place in states[0]
    }
