"""Sizes that change from one iteration to the next, and from one run to the next: observed types are those of the last tensor, and
kernels serve all sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch

DECODE = """
def f(x, w, n: int):
    caches = [x]
    total = torch.zeros(1)
    for i in range(n):
        caches[0] = torch.cat([caches[0], x])
        scores = torch.softmax(torch.mm(caches[0], w) * 2.0 + 1.0, -1)
        total = total + scores.sum()
    return caches[0], total
"""


def results(source: str, calls: Sequence[tuple[Any, ...]]) -> tuple[Any, list[Any], list[Any]]:
    """The function of a source, and what the calls give, compiled and interpreted."""
    f = ts.CompilationUnit(source).f
    with ts.optimized_execution(False):
        expected = [f(*args) for args in calls]
    with ts.background_compilation(False):
        return f, [f(*args) for args in calls], expected


def assert_same(got: list[Any], expected: list[Any]) -> None:
    for ours, theirs in zip(got, expected, strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert np.asarray(one).shape == np.asarray(other).shape
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5)


X, W = torch.randn(2, 4), torch.randn(4, 3)


@needs_native_calls
def test_a_loop_over_growing_tensors_has_kernels() -> None:
    f, got, expected = results(DECODE, [(X, W, n) for n in (3, 3, 5, 5, 8, 8)])
    assert_same(got, expected)
    (group,) = [line for line in ts.explain(f).splitlines() if "native" in line]
    assert "aten::mm" in group and "aten::softmax" in group


def test_tensors_that_begin_with_one_row_are_not_taken_for_larger_ones() -> None:
    source = DECODE.replace("[x]\n", "[x[:1]]\n").replace("[0], x]", "[0], x[:1]]")
    _, got, expected = results(source, [(X, W, n) for n in (0, 1, 1, 4, 4, 4)])
    assert_same(got, expected)


def test_sizes_of_other_runs_are_no_facts() -> None:
    source = """
def f(xs: List[Tensor], k: int):
    x = xs[k]
    y = torch.tanh(x) * 2.0 + x.size(0)
    return y.view(-1, x.size(1)) + x.numel(), x.sum(0) * x.shape[1]
"""
    xs = [torch.randn(2, 3), torch.randn(5, 7), torch.randn(1, 4), torch.zeros(0, 2)]
    _, got, expected = results(source, [(xs, k) for k in (0, 1, 0, 1, 2, 3, 0, 1, 2, 3)])
    assert_same(got, expected)
