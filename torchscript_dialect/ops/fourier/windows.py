"""Windows: weights that fall to the ends of a frame (PyTorch: native/TensorFactories.cpp)."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops.creation.factories import factory
from torchscript_dialect.ops.shapes import Fact, fresh
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Shape = Callable[..., Any]
"""The weights at places from 0 to `last`."""


def _window(
    name: str, length: int, periodic: bool, wanted: int | None, shape: Shape, *numbers: float
) -> Tensor:
    """A window of so many elements; a periodic one is the head of one that is longer by one."""
    element = dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)
    if not (element.is_floating_point or element.is_complex):
        raise RuntimeError(f"{name}_window expects floating point dtypes, got: {element.type_name}")
    if length < 0:
        raise RuntimeError(
            f"{name}_window requires non-negative window_length, got window_length={length}"
        )
    if length < 2:
        return tensor_of(np.ones(length, element.numpy_dtype))
    if element.is_complex:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{element.type_name}'")
    last = length if periodic else length - 1
    places = cast("Any", np).arange(length, dtype=np.float64)
    return tensor_of(np.asarray(shape(places, last, *numbers)).astype(element.numpy_dtype))


def _bartlett(k: Any, last: int) -> Any:
    return 1 - np.abs(2 * k / last - 1)


def _blackman(k: Any, last: int) -> Any:
    angle = 2 * pi * k / last
    return 0.42 - 0.5 * np.cos(angle) + 0.08 * np.cos(2 * angle)


def _hamming(k: Any, last: int, alpha: float = 0.54, beta: float = 0.46) -> Any:
    return alpha - beta * np.cos(2 * pi * k / last)


def _hann(k: Any, last: int) -> Any:
    return _hamming(k, last, 0.5, 0.5)


def _kaiser(k: Any, last: int, beta: float = 12.0) -> Any:
    ratio = 2 * k / last - 1
    return cast("Any", np).i0(beta * np.sqrt(np.maximum(1 - ratio * ratio, 0))) / cast(
        "Any", np
    ).i0(beta)


def _rule(facts: Any) -> Fact:
    length = facts[0] if isinstance(facts[0], int) else None
    return fresh(None, (length,))


def _declare(name: str, shape: Shape, *overloads: str) -> None:
    """Declare the window, with `periodic` behind the length, and with the numbers that more overloads take."""

    @factory(f"{name}_window", shape=_rule)
    def _(length: int, wanted: int | None) -> Tensor:
        return _window(name, length, True, wanted, shape)

    for overload in ("periodic", *overloads):

        @factory(f"{name}_window.{overload}", shape=_rule)
        def _(length: int, periodic: bool, *rest: Any) -> Tensor:
            *numbers, wanted = rest
            return _window(name, length, periodic, wanted, shape, *numbers)


_declare("bartlett", _bartlett)
_declare("blackman", _blackman)
_declare("hamming", _hamming, "periodic_alpha", "periodic_alpha_beta")
_declare("hann", _hann)
_declare("kaiser", _kaiser, "beta")
