"""What the executor does only after many calls, done at once, so that short tests come to it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from xdsl.ir import Operation

import torchscript_dialect as ts
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.runtime.executor import execution_plan, scalar_loops
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan
from torchscript_dialect.runtime.native.entry import NativeCallable
from torchscript_dialect.runtime.values import long_lists
from torchscript_dialect.types.tensor_type import TensorType

CALLS = 4
"""Calls that come to everything that is compiled at once: groups, their loops, then groups of one node."""


@contextmanager
def at_once() -> Generator[None]:
    """Functions are compiled by the first call and once more by the third, loops over numbers at their first trip; lists are read
    natively from the first item on."""
    profiled = ts.set_num_profiled_runs(0)
    try:
        with (
            ts.background_compilation(False),
            patch.object(execution_plan, "HOT", 1),
            patch.object(scalar_loops, "MANY", 0),
            patch.object(long_lists, "MANY", 0),
        ):
            yield
    finally:
        ts.set_num_profiled_runs(profiled)


def kernel_calls(function: Any, dtype: str | None = None) -> int:
    """How often kernels of a function ran: of the whole function, called with our tensors or through the executor, and of groups. With a
    dtype, as graphs name it, only those groups that take tensors of that dtype."""
    found = function.native_calls
    for plan in plans(function):
        runs = [plan.run, *(run for group, run in plan.groups.items() if _takes(group, dtype))]
        found += sum(run.native_calls for run in runs if isinstance(run, NativeCallable))
    return found


def _takes(group: Operation, dtype: str | None) -> bool:
    types = [type_of(value) for value in group.operands]
    return dtype is None or any(isinstance(t, TensorType) and t.dtype == dtype for t in types)


def native_loops(function: Any) -> int:
    """How many loops over numbers of a function are native functions."""
    return sum(loop.native is not None for plan in plans(function) for loop in plan.loops.values())


def plans(function: Any) -> Iterator[ExecutionPlan]:
    """What runs the specializations of a compiled function."""
    yield from function._executor.plans_in_order()


@pytest.fixture
def compiled_at_once() -> Iterator[None]:
    """Programs are compiled before their first call."""
    before = ts.set_num_profiled_runs(0)
    yield
    ts.set_num_profiled_runs(before)
