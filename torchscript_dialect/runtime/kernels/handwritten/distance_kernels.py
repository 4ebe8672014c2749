"""The native way of distances between rows: kernels of the runtime's own (`distance_ir.py`)."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import numpy as np

from torchscript_dialect.backend import KernelSpec, Sym, TensorInput, TensorOutput
from torchscript_dialect.runtime.kernels.handwritten import distance_ir
from torchscript_dialect.runtime.kernels.handwritten.distance_ir import (
    BACK_NORMS,
    BETWEEN,
    FIRST_SIZE,
    NORMS,
    OTHERS,
    PAIRS,
    ROWS,
    WIDTH,
)
from torchscript_dialect.runtime.kernels.handwritten.own_kernels import (
    NAMES,
    kernel_of,
    native_or_nothing,
    nothing,
)
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import load_runtime_code
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

ELEMENT_NS = 0.5


def between(p: float, rows: Tensor, others: Tensor) -> Tensor | None:
    """The p-norms of the differences of each of `rows` (..., count, width) and each of `others`; all tensors are of one dtype. None
    where there is no kernel for it.
    """
    array = rows.array
    return kernel(BETWEEN, p, array.dtype.char, array.ndim)(_whole(rows), _whole(others))


def pairs(p: float, rows: Tensor) -> Tensor | None:
    """The p-norms of the differences of each row (count, width) and those behind it, likewise."""
    return kernel(PAIRS, p, rows.array.dtype.char, 2)(_whole(rows))


def between_back(
    grad: Tensor, rows: Tensor, others: Tensor, p: float, distances: Tensor
) -> Tensor | None:
    """The gradients of rows by those of distances, likewise."""
    array = rows.array
    run = kernel(BETWEEN, p, array.dtype.char, array.ndim, back=True)
    return run(*map(_whole, (grad, rows, others, distances)))


def pairs_back(grad: Tensor, rows: Tensor, p: float, distances: Tensor) -> Tensor | None:
    """The same for pairs of rows."""
    run = kernel(PAIRS, p, rows.array.dtype.char, 2, back=True)
    return run(*map(_whole, (grad, rows, distances)))


def _whole(x: Tensor) -> Tensor:
    """A tensor, or a contiguous one with its elements."""
    return x if x.array.flags.c_contiguous else tensor_of(np.ascontiguousarray(x.array))


@lru_cache(maxsize=64)
def kernel(what: str, p: float, dtype: str, rank: int, *, back: bool = False) -> Any:
    """What runs a kernel for a norm, a dtype and matrices of so many dimensions."""
    name, norm = NAMES.get(dtype), f"{p:g}"
    if name is None or norm not in (BACK_NORMS if back else NORMS) or rank < 2:
        return nothing
    spec, sizes = _between(name, rank - 2, back) if what == BETWEEN else _pairs(name, back)
    full_name = f"{what}_{'back_' if back else ''}{norm}_{name}"
    return native_or_nothing(lambda: kernel_of(spec, _code(), full_name, sizes))


def _between(dtype: str, lead: int, back: bool) -> tuple[KernelSpec, str | None]:
    before = tuple(Sym(FIRST_SIZE + place) for place in range(lead))
    rows, others, made = (
        (*before, Sym(first), Sym(second))
        for first, second in ((ROWS, WIDTH), (OTHERS, WIDTH), (ROWS, OTHERS))
    )
    given = (made, rows, others, made) if back else (rows, others)
    spec = KernelSpec(
        inputs=tuple(TensorInput(dtype, shape) for shape in given),
        outputs=(TensorOutput(dtype, rows if back else made),),
        num_syms=FIRST_SIZE + lead,
        total=(*before, Sym(ROWS)),
        work=(*made, Sym(WIDTH)),
        cost_ns=ELEMENT_NS,
    )
    return spec, None


def _pairs(dtype: str, back: bool) -> tuple[KernelSpec, str | None]:
    rows, made = (Sym(ROWS), Sym(WIDTH)), (Sym(OTHERS),)
    given = (made, rows, made) if back else (rows,)
    spec = KernelSpec(
        inputs=tuple(TensorInput(dtype, shape) for shape in given),
        outputs=(TensorOutput(dtype, rows if back else made),),
        num_syms=FIRST_SIZE,
        total=(),
        work=(*made, Sym(WIDTH)),
        cost_ns=ELEMENT_NS,
    )
    return spec, distance_ir.BACK_SIZES if back else distance_ir.PAIRS_SIZES


@cache
def _code() -> LoadedCode:
    return load_runtime_code("distances", distance_ir.distance_ir, functions=distance_ir.FUNCTIONS)
