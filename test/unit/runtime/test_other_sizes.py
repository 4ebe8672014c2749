"""Kernels of a whole function for sizes that its first kernel does not take: how many there are, and what they serve."""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect as ts
from support.kernel_agreement import agree, arrays
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan
from torchscript_dialect.runtime.executor.other_sizes import MOST_KERNELS

pytestmark = needs_native_calls


FIXED = "def f(x, w):\n    return torch.relu(torch.conv2d(x, w, None, 1, 1, 1, 3)) * 2\n"
"""With one filter a channel the channels are constants of the kernel."""


def of(channels: int, filters: int = 1) -> tuple[np.ndarray, np.ndarray]:
    return arrays((2, 3, 5, 6), "float32"), arrays((channels * filters, 1, 3, 3), "float32")


def plan_of(f: ts.ScriptFunction) -> ExecutionPlan:
    (plan,) = f.get_debug_state().execution_plans.values()
    return plan


def test_a_second_kernel_serves_what_the_first_refuses() -> None:
    agree(FIXED, of(3), of(3, 2), of(3, 4), of(3), atol=1e-4)


def test_both_stay() -> None:
    f = ts.CompilationUnit(FIXED)["f"]
    for args in [of(3), of(3, 2), of(3, 4)]:
        for _ in range(4):
            f(*args)
    assert len(plan_of(f).kernels) == 2  # several filters a channel are any number of them
    before = f.native_calls
    for args in [of(3), of(3, 2), of(3, 4)] * 2:
        f(*args)
    assert f.native_calls == before + 6


def test_the_kernel_of_another_function_with_the_same_text() -> None:
    """The kernel that the disk has for a text and the ranks of its arguments may be for other sizes."""
    for args in [of(3), of(3, 2), of(3)]:
        f = ts.CompilationUnit(FIXED)["f"]
        for _ in range(4):
            before = f.native_calls
            f(*args)
        assert f.native_calls == before + 1


def test_calls_that_raise_make_no_kernels() -> None:
    f = ts.CompilationUnit(FIXED)["f"]
    for _ in range(4):
        f(*of(3))
    for _ in range(5):
        with pytest.raises(RuntimeError):
            f(arrays((2, 4, 5, 6), "float32"), of(3)[1])
    assert len(plan_of(f).kernels) == 1


def test_there_are_so_many_and_no_more() -> None:
    f = ts.CompilationUnit(FIXED)["f"]
    for _ in range(4):
        f(*of(3))
    plan = plan_of(f)
    plan.kernels += plan.kernels * (MOST_KERNELS - 1)
    for _ in range(4):
        f(*of(3, 2))
    assert len(plan.kernels) == MOST_KERNELS


def test_without_gradients() -> None:
    """A plan for tensors that require gradients, where none are wanted."""
    x, w = torch.tensor(of(3, 2)[0]), torch.tensor(of(3, 2)[1], requires_grad=True)
    small = torch.tensor(of(3)[1], requires_grad=True)
    f = ts.CompilationUnit(FIXED)["f"]
    with ts.fuser("none"):
        expected = np.asarray(ts.CompilationUnit(FIXED)["f"](x, w.detach()))
    with torch.no_grad():
        for _ in range(4):
            f(x, small)
        for _ in range(5):
            found = f(x, w)
            assert not found.requires_grad
            np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-5, atol=1e-5)
    (plan,) = [plan for plan in f.get_debug_state().execution_plans.values() if plan.kernels]
    assert len(plan.kernels) == 2
