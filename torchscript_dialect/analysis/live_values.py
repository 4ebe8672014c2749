"""How many values are alive between nodes that stand one behind the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from xdsl.ir import Operation, SSAValue


def values_alive(
    nodes: Sequence[Operation], weight: Callable[[SSAValue], int] = lambda _: 1
) -> list[int]:
    """Behind each node, how many values that it and nodes before it make are used by those after it; each counts as its weight."""
    made: dict[SSAValue, int] = {}
    ends: dict[SSAValue, int] = {}
    for index, op in enumerate(nodes):
        ends.update((operand, index) for operand in op.operands if operand in made)
        made.update((result, index) for result in op.results)
    changes = [0] * len(nodes)
    for value, end in ends.items():
        changes[made[value]] += (weighed := weight(value))
        changes[end] -= weighed
    return list(accumulate(changes))
