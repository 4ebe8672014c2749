"""`mma.sync` and `ldmatrix`: small products, whose elements the threads of a warp hold, and their way there from shared memory (PTX ISA,
section 9.7.14.5).

Products and their sums are exact here to float64, and rounded to float32 once; devices keep fewer bits of what they add up.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from support.simt.access import check_races, spaces
from support.simt.faults import Fault
from support.simt.machine import WARP, Lanes, Machine
from support.simt.module import Instruction, Operand

SHAPES = {
    ("m16n8k8", "f16"): 2,
    ("m16n8k16", "f16"): 2,
    ("m16n8k16", "bf16"): 2,
    ("m16n8k8", "tf32"): 1,
}
"""How many elements a register has."""
LANE = np.arange(WARP)
GROUP, MEMBER = LANE // 4, LANE % 4


def multiply(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    """`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 d, a, b, c`."""
    shape, element = instruction.modifiers[2], instruction.modifiers[6]
    each = SHAPES.get((shape, element))
    if each is None or instruction.modifiers[3:6] != ("row", "col", "f32"):
        raise Fault("this product of small matrices is not known")
    _check_warps(machine, lanes)
    d, a, b, c = (_registers(operand) for operand in instruction.operands)
    depth = int(shape.partition("k")[2])
    first = np.zeros((lanes.size // WARP, 16, depth))
    second = np.zeros((lanes.size // WARP, depth, 8))
    per_word = 4 * each
    for number, register in enumerate(a):
        rows, start = GROUP + number % 2 * 8, number // 2 * per_word
        for part, values in enumerate(_elements(machine, register, element, lanes)):
            first[:, rows, start + MEMBER * each + part] = values
    for number, register in enumerate(b):
        for part, values in enumerate(_elements(machine, register, element, lanes)):
            second[:, number * per_word + MEMBER * each + part, GROUP] = values
    product = first @ second
    for number, (to, old) in enumerate(zip(d, c, strict=True)):
        mine = product[:, GROUP + number // 2 * 8, MEMBER * 2 + number % 2].reshape(-1)
        total = mine + machine.value(old, "f32", lanes).astype(np.float64)
        machine.put(to, total.astype(np.float32), lanes)


def load(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    """`ldmatrix.sync.aligned.m8n8.x4.shared.b16 {d0, d1, d2, d3}, [p]`, perhaps `.trans`: eight threads give the lines of a matrix each."""
    known = ("sync", "aligned", "m8n8", "x4", "shared", "b16")
    is_turned = "trans" in instruction
    if tuple(one for one in instruction.modifiers if one != "trans") != known:
        raise Fault("this load of small matrices is not known")
    _check_warps(machine, lanes)
    to, source = instruction.operands
    ((space, _, at, _),) = spaces(machine, instruction, source, 16, lanes)
    check_races(machine, space, lanes, at, 16, False)
    machine.memory.count_bank_conflicts(lanes, at)
    rows = machine.shared.bytes[at[:, None] + np.arange(16)].view(np.uint16).reshape(-1, 4, 8, 8)
    for matrix, register in enumerate(_registers(to)):
        lines = rows[:, matrix].swapaxes(1, 2) if is_turned else rows[:, matrix]
        words = np.ascontiguousarray(lines).view(np.uint32)[:, GROUP, MEMBER]
        machine.put(register, words.reshape(-1), lanes)


def _check_warps(machine: Machine, lanes: Lanes) -> None:
    thread = machine.thread[lanes]
    if lanes.size % WARP or (thread.reshape(-1, WARP) % WARP != LANE).any():
        raise Fault("divergent: not all threads of a warp are here")


def _registers(operand: Operand) -> tuple[Operand, ...]:
    assert isinstance(operand.value, tuple)
    return operand.value


def _elements(
    machine: Machine, register: Operand, element: str, lanes: Lanes
) -> list[NDArray[Any]]:
    """The elements that a register has of each thread, in a row for each warp."""
    words = np.ascontiguousarray(machine.value(register, "b32", lanes))
    if element == "tf32":
        found = (words & np.uint32(0xFFFFE000)).view(np.float32)[:, None]
    else:
        dtype = np.float16 if element == "f16" else ml_dtypes.bfloat16
        found = words.view(dtype).reshape(-1, 2)
    return [part.astype(np.float64).reshape(-1, WARP) for part in found.T]
