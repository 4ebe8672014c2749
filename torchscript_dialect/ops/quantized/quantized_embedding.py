"""Embeddings whose rows are quantized each by itself (PyTorch: native/quantized/cpu/qembeddingbag.cpp, qembeddingbag_prepack.cpp).

A packed row holds its integers, of 8, 4 or 2 bits, and then its scale and its smallest number: as float32 beside 8 bits, as float16
beside fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.quantized.packed_params import EmbeddingPackedParams
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.quantizer import PerChannel, ints, quantizer_of
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]


def _rows(weight: Tensor) -> Array:
    if weight.dtype not in (dtypes.float32, dtypes.float16):
        raise RuntimeError(
            f"'embedding_bag' prepack expect weight data type to be float32 or float16, but got {weight.dtype}"
        )
    return weight.array.astype(np.float32)


def _packed_bytes(rows: Array, low: Array, high: Array) -> Array:
    span = high - low
    scale = span / np.float32(255)
    steps = np.rint((rows - low) * (np.float32(255) / (span + np.float32(1e-8))))
    held = steps.astype(np.int64).astype(np.uint8)  # modulo 256, as in PyTorch
    ends = np.concatenate((scale, low), axis=-1).astype(np.float32)
    return np.concatenate((held, np.ascontiguousarray(ends).view(np.uint8)), axis=-1)


def _ends(rows: Array) -> tuple[Array, Array]:
    if not rows.shape[-1]:
        raise RuntimeError("embedding_bag prepack expects rows that are not empty")
    return rows.min(axis=-1, keepdims=True), rows.max(axis=-1, keepdims=True)


@registry.kernel("quantized::embedding_bag_byte_prepack")
def pack_bytes(weight: Tensor) -> Tensor:
    rows = _rows(weight)
    return tensor_of(_packed_bytes(rows, *_ends(rows)))


@registry.kernel("quantized::embedding_bag_byte_prepack_with_rowwise_min_max")
def pack_bytes_between(weight: Tensor, ends: Tensor) -> Tensor:
    limits = ends.array.astype(np.float32)
    return tensor_of(_packed_bytes(_rows(weight), limits[..., :1], limits[..., 1:]))


@registry.kernel("quantized::embedding_bag_byte_unpack")
def unpack_bytes(packed: Tensor) -> Tensor:
    return tensor_of(_numbers(packed.array, 8))


def _packed_bits(rows: Array, low: Array, high: Array, bits: int) -> Array:
    """Rows of integers of few bits, the first in the lowest bits of a byte."""
    each = 8 // bits
    if rows.shape[-1] % each:
        raise RuntimeError(
            f"embedding_bag_{bits}bit_prepack only works for the number of columns a multiple of {each}"
        )
    low = low.astype(np.float16).astype(np.float32)
    top = (1 << bits) - 1
    scale = ((high - low) / np.float32(top)).astype(np.float16).astype(np.float32)
    scale = np.where(scale == 0, np.float32(1), scale)
    inverse = np.float32(1) / scale
    is_tiny = np.isinf(inverse)
    scale, inverse = (
        np.where(is_tiny, np.float32(1), scale),
        np.where(is_tiny, np.float32(1), inverse),
    )
    held = np.clip(np.rint((rows - low) * inverse), 0, top).astype(np.uint8)
    packed = np.zeros((*rows.shape[:-1], rows.shape[-1] // each), np.uint8)
    for place in range(each):
        packed |= held[..., place::each] << np.uint8(place * bits)
    ends = np.concatenate((scale, low), axis=-1).astype(np.float16)
    return np.concatenate((packed, np.ascontiguousarray(ends).view(np.uint8)), axis=-1)


def _numbers(packed: Array, bits: int) -> Array:
    """The numbers that packed rows stand for."""
    kind = np.dtype(np.float32 if bits == 8 else np.float16)
    count = packed.shape[-1] - 2 * kind.itemsize
    ends = np.ascontiguousarray(packed[..., count:]).view(kind).astype(np.float32)
    held, each = packed[..., :count], 8 // bits
    steps = np.zeros((*packed.shape[:-1], count * each), np.float32)
    for place in range(each):
        steps[..., place::each] = held >> np.uint8(place * bits) & np.uint8((1 << bits) - 1)
    exact = steps.astype(np.float64) * ends[..., :1] + ends[..., 1:]
    return exact.astype(np.float32)


# Bags


def bags(
    rows: Array,
    indices: Tensor,
    offsets: Tensor | None,
    weights: Tensor | None,
    mapping: Tensor | None,
    *,
    has_last: bool,
    name: str,
) -> Tensor:
    """Sums of rows; `mapping` says which row an index means, -1 for none."""
    places = indices.array
    if places.ndim == 2:
        if offsets is not None:
            raise RuntimeError(f"{name} expects offsets not to be set for 2D indices.")
        starts = [row * places.shape[1] for row in range(places.shape[0])]
        ends = [start + places.shape[1] for start in starts]
    elif places.ndim == 1:
        if offsets is None:
            raise RuntimeError(f"{name} expects offsets to be set for 1D indices.")
        starts: list[int] = offsets.array.tolist()
        ends = [*starts[1:], places.size]
        if has_last:
            starts, ends = starts[:-1], ends[:-1]
    else:
        raise RuntimeError(f"{name} supports 1 or 2 dimensional indices.")
    flat = places.reshape(-1).astype(np.int64)
    if mapping is not None:
        flat = mapping.array.astype(np.int64)[_checked(flat, mapping.array.size)]
    kept = flat >= 0
    flat = (
        _checked(np.where(kept, flat, 0), len(rows))
        if mapping is not None
        else _checked(flat, len(rows))
    )
    scales = np.ones(flat.size, np.float32) if weights is None else weights.array.reshape(-1)
    result = np.zeros((len(starts), rows.shape[1]), np.float32)
    for number, (start, end) in enumerate(zip(starts, ends)):
        for place in range(start, end):
            if kept[place]:
                result[number] += rows[flat[place]] * np.float32(scales[place])
    return tensor_of(result)


def _checked(places: Array, count: int) -> Array:
    if places.size and (places.min() < 0 or places.max() >= count):
        raise RuntimeError(f"Expect idx to be in the range from 0 to {count - 1}")
    return places


def _of_offsets(table: Callable[[Any], Array], name: str) -> Callable[..., Tensor]:
    """The kernel of bags over what `table` makes rows of numbers."""

    def kernel(
        packed: Any,
        indices: Tensor,
        offsets: Tensor | None,
        _scale: bool,
        _mode: int,
        pruned: bool,
        weights: Tensor | None,
        mapping: Tensor | None,
        has_last: bool,
    ) -> Tensor:
        """PyTorch sums, whatever the mode is."""
        mapping = mapping if pruned else None
        return bags(table(packed), indices, offsets, weights, mapping, has_last=has_last, name=name)

    return kernel


def _packing(bits: int) -> Callable[..., Tensor]:
    def kernel(weight: Tensor, optimized: bool, _bins: int, _ratio: float) -> Tensor:
        _refuse_search(optimized)
        rows = _rows(weight)
        return tensor_of(_packed_bits(rows, *_ends(rows), bits))

    return kernel


def _packing_between(bits: int) -> Callable[..., Tensor]:
    def kernel(weight: Tensor, ends: Tensor, optimized: bool, _bins: int, _ratio: float) -> Tensor:
        _refuse_search(optimized)
        limits = ends.array.astype(np.float32)
        return tensor_of(_packed_bits(_rows(weight), limits[..., :1], limits[..., 1:], bits))

    return kernel


def _refuse_search(optimized: bool) -> None:
    if optimized:
        raise NotImplementedError("embedding_bag prepack: optimized_qparams=True is not supported")


def _packed_table(bits: int) -> Callable[[Tensor], Array]:
    return lambda packed: _numbers(packed.array, bits)


registry.implement(
    "quantized::embedding_bag_byte_rowwise_offsets",
    _of_offsets(_packed_table(8), "embedding_bag_byte"),
)
for _bits in (4, 2):
    _name = f"quantized::embedding_bag_{_bits}bit"
    registry.implement(f"{_name}_prepack", _packing(_bits))
    registry.implement(f"{_name}_prepack_with_rowwise_min_max", _packing_between(_bits))
    registry.implement(
        f"{_name}_unpack", lambda packed, bits=_bits: tensor_of(_numbers(packed.array, bits))
    )
    registry.implement(
        f"{_name}_rowwise_offsets",
        _of_offsets(_packed_table(_bits), f"embedding_bag_{_bits}bit"),
    )


# Packed weights as objects


registry.implement("quantized::embedding_bag_prepack", EmbeddingPackedParams)
registry.implement("quantized::embedding_bag_unpack", lambda params: params.weight)


def _table(params: EmbeddingPackedParams) -> Array:
    """The numbers of a table of bytes: `integer * scale - zero_point * scale`."""
    known = quantizer_of(params.weight.array)
    assert isinstance(known, PerChannel)
    scale = known.scales.astype(np.float32)[:, None]
    offset = -(known.zero_points.astype(np.float32)[:, None] * scale)
    exact = ints(params.weight.array).astype(np.float64) * scale + offset
    return exact.astype(np.float32)


@registry.kernel("quantized::embedding_byte")
def embedding_byte(params: EmbeddingPackedParams, indices: Tensor, _pruned: bool) -> Tensor:
    rows = _table(params)
    places = _checked(indices.array, len(rows))
    if places.ndim not in (1, 2):
        raise RuntimeError("embedding_byte supports 1 or 2 dimensional indices.")
    return tensor_of(rows[places])


registry.implement("quantized::embedding_bag_byte", _of_offsets(_table, "embedding_bag_byte"))
