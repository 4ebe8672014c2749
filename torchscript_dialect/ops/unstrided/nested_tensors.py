"""Nested tensors of their parts, and of padded ones (PyTorch: native/nested/NestedTensorFactories.cpp, NestedTensorUtils.cpp,
NestedTensorMath.cpp). Those of the layout jagged are a class of Python's there, for which no kernel is registered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.unstrided import ON_NESTED
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import cast_array
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import NestedTensor, nested, steps_of

Array = NDArray[Any]


def of_parts(parts: Sequence[Array], like: Array | None = None) -> NestedTensor:
    """A tensor of arrays one after the other in a new buffer; where there are none, of the dtype of `like`."""
    element = parts[0].dtype if parts else (np.zeros(0, np.float32) if like is None else like).dtype
    buffer = np.concatenate([each.reshape(-1) for each in parts]) if parts else np.zeros(0, element)
    if len({each.ndim for each in parts}) > 1:
        raise RuntimeError("All Tensors given to nested_tensor must have the same dimension.")
    shapes = np.asarray([each.shape for each in parts], np.int64).reshape(len(parts), -1)
    steps, starts = contiguous_layout(shapes)
    return nested(buffer, shapes, steps, starts)


def contiguous_layout(shapes: Array) -> tuple[Array, Array]:
    """Strides and starts of tensors of these sizes one after the other."""
    steps = np.asarray([steps_of(shape) for shape in shapes.tolist()], np.int64)
    counts = shapes.prod(axis=1) if shapes.ndim == 2 else np.zeros(len(shapes), np.int64)
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))[: len(shapes)]
    return steps.reshape(shapes.shape), starts


def require_nested(x: Tensor, name: str) -> NestedTensor:
    """The tensor; NotImplementedError for one that is not nested."""
    if not isinstance(x, NestedTensor):
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'CPU' backend."
        )
    return x


def _attach(names: str, function: Callable[[Tensor], Tensor]) -> None:
    registry.kernel(names)(function)
    ON_NESTED(names)(function)


_attach(
    "_nested_tensor_size",
    lambda x: tensor_of(require_nested(x, "_nested_tensor_size").shapes),
)
_attach(
    "_nested_tensor_strides",
    lambda x: tensor_of(require_nested(x, "_nested_tensor_strides").steps),
)
_attach(
    "_nested_tensor_storage_offsets",
    lambda x: tensor_of(require_nested(x, "_nested_tensor_storage_offsets").starts),
)


@registry.kernel("_nested_compute_contiguous_strides_offsets")
def strides_and_offsets(shapes: Tensor) -> tuple[Tensor, Tensor]:
    steps, starts = contiguous_layout(shapes.array)
    return tensor_of(steps), tensor_of(starts)


@registry.kernel("_nested_tensor_from_tensor_list")
def from_list(
    tensors: list[Tensor],
    wanted: int | None,
    _layout: int | None,
    _device: Any,
    _pin_memory: bool | None,
) -> Tensor:
    parts = [each.array for each in tensors]
    if wanted is not None:
        parts = [cast_array(each, dtypes.from_scalar_type(wanted)) for each in parts]
    if len({each.dtype for each in parts}) > 1:
        raise RuntimeError("All Tensors given to nested_tensor must have the same dtype.")
    return of_parts(parts)


def _view_of_buffer(buffer: Tensor, shapes: Tensor, steps: Tensor, starts: Tensor) -> Tensor:
    if buffer.array.ndim != 1:
        raise RuntimeError("_nested_view_from_buffer: expected a buffer of one dimension")
    sizes, strides, begins = shapes.array, steps.array, starts.array
    if sizes.shape != strides.shape or len(sizes) != len(begins):
        raise RuntimeError("_nested_view_from_buffer: sizes, strides and offsets do not match")
    last = begins + ((sizes - 1) * strides).sum(axis=1)
    is_empty = (sizes == 0).any(axis=1)
    if ((begins < 0) | (last >= buffer.array.size) | (strides < 0).any(axis=1))[~is_empty].any():
        raise RuntimeError("_nested_view_from_buffer: a tensor reaches outside of the buffer")
    return nested(buffer.array, sizes, strides, begins)


registry.implement("_nested_view_from_buffer", _view_of_buffer)


@registry.kernel("_nested_view_from_buffer_copy")
def copy_of_buffer(buffer: Tensor, shapes: Tensor, steps: Tensor, starts: Tensor) -> Tensor:
    return _view_of_buffer(tensor_of(buffer.array.copy()), shapes, steps, starts)


# Padded tensors


@ON_NESTED("to_padded_tensor nested_to_padded_tensor")
def to_padded(x: NestedTensor, padding: float, size: Sequence[int] | None) -> Tensor:
    """A strided tensor as large as the largest part, or of a size that is told."""
    if not x.is_contiguous():
        raise RuntimeError("for now to_padded_tensor only supports contiguous nested tensor")
    if not len(x.shapes):
        return tensor_of(np.zeros(0, x.elements.dtype))
    needed = [len(x.shapes), *x.shapes.max(axis=0).tolist()]
    wanted = needed if size is None else list(size)
    if len(wanted) != len(needed):
        raise RuntimeError(
            f"Length of output_size ({len(wanted)}) must equal the dimension of the nested tensor ({len(needed)})"
        )
    if any(one < other for one, other in zip(wanted, needed)):
        raise RuntimeError(
            "Value in output_size is less than NestedTensor padded size. Truncation is not supported."
        )
    result = np.full(wanted, padding, x.elements.dtype)
    for row, part in zip(result, x.parts()):
        row[tuple(slice(0, n) for n in part.shape)] = part
    return tensor_of(result)


@registry.kernel("to_padded_tensor nested_to_padded_tensor")
def padded_strided(x: Tensor, _padding: float, _size: Sequence[int] | None) -> Tensor:
    require_nested(x, "to_padded_tensor")
    return x


@registry.kernel("_nested_from_padded")
def from_padded(padded: Tensor, shapes: Tensor, fused: bool) -> Tensor:
    """The parts of these sizes in the corners of a padded tensor; where `fused` their first two inner dimensions change places."""
    rows = padded.array
    if fused:
        rows = rows.swapaxes(1, 2)
    if shapes.array.ndim != 2 or shapes.array.shape != (len(rows), rows.ndim - 1):
        raise RuntimeError(f"dim: {rows.ndim - 1}target_size: {shapes.array.shape[-1]}")
    parts = [
        np.ascontiguousarray(row[tuple(slice(0, n) for n in shape)])
        for row, shape in zip(rows, shapes.array.tolist())
    ]
    return of_parts(parts, rows)


@registry.kernel("_nested_from_padded_and_nested_example")
def from_padded_like(padded: Tensor, example: Tensor) -> Tensor:
    known = require_nested(example, "_nested_from_padded_and_nested_example")
    return from_padded(padded, tensor_of(known.shapes), False)


ON_NESTED("_nested_from_padded_and_nested_example")(from_padded_like)


def _is_left_aligned(mask: Array) -> bool:
    return bool((mask[:, 1:] <= mask[:, :-1]).all())


@registry.kernel("_nested_tensor_from_mask")
def from_mask(x: Tensor, mask: Tensor, check: bool) -> Tensor:
    """The rows of each batch that a mask keeps, from the first on."""
    kept = mask.array
    if kept.ndim != 2 or x.array.ndim != 3 or kept.shape != x.array.shape[:2]:
        raise RuntimeError(
            "Padding mask should be 2D, of the first two sizes of the input, which should be 3D"
        )
    if check and not _is_left_aligned(kept):
        raise RuntimeError("Mask must be left-aligned without gaps")
    counts = kept.sum(axis=1).tolist()
    return of_parts([row[:count] for row, count in zip(x.array, counts)], x.array)


@registry.kernel("_nested_tensor_from_mask_left_aligned")
def is_left_aligned(_x: Tensor, mask: Tensor) -> bool:
    return _is_left_aligned(mask.array)


# Rows one after the other, and where each part begins


def _bounds(offsets: list[Tensor], name: str) -> list[int]:
    if len(offsets) != 1:
        raise NotImplementedError(f"{name}: only one jagged dimension is supported")
    found: list[int] = offsets[0].array.tolist()
    if not found or found[0] or any(b < a for a, b in pairwise(found)):
        raise RuntimeError(f"{name}: offsets must begin with 0 and grow")
    return found


@registry.kernel("_jagged_to_padded_dense_forward")
def jagged_to_padded(
    values: Tensor, offsets: list[Tensor], lengths: list[int], padding: float
) -> Tensor:
    ends = _bounds(offsets, "_jagged_to_padded_dense_forward")
    rows = values.array
    if ends[-1] > len(rows):
        raise RuntimeError("_jagged_to_padded_dense_forward: offsets reach beyond the values")
    result = np.full((len(ends) - 1, lengths[0], *rows.shape[1:]), padding, rows.dtype)
    for part, (start, end) in zip(result, pairwise(ends)):
        count = min(end - start, lengths[0])
        part[:count] = rows[start : start + count]
    return tensor_of(result)


@registry.kernel("_padded_dense_to_jagged_forward")
def padded_to_jagged(padded: Tensor, offsets: list[Tensor], total: int | None) -> Tensor:
    ends = _bounds(offsets, "_padded_dense_to_jagged_forward")
    rows = padded.array
    if len(ends) - 1 != len(rows):
        raise RuntimeError("_padded_dense_to_jagged_forward: offsets do not match the batch")
    count = ends[-1] if total is None else total
    result = np.zeros((count, *rows.shape[2:]), rows.dtype)
    for part, start, end in zip(rows, ends, ends[1:]):
        length = min(end - start, rows.shape[1], max(count - start, 0))
        result[start : start + length] = part[:length]
    return tensor_of(result)
