"""Padding and patches in native code give what they give in NumPy: values, layouts, errors, gradients of any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from torchscript_dialect import torch
from torchscript_dialect.ops.pooling import native_windows
from torchscript_dialect.runtime.kernels.handwritten import plane_kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
F: Any = torch.nn.functional
Array = NDArray[Any]
PADS = [
    ((2, 3, 7), [2, 1]),
    ((3, 7), [0, 6]),
    ((2, 3, 7), [-1, 2]),
    ((1, 1, 1), [0, 0]),
    ((2, 3, 5, 6), [1, 2, 3, 4]),
    ((3, 5, 6), [2, -2, -1, 0]),
    ((1, 1, 2, 2), [1, 1, 1, 1]),
    ((2, 2, 3, 4, 5), [1, 2, 0, 3, 2, 1]),
    ((2, 3, 4, 5), [4, -3, 2, 0, -1, 1]),
]
PATCHES = [
    ((2, 3, 7, 8), [2, 3], 1, 0, 1),
    ((3, 7, 8), [3, 3], 1, 1, 2),
    ((1, 2, 9, 9), [2, 2], [2, 3], [1, 0], [3, 1]),
    ((2, 1, 1, 1), [1, 1], 1, 0, 1),
    ((1, 2, 4, 4), [3, 3], 2, 4, 3),
]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], tuple[Any, Any]]:
    """What NumPy and native code give for one call; the latter takes one."""

    def run(call: Callable[[], Any]) -> tuple[Any, Any]:
        monkeypatch.setattr(native_windows.NATIVE, "many", 1 << 62)
        expected = call()
        monkeypatch.setattr(native_windows.NATIVE, "many", -1)
        made: list[Any] = []
        over_planes = plane_kernels.over_planes
        monkeypatch.setattr(
            plane_kernels, "over_planes", lambda *a: made.append(over_planes(*a)) or made[-1]
        )
        found = call()
        monkeypatch.setattr(plane_kernels, "over_planes", over_planes)
        run.made = made  # type: ignore[attr-defined]
        return expected, found

    return run


def _elements(shape: Sequence[int], dtype: str) -> Array:
    x = np.random.default_rng(0).standard_normal(tuple(shape)).astype(dtype)
    x.reshape(-1)[::11] = [np.nan, np.inf, -np.inf, -0.0][x.size % 4]
    return x


def _layouts(x: Array) -> list[Array]:
    """An array, the same with gaps, with channels last, and of one element in memory."""
    wide = np.repeat(x, 2, -1)[..., ::2]
    last = np.moveaxis(np.ascontiguousarray(np.moveaxis(x, -x.ndim + 1, -1)), -1, 1)
    return [x, wide, last, np.broadcast_to(x.reshape(-1)[:1].reshape((1,) * x.ndim), x.shape)]


def _steps(function: Callable[[Any], Any], x: Any) -> list[Any]:
    """What a function gives, its gradient, and the gradient of that."""
    given = x.detach().requires_grad_()
    result = function(given)
    slope = (torch.arange(result.numel(), dtype=result.dtype) * 0.25).reshape(result.shape)
    slope.requires_grad_()
    (grad,) = torch.autograd.grad(result, [given], slope, create_graph=True)
    (second,) = torch.autograd.grad(grad, [slope], torch.ones_like(grad) * 0.5)
    with torch.no_grad():
        return [result.detach(), function(given), grad.detach(), second]


def _same(expected: Sequence[Any], found: Sequence[Any]) -> None:
    for one, other in zip(expected, found, strict=True):
        assert one.dtype is other.dtype and one.stride() == other.stride()
        tolerance = 1e-13 if one.dtype is torch.float64 else 1e-5
        np.testing.assert_allclose(other.numpy(), one.numpy(), tolerance, tolerance)


@pytest.mark.parametrize("mode", ["reflect", "replicate"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape, pad", PADS)
def test_padding(both: Any, shape: Sequence[int], pad: list[int], dtype: str, mode: str) -> None:
    rank = len(pad) // 2
    sizes = shape[len(shape) - rank :]
    if mode == "reflect" and any(
        max(pad[-2 * d - 2 :][:2]) >= size for d, size in enumerate(sizes)
    ):
        pytest.skip("wider than the dimension")
    for place, x in enumerate(_layouts(_elements(shape, dtype))):
        tensor = torch.from_numpy(np.array(x, copy=None))
        _same(*both(lambda tensor=tensor: _steps(lambda t: F.pad(t, pad, mode), tensor)))
        if not place:
            assert len(both.made) >= 3 and None not in both.made


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape, kernel, dilation, padding, stride", PATCHES)
def test_patches(
    both: Any,
    shape: Sequence[int],
    kernel: Any,
    dilation: Any,
    padding: Any,
    stride: Any,
    dtype: str,
) -> None:
    windows = (dilation, padding, stride)
    for place, x in enumerate(_layouts(_elements(shape, dtype))):
        tensor = torch.from_numpy(np.array(x, copy=None))
        _same(*both(lambda tensor=tensor: _steps(lambda t: F.unfold(t, kernel, *windows), tensor)))
        columns = F.unfold(tensor, kernel, *windows)
        _same(
            *both(
                lambda columns=columns: _steps(
                    lambda t: F.fold(t, shape[-2:], kernel, *windows), columns
                )
            )
        )
        assert place or (len(both.made) >= 3 and None not in both.made)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.complex64, torch.int32])
def test_other_dtypes_stay_in_numpy(both: Any, dtype: Any) -> None:
    x = (torch.arange(24).reshape(1, 2, 3, 4) + 1).to(dtype)

    def call() -> list[Any]:
        found = [F.pad(x, [1, 2, 1, 0], mode) for mode in ("reflect", "replicate")]
        return found if dtype is torch.int32 else [*found, F.unfold(x, 2)]

    expected, found = both(call)
    for one, other in zip(expected, found, strict=True):
        assert one.dtype is dtype and torch.equal(one, other)
    assert not both.made


WRONG: list[Callable[[Any], Any]] = [
    lambda x: F.pad(x, [4, 0, 0, 0], "reflect"),
    lambda x: F.pad(x, [-3, -1, 0, 0], "replicate"),
    lambda x: torch.reflection_pad2d(x, [1, 1]),
    lambda x: torch.replication_pad3d(x[0, 0], [1] * 6),
    lambda x: F.unfold(x, [9, 9]),
    lambda x: F.unfold(x, [2, 0]),
    lambda x: F.unfold(x, 2, padding=-1),
    lambda x: F.fold(x[0], [3, 3], [2, 2]),
    lambda x: F.fold(x[0], [0, 3], [1, 1]),
    lambda x: torch.ops.aten.reflection_pad2d_backward(x, x, [1, 1, 1, 1]),
]


@pytest.mark.parametrize("call", WRONG)
def test_errors_are_those_of_numpy(both: Any, call: Callable[[Any], Any]) -> None:
    x = torch.arange(24, dtype=torch.float32).reshape(1, 2, 3, 4)

    def message() -> str:
        with pytest.raises(Exception) as raised:
            call(x)
        return f"{type(raised.value).__name__}: {raised.value}"

    expected, found = both(message)
    assert expected == found


def test_empty_batches(both: Any) -> None:
    x = torch.zeros(0, 2, 3, 4)
    for function in (lambda x: F.pad(x, [1, 1, 1, 1], "reflect"), lambda x: F.unfold(x, 2)):
        _same(*both(lambda function=function: _steps(function, x)))
