"""Kernels that PyTorch's own functions call, and a few operators of the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND, Aliasing, Origin
from torchscript_dialect.ops.creation.conversion import resize_, store
from torchscript_dialect.ops.creation.factories import check_options
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.fourier import fft
from torchscript_dialect.ops.indexing.embedding import embedding_renorm_
from torchscript_dialect.ops.indexing.indexing import index_put_
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import broadcast_shapes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

# Fourier transforms: 0 is no factor, 1 the root of the count, 2 the count


def factor_of(normalization: int, count: int) -> float:
    """What a transform of so many numbers is multiplied by."""
    return (1.0, 1 / sqrt(count), 1 / count)[normalization] if count else 1.0


def _sizes(x: Tensor, dims: Sequence[int]) -> tuple[list[int], int]:
    axes = [wrap_dim(dim, x.array.ndim) for dim in dims]
    return axes, int(np.prod([x.array.shape[axis] for axis in axes]))


@registry.kernel("_fft_c2c")
@ignores_float_errors
def fft_c2c(x: Tensor, dims: Sequence[int], normalization: int, forward: bool) -> Tensor:
    if not x.dtype.is_complex:
        raise RuntimeError(f"Only supports complex dtypes, but found: {x.dtype.type_name}")
    axes, count = _sizes(x, dims)
    factor = factor_of(normalization, count)
    return tensor_of(fft.complex_to_complex(x.array, axes, forward, factor))


@registry.kernel("_fft_r2c")
@ignores_float_errors
def fft_r2c(x: Tensor, dims: Sequence[int], normalization: int, onesided: bool) -> Tensor:
    axes, count = _sizes(x, dims)
    factor = factor_of(normalization, count)
    return tensor_of(fft.real_to_complex(x.array, axes, factor, onesided=onesided))


@registry.kernel("_fft_c2r")
@ignores_float_errors
def fft_c2r(x: Tensor, dims: Sequence[int], normalization: int, last: int) -> Tensor:
    axes, count = _sizes(x, dims[:-1])
    factor = factor_of(normalization, count * last)
    return tensor_of(
        fft.complex_to_real(x.array, [*axes, wrap_dim(dims[-1], x.array.ndim)], factor, last)
    )


# Indices


@registry.kernel("_index_put_impl_ _index_put_impl_.hacked_twin", shape=lambda facts: facts[0])
def index_put_impl_(
    x: Tensor, indices: Any, values: Tensor, accumulate: bool, _unsafe: bool
) -> Tensor:
    return index_put_(x, indices, values, accumulate)


def _running(name: str, best: str) -> None:
    @registry.kernel(name)
    def _(x: Tensor, values: Tensor, indices: Tensor, dim: int) -> None:
        found = registry.find(f"aten::{best}")
        assert found is not None and found.kernel is not None
        for target, result in zip((values, indices), found.kernel(x, dim)):
            store(target.array, result.array)


_running("_cummax_helper", "cummax")
_running("_cummin_helper", "cummin")


@registry.kernel("repeat_interleave.Tensor")
def repeat_interleave(repeats: Tensor, output_size: int | None) -> Tensor:
    """Each place as often as the tensor says."""
    counts = repeats.array
    if counts.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if repeats.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError("repeats has to be Long or Int tensor")
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    if output_size is not None and output_size != counts.sum():
        raise RuntimeError("allocated size does not match required size")
    return tensor_of(np.repeat(np.arange(len(counts), dtype=counts.dtype), counts))


@registry.kernel(
    "_no_grad_embedding_renorm_",
    aliases=Aliasing(results=Origin.FIRST_OPERAND, writes=((0, False),)),
)
def embedding_renorm(weight: Tensor, indices: Tensor, most: float, degree: float) -> Tensor:
    return embedding_renorm_(weight, indices, most, degree)


# Memory


@registry.kernel("_resize_output_", reshapes=True)
def resize_output_(x: Tensor, sizes: Sequence[int], _device: Any) -> Tensor:
    return resize_(x, sizes, None)


@registry.kernel("_to_cpu")
def to_cpu(tensors: list[Tensor]) -> list[Tensor]:
    return list(tensors)


@registry.kernel("from_file")
def from_file(
    name: str,
    shared: bool | None,
    size: int | None,
    wanted: int | None,
    layout: int | None,
    device: Any,
    pin_memory: bool | None,
) -> Tensor:
    """The first elements of a file; of a shared one, to write to it."""
    check_options(layout, device, pin_memory)
    chosen = dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)
    if (size or 0) < 0:
        raise RuntimeError(f"unable to map the file {name!r}: {size} elements")
    try:
        if shared:
            mapped = np.memmap(name, chosen.numpy_dtype, "r+", 0, (size or 0,))
            return tensor_of(np.asarray(mapped))
        found = np.fromfile(name, chosen.numpy_dtype, size or 0)
    except (OSError, ValueError) as error:
        raise RuntimeError(f"unable to map the file {name!r}: {error}") from None
    if len(found) < (size or 0):
        raise RuntimeError(f"file {name} has fewer than {size} elements of {chosen.type_name}")
    return tensor_of(found)


# Random numbers in the place of a tensor's


def _kernel(name: str) -> Any:
    found = registry.find(f"aten::{name}")
    assert found is not None and found.kernel is not None
    return found.kernel


@registry.kernel("bernoulli.float_out", effects=Effect.RANDOM)
def bernoulli_out(x: Tensor, p: float, generator: Any, out: Tensor) -> Tensor:
    resize_(out, list(x.array.shape), None)
    return _kernel("bernoulli_.float")(out, p, generator)


@registry.kernel("normal.out", effects=Effect.RANDOM)
def normal_out(x: Tensor, mean: float, std: float, generator: Any, out: Tensor) -> Tensor:
    resize_(out, list(x.array.shape), None)
    return _kernel("normal_")(out, mean, std, generator)


# Lists of numbers


registry.implement("Size", list)
registry.implement("broadcast_shapes", lambda a, b: list(broadcast_shapes(a, b)))
registry.implement("_list_to_tensor", lambda numbers: tensor_of(np.asarray(numbers, np.int32)))
registry.implement("_tensor_to_list", lambda x: x.array.reshape(-1).tolist())
registry.implement(
    "_reshape_from_tensor",
    lambda x, sizes: _kernel("reshape")(x, sizes.array.tolist()),
    aliases=MAY_BE_OPERAND,
)
