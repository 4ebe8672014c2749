"""Pooling in native code gives what it gives in NumPy: values, places, layouts, and the gradients of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.ops.pooling import native_windows
from torchscript_dialect.runtime.kernels.handwritten import window_kernels

F: Any = torch.nn.functional
Array = NDArray[Any]
SHAPES = {1: [(2, 3, 13), (3, 13)], 2: [(2, 3, 9, 8), (3, 7, 9)], 3: [(1, 2, 5, 6, 7)]}
MAXIMA = [(2, 2, 0, 1), (3, 2, 1, 1), (3, 1, 1, 2), (2, 3, 1, 1), (4, 2, 2, 1)]
MEANS = [(2, 2, 0), (3, 2, 1), (3, 1, 1), (2, 3, 0), (4, 2, 2)]


def _elements(shape: Sequence[int], dtype: type[np.generic]) -> Array:
    x = np.random.default_rng(0).integers(-9, 9, tuple(shape)).astype(dtype)
    x.reshape(-1)[::17] = np.nan
    x.reshape(-1)[1::19] = -np.inf
    return x


def _layouts(x: Array) -> list[Array]:
    """An array, the same with gaps, and the same with channels last."""
    wide = np.repeat(x, 2, -1)[..., ::2]
    return [x, wide, np.moveaxis(np.ascontiguousarray(np.moveaxis(x, -x.ndim + 1, -1)), -1, 1)]


def _steps(function: Callable[[Any], Any], x: Array) -> list[Any]:
    """What a function gives for elements, and their gradient."""
    given = torch.from_numpy(x).requires_grad_()
    made = function(given)
    results = list(made) if isinstance(made, tuple) else [made]
    slope = torch.arange(results[0].numel(), dtype=results[0].dtype).reshape(results[0].shape)
    results[0].backward(slope)
    with torch.no_grad():
        alone = function(given)
    return [*results, alone[0] if isinstance(alone, tuple) else alone, given.grad]


def _forms(rank: int) -> list[Callable[[Any], Any]]:
    forms: list[Callable[[Any], Any]] = []
    for ceil in (False, True):
        for size, stride, padding, dilation in MAXIMA:
            pool = getattr(F, f"max_pool{rank}d")
            numbers = size, stride, padding, dilation, ceil
            forms += [
                partial(_called, pool, numbers, True),
                partial(_called, pool, numbers, False),
            ]
        for numbers in MEANS:
            for counts_padding in (False, True):
                pool = getattr(F, f"avg_pool{rank}d")
                forms.append(partial(_called, pool, (*numbers, ceil, counts_padding)))
    for count in (1, 2, 3, 5):
        forms.append(partial(_called, getattr(F, f"adaptive_avg_pool{rank}d"), (count,)))
        pool = getattr(F, f"adaptive_max_pool{rank}d")
        forms.append(partial(_called, pool, (count,), True))
    if rank > 1:
        numbers = (2, 2, 0, False, True, 7)
        forms.append(partial(_called, getattr(F, f"avg_pool{rank}d"), numbers))
    return forms


def _called(
    pool: Callable[..., Any], numbers: Sequence[Any], places: bool = False, x: Any = None
) -> Any:
    return pool(x, *numbers, return_indices=True) if places else pool(x, *numbers)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_native_pooling_is_that_of_numpy(
    rank: int, dtype: type[np.generic], monkeypatch: pytest.MonkeyPatch
) -> None:
    for function in _forms(rank):
        for shape in SHAPES[rank]:
            for x in _layouts(_elements(shape, dtype)):
                found: list[list[Any]] = []
                for many in (1 << 60, -1):
                    monkeypatch.setattr(native_windows.NATIVE, "many", many)
                    found.append(_steps(partial(_of, function), x))
                for one, other in zip(*found, strict=True):
                    assert one.dtype == other.dtype and one.stride() == other.stride()
                    np.testing.assert_allclose(
                        one.detach().numpy(), other.detach().numpy(), 1e-5, 1e-5
                    )


def _of(function: Callable[..., Any], x: Any) -> Any:
    return function(x=x)


@needs_native_calls
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_steps_are_native_calls(dtype: type[np.generic], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_windows.NATIVE, "many", -1)
    asked: list[str] = []
    found = window_kernels._native  # pyright: ignore[reportPrivateUsage]

    def native(kind: str, *rest: Any) -> Any:
        run = found(kind, *rest)
        before = run.native_calls

        def call(*operands: Any) -> Any:
            result = run(*operands)
            asked.append(kind)
            assert run.native_calls == before + 1
            return result

        return call

    monkeypatch.setattr(window_kernels, "_native", native)
    x = _elements((2, 3, 8, 8), dtype)
    _steps(lambda x: F.max_pool2d(x, 2), x)
    assert asked == ["largest_fixed", "places_fixed", "places_back", "largest_fixed"]
    asked.clear()
    _steps(lambda x: F.avg_pool2d(x, 2), x)
    assert asked == ["mean_fixed", "mean_back_fixed", "mean_fixed"]


def test_places_outside_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_windows.NATIVE, "many", -1)
    x, grad = torch.ones(1, 1, 4, 4), torch.ones(1, 1, 2, 2)
    places = torch.full((1, 1, 2, 2), 16)
    with pytest.raises(RuntimeError, match="found an invalid max index"):
        torch.ops.aten.max_pool2d_with_indices_backward(
            grad, x, [2, 2], [2, 2], [0, 0], [1, 1], False, places
        )
