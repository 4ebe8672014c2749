"""NumPy's floating-point errors stay silent in programs, and as they were everywhere else."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.reduction import norm
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.float_errors import (
    float_errors_of_caller,
    ignores_float_errors,
    is_silent,
    run_in_silence,
)

ZERO = np.zeros(3, np.float32)
SOURCE = """
def quotient(x):
    y = torch.sort(x)[0]
    y.div_(x)
    return torch.log(y - y).sum() + torch.logsumexp(y, 0)

def failing(x):
    return x.view([7])
"""


@pytest.fixture(autouse=True)
def loud() -> Any:
    """Errors would be seen, and what the state was is looked at afterwards."""
    with np.errstate(all="raise"):
        yield
        assert set(np.geterr().values()) == {"raise"}
    assert not is_silent()


def divide() -> None:
    _ = np.float32(1) / np.float32(0)


def test_a_run_computes_in_silence_and_leaves_the_state_alone() -> None:
    unit = ts.CompilationUnit(SOURCE)
    with ts.fuser("none"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(unit.quotient(ZERO).numpy())
    with pytest.raises(FloatingPointError):
        divide()


def test_operators_called_by_themselves_compute_in_silence() -> None:
    x = as_tensor(ZERO.copy())
    assert np.isnan((x / x).numpy()).all()
    assert np.isnan(x.clone().div_(x).sum().numpy())
    division = registry.find("aten::div.Tensor")
    assert division is not None and division.kernel is not None
    assert np.isnan(division.kernel(x, x).numpy()).all()


def test_an_error_leaves_the_state_alone() -> None:
    unit = ts.CompilationUnit(SOURCE)
    with ts.fuser("none"), pytest.raises(RuntimeError, match="invalid for input of size"):
        unit.failing(ZERO)
    with pytest.raises(FloatingPointError):
        divide()


def test_a_run_and_a_kernel_by_itself_set_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    logsumexp = norm._logsumexp  # pyright: ignore[reportPrivateUsage]

    def watched(*args: Any) -> Any:
        seen.append(is_silent())
        return logsumexp(*args)

    monkeypatch.setattr(norm, "_logsumexp", watched)
    unit = ts.CompilationUnit(SOURCE)
    with ts.fuser("none"):
        unit.quotient(ZERO)
    torch.logsumexp(as_tensor(ZERO), 0)
    assert seen == [True, True]


def test_a_python_function_has_the_state_of_the_caller() -> None:
    seen: list[dict[str, Any]] = []

    @torch.jit.ignore
    def look(x: torch.Tensor) -> torch.Tensor:
        seen.append({**np.geterr()})
        with suppress(FloatingPointError):
            divide()
            seen.append({})
        return x

    def program(x):
        y = look(x / x)
        return y / x

    with ts.fuser("none"):
        assert np.isnan(ts.script(program)(ZERO).numpy()).all()
    assert [set(state.values()) for state in seen] == [{"raise"}]


def test_the_state_of_the_caller_comes_back_after_an_error() -> None:
    def program() -> None:
        with pytest.raises(KeyError), float_errors_of_caller():
            assert not is_silent()
            raise KeyError
        assert is_silent()
        divide()
        with float_errors_of_caller():
            run_in_silence(divide, ())

    run_in_silence(program, ())


def run_in_thread(function: Callable[[], object]) -> list[object]:
    results: list[object] = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join()
    return results


def test_other_threads_have_states_of_their_own() -> None:
    @ignores_float_errors
    def quiet() -> str:
        return np.geterr()["divide"]

    def program() -> None:
        assert run_in_thread(is_silent) == [False]
        assert run_in_thread(quiet) == ["ignore"]
        assert run_in_thread(lambda: np.geterr()["divide"]) == ["warn"]

    run_in_silence(program, ())


def compute_in_child(unit: ts.CompilationUnit) -> None:
    child = os.fork()
    if not child:
        try:
            os._exit(0 if np.isnan(unit.quotient(ZERO).numpy()) else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_computes_in_silence() -> None:
    unit = ts.CompilationUnit(SOURCE)
    with ts.fuser("none"):
        compute_in_child(unit)
        run_in_silence(compute_in_child, (unit,))
