"""Padding: borders of a constant, of reflected, repeated or wrapped elements, and their gradients (PyTorch: native/PadNd.cpp,
ReflectionPad.cpp, ReplicationPadding.cpp).

`pad` gives two widths for each dimension, last dimension first; negative ones cut. All but a constant border is one gather along
each dimension, and its gradient the sum that runs the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.images.native_planes import are_native, has_usual_strides, native
from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.layouts import laid_out, laid_out_strides
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.ops.views.views import copied
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import (
    element_strides,
    empty_strided,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
Ints = Sequence[int]
Places = Callable[[int, int, int], NDArray[np.int64]]
"""From the size of a dimension and the widths before and after it to where each element of the result comes from."""


def _widths(pad: Ints) -> list[tuple[int, int]]:
    """The widths before and after each dimension, first dimension first."""
    return [(pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)]


def _shape(facts: Sequence[Fact]) -> Fact:
    sizes, pad = rank_known(facts[0]), facts[1]
    if sizes is None or not is_known(pad) or len(pad) % 2 or len(pad) > 2 * len(sizes):
        return fresh(dtype_of(facts[0]), None, facts[0])
    return replace(fresh(dtype_of(facts[0]), _padded(sizes, pad), facts[0]), strides=None)


def _padded(sizes: Sequence[int | None], pad: Ints) -> tuple[int | None, ...]:
    widths = _widths(pad)
    kept = len(sizes) - len(widths)
    return (
        *sizes[:kept],
        *(None if n is None else n + sum(pair) for n, pair in zip(sizes[kept:], widths)),
    )


@registry.kernel("constant_pad_nd", shape=_shape)
def constant_pad(x: Tensor, pad: Ints, value: complex) -> Tensor:
    """Borders of a constant."""
    array = x.array
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if len(pad) > 2 * array.ndim:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad "
            f"length is {len(pad)} while the input has {array.ndim} dimensions."
        )
    shape = list(array.shape)
    source, target = [slice(None)] * array.ndim, [slice(None)] * array.ndim
    for dim, (before, after) in enumerate(_widths(pad), array.ndim - len(pad) // 2):
        shape[dim] += before + after
        if array.shape[dim] + min(before, 0) + min(after, 0) < 0 <= shape[dim]:
            raise RuntimeError("narrow(): length must be non-negative.")
        if shape[dim] < 0:
            raise RuntimeError(
                f"The input size {array.shape[dim]}, plus negative padding {before} and {after} "
                f"resulted in a negative output size, which is invalid. Check dimension {dim} of "
                "your input."
            )
        source[dim] = slice(max(-before, 0), array.shape[dim] - max(-after, 0))
        target[dim] = slice(max(before, 0), shape[dim] - max(after, 0))
    if all(width <= 0 for width in pad):
        return tensor_of(copied(array[tuple(source)], None))
    format = suggest_memory_format(array.shape, element_strides(array))
    out = empty_strided(shape, strides_for_format(shape, format), array.dtype)
    check_fits(dtypes.of_array(array), value)
    out[...] = np.asarray(value).astype(array.dtype)
    out[tuple(target)] = array[tuple(source)]
    return tensor_of(out)


# Borders made of the elements


def _reflected(size: int, before: int, after: int) -> NDArray[np.int64]:
    at = np.abs(np.arange(size + before + after) - before)
    return np.where(at < size, at, 2 * (size - 1) - at)


def _repeated(size: int, before: int, after: int) -> NDArray[np.int64]:
    return np.clip(np.arange(size + before + after) - before, 0, size - 1)


def _wrapped(size: int, before: int, after: int) -> NDArray[np.int64]:
    """What is cut off is not there to be wrapped."""
    kept = size + min(before, 0) + min(after, 0)
    return (np.arange(size + before + after) - max(before, 0)) % kept + max(-before, 0)


def _gathered(x: Array, pad: Ints, places: Places) -> Array:
    for dim, (before, after) in enumerate(_widths(pad), -(len(pad) // 2)):
        if before or after:
            x = np.take(x, places(x.shape[dim], before, after), dim)
    return x


def _check_sizes(name: str, shape: Ints, pad: Ints) -> None:
    """The input has a batch or not, is empty at most in its batch, and something is left of it."""
    rank = len(pad) // 2
    has_batch = len(shape) == rank + 2
    if len(shape) not in (rank + 1, rank + 2) or not all(shape[has_batch:]):
        raise RuntimeError(
            f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with possibly 0 batch size and "
            f"other non-zero dimensions for input, but got: {list(shape)}"
        )
    sizes = [size + sum(pair) for size, pair in zip(shape[-rank:], _widths(pad))]
    if min(sizes) < 1:
        raise RuntimeError(
            f"{name}: input of size {list(shape[-rank:])} is too small. Calculated output size: {sizes}"
        )


def _check_reflection(name: str, shape: Ints, pad: Ints) -> None:
    for dim, (before, after) in enumerate(_widths(pad), len(shape) - len(pad) // 2):
        if max(before, after) >= shape[dim]:
            raise RuntimeError(
                "Argument #4: Padding size should be less than the corresponding input dimension, but "
                f"got: padding ({before}, {after}) at dimension {dim} of input {list(shape)}"
            )
    _check_sizes(name, shape, pad)


def _check_dtype(name: str, x: Tensor) -> None:
    if x.dtype is dtypes.bool_ or (x.dtype.is_integral and name.endswith("_backward")):
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


def _check_length(pad: Ints, rank: int) -> None:
    if len(pad) != 2 * rank:
        raise RuntimeError(f"padding size is expected to be {2 * rank}, but got: {len(pad)}")


def _declare(name: str, rank: int, places: Places, check: Callable[..., None]) -> None:
    """`reflection_pad1d` and the like, and its gradient."""

    @planned
    def plan(shape: tuple[int, ...], pad: tuple[int, ...]) -> list[NDArray[np.int64]]:
        """From where the elements of each dimension come."""
        _check_length(pad, rank)
        check(name, shape, pad)
        return [
            places(size, before, after)
            for size, (before, after) in zip(shape[-rank:], _widths(pad), strict=True)
        ]

    @planned
    def numbers(shape: tuple[int, ...], pad: tuple[int, ...], *back: bool) -> Tensor:
        return native().numbers_of_padding(shape[-rank:], plan(shape, pad), back=bool(back))

    def kernel(x: Tensor, pad: Ints) -> Tensor:
        shape = x.array.shape
        plan(shape, pad)
        if are_native(x):
            made = native().over_planes("pad", x, numbers(shape, pad), rank, rank)
            if made is not None:
                return made
        _check_dtype(name, x)
        return tensor_of(laid_out(_gathered(x.array, pad, places), x.array))

    @ignores_float_errors
    def backward(grad: Tensor, x: Tensor, pad: Ints) -> Tensor:
        sizes = x.array.shape
        if x.array.size:
            found = plan(sizes, pad)
        else:
            _check_length(pad, rank)
            found = [places(size, *pair) for size, pair in zip(sizes[-rank:], _widths(pad))]
        _check_dtype(f"{name}_backward", grad)
        array = grad.array
        if array.shape != _padded(sizes, pad):
            raise RuntimeError(
                f"grad_output size {list(array.shape)} is not the size of the padded input "
                f"{list(_padded(sizes, pad))}"
            )
        if are_native(grad) and has_usual_strides(x):
            given = numbers(sizes, pad, True)
            made = native().over_planes("pad_back", grad, given, rank, rank)
            if made is not None:
                return made
        total = array.astype(opmath(grad.dtype).numpy_dtype)
        for dim, at in enumerate(found, -rank):
            total = _summed(total, dim, at, sizes[dim])
        return tensor_of(laid_out(total, x.array, array.dtype))

    registry.implement(name, kernel, shape=_shape)
    registry.implement(f"{name}_backward", backward, shape=_like_input)


def _summed(grad: Array, dim: int, places: NDArray[np.int64], size: int) -> Array:
    """To each of `size` places, all that was taken from it."""
    dim %= grad.ndim
    whole = np.zeros((*grad.shape[:dim], size, *grad.shape[dim + 1 :]), grad.dtype)
    combine_at(np.add, whole, (slice(None),) * dim + (places,), grad)
    return whole


def _like_input(facts: Sequence[Fact]) -> Fact:
    grad, x, *_ = facts
    sizes = rank_known(x)
    if sizes is None:
        return NOTHING
    return fresh(dtype_of(grad), sizes, grad, strides=laid_out_strides(x, sizes))


for _rank in (1, 2, 3):
    _declare(f"reflection_pad{_rank}d", _rank, _reflected, _check_reflection)
    _declare(f"replication_pad{_rank}d", _rank, _repeated, _check_sizes)


@registry.kernel("_pad_circular", shape=_shape)
def pad_circular(x: Tensor, pad: Ints) -> Tensor:
    """Borders of the elements of the other end."""
    array = x.array
    rank = len(pad) // 2
    if len(pad) % 2 or array.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Invalid padding size, expected {2 * max(array.ndim - 2, 0)} but got {len(pad)}"
        )
    for size, (before, after) in zip(array.shape[array.ndim - rank :], _widths(pad)):
        if before > size or after > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if size + before + after < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
    return tensor_of(np.array(_gathered(array, pad, _wrapped), order="C"))


# By name


_MODES = ("reflect", "replicate", "circular", "constant")


@registry.kernel("_pad_enum", shape=_shape)
def pad_by_number(x: Tensor, pad: Ints, mode: int, value: float | None) -> Tensor:
    """The border that `mode`, a number, says."""
    rank = x.array.ndim
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * rank:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {rank}"
        )
    if mode == 3:
        return constant_pad(x, pad, 0 if value is None else value)
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{_MODES[mode]}" doesn\'t take in value argument')
    dims = len(pad) // 2
    if dims not in (1, 2, 3) or rank not in (dims + 1, dims + 2):
        raise NotImplementedError(
            "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now"
        )
    if mode == 2:
        return pad_circular(x, pad)
    return _named("reflection" if mode == 0 else "replication", dims)(x, pad)


@lru_cache(maxsize=8)
def _named(base: str, dims: int) -> registry.Kernel:
    """The kernel of a padding by its name."""
    found = registry.find(f"aten::{base}_pad{dims}d")
    assert found is not None
    assert found.kernel is not None
    return found.kernel


@registry.kernel("pad", shape=lambda facts: _shape(facts[:2]))
def pad(x: Tensor, widths: Ints, mode: str, value: float | None) -> Tensor:
    """The border that `mode`, a name, says."""
    if mode not in _MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return pad_by_number(x, widths, _MODES.index(mode), value)
