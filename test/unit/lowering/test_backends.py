"""A backend from outside, which interprets linalg: chosen by `ts.fuser`, it runs what the compiler runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support import product
from support.interpreted_backend import INTERPRETED, PLACE, InterpretedKernel
from support.programs import PROGRAMS
from support.records import call_difference
from torchscript_dialect.backend import BACKENDS, get_backend
from torchscript_dialect.dialects import aten


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test finds the backend registered, and nothing that it has made."""
    monkeypatch.setitem(BACKENDS, "interpreted", PLACE)
    INTERPRETED.made.clear()
    before = ts.set_num_profiled_runs(0)
    yield
    ts.set_num_profiled_runs(before)
    get_backend.cache_clear()


LARGE = ("simple_lstm", "lstm_cell", "lstm_cell_s", "lunif2", "ratio_iou")
"""Programs whose cases take an interpreter long: of these the first case is run."""
FUSED = ("tanh", "lstm_cell", "lstm_cell_s", "ratio_iou")


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_examples(program: Any) -> None:
    dtype = np.dtype("float32")
    for case in program.cases[: 1 if program.name in LARGE else None]:
        with ts.optimized_execution(False):
            expected = product.run(product.script(program), case, dtype, product.as_tensors)
        with ts.fuser("interpreted"):
            scripted = product.script(program)
            for _ in range(2):
                actual = product.run(scripted, case, dtype, product.as_tensors)
                assert call_difference(actual, expected, 8 * program.scale) is None
    assert program.name not in FUSED or sum(kernel.calls for kernel in INTERPRETED.made)


def ran(source: str, *args: Any) -> tuple[Any, list[InterpretedKernel]]:
    """The result of a function, and the kernels that were made for it."""
    with ts.fuser("interpreted"):
        function = ts.CompilationUnit(source)["f"]
        function(*args)
        return function(*args), INTERPRETED.made


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).random(shape, np.float32)


def test_a_kernel_runs() -> None:
    x, y = floats(3, 4), floats(4)
    source = "def f(x, y, a: float):\n    return torch.tanh(x * y) * a, x + y\n"
    (first, second), (kernel,) = ran(source, x, y, 0.5)
    np.testing.assert_allclose(first.numpy(), np.tanh(x * y) * 0.5, rtol=1e-6)
    np.testing.assert_allclose(second.numpy(), x + y, rtol=1e-6)
    assert kernel.calls == 2


def test_it_serves_other_sizes_and_hands_on_other_calls() -> None:
    source = "def f(x):\n    a, b = torch.chunk(x * 2, 2, 1)\n    return a * b + a\n"
    x = floats(3, 4)
    with ts.fuser("interpreted"):
        function = ts.CompilationUnit(source)["f"]
        for shape in ((3, 4), (2, 6), (5, 5)):
            x = floats(*shape)
            if shape == (5, 5):
                with pytest.raises(RuntimeError, match="size"):
                    function(x)
                continue
            a, b = np.split(x * 2, 2, 1)
            np.testing.assert_allclose(function(x).numpy(), a * b + a, rtol=1e-6)
    assert [kernel.calls for kernel in INTERPRETED.made] == [2]


def test_operators_that_are_not_in_its_table_stay_out_of_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(INTERPRETED, "ops", frozenset({aten.MulTensorOp}), raising=False)
    x = floats(3, 4)
    result, (kernel,) = ran("def f(x):\n    return torch.tanh(x * x * x) + 1\n", x)
    np.testing.assert_allclose(result.numpy(), np.tanh(x * x * x) + 1, rtol=1e-6)
    assert "tanh" not in str(kernel.function)
