"""Native kernels of pooling (`window_ir.py`), which need not be compiled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import prod
from typing import Any

import numpy as np

from torchscript_dialect.backend import (
    Dim,
    KernelSpec,
    ScalarInput,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.runtime.kernels.handwritten import window_ir
from torchscript_dialect.runtime.kernels.handwritten.own_kernels import (
    NAMES,
    kernel_of,
    native_or_nothing,
    nothing,
)
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import RuntimeKernel, load_runtime_code
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

ELEMENT_NS = 2.0


def numbers_of(fields: Sequence[Sequence[int]], divisor: int, counts_padding: bool) -> Tensor:
    """What describes windows: sizes and counts, and of fixed ones kernel, stride, padding and dilation, for each dimension."""
    neutral = (1, 1, 1, 1, 0, 1)
    rows = [[*fields[place]] if place < len(fields) else [] for place in range(len(neutral))]
    words = [
        word
        for row, without in zip(rows, neutral, strict=True)
        for word in [without] * (3 - len(row)) + row
    ]
    return tensor_of(np.asarray([*words, divisor, counts_padding], np.int64))


def over_windows(kind: str, x: Tensor, numbers: Tensor, rank: int, *like: Tensor) -> Any:
    """What a kernel gives for windows of the last `rank` dimensions, `kind` being a kind and a form; None where there is none."""
    native = _native(kind, x.array.dtype.char, x.array.ndim, rank)
    return native(x, *like, numbers)


def returned(grad: Tensor, x: Tensor, places: Tensor, rank: int) -> Tensor | None:
    """The gradients of planes of windows at the places of their elements; None where no kernel does it."""
    shape, given = x.array.shape, grad.array.shape
    native = _native(window_ir.PLACES_BACK, grad.array.dtype.char, grad.array.ndim, rank)
    inner, outer = prod(shape[-rank:]), prod(given[-rank:])
    return native(grad, x, places, inner, outer, grad.array.size)


@lru_cache(maxsize=256)
def _native(kind: str, dtype: str, ndim: int, rank: int) -> Any:
    """What runs a kind of kernel, and gives None for calls that it does not serve."""
    name = NAMES.get(dtype)
    if name is None:
        return nothing
    return native_or_nothing(lambda: _kernel(kind, name, ndim - rank, rank))


def _kernel(kind: str, dtype: str, lead: int, rank: int) -> RuntimeKernel:
    first = window_ir.COUNTS
    before, inner, outer = (
        tuple(Sym(first + place) for place in range(start, start + count))
        for start, count in ((0, lead), (lead, rank), (lead + rank, rank))
    )
    counts = tuple(map(Sym, range(window_ir.COUNTS - rank, window_ir.COUNTS)))
    x, numbers = (*before, *inner), TensorInput("int64", (window_ir.NUMBERS,))
    inputs: tuple[Any, ...] = (TensorInput(dtype, x), numbers)
    outputs: tuple[tuple[Dim, ...], ...] = ((*before, *counts),)
    sizes: str | None = window_ir.SIZES
    if kind == window_ir.PLACES_BACK:
        windows = (*before, *outer)
        scalars = (ScalarInput("int", Sym(word)) for word in range(window_ir.COUNTS))
        given = (TensorInput(dtype, windows), TensorInput(dtype, x), TensorInput("int64", windows))
        inputs, outputs, sizes = (*given, *scalars), (x,), window_ir.PLACES_SIZES
    elif kind.startswith("mean_back"):
        inputs = (TensorInput(dtype, (*before, *outer)), TensorInput(dtype, x), numbers)
        outputs, sizes = (x,), None
    has_places = kind.startswith("places_") and kind != window_ir.PLACES_BACK
    made = [TensorOutput(dtype, shape) for shape in outputs]
    if has_places:
        made.append(TensorOutput("int64", outputs[0]))
    spec = KernelSpec(
        inputs=inputs,
        outputs=tuple(made),
        num_syms=first + lead + 2 * rank,
        total=before,
        returns_tuple=has_places,
        work=x,
        cost_ns=ELEMENT_NS,
    )
    return kernel_of(spec, _code(), f"{kind}_{dtype}", sizes)


@cache
def _code() -> LoadedCode:
    return load_runtime_code("windows", window_ir.window_ir, functions=window_ir.FUNCTIONS)
