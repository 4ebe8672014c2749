"""Instructions that compute in registers (PTX ISA, sections 9.7.1 to 9.7.9)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from support.simt import arithmetic
from support.simt.arithmetic import BINARY, DTYPES, SHIFTS, UNARY
from support.simt.faults import Fault
from support.simt.machine import Lanes, Machine
from support.simt.module import SIZES, Instruction


def compute(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    """An instruction of arithmetic, of one type."""
    type_ = instruction.type
    if type_ in ("f16x2", "bf16x2"):
        packed(machine, instruction, type_[:-2], lanes)
        return
    operands = values(machine, instruction, type_, lanes)
    machine.put(instruction.operands[0], arithmetic_of(instruction, type_, operands), lanes)


def values(
    machine: Machine, instruction: Instruction, type_: str, lanes: Lanes
) -> list[NDArray[Any]]:
    name = instruction.name
    found: list[NDArray[Any]] = []
    for i, operand in enumerate(instruction.operands[1:]):
        own = type_
        if (name in SHIFTS and i == 1) or (name == "bfe" and i > 0) or name == "prmt":
            own = "u32"
        if name in ("mad", "mul") and "wide" in instruction and i == 2:
            own = twice(type_)
        found.append(machine.value(operand, own, lanes))
    return found


def packed(machine: Machine, instruction: Instruction, half: str, lanes: Lanes) -> None:
    pairs = [
        machine.value(o, "b32", lanes).view(np.uint16).view(DTYPES[half])
        for o in instruction.operands[1:]
    ]
    result = arithmetic_of(instruction, half, pairs)
    machine.put(instruction.operands[0], np.ascontiguousarray(result).view(np.uint32), lanes)


def arithmetic_of(instruction: Instruction, type_: str, values: list[NDArray[Any]]) -> NDArray[Any]:
    name = instruction.name
    dtype = np.dtype(DTYPES[type_])
    for rounding in ("rz", "rm", "rp"):
        if rounding in instruction:
            raise Fault(f"arithmetic does not round by {rounding}")
    if "ftz" in instruction:
        values = [arithmetic.flushed(v) for v in values]
    if name in ("mul", "mad") and not arithmetic.is_float(type_):
        if "wide" in instruction:
            wide = np.dtype(DTYPES[twice(type_)])
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


def move(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    to, source = instruction.operands
    type_ = instruction.type
    if source.kind == "vector":
        assert isinstance(source.value, tuple)
        part = f"b{SIZES[type_] * 8 // len(source.value)}"
        parts = np.stack([machine.value(o, part, lanes) for o in source.value], 1)
        machine.put(to, np.ascontiguousarray(parts).view(DTYPES[type_])[:, 0], lanes)
    elif to.kind == "vector":
        assert isinstance(to.value, tuple)
        part = np.dtype(DTYPES[f"b{SIZES[type_] * 8 // len(to.value)}"])
        bits = machine.value(source, type_, lanes)
        for o, values in zip(to.value, bits.view(part).reshape(lanes.size, -1).T, strict=True):
            machine.put(o, values, lanes)
    else:
        machine.put(to, machine.value(source, type_, lanes), lanes)


def convert(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    if instruction.modifiers == ("rna", "tf32", "f32"):
        to, x = instruction.operands
        machine.put(to, arithmetic.rounded_to_tf32(machine.value(x, "f32", lanes)), lanes)
        return
    types = [m for m in instruction.modifiers if m in DTYPES or m.endswith("x2")]
    if types[0].endswith("x2"):
        upper, lower = (machine.value(o, types[1], lanes) for o in instruction.operands[1:])
        halves = [
            arithmetic.converted(v, types[0][:-2], instruction.modifiers) for v in (lower, upper)
        ]
        machine.put(
            instruction.operands[0],
            np.ascontiguousarray(np.stack(halves, 1)).view(np.uint32)[:, 0],
            lanes,
        )
        return
    values = machine.value(instruction.operands[1], types[1], lanes)
    if "ftz" in instruction:
        values = arithmetic.flushed(values)
    machine.put(
        instruction.operands[0],
        arithmetic.converted(values, types[0], instruction.modifiers),
        lanes,
    )


def compare(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    name, type_ = instruction.modifiers[0], instruction.type
    results = [
        o
        for o in instruction.operands
        if o.kind == "register" and machine.kernel.registers.get(str(o.value)) == "pred"
    ]
    has_two = len(results) > 1 and results[1] is instruction.operands[1]
    rest = instruction.operands[2 if has_two else 1 :]
    a, b = (machine.value(o, type_, lanes) for o in rest[:2])
    if "ftz" in instruction:
        a, b = arithmetic.flushed(a), arithmetic.flushed(b)
    found = arithmetic.compared(name, a, b)
    second = ~found
    if len(rest) == 3:
        combine = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}[
            next(m for m in instruction.modifiers if m in ("and", "or", "xor"))
        ]
        other = machine.value(rest[2], "pred", lanes)
        found, second = combine(found, other), combine(second, other)
    machine.put(instruction.operands[0], found, lanes)
    if has_two:
        machine.put(instruction.operands[1], second, lanes)


def select(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    to, a, b, chooses = instruction.operands
    type_ = instruction.type
    found = np.where(
        machine.value(chooses, "pred", lanes),
        machine.value(a, type_, lanes),
        machine.value(b, type_, lanes),
    )
    machine.put(to, found, lanes)


def test(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    x = machine.value(instruction.operands[1], instruction.type, lanes)
    tests = {
        "finite": np.isfinite,
        "infinite": np.isinf,
        "notanumber": np.isnan,
        "number": lambda v: ~np.isnan(v),
    }
    if instruction.modifiers[0] not in tests:
        raise Fault(f"testp.{instruction.modifiers[0]} is not known")
    machine.put(instruction.operands[0], tests[instruction.modifiers[0]](x), lanes)


def trap(machine: Machine, _: Instruction, lanes: Lanes) -> None:
    raise Fault(f"{machine.named(int(lanes[0]))} traps")


def twice(type_: str) -> str:
    """The integer type of twice the width."""
    return f"{type_[0]}{int(type_[1:]) * 2}"
