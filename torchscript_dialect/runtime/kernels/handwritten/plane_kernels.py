"""Native kernels of padding and of patches as columns (`plane_ir.py`), which need not be compiled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from torchscript_dialect.backend import KernelSpec, Sym, TensorInput, TensorOutput
from torchscript_dialect.runtime.kernels.handwritten import plane_ir
from torchscript_dialect.runtime.kernels.handwritten.own_kernels import (
    NAMES,
    kernel_of,
    native_or_nothing,
    nothing,
)
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import RuntimeKernel, load_runtime_code
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

ELEMENT_NS = 1.0


def numbers_of_padding(
    sizes: Sequence[int], places: Sequence[Sequence[int]], *, back: bool
) -> Tensor:
    """What describes planes of these sizes, and from where in each dimension the elements of the larger ones come. The result is one of
    the larger, or of what goes `back` one of the smaller.
    """
    without = plane_ir.RESULTS - len(sizes)
    counts = [1] * without + [len(one) for one in places]
    small = [1] * without + [*sizes]
    from_where = [0] * without + [int(place) for one in places for place in one]
    words = [*(small if back else counts), *counts, *small, *_longest_run(places[-1]), *from_where]
    return tensor_of(np.asarray(words, np.int64))


def _longest_run(places: Sequence[int]) -> tuple[int, int, int]:
    """Where the most places stand that follow each other, which is the first of them, and how many there are."""
    best, first = (0, 0, 0), 0
    for place in range(1, len(places) + 1):
        if place == len(places) or places[place] != places[place - 1] + 1:
            if place - first > best[2]:
                best = first, int(places[first]), place - first
            first = place
    return best


def numbers_of_patches(result: Sequence[int], fields: Sequence[Sequence[int]]) -> Tensor:
    """What describes patches: the last sizes of the result; sizes, counts, kernel, dilation, padding and stride of both dimensions."""
    without = [1] * (plane_ir.RESULTS - len(result))
    words = [*without, *result, *(word for field in fields for word in field)]
    return tensor_of(np.asarray(words, np.int64))


def over_planes(kind: str, x: Tensor, numbers: Tensor, rank: int, made: int) -> Tensor | None:
    """What a kernel gives for a tensor whose last `rank` dimensions are a plane, or all planes of an image; the result has `made` of
    its last sizes from the numbers. None where there is no kernel.
    """
    return _native(kind, x.array.dtype.char, x.array.ndim, rank, made)(x, numbers)


@lru_cache(maxsize=256)
def _native(kind: str, dtype: str, ndim: int, rank: int, made: int) -> Any:
    """What runs a kind of kernel, and gives None for calls that it does not serve."""
    name = NAMES.get(dtype)
    if name is None:
        return nothing
    return native_or_nothing(lambda: _kernel(kind, name, ndim - rank, rank, made))


def _kernel(kind: str, dtype: str, lead: int, rank: int, made: int) -> RuntimeKernel:
    results = plane_ir.RESULTS
    symbols = tuple(Sym(results + place) for place in range(lead + rank + 1))
    sizes = tuple(Sym(place) for place in range(results - made, results))
    before, inner, words = symbols[:lead], symbols[lead:-1], symbols[-1]
    # Planes of patches are the channels of an image, which are in one dimension with the elements of patches.
    planes = {
        plane_ir.COLUMNS: (*before, inner[0]),
        plane_ir.COLUMNS_BACK: (*before, sizes[0]),
    }.get(kind, before)
    spec = KernelSpec(
        inputs=(TensorInput(dtype, (*before, *inner)), TensorInput("int64", (words,))),
        outputs=(TensorOutput(dtype, (*before, *sizes)),),
        num_syms=len(symbols) + results,
        total=planes,
        work=(*before, *inner) if kind.endswith("back") else (*before, *sizes),
        cost_ns=ELEMENT_NS,
    )
    return kernel_of(spec, _code(), f"{kind}_{dtype}", plane_ir.SIZES)


@cache
def _code() -> LoadedCode:
    return load_runtime_code("planes", plane_ir.plane_ir, functions=plane_ir.FUNCTIONS)
