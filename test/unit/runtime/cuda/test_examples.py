"""The programs of examples/ with arguments on a device: what PyTorch gave for them, and the bits of kernels of the host where all that
they do is pointwise. Cases have no elements, no dimensions, gaps, transposed, overlapping and misaligned memory, and sizes that are
multiples of nothing, and numbers that are none: some of them, or all with `TORCHSCRIPT_DIALECT_LONG_TESTS=1`.
"""

from __future__ import annotations

import json
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support import product
from support.amounts import IS_LONG
from support.programs import PROGRAMS, Case, Program
from support.records import Record, call_difference, record
from support.simt.driver.device import Device
from support.simt.moving import on_cuda

GOLDEN = Path(__file__).parents[3] / "golden" / "programs"
EVERY = 1 if IS_LONG else 23
POINTWISE = frozenset(("tanh", "if_else", "ratio_iou"))
CALLS = 3


@cache
def golden(name: str) -> Record:
    return json.loads((GOLDEN / f"{name}.json").read_text())


def compared(found: Any, hidden: frozenset[str]) -> Any:
    """A record without what copies to the host do not show."""
    if isinstance(found, dict):
        items = {key: compared(value, hidden) for key, value in found.items()}  # pyright: ignore
        return items | {key: [] for key in hidden & items.keys()}
    return [compared(one, hidden) for one in found] if isinstance(found, list) else found  # pyright: ignore


def to_numpy(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(to_numpy(item) for item in value)
    return product.to_numpy(value.cpu() if hasattr(value, "is_cuda") else value)


def run(scripted: Any, case: Case, dtype: np.dtype[Any]) -> tuple[Record, Any]:
    """The record of a call with arguments on the device, which are then written back, and its result."""
    found: list[Any] = []

    def call(*args: Any) -> Any:
        memo: dict[int, Any] = {}
        arrays: dict[int, np.ndarray[Any, Any]] = {}

        def move(array: np.ndarray[Any, Any]) -> Any:
            arrays[id(array)] = array
            return on_cuda(array)

        try:
            found.append(scripted(*(product.convert(arg, move, memo) for arg in args)))
        finally:  # a program that raises has written before
            for key, array in arrays.items():
                after = memo[key].cpu().numpy()
                if after.tobytes() != array.tobytes():
                    array[...] = after
        return found[-1]

    made = record(call, case.make(dtype), to_numpy)
    return made, found[-1] if found else None


def bits(array: np.ndarray[Any, Any]) -> bytes:
    """The bits of numbers. What is none has a bit on CPUs for x86 that it has not on devices."""
    return np.where(np.isnan(array), np.float32(np.nan), array).tobytes()


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_program_on_the_device(on_device: Device, program: Program) -> None:
    calls = golden(program.name)["calls"]
    hidden = frozenset(("shares", "strides") if program.name == "alias" else ("shares",))
    wrong: list[str] = []
    for name, case, dtype in [*program.variants()][::EVERY]:
        if program.name == "alias" and name.startswith(("overlap", "broadcast")):
            continue  # copies of arrays that overlap do not
        scripted = product.script(program)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the host computes
            for number in range(CALLS):
                made, result = run(scripted, case, dtype)
                ours, theirs = (compared(one, hidden) for one in (made, calls[name]))
                why = call_difference(ours, theirs, program.scale)
                if why is not None:
                    wrong.append(f"{name}, call {number + 1}: {why}")
        if program.name in POINTWISE and dtype == np.float32 and result is not None:
            for _ in range(CALLS):
                on_host = scripted(*case.make(dtype))
            if bits(to_numpy(on_host)) != bits(to_numpy(result)):
                wrong.append(f"{name}: other bits than on the host")
    assert not on_device.faults
    assert not wrong, "\n".join(wrong)
