"""Native kernels of `ops/images/grid_sample.py` (`grid_ir.py`, `grid_back_ir.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from torchscript_dialect.backend import KernelSpec, ScalarInput, Sym, TensorInput, TensorOutput
from torchscript_dialect.runtime.kernels.handwritten import grid_back_ir, grid_ir
from torchscript_dialect.runtime.kernels.handwritten.grid_points_ir import (
    ALIGNS,
    BATCH,
    CHANNELS,
    FIRST_SIZE,
    PADDING,
    TAPS,
)
from torchscript_dialect.runtime.kernels.handwritten.own_kernels import (
    NAMES,
    kernel_of,
    native_or_nothing,
    nothing,
)
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import load_runtime_code
from torchscript_dialect.tensor.tensor import Tensor

_WAYS = tuple(TAPS)
POINT_NS = 10.0


def sampled(pixels: Tensor, points: Tensor, settings: Sequence[int]) -> Tensor | None:
    """What points (images, *outputs, rank) read of pixels (images, channels, *sizes), both contiguous and of one dtype. `settings` are
    PyTorch's numbers for the interpolation and the padding, and `align_corners`. None where there is no kernel for it.
    """
    way, padding, align_corners = settings
    array = pixels.array
    native = sampling(way, array.dtype.char, array.ndim - 2, back=False)
    return native(pixels, points, padding, int(align_corners))


def sampled_back(
    grad: Tensor, pixels: Tensor, points: Tensor, settings: Sequence[int]
) -> tuple[Tensor, Tensor] | None:
    """The gradients of pixels and points by that of what is read, likewise."""
    way, padding, align_corners = settings
    array = pixels.array
    native = sampling(way, array.dtype.char, array.ndim - 2, back=True)
    return native(grad, pixels, points, padding, int(align_corners))


@lru_cache(maxsize=32)
def sampling(way: int, dtype: str, rank: int, *, back: bool) -> Any:
    """What samples images of so many dimensions, or goes back, with elements of a dtype."""
    name = NAMES.get(dtype)
    if (
        name is None
        or rank not in (2, 3)
        or way not in range(len(_WAYS))
        or (rank == 3 and _WAYS[way] == "cubic")
    ):
        return nothing
    return native_or_nothing(lambda: _kernel(_WAYS[way], name, rank, back=back))


def _kernel(way: str, dtype: str, rank: int, *, back: bool) -> Any:
    batch, channels = Sym(BATCH), Sym(CHANNELS)
    sizes, outputs = (
        tuple(Sym(FIRST_SIZE + first + place) for place in range(rank)) for first in (0, rank)
    )
    pixels, points, values = (
        (batch, channels, *sizes),
        (batch, *outputs, rank),
        (batch, channels, *outputs),
    )
    given = (values, pixels, points) if back else (pixels, points)
    made = (pixels, points) if back else (values,)
    numbers = (ScalarInput("int", Sym(PADDING)), ScalarInput("int", Sym(ALIGNS)))
    spec = KernelSpec(
        inputs=(*(TensorInput(dtype, shape) for shape in given), *numbers),
        outputs=tuple(TensorOutput(dtype, shape) for shape in made),
        num_syms=FIRST_SIZE + 2 * rank,
        total=(batch,),
        returns_tuple=back,
        work=values,
        cost_ns=POINT_NS * len(TAPS),
    )
    name = f"{way}_{rank}_{dtype}"
    return kernel_of(spec, _code_back(), f"back_{name}") if back else kernel_of(spec, _code(), name)


@cache
def _code() -> LoadedCode:
    return load_runtime_code("grid", grid_ir.grid_ir, functions=grid_ir.FUNCTIONS)


@cache
def _code_back() -> LoadedCode:
    return load_runtime_code(
        "grid_back", grid_back_ir.grid_back_ir, functions=grid_back_ir.FUNCTIONS
    )
