"""Loads, stores and atomic operations (PTX ISA, sections 9.7.9 and 9.7.13)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.simt.arithmetic import DTYPES
from support.simt.atomics import ATOMIC
from support.simt.faults import Fault
from support.simt.machine import Lanes, Machine
from support.simt.memory import BASE, LOCAL, SHARED
from support.simt.module import SIZES, Instruction, Operand


def generic(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    """`cvta`: addresses of a state space as generic ones, and back."""
    window = SHARED if "shared" in instruction else LOCAL if "local" in instruction else 0
    address = machine.value(instruction.operands[1], "u64", lanes)
    moved = address - np.uint64(window) if "to" in instruction else address + np.uint64(window)
    machine.put(instruction.operands[0], moved, lanes)


def addresses(machine: Machine, operand: Operand, lanes: Lanes) -> NDArray[np.int64]:
    """The addresses of an operand `[base + offset]`."""
    assert isinstance(operand.value, Operand)
    base = operand.value
    is_narrow = base.kind == "register" and machine.registers[str(base.value)].dtype.itemsize == 4
    found = machine.value(base, "u32" if is_narrow else "u64", lanes)
    return found.astype(np.int64) + operand.offset


def spaces(
    machine: Machine,
    instruction: Instruction,
    operand: Operand,
    size: int,
    lanes: Lanes,
    named: str | None = None,
    read: int | None = None,
) -> list[tuple[str, Lanes, NDArray[np.int64], NDArray[np.bool_] | slice]]:
    """The state space of an access, its lanes, the bytes at which it starts, and which lanes these are. The space is `named` if it is another
    than the instruction's first one; `read` bytes are touched if it is not the `size` to which they are aligned.

    Raises:
        Fault: an access is out of bounds, or not aligned.
    """
    where = addresses(machine, operand, lanes)
    touched = size if read is None else read
    named = named or next(
        (s for s in ("global", "shared", "local", "const") if s in instruction.modifiers), None
    )
    named = "global" if named == "const" else named
    parts: list[tuple[str, Any]] = [(named, slice(None))] if named else []
    if named is None:
        is_local = (where >= LOCAL) & (where < LOCAL + (1 << 39))
        is_shared = (where >= SHARED) & (where < SHARED + (1 << 39))
        where = where - np.where(is_local, LOCAL, np.where(is_shared, SHARED, 0))
        cases = {"global": ~is_local & ~is_shared, "shared": is_shared, "local": is_local}
        parts = [(s, m) for s, m in cases.items() if m.any()]
    found: list[tuple[str, Lanes, NDArray[np.int64], Any]] = []
    for space, mask in parts:
        mine, at = lanes[mask], where[mask]
        if (at % size).any():
            raise Fault(
                f"{machine.named(int(mine[np.flatnonzero(at % size)[0]]))} is not aligned to {size} bytes"
            )
        if space == "global":
            at = at - BASE
            inside = machine.memory.owned(at, touched)
        else:
            scratch, row = (
                (machine.shared, machine.row[mine]) if space == "shared" else (machine.local, mine)
            )
            inside = (at >= 0) & (at + touched <= scratch.size)
            at = at + row * max(scratch.size, 1)
        if not inside.all():
            raise Fault(
                f"{machine.named(int(mine[np.flatnonzero(~inside)[0]]))} is out of bounds of {space} memory"
            )
        found.append((space, mine, at, mask))
    return found


def check_races(
    machine: Machine, space: str, lanes: Lanes, at: NDArray[np.int64], size: int, is_write: bool
) -> None:
    """Note an access.

    Raises:
        Fault: another thread touches the same bytes, and nothing orders both.
    """
    if not machine.finds_races or space == "local":
        return
    granule = machine.kernel.granule
    if space == "global":
        row = machine.thread_in_grid[lanes] // machine.threads
        who = (machine.thread_in_grid[lanes], row, machine.block_epoch[lanes])
        found = machine.memory.races(at, size, granule, who, is_write)
    else:
        if machine.copies and machine.shared.on_their_way[at[:, None] + np.arange(size)].any():
            raise Fault("nobody has waited for what is copied there")
        epochs = (machine.block_epoch[lanes], machine.warp_epoch[lanes])
        thread = machine.thread[lanes]
        found = machine.shared.races(at, size, granule, thread, epochs, is_write)
    if found.any():
        raise Fault(
            f"data race: {machine.named(int(lanes[np.flatnonzero(found)[0]]))} and another touch the same {space} memory"
        )


def bytes(machine: Machine, space: str) -> NDArray[np.uint8]:
    return (
        machine.memory.bytes
        if space == "global"
        else (machine.shared if space == "shared" else machine.local).bytes
    )


def load(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    to, source = instruction.operands[:2]
    targets = to.value if to.kind == "vector" else (to,)
    assert isinstance(targets, tuple)
    type_ = instruction.type
    size = SIZES[type_]
    if "param" in instruction:
        assert isinstance(source.value, Operand)
        start = machine.kernel.parameters[str(source.value.value)][0] + source.offset
        for i, target in enumerate(targets):
            bits = machine.parameters[start + i * size : start + (i + 1) * size].view(DTYPES[type_])
            machine.put(target, np.full(lanes.size, bits[0]), lanes)
        return
    for space, mine, at, _ in spaces(machine, instruction, source, size * len(targets), lanes):
        check_races(machine, space, mine, at, size * len(targets), False)
        if space == "shared" and size * len(targets) == 16:
            machine.memory.count_bank_conflicts(mine, at)
        memory = bytes(machine, space)
        for i, target in enumerate(targets):
            rows = memory[(at + i * size)[:, None] + np.arange(size)]
            machine.put(target, np.ascontiguousarray(rows).view(DTYPES[type_])[:, 0], mine)


def store(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    target, source = instruction.operands[:2]
    sources = source.value if source.kind == "vector" else (source,)
    assert isinstance(sources, tuple)
    type_ = instruction.type
    size = SIZES[type_]
    for space, mine, at, _ in spaces(machine, instruction, target, size * len(sources), lanes):
        if "relaxed" not in instruction:  # which races with no other such access
            check_races(machine, space, mine, at, size * len(sources), True)
        memory = bytes(machine, space)
        for i, one in enumerate(sources):
            values = np.ascontiguousarray(machine.value(one, type_, mine))
            memory[(at + i * size)[:, None] + np.arange(size)] = values.view(np.uint8).reshape(
                mine.size, size
            )


def atomic(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    """`atom` and `red`, one thread after another. They race with no atomic access, which is all that is checked of them."""
    operands = instruction.operands
    if instruction.name == "red":
        operands = (Operand("name", "_"), *operands)
    to, target, *rest = operands
    type_ = instruction.type
    update = next((ATOMIC[m] for m in instruction.modifiers if m in ATOMIC), None)
    if update is None:
        raise Fault("this atomic operation is not known")
    size = SIZES[type_]
    dtype = np.dtype(DTYPES[type_])
    for space, mine, at, _ in spaces(machine, instruction, target, size, lanes):
        values = [machine.value(o, type_, mine) for o in rest]
        memory = bytes(machine, space)
        old = np.zeros(mine.size, dtype)
        with np.errstate(over="ignore"):  # integers wrap around
            for i, start in enumerate(at):
                place = memory[start : start + size].view(dtype)
                old[i] = place[0]
                place[0] = update(old[i], *(v[i] for v in values))
        machine.put(to, old, mine)
