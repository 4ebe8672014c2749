"""Sobol sequences, as `torch.quasirandom.SobolEngine` draws them (PyTorch: native/SobolEngineOps.cpp).

A state is (dimensions, 30): for each dimension the 30 direction numbers, of 30 bits, that a point is a sum of, modulo 2 and bit by bit.
`sobol_numbers.txt` has for each dimension but the first its primitive polynomial over two elements, a bit for each coefficient, and as
many first direction numbers as that has degrees; `tools/generate_sobol_numbers.py` writes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pkgutil import get_data
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import Fact, fresh, is_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

BITS = 30

Ints = NDArray[np.int64]


def following(polynomial: int, numbers: Sequence[int]) -> int:
    """The number after so many, at least as many as the polynomial has degrees."""
    degree = polynomial.bit_length() - 1
    made = numbers[-degree] ^ numbers[-degree] << degree
    for k in range(1, degree):
        if polynomial >> degree - k & 1:
            made ^= numbers[-k] << k
    return made


def continued(polynomial: int, first: Sequence[int]) -> list[int]:
    """All direction numbers of a dimension, each as odd number below the power of two that it is a numerator over."""
    numbers = list(first)
    while len(numbers) < BITS:
        numbers.append(following(polynomial, numbers))
    return numbers


@lru_cache(maxsize=1)
def _lines() -> list[str]:
    data = get_data("torchscript_dialect.ops.random", "sobol_numbers.txt")
    assert data is not None
    return data.decode().splitlines()


def _check(state: Tensor, dimension: int, quasi: Tensor | None = None) -> Ints:
    """The state as an array; RuntimeError where it is not one of that many dimensions."""
    array: Any = state.array
    if state.dtype is not dtypes.int64 or array.shape != (dimension, BITS):
        raise RuntimeError(f"Expected a state of int64 and sizes [{dimension}, {BITS}]")
    if quasi is not None and (quasi.dtype is not dtypes.int64 or quasi.array.size != dimension):
        raise RuntimeError(f"Expected a point of int64 and {dimension} elements")
    return array


def _first(facts: Sequence[Fact]) -> Fact:
    return facts[0]


@registry.kernel("_sobol_engine_initialize_state_", shape=_first)
def initialize(state: Tensor, dimension: int) -> Tensor:
    """The direction numbers; RuntimeError for more dimensions than the table has."""
    array = _check(state, dimension)
    lines = _lines()
    if dimension > len(lines) + 1:
        raise RuntimeError(
            f"aten::_sobol_engine_initialize_state_ knows {len(lines) + 1} dimensions, not {dimension}"
        )
    places = np.arange(BITS - 1, -1, -1)
    array[:1] = 1 << places
    for row, line in zip(array[1:], lines):
        polynomial, *first = map(int, line.split())
        row[:] = np.array(continued(polynomial, first)) << places
    return state


def _directions(state: Ints, count: int, drawn: int) -> Ints:
    """The numbers that are added one after the other: for each place that of the lowest bit of its index that is not set."""
    index = drawn + np.arange(count)
    lowest = ~index & -(~index)
    return state.T[np.log2(lowest).astype(np.int64)]


def _points_shape(facts: Sequence[Fact]) -> Fact:
    quasi, count, _, dimension, _, wanted = facts
    element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
    sizes = tuple(each if isinstance(each, int) else None for each in (count, dimension))
    known = is_known(dimension) and isinstance(dimension, int)
    return fresh(element, sizes, quasi), fresh(dtypes.int64, (dimension,) if known else None, quasi)


@registry.kernel("_sobol_engine_draw", shape=_points_shape)
def draw(
    quasi: Tensor, count: int, state: Tensor, dimension: int, drawn: int, wanted: int | None
) -> tuple[Tensor, Tensor]:
    """The next points (count, dimension), and the last of them as integers."""
    directions = _directions(_check(state, dimension, quasi), count, drawn)
    start = quasi.array.reshape(-1)
    points = np.bitwise_xor.accumulate(np.concatenate([start[None], directions]))
    element = dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)
    numbers = points[1:].astype(element.numpy_dtype)
    return tensor_of(numbers * element.numpy_dtype.type(2.0**-BITS)), tensor_of(points[-1].copy())


@registry.kernel("_sobol_engine_ff_", shape=_first)
def skip(quasi: Tensor, count: int, state: Tensor, dimension: int, drawn: int) -> Tensor:
    """The point after so many more."""
    directions = _directions(_check(state, dimension, quasi), count, drawn)
    quasi.array[...] ^= np.bitwise_xor.reduce(directions, axis=0).reshape(quasi.array.shape)
    return quasi


@registry.kernel("_sobol_engine_scramble_", shape=_first)
def scramble(state: Tensor, matrices: Tensor, dimension: int) -> Tensor:
    """Each direction number multiplied by the matrix of its dimension (dimensions, 30, 30), whose diagonal counts as ones, modulo 2."""
    array = _check(state, dimension)
    if matrices.array.shape != (dimension, BITS, BITS):
        raise RuntimeError(f"Expected matrices of sizes [{dimension}, {BITS}, {BITS}]")
    places = np.arange(BITS - 1, -1, -1)
    bits = array[:, :, None] >> places & 1
    lower: Ints = np.where(np.eye(BITS, dtype=np.bool_), 1, matrices.array)
    made = np.einsum("dpk,djk->djp", lower, bits) & 1
    array[...] = (made << places).sum(-1)
    return state
