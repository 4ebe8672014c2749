"""`torch.signal.windows`: weights that fall off to both ends, symmetric, or (`sym=False`) one period of what repeats
(torch/signal/windows/windows.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, cast

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def _options(name: str, M: int, dtype: Any, layout: Any, device: Any) -> dict[str, Any]:
    """What the tensors of a window are made with; ValueError for a window that there is not."""
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not None and layout is not torch.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    return {"dtype": dtype, "device": device}


def _window(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The window that `function(M, sym, options, ...)` computes, with the keywords of all windows."""
    name = function.__name__

    def window(
        M: int,
        *,
        sym: bool = True,
        dtype: Any = None,
        layout: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        **parameters: Any,
    ) -> Tensor:
        options = _options(name, M, dtype, layout, device)
        result = function(M, sym, options, **parameters)
        return result.requires_grad_() if requires_grad else result

    window.__name__ = window.__qualname__ = name
    window.__doc__ = function.__doc__
    return window


def _places(M: int, first: Any, step: Any, options: dict[str, Any]) -> Tensor:
    return torch.linspace(first * step, (first + (M - 1)) * step, M, **options)


def _periods(M: int, sym: bool) -> int:
    """How many steps a period has."""
    return M - 1 if sym else M


def _center(M: int, sym: bool) -> float:
    return (M if not sym and M > 1 else M - 1) / 2


@_window
def bartlett(M: int, sym: bool, options: dict[str, Any]) -> Tensor:
    """Straight from 0 up to 1 and down again."""
    if M < 2:
        return torch.ones(M, **options)
    step = 2 / _periods(M, sym)
    return 1 - torch.abs(torch.linspace(-1, -1 + (M - 1) * step, M, **options))


@_window
def cosine(M: int, sym: bool, options: dict[str, Any]) -> Tensor:
    """Half a period of a sine."""
    return torch.sin(_places(M, 0.5, math.pi / (M + 1 if not sym and M > 1 else M), options))


@_window
def exponential(
    M: int, sym: bool, options: dict[str, Any], center: float | None = None, tau: float = 1.0
) -> Tensor:
    """`exp(-|n - center| / tau)`."""
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    middle = _center(M, sym) if center is None else center
    return torch.exp(-torch.abs(_places(M, -middle, 1 / tau, options)))


@_window
def gaussian(M: int, sym: bool, options: dict[str, Any], std: float = 1.0) -> Tensor:
    """The bell of a standard deviation."""
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return torch.exp(-(_places(M, -_center(M, sym), 1 / (std * math.sqrt(2)), options) ** 2))


@_window
def kaiser(M: int, sym: bool, options: dict[str, Any], beta: float = 12.0) -> Tensor:
    """The ratio of Bessel functions that has the most of its power in the middle."""
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M < 2:
        return torch.ones(M, **options)
    width = torch.tensor(beta, **options)
    last = torch.minimum(width, -width + (M - 1) * (2.0 * width / _periods(M, sym)))
    places = torch.linspace(-width, last, M, **options)
    return torch.i0(torch.sqrt(width * width - torch.pow(places, 2))) / torch.i0(width)


def _cosines(M: int, sym: bool, options: dict[str, Any], a: Iterable[float]) -> Tensor:
    if M < 2:
        return torch.ones(M, **options)
    if not isinstance(cast("object", a), Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    places = _places(M, 0, 2 * math.pi / _periods(M, sym), options)
    weights = torch.tensor([(-1) ** i * weight for i, weight in enumerate(a)], **options)
    orders = torch.arange(weights.shape[0], **options)
    return (weights.unsqueeze(-1) * torch.cos(orders.unsqueeze(-1) * places)).sum(0)


@_window
def general_cosine(M: int, sym: bool, options: dict[str, Any], *, a: Iterable[float]) -> Tensor:
    """`a[0] - a[1] cos(x) + a[2] cos(2 x)` and so on."""
    return _cosines(M, sym, options, a)


@_window
def general_hamming(M: int, sym: bool, options: dict[str, Any], alpha: float = 0.54) -> Tensor:
    """`alpha - (1 - alpha) cos(x)`."""
    return _cosines(M, sym, options, (alpha, 1.0 - alpha))


def _fixed(name: str, *a: float) -> Callable[..., Tensor]:
    def function(M: int, sym: bool, options: dict[str, Any]) -> Tensor:
        return _cosines(M, sym, options, a)

    function.__name__ = name
    function.__doc__ = f"`general_cosine` of {a}."
    return _window(function)


hamming = _fixed("hamming", 0.54, 1.0 - 0.54)
hann = _fixed("hann", 0.5, 0.5)
blackman = _fixed("blackman", 0.42, 0.5, 0.08)
nuttall = _fixed("nuttall", 0.3635819, 0.4891775, 0.1365995, 0.0106411)

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]
