"""Runs a kernel: all threads of several blocks as lanes of NumPy arrays, those that stand at the first instruction together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.simt.arithmetic import DTYPES
from support.simt.faults import Fault
from support.simt.memory import Memory, Scratch
from support.simt.module import SIZES, Instruction, Kernel, Module, Operand

Lanes = NDArray[np.int64]
Dims = tuple[int, int, int]

WARP = 32
_TYPES = {
    name: (np.dtype(one), np.dtype(f"u{np.dtype(one).itemsize}")) for name, one in DTYPES.items()
}
"""The types of values, and what holds their bits."""
Execute = Callable[["Machine", Instruction, Lanes], None]
"""Runs an instruction that does not decide where a thread goes on."""


@dataclass(frozen=True)
class Launch:
    """A kernel and what it is launched with."""

    module: Module
    kernel: Kernel
    grid: Dims
    block: Dims
    parameters: bytes
    memory: Memory
    dynamic_shared: int = 0
    finds_races: bool = True


class Machine:
    """Some blocks of a launch."""

    def __init__(self, launch: Launch, first: int, blocks: int, execute: Execute) -> None:
        self.kernel = launch.kernel
        self.memory = launch.memory
        self.finds_races = launch.finds_races
        self.execute = execute
        self.parameters = np.frombuffer(launch.parameters, np.uint8)
        grid, block = launch.grid, launch.block
        self.threads = block[0] * block[1] * block[2]
        self.lanes = blocks * self.threads
        thread = np.tile(np.arange(self.threads), blocks)
        self.row = np.repeat(np.arange(blocks), self.threads)
        self.thread_in_grid = first * self.threads + np.arange(self.lanes)
        self.thread = thread
        index = first + self.row
        self.special: dict[str, NDArray[Any]] = {}
        for axis, letter in enumerate("xyz"):
            below = int(np.prod(block[:axis]))
            self.special[f"%tid.{letter}"] = thread // below % block[axis]
            below = int(np.prod(grid[:axis]))
            self.special[f"%ctaid.{letter}"] = index // below % grid[axis]
            self.special[f"%ntid.{letter}"] = np.full(self.lanes, block[axis])
            self.special[f"%nctaid.{letter}"] = np.full(self.lanes, grid[axis])
        self.special["%laneid"] = thread % WARP
        self.special["%warpid"] = thread // WARP
        self.names: dict[str, int] = dict(launch.module.addresses)
        shared = self._place([*launch.module.shared, *launch.kernel.shared], launch.dynamic_shared)
        local = self._place(launch.kernel.local, 0)
        self.shared, self.local = Scratch(blocks, shared), Scratch(self.lanes, local)
        self.registers: dict[str, NDArray[Any]] = {}
        for register, kind in launch.kernel.registers.items():
            self.registers[register] = np.zeros(self.lanes, _width(kind))
        self.immediates: dict[tuple[int, str, int], NDArray[Any]] = {}
        self.copies: list[Any] = []
        """What threads have begun to copy: see `copies`."""
        self.groups_of_copies = np.zeros(self.lanes, np.int64)
        """How many groups of copies each thread has closed."""
        self.block_epoch = np.zeros(self.lanes, np.int64)
        self.warp_epoch = np.zeros(self.lanes, np.int64)
        self.groups: dict[int, Lanes] = {0: np.arange(self.lanes)}
        self.waiting = np.full(self.lanes, -1)
        """At which barrier a thread waits."""
        self.at = 0

    def _place(self, variables: list[Any], dynamic: int) -> int:
        size = 0
        for variable in sorted(variables, key=lambda v: v.size == 0):
            size = -(-size // variable.align) * variable.align
            self.names[variable.name] = size
            size += variable.size
        return size + dynamic

    # Control flow

    def run(self, steps: int) -> int:
        issued = 0
        instructions = self.kernel.instructions
        with np.errstate(all="ignore"):
            while self.groups or self._release():
                self.at = min(self.groups)
                lanes = self.groups.pop(self.at)
                while self.at < len(instructions):
                    issued += 1
                    if issued > steps:
                        raise Fault(
                            f"{self.kernel.name}: not at its end after {steps} instructions"
                        )
                    instruction = instructions[self.at]
                    try:
                        lanes = self._step(instruction, lanes)
                    except Fault as fault:
                        raise self._fault(instruction, str(fault)) from None
                    if lanes is None:
                        break
                    self.at += 1
                    if self.groups and self.at >= min(self.groups):
                        self._continue(self.at, lanes)
                        break
                else:
                    raise Fault(f"{self.kernel.name} runs past its end")
        return issued

    def _continue(self, at: int, lanes: Lanes) -> None:
        """Let threads go on at an instruction, with those that are there."""
        if lanes.size:
            there = self.groups.get(at)
            self.groups[at] = lanes if there is None else np.union1d(there, lanes)

    def _release(self) -> bool:
        """Let the blocks go on whose threads all wait at one barrier; whether there are any.

        Raises:
            Fault: some threads of a block wait and others have ended, or wait elsewhere.
        """
        waiting = self.waiting.reshape(-1, self.threads)
        blocks = (waiting >= 0).any(1)
        if not blocks.any():
            return False
        divergent = blocks & (waiting != waiting[:, :1]).any(1)
        if divergent.any():
            row = int(np.flatnonzero(divergent)[0])
            at = int(waiting[row].max())
            ended = "others wait elsewhere" if (waiting[row] >= 0).all() else "others have ended"
            raise self._fault(
                self.kernel.instructions[at],
                f"divergent barrier: some threads of a block wait here, {ended}",
            )
        for at in np.unique(self.waiting[self.waiting >= 0]):
            lanes = np.flatnonzero(self.waiting == at)
            self.waiting[lanes] = -1
            self.block_epoch[lanes] += 1
            self._continue(int(at) + 1, lanes)
        return True

    def _fault(self, instruction: Instruction, text: str) -> Fault:
        return Fault(f"{self.kernel.name}, line {instruction.line}, `{instruction.text}`: {text}")

    def named(self, lane: int) -> str:
        block = ", ".join(str(int(self.special[f"%ctaid.{c}"][lane])) for c in "xyz")
        thread = ", ".join(str(int(self.special[f"%tid.{c}"][lane])) for c in "xyz")
        return f"thread ({thread}) of block ({block})"

    def _step(self, instruction: Instruction, lanes: Lanes) -> Lanes | None:
        """Run an instruction; gives who goes on behind it, or None."""
        chosen = lanes
        if instruction.guard is not None:
            holds = self.registers[instruction.guard][lanes] != instruction.is_negated
            chosen = lanes[holds]
        name = instruction.name
        if name == "bra":
            rest = np.setdiff1d(lanes, chosen, assume_unique=True)
            target = self.kernel.labels[str(instruction.operands[-1].value)]
            self._continue(target, chosen)
            self._continue(self.at + 1, rest)
            return None
        if name == "brx":
            which, table = instruction.operands
            targets = self.kernel.branch_targets[str(table.value)]
            places = self.value(which, "u32", chosen)
            if (places >= len(targets)).any():
                raise Fault(f"there are {len(targets)} places to go on at")
            for place in np.unique(places):
                self._continue(self.kernel.labels[targets[place]], chosen[places == place])
            rest = np.setdiff1d(lanes, chosen, assume_unique=True)
            return rest if rest.size else None
        if name in ("ret", "exit"):
            if chosen.size == lanes.size:
                return None
            return np.setdiff1d(lanes, chosen, assume_unique=True)
        if name in ("bar", "barrier") and "warp" not in instruction:
            if "sync" not in instruction or len(instruction.operands) > 1:
                raise Fault("only barriers of a whole block are known")
            self.waiting[chosen] = self.at
            rest = np.setdiff1d(lanes, chosen, assume_unique=True)
            return rest if rest.size else None
        if chosen.size:
            self.execute(self, instruction, chosen)
        return lanes

    # Operands

    def value(self, operand: Operand, type_: str, lanes: Lanes) -> NDArray[Any]:
        """An operand's values as a type, which nobody may write to."""
        dtype, unsigned = _TYPES[type_]
        if operand.kind == "not":
            assert isinstance(operand.value, Operand)
            return ~self.value(operand.value, type_, lanes)
        if operand.kind == "immediate":
            assert isinstance(operand.value, int)
            return self._immediate(operand.value, type_, lanes.size)
        name = str(operand.value)
        if name not in self.registers:
            return self._named_value(operand, type_, lanes)
        register = self.registers[name]
        bits = register if lanes.size == self.lanes else register[lanes]
        if dtype == np.bool_:
            return bits
        if bits.dtype.itemsize < dtype.itemsize:
            raise Fault(f"{name} holds fewer bits than {type_}")
        return bits.astype(unsigned, copy=False).view(dtype)

    def _immediate(self, number: int, type_: str, count: int) -> NDArray[Any]:
        key = (number, type_, count)
        if key not in self.immediates:
            dtype, unsigned = _TYPES[type_]
            if dtype == np.bool_:
                self.immediates[key] = np.full(count, bool(number))
            else:
                bits = number & (256**dtype.itemsize - 1)
                self.immediates[key] = np.full(count, bits, unsigned).view(dtype)
        return self.immediates[key]

    def _named_value(self, operand: Operand, type_: str, lanes: Lanes) -> NDArray[Any]:
        """The values of what is no register."""
        dtype, unsigned = _TYPES[type_]
        name = str(operand.value)
        if operand.kind == "name" and name in self.names:
            return np.full(lanes.size, self.names[name], np.uint64).astype(unsigned)
        if operand.kind == "name" and name == "WARP_SZ":
            return np.full(lanes.size, WARP, dtype)
        if name not in self.special:
            raise Fault(f"{name} is not known")
        return self.special[name][lanes].astype(dtype)

    def put(self, operand: Operand, values: NDArray[Any], lanes: Lanes) -> None:
        """Write an instruction's result; integers narrower than the register are extended by their sign, or by 0."""
        if operand.kind == "name" and operand.value == "_":
            return
        register = self.registers[str(operand.value)]
        if register.dtype != np.bool_ and values.dtype.kind not in "iu":
            values = np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}")
        if register.dtype != np.bool_:
            values = values.astype(register.dtype, copy=False)
        register[... if lanes.size == self.lanes else lanes] = values


def _width(kind: str) -> Any:
    """What holds the bits of a register; 16 of them are the fewest."""
    return np.bool_ if kind == "pred" else np.dtype(f"u{max(SIZES[kind], 2)}")
