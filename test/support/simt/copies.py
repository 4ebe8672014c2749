"""`cp.async`: copies to shared memory that a thread begins, and waits for later (PTX ISA, section 9.7.9.25).

What is copied is there when the thread has waited for it; until then nobody may touch the place. Both, the beginning and the end, are
writes of the thread: barriers keep them apart from what others do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from support.simt.access import check_races, spaces
from support.simt.faults import Fault
from support.simt.machine import Lanes, Machine
from support.simt.memory import Indices
from support.simt.module import Instruction


class Copy(NamedTuple):
    """What some threads have begun to copy: to which bytes of shared memory, what, and in which of their groups."""

    lanes: Lanes
    at: Indices
    data: NDArray[np.uint8]
    group: Indices


def asynchronous(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    """`cp.async.cg.shared.global [to], [from], 16, count;`, `cp.async.commit_group;` and `cp.async.wait_group n;`."""
    if "commit_group" in instruction:
        machine.groups_of_copies[lanes] += 1
    elif "wait_group" in instruction:
        count = instruction.operands[0].value
        assert isinstance(count, int)
        _end(machine, lanes, count)
    elif instruction.modifiers == ("async", "cg", "shared", "global"):
        _begin(machine, instruction, lanes)
    else:
        raise Fault("this asynchronous copy is not known")


def _begin(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    target, source, size, *rest = instruction.operands
    if size.value != 16:
        raise Fault("copies past the first-level cache are of 16 bytes")
    counts = np.full(lanes.size, 16)
    if rest:
        counts = machine.value(rest[0], "u32", lanes).astype(np.int64)
    if (counts > 16).any():
        raise Fault(f"{machine.named(int(lanes[np.argmax(counts)]))} reads more than it copies")
    data = np.zeros((lanes.size, 16), np.uint8)
    for count in np.unique(counts[counts > 0]):
        mine = np.flatnonzero(counts == count)
        # aligned to what is copied, of which not all is read
        ((_, there, at, _),) = spaces(
            machine, instruction, source, 16, lanes[mine], named="global", read=int(count)
        )
        check_races(machine, "global", there, at, int(count), False)
        data[mine, :count] = machine.memory.bytes[at[:, None] + np.arange(count)]
    ((_, _, to, _),) = spaces(machine, instruction, target, 16, lanes, named="shared")
    check_races(machine, "shared", lanes, to, 16, True)
    machine.shared.on_their_way[to[:, None] + np.arange(16)] = True
    machine.copies.append(Copy(lanes, to, data, machine.groups_of_copies[lanes]))


def _end(machine: Machine, lanes: Lanes, count: int) -> None:
    """Let what threads have begun be there, but for their last `count` groups."""
    waits = np.zeros(machine.lanes, bool)
    waits[lanes] = True
    left: list[Copy] = []
    for copy in machine.copies:
        ends = waits[copy.lanes] & (copy.group < machine.groups_of_copies[copy.lanes] - count)
        if ends.any():
            places = copy.at[ends][:, None] + np.arange(16)
            machine.shared.on_their_way[places] = False
            check_races(machine, "shared", copy.lanes[ends], copy.at[ends], 16, True)
            machine.shared.bytes[places] = copy.data[ends]
        if not ends.all():
            left.append(Copy(*(part[~ends] for part in copy)))
    machine.copies = left
