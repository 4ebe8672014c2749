"""Runs a kernel: all threads of several blocks as lanes of NumPy arrays, those that stand at the first instruction together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.simt import arithmetic
from support.simt.arithmetic import BINARY, DTYPES, SHIFTS, UNARY
from support.simt.atomics import ATOMIC
from support.simt.faults import Fault
from support.simt.memory import BASE, LOCAL, SHARED, Memory, Scratch
from support.simt.module import SIZES, Instruction, Kernel, Module, Operand

Lanes = NDArray[np.int64]
Dims = tuple[int, int, int]

WARP = 32
LANES = 1 << 15
"""About how many threads run together."""
_NOTHING = {
    "prefetch",
    "membar",
    "fence",
    "nanosleep",
    "griddepcontrol",
    "prefetchu",
    "discard",
    "applypriority",
}


def launch(
    module: Module,
    name: str,
    grid: Dims,
    block: Dims,
    parameters: bytes,
    memory: Memory,
    dynamic_shared: int = 0,
    *,
    finds_races: bool = True,
    steps: int = 1 << 22,
) -> int:
    """Run a kernel of a module; gives how many instructions were issued. `parameters` are its block of parameters, `dynamic_shared` the
    bytes of its extern shared arrays.

    Raises:
        Fault: the kernel did what no program may do, used what is not known here, or has not ended after that many steps.
    """
    kernel = module.kernels[name]
    threads = block[0] * block[1] * block[2]
    if not 0 < threads <= min(1024, kernel.max_threads or 1024):
        raise Fault(f"{name}: {threads} threads a block")
    if len(parameters) != kernel.parameter_bytes:
        raise Fault(f"{name}: {len(parameters)} bytes of parameters, not {kernel.parameter_bytes}")
    memory.launches += 1
    blocks = grid[0] * grid[1] * grid[2]
    together = max(1, LANES // threads)
    issued = 0
    for first in range(0, blocks, together):
        count = min(together, blocks - first)
        machine = _Machine(
            module,
            kernel,
            grid,
            block,
            first,
            count,
            parameters,
            memory,
            dynamic_shared,
            finds_races,
        )
        issued += machine.run(steps)
    return issued


class _Machine:
    """Some blocks of a launch."""

    def __init__(
        self,
        module: Module,
        kernel: Kernel,
        grid: Dims,
        block: Dims,
        first: int,
        blocks: int,
        parameters: bytes,
        memory: Memory,
        dynamic_shared: int,
        finds_races: bool,
    ) -> None:
        self.kernel = kernel
        self.memory = memory
        self.finds_races = finds_races
        self.parameters = np.frombuffer(parameters, np.uint8)
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
        self.names: dict[str, int] = dict(module.addresses)
        shared = self._place([*module.shared, *kernel.shared], dynamic_shared)
        local = self._place(kernel.local, 0)
        self.shared, self.local = Scratch(blocks, shared), Scratch(self.lanes, local)
        self.registers: dict[str, NDArray[Any]] = {}
        for register, kind in kernel.registers.items():
            self.registers[register] = np.zeros(self.lanes, _width(kind))
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

    def _named(self, lane: int) -> str:
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
            self._execute(instruction, chosen)
        return lanes

    # Operands

    def value(self, operand: Operand, type_: str, lanes: Lanes) -> NDArray[Any]:
        """An operand's values as a type."""
        dtype = np.dtype(DTYPES[type_])
        if operand.kind == "not":
            assert isinstance(operand.value, Operand)
            return ~self.value(operand.value, type_, lanes)
        if operand.kind == "immediate":
            assert isinstance(operand.value, int)
            if dtype == np.bool_:
                return np.full(lanes.size, bool(operand.value))
            bits = operand.value & (256**dtype.itemsize - 1)
            return np.full(lanes.size, bits, f"u{dtype.itemsize}").view(dtype)
        name = str(operand.value)
        if operand.kind == "name" and name in self.names:
            return np.full(lanes.size, self.names[name], np.uint64).astype(f"u{dtype.itemsize}")
        if operand.kind == "name" and name == "WARP_SZ":
            return np.full(lanes.size, WARP, dtype)
        if name in self.special:
            return self.special[name][lanes].astype(dtype)
        if name not in self.registers:
            raise Fault(f"{name} is not known")
        bits = self.registers[name][lanes]
        if dtype == np.bool_:
            return bits
        if bits.dtype.itemsize < dtype.itemsize:
            raise Fault(f"{name} holds fewer bits than {type_}")
        return bits.astype(f"u{dtype.itemsize}").view(dtype)

    def put(self, operand: Operand, values: NDArray[Any], lanes: Lanes) -> None:
        """Write an instruction's result; integers narrower than the register are extended by their sign, or by 0."""
        if operand.kind == "name" and operand.value == "_":
            return
        register = self.registers[str(operand.value)]
        if register.dtype == np.bool_:
            register[lanes] = values
            return
        if values.dtype.kind not in "iu":
            values = np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}")
        register[lanes] = values.astype(register.dtype)

    # Instructions

    def _execute(self, instruction: Instruction, lanes: Lanes) -> None:
        name = instruction.name
        if name in _NOTHING:
            return
        special: Callable[[_Machine, Instruction, Lanes], None] | None = _SPECIAL.get(name)
        if special is not None:
            special(self, instruction, lanes)
            return
        type_ = instruction.type
        if type_ in ("f16x2", "bf16x2"):
            self._packed(instruction, type_[:-2], lanes)
            return
        self.put(
            instruction.operands[0],
            self._arithmetic(instruction, type_, self._values(instruction, type_, lanes)),
            lanes,
        )

    def _values(self, instruction: Instruction, type_: str, lanes: Lanes) -> list[NDArray[Any]]:
        name = instruction.name
        found: list[NDArray[Any]] = []
        for i, operand in enumerate(instruction.operands[1:]):
            own = type_
            if (name in SHIFTS and i == 1) or (name == "bfe" and i > 0) or name == "prmt":
                own = "u32"
            if name in ("mad", "mul") and "wide" in instruction and i == 2:
                own = _twice(type_)
            found.append(self.value(operand, own, lanes))
        return found

    def _packed(self, instruction: Instruction, half: str, lanes: Lanes) -> None:
        pairs = [
            self.value(o, "b32", lanes).view(np.uint16).view(DTYPES[half])
            for o in instruction.operands[1:]
        ]
        result = self._arithmetic(instruction, half, pairs)
        self.put(instruction.operands[0], np.ascontiguousarray(result).view(np.uint32), lanes)

    def _arithmetic(
        self, instruction: Instruction, type_: str, values: list[NDArray[Any]]
    ) -> NDArray[Any]:
        name = instruction.name
        dtype = np.dtype(DTYPES[type_])
        for rounding in ("rz", "rm", "rp"):
            if rounding in instruction:
                raise Fault(f"arithmetic does not round by {rounding}")
        if "ftz" in instruction:
            values = [arithmetic.flushed(v) for v in values]
        if name in ("mul", "mad") and not arithmetic.is_float(type_):
            if "wide" in instruction:
                wide = np.dtype(DTYPES[_twice(type_)])
                result = values[0].astype(wide) * values[1].astype(wide)
            elif "hi" in instruction:
                result = arithmetic.high(values[0], values[1])
            else:
                result = values[0] * values[1]
            return result + values[2] if name == "mad" else result
        if name in ("fma", "mad"):
            result = arithmetic.fma(*values)
        elif name in ("min", "max") and "NaN" in instruction:
            result = np.where(
                np.isnan(values[0]) | np.isnan(values[1]),
                np.array(np.nan, dtype),
                BINARY[name](*values),
            )
        elif name in UNARY and len(values) == 1:
            result = UNARY[name](values[0])
            if name in ("popc", "clz"):
                return result
        elif name in BINARY:
            result = BINARY[name](*values)
        elif name in SHIFTS:
            result = SHIFTS[name](*values)
        elif name == "bfe":
            result = arithmetic.extracted(*values)
        elif name == "prmt":
            result = arithmetic.permuted(*values)
        else:
            raise Fault(f"{name} is not known")
        result = np.asarray(result).astype(dtype)
        if "ftz" in instruction:
            result = arithmetic.flushed(result)
        if "sat" in instruction and arithmetic.is_float(type_):
            result = np.where(np.isnan(result), 0, np.clip(result, 0, 1)).astype(dtype)
        return result

    def _move(self, instruction: Instruction, lanes: Lanes) -> None:
        to, source = instruction.operands
        type_ = instruction.type
        if source.kind == "vector":
            assert isinstance(source.value, tuple)
            part = f"b{SIZES[type_] * 8 // len(source.value)}"
            parts = np.stack([self.value(o, part, lanes) for o in source.value], 1)
            self.put(to, np.ascontiguousarray(parts).view(DTYPES[type_])[:, 0], lanes)
        elif to.kind == "vector":
            assert isinstance(to.value, tuple)
            part = np.dtype(DTYPES[f"b{SIZES[type_] * 8 // len(to.value)}"])
            bits = self.value(source, type_, lanes)
            for o, values in zip(to.value, bits.view(part).reshape(lanes.size, -1).T, strict=True):
                self.put(o, values, lanes)
        else:
            self.put(to, self.value(source, type_, lanes), lanes)

    def _convert(self, instruction: Instruction, lanes: Lanes) -> None:
        types = [m for m in instruction.modifiers if m in DTYPES or m.endswith("x2")]
        if types[0].endswith("x2"):
            upper, lower = (self.value(o, types[1], lanes) for o in instruction.operands[1:])
            halves = [
                arithmetic.converted(v, types[0][:-2], instruction.modifiers)
                for v in (lower, upper)
            ]
            self.put(
                instruction.operands[0],
                np.ascontiguousarray(np.stack(halves, 1)).view(np.uint32)[:, 0],
                lanes,
            )
            return
        values = self.value(instruction.operands[1], types[1], lanes)
        if "ftz" in instruction:
            values = arithmetic.flushed(values)
        self.put(
            instruction.operands[0],
            arithmetic.converted(values, types[0], instruction.modifiers),
            lanes,
        )

    def _compare(self, instruction: Instruction, lanes: Lanes) -> None:
        name, type_ = instruction.modifiers[0], instruction.type
        results = [
            o
            for o in instruction.operands
            if o.kind == "register" and self.kernel.registers.get(str(o.value)) == "pred"
        ]
        has_two = len(results) > 1 and results[1] is instruction.operands[1]
        rest = instruction.operands[2 if has_two else 1 :]
        a, b = (self.value(o, type_, lanes) for o in rest[:2])
        if "ftz" in instruction:
            a, b = arithmetic.flushed(a), arithmetic.flushed(b)
        found = arithmetic.compared(name, a, b)
        second = ~found
        if len(rest) == 3:
            combine = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[
                next(m for m in instruction.modifiers if m in ("and", "or", "xor"))
            ]
            other = self.value(rest[2], "pred", lanes)
            found, second = combine(found, other), combine(second, other)
        self.put(instruction.operands[0], found, lanes)
        if has_two:
            self.put(instruction.operands[1], second, lanes)

    def _select(self, instruction: Instruction, lanes: Lanes) -> None:
        to, a, b, chooses = instruction.operands
        type_ = instruction.type
        found = np.where(
            self.value(chooses, "pred", lanes),
            self.value(a, type_, lanes),
            self.value(b, type_, lanes),
        )
        self.put(to, found, lanes)

    def _test(self, instruction: Instruction, lanes: Lanes) -> None:
        x = self.value(instruction.operands[1], instruction.type, lanes)
        tests = {
            "finite": np.isfinite,
            "infinite": np.isinf,
            "notanumber": np.isnan,
            "number": lambda v: ~np.isnan(v),
        }
        if instruction.modifiers[0] not in tests:
            raise Fault(f"testp.{instruction.modifiers[0]} is not known")
        self.put(instruction.operands[0], tests[instruction.modifiers[0]](x), lanes)

    def _trap(self, _: Instruction, lanes: Lanes) -> None:
        raise Fault(f"{self._named(int(lanes[0]))} traps")

    # Memory

    def _generic(self, instruction: Instruction, lanes: Lanes) -> None:
        """`cvta`: addresses of a state space as generic ones, and back."""
        window = SHARED if "shared" in instruction else LOCAL if "local" in instruction else 0
        address = self.value(instruction.operands[1], "u64", lanes)
        moved = address - np.uint64(window) if "to" in instruction else address + np.uint64(window)
        self.put(instruction.operands[0], moved, lanes)

    def addresses(self, operand: Operand, lanes: Lanes) -> NDArray[np.int64]:
        """The addresses of an operand `[base + offset]`."""
        assert isinstance(operand.value, Operand)
        base = operand.value
        is_narrow = base.kind == "register" and self.registers[str(base.value)].dtype.itemsize == 4
        found = self.value(base, "u32" if is_narrow else "u64", lanes)
        return found.astype(np.int64) + operand.offset

    def spaces(
        self, instruction: Instruction, operand: Operand, size: int, lanes: Lanes
    ) -> list[tuple[str, Lanes, NDArray[np.int64], NDArray[np.bool_] | slice]]:
        """The state space of an access, its lanes, the bytes at which it starts, and which lanes these are.

        Raises:
            Fault: an access is out of bounds, or not aligned.
        """
        where = self.addresses(operand, lanes)
        named = next(
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
                    f"{self._named(int(mine[np.flatnonzero(at % size)[0]]))} is not aligned to {size} bytes"
                )
            if space == "global":
                at = at - BASE
                inside = self.memory.owned(at, size)
            else:
                scratch, row = (
                    (self.shared, self.row[mine]) if space == "shared" else (self.local, mine)
                )
                inside = (at >= 0) & (at + size <= scratch.size)
                at = at + row * max(scratch.size, 1)
            if not inside.all():
                raise Fault(
                    f"{self._named(int(mine[np.flatnonzero(~inside)[0]]))} is out of bounds of {space} memory"
                )
            found.append((space, mine, at, mask))
        return found

    def check_races(
        self, space: str, lanes: Lanes, at: NDArray[np.int64], size: int, is_write: bool
    ) -> None:
        """Note an access.

        Raises:
            Fault: another thread touches the same bytes, and nothing orders both.
        """
        if not self.finds_races or space == "local":
            return
        if space == "global":
            found = self.memory.races(at, size, self.thread_in_grid[lanes], is_write)
        else:
            epochs = (self.block_epoch[lanes], self.warp_epoch[lanes])
            found = self.shared.races(at, size, self.thread[lanes], epochs, is_write)
        if found.any():
            raise Fault(
                f"data race: {self._named(int(lanes[np.flatnonzero(found)[0]]))} and another touch the same {space} memory"
            )

    def _bytes(self, space: str) -> NDArray[np.uint8]:
        return (
            self.memory.bytes
            if space == "global"
            else (self.shared if space == "shared" else self.local).bytes
        )

    def _load(self, instruction: Instruction, lanes: Lanes) -> None:
        to, source = instruction.operands[:2]
        targets = to.value if to.kind == "vector" else (to,)
        assert isinstance(targets, tuple)
        type_ = instruction.type
        size = SIZES[type_]
        if "param" in instruction:
            assert isinstance(source.value, Operand)
            start = self.kernel.parameters[str(source.value.value)][0] + source.offset
            for i, target in enumerate(targets):
                bits = self.parameters[start + i * size : start + (i + 1) * size].view(
                    DTYPES[type_]
                )
                self.put(target, np.full(lanes.size, bits[0]), lanes)
            return
        for space, mine, at, _ in self.spaces(instruction, source, size * len(targets), lanes):
            self.check_races(space, mine, at, size * len(targets), False)
            memory = self._bytes(space)
            for i, target in enumerate(targets):
                rows = memory[(at + i * size)[:, None] + np.arange(size)]
                self.put(target, np.ascontiguousarray(rows).view(DTYPES[type_])[:, 0], mine)

    def _store(self, instruction: Instruction, lanes: Lanes) -> None:
        target, source = instruction.operands[:2]
        sources = source.value if source.kind == "vector" else (source,)
        assert isinstance(sources, tuple)
        type_ = instruction.type
        size = SIZES[type_]
        for space, mine, at, _ in self.spaces(instruction, target, size * len(sources), lanes):
            self.check_races(space, mine, at, size * len(sources), True)
            memory = self._bytes(space)
            for i, one in enumerate(sources):
                values = np.ascontiguousarray(self.value(one, type_, mine))
                memory[(at + i * size)[:, None] + np.arange(size)] = values.view(np.uint8).reshape(
                    mine.size, size
                )

    def _atomic(self, instruction: Instruction, lanes: Lanes) -> None:
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
        for space, mine, at, _ in self.spaces(instruction, target, size, lanes):
            values = [self.value(o, type_, mine) for o in rest]
            memory = self._bytes(space)
            old = np.zeros(mine.size, dtype)
            for i, start in enumerate(at):
                place = memory[start : start + size].view(dtype)
                old[i] = place[0]
                place[0] = update(old[i], *(v[i] for v in values))
            self.put(to, old, mine)

    # Warps

    def _warp_barrier(self, instruction: Instruction, lanes: Lanes) -> None:
        self._converged(instruction.operands[-1], lanes)
        self.warp_epoch[lanes] += 1

    def _converged(self, mask: Operand, lanes: Lanes) -> None:
        """Check that the threads which a mask names are those that are here.

        Raises:
            Fault: some are elsewhere.
        """
        members = self.value(mask, "u32", lanes)
        lane = self.thread[lanes] % WARP
        if ((members >> lane.astype(np.uint32)) & 1 == 0).any():
            raise Fault("a thread is not in its own mask of members")
        warp = self._warps(lanes)
        here = np.zeros(int(warp.max()) + 1, np.uint32)
        np.bitwise_or.at(here, warp, np.uint32(1) << lane.astype(np.uint32))
        last = np.minimum(self.threads - self.thread[lanes] // WARP * WARP, WARP)
        exist = np.where(last >= WARP, 0xFFFFFFFF, (1 << last) - 1).astype(np.uint32)
        missing = members & exist & ~here[warp]
        if missing.any():
            first = int(lanes[np.flatnonzero(missing)[0]])
            raise Fault(
                f"divergent: {self._named(first)} waits for threads of its warp that are elsewhere"
            )

    def _warps(self, lanes: Lanes) -> NDArray[np.int64]:
        """A number for the warp of each lane."""
        return self.row[lanes] * -(-self.threads // WARP) + self.thread[lanes] // WARP

    def _shuffle(self, instruction: Instruction, lanes: Lanes) -> None:
        operands = list(instruction.operands)
        found = operands.pop(1) if len(operands) == 6 else None
        to, a, b, c, mask = operands
        self._converged(mask, lanes)
        values = self.value(a, "b32", lanes)
        distance = self.value(b, "s32", lanes).astype(np.int64) & 31
        limit = self.value(c, "s32", lanes).astype(np.int64)
        lane = self.thread[lanes] % WARP
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
            raise Fault(f"{self._named(first_bad)} reads from a thread that is not here")
        self.put(to, values[position], lanes)
        if found is not None:
            self.put(found, inside, lanes)

    def _vote(self, instruction: Instruction, lanes: Lanes) -> None:
        to, source, mask = instruction.operands
        self._converged(mask, lanes)
        holds = self.value(source, "pred", lanes)
        warp = self._warps(lanes)
        yes = np.zeros(int(warp.max()) + 1, np.uint32)
        here = np.zeros_like(yes)
        bits = np.uint32(1) << (self.thread[lanes] % WARP).astype(np.uint32)
        np.bitwise_or.at(yes, warp, np.where(holds, bits, 0).astype(np.uint32))
        np.bitwise_or.at(here, warp, bits)
        if "ballot" in instruction:
            self.put(to, yes[warp], lanes)
        elif "all" in instruction:
            self.put(to, (yes == here)[warp], lanes)
        elif "any" in instruction:
            self.put(to, (yes != 0)[warp], lanes)
        else:
            self.put(to, ((yes == 0) | (yes == here))[warp], lanes)

    def _reduce(self, instruction: Instruction, lanes: Lanes) -> None:
        to, source, mask = instruction.operands
        self._converged(mask, lanes)
        values = self.value(source, instruction.type, lanes)
        update = next(ATOMIC[m] for m in instruction.modifiers if m in ATOMIC)
        warp = self._warps(lanes)
        found: dict[int, Any] = {}
        for w, v in zip(warp, values, strict=True):
            found[w] = update(found[w], v) if w in found else v
        self.put(to, np.array([found[w] for w in warp], values.dtype), lanes)


def _width(kind: str) -> Any:
    """What holds the bits of a register; 16 of them are the fewest."""
    return np.bool_ if kind == "pred" else np.dtype(f"u{max(SIZES[kind], 2)}")


def _twice(type_: str) -> str:
    return f"{type_[0]}{int(type_[1:]) * 2}"


_SPECIAL: dict[str, Callable[[_Machine, Instruction, Lanes], None]] = {
    "mov": _Machine._move,
    "cvt": _Machine._convert,
    "setp": _Machine._compare,
    "selp": _Machine._select,
    "testp": _Machine._test,
    "trap": _Machine._trap,
    "cvta": _Machine._generic,
    "ld": _Machine._load,
    "ldu": _Machine._load,
    "st": _Machine._store,
    "atom": _Machine._atomic,
    "red": _Machine._atomic,
    "bar": _Machine._warp_barrier,
    "shfl": _Machine._shuffle,
    "vote": _Machine._vote,
    "redux": _Machine._reduce,
}
