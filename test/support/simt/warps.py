"""What the threads of a warp do together (PTX ISA, sections 9.7.9.6 and 9.7.13)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.simt.atomics import ATOMIC
from support.simt.faults import Fault
from support.simt.machine import WARP, Lanes, Machine
from support.simt.module import Instruction, Operand


def warp_barrier(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    converged(machine, instruction.operands[-1], lanes)
    machine.warp_epoch[lanes] += 1


def converged(machine: Machine, mask: Operand, lanes: Lanes) -> None:
    """Check that the threads which a mask names are those that are here.

    Raises:
        Fault: some are elsewhere.
    """
    members = machine.value(mask, "u32", lanes)
    lane = machine.thread[lanes] % WARP
    if ((members >> lane.astype(np.uint32)) & 1 == 0).any():
        raise Fault("a thread is not in its own mask of members")
    warp = warps(machine, lanes)
    here = np.zeros(int(warp.max()) + 1, np.uint32)
    np.bitwise_or.at(here, warp, np.uint32(1) << lane.astype(np.uint32))
    last = np.minimum(machine.threads - machine.thread[lanes] // WARP * WARP, WARP)
    exist = np.where(last >= WARP, 0xFFFFFFFF, (1 << last) - 1).astype(np.uint32)
    missing = members & exist & ~here[warp]
    if missing.any():
        first = int(lanes[np.flatnonzero(missing)[0]])
        raise Fault(
            f"divergent: {machine.named(first)} waits for threads of its warp that are elsewhere"
        )


def warps(machine: Machine, lanes: Lanes) -> NDArray[np.int64]:
    """A number for the warp of each lane."""
    return machine.row[lanes] * -(-machine.threads // WARP) + machine.thread[lanes] // WARP


def shuffle(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    operands = list(instruction.operands)
    found = operands.pop(1) if len(operands) == 6 else None
    to, a, b, c, mask = operands
    converged(machine, mask, lanes)
    values = machine.value(a, "b32", lanes)
    distance = machine.value(b, "s32", lanes).astype(np.int64) & 31
    limit = machine.value(c, "s32", lanes).astype(np.int64)
    lane = machine.thread[lanes] % WARP
    segment, clamp = limit >> 8 & 31, limit & 31
    last, first = (lane & segment) | (clamp & ~segment), lane & segment
    mode = next(m for m in instruction.modifiers if m in ("up", "down", "bfly", "idx"))
    source = {
        "up": lane - distance,
        "down": lane + distance,
        "bfly": lane ^ distance,
        "idx": first | (distance & ~segment),
    }[mode]
    inside = source >= last if mode == "up" else source <= last
    source = np.where(inside, source, lane)
    places = lanes - lane + source
    position = np.searchsorted(lanes, places)
    position = np.minimum(position, lanes.size - 1)
    if (lanes[position] != places).any():
        first_bad = int(lanes[np.flatnonzero(lanes[position] != places)[0]])
        raise Fault(f"{machine.named(first_bad)} reads from a thread that is not here")
    machine.put(to, values[position], lanes)
    if found is not None:
        machine.put(found, inside, lanes)


def vote(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    to, source, mask = instruction.operands
    converged(machine, mask, lanes)
    holds = machine.value(source, "pred", lanes)
    warp = warps(machine, lanes)
    yes = np.zeros(int(warp.max()) + 1, np.uint32)
    here = np.zeros_like(yes)
    bits = np.uint32(1) << (machine.thread[lanes] % WARP).astype(np.uint32)
    np.bitwise_or.at(yes, warp, np.where(holds, bits, 0).astype(np.uint32))
    np.bitwise_or.at(here, warp, bits)
    if "ballot" in instruction:
        machine.put(to, yes[warp], lanes)
    elif "all" in instruction:
        machine.put(to, (yes == here)[warp], lanes)
    elif "any" in instruction:
        machine.put(to, (yes != 0)[warp], lanes)
    else:
        machine.put(to, ((yes == 0) | (yes == here))[warp], lanes)


def reduce(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    to, source, mask = instruction.operands
    converged(machine, mask, lanes)
    values = machine.value(source, instruction.type, lanes)
    update = next(ATOMIC[m] for m in instruction.modifiers if m in ATOMIC)
    warp = warps(machine, lanes)
    found: dict[int, Any] = {}
    for w, v in zip(warp, values, strict=True):
        found[w] = update(found[w], v) if w in found else v
    machine.put(to, np.array([found[w] for w in warp], values.dtype), lanes)
