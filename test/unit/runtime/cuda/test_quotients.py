"""Quotients, remainders, shifts and powers on the device: the bits of the host, which raises where an integer is divided by 0."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.moving import on_cuda
from torchscript_dialect import torch

INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
OF_INTEGERS = [
    "x // y",
    "x % y",
    "torch.div(x, y, rounding_mode='trunc')",
    "torch.div(x, y, rounding_mode='floor')",
    "torch.fmod(x, y)",
    "torch.remainder(x, y)",
    "x // 7",
    "x % 7",
    "x // -1",
    "torch.fmod(x, -3)",
    "x.clone().floor_divide_(y)",
    "x.clone().remainder_(3)",
    "7 % y",
    "torch.bitwise_left_shift(x, s)",
    "torch.bitwise_right_shift(x, s)",
    "x << 3",
    "x >> 2",
    "x.clone().__ilshift__(1)",
    "torch.pow(x, s.abs())",
    "torch.pow(2, s.abs())",
    "x ** 5",
]
OF_FLOATS = [
    "torch.fmod(x, y)",
    "torch.remainder(x, y)",
    "torch.floor_divide(x, y)",
    "torch.div(x, y, rounding_mode='floor')",
    "torch.fmod(x, 0.125)",
    "torch.remainder(x, -3)",
    "x // 0.7",
    "2.5 % y",
]


def extremes(dtype: Any) -> Any:
    """Integers, the least and the largest one among them."""
    limits = np.iinfo(dtype)
    some = np.random.default_rng(0).integers(limits.min, limits.max, 40, dtype=dtype, endpoint=True)
    few = np.arange(-6 if limits.min else 0, 7).astype(dtype)
    return np.concatenate([few, [limits.min, limits.min + 1, limits.max], some]).astype(dtype)


def floats(dtype: Any) -> tuple[Any, Any]:
    """Pairs of floats of all sizes, and of those that are none, or not finite."""
    limits = np.finfo(dtype)
    few: Any = [0.0, -0.0, 1, -1, 2.5, np.inf, -np.inf, np.nan, limits.max, limits.tiny, 3, 1e-3]
    few = np.array([*few, limits.smallest_subnormal, -limits.max], dtype)
    generator = np.random.default_rng(1)
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[limits.bits // 8]
    some: Any = generator.integers(0, np.iinfo(bits).max, (2, 300), dtype=bits).view(dtype)
    return (
        np.concatenate([np.repeat(few, len(few)), some[0]]),
        np.concatenate([np.tile(few, len(few)), some[1]]),
    )


def assert_bits(text: str, x: Any, y: Any, s: Any) -> None:
    found: list[Any] = []
    moves: list[Callable[[Any], Any]] = [torch.tensor, on_cuda]
    for move in moves:
        names = {"torch": torch, "x": move(x), "y": move(y), "s": move(s)}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found.append(eval(text, names).cpu().numpy())
    on_host, there = found
    assert there.dtype == on_host.dtype
    if on_host.dtype.kind == "f":
        nan = on_host.dtype.type(np.nan)
        on_host, there = (np.where(np.isnan(one), nan, one) for one in found)
    assert there.tobytes() == on_host.tobytes()


@pytest.mark.parametrize(
    ("text", "dtype"),
    [(text, one) for text in OF_INTEGERS for one in INTEGERS if one != "uint8" or "-" not in text],
)
def test_integers(on_device: Device, text: str, dtype: str) -> None:
    values = extremes(dtype)
    x, y = (one.reshape(-1) for one in np.meshgrid(values, values))
    has_sign = np.iinfo(dtype).min < 0
    overflows = (x == np.iinfo(dtype).min) & (y == -1) if has_sign else x < 0
    x, y = x[(y != 0) & ~overflows], y[(y != 0) & ~overflows]
    shifts = np.resize(np.arange(0 if not has_sign else -2, 70), x.shape).astype(dtype)
    assert_bits(text, x, y, shifts)
    assert not on_device.faults


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("text", OF_FLOATS)
def test_floats(on_device: Device, text: str, dtype: str) -> None:
    assert_bits(text, *floats(dtype), np.zeros(1, dtype))
    assert not on_device.faults


def test_a_number_that_halves_round_is_the_hosts(on_device: Device) -> None:
    x = floats("float16")[0]
    on_host = torch.fmod(torch.tensor(x), 0.1)
    with pytest.warns(RuntimeWarning, match="aten::fmod.Scalar has no kernel"):
        there = torch.fmod(on_cuda(x), 0.1)
    np.testing.assert_array_equal(there.cpu().numpy(), on_host.numpy())


def test_what_is_divided_by_0(on_device: Device) -> None:
    """No kernel raises: Note [Quotients on devices] in lowering/linalg/device_scalars.py."""
    x, zero = np.array([5, 0, -5], np.int64), np.zeros(3, np.int64)
    least, inverse = np.full(3, np.iinfo(np.int64).min), np.full(3, -1)
    assert (on_cuda(x) // on_cuda(zero)).tolist() == [-1, -1, -1]
    assert (on_cuda(x) % on_cuda(zero)).tolist() == x.tolist()
    assert (on_cuda(least) // on_cuda(inverse)).tolist() == least.tolist()
    assert (on_cuda(least) % on_cuda(inverse)).tolist() == [0, 0, 0]


def test_they_are_part_of_fused_kernels(on_device: Device) -> None:
    f = ts.CompilationUnit("def f(x, y):\n    return (x // y) * 2 + x % 3\n")["f"]
    x, y = np.arange(-9, 9), np.arange(1, 19)
    for _ in range(3):
        on_device.launches.clear()
        found = f(on_cuda(x), on_cuda(y))
    assert len(on_device.launches) == 1
    np.testing.assert_array_equal(found.cpu().numpy(), (x // y) * 2 + x % 3)
