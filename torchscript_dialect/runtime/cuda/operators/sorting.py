"""Sorts on the device, and what is made of them: see `lowering/gpu/block_sort.py`.

Elements become signed integers that have their order: numbers that are none come last, and 0.0 is -0.0. A sort downwards is one upwards
of what has all bits inverted. All sorts are stable, as those of the host are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

TILE = 1024
"""Elements that a block sorts: `lowering.gpu.block_sort.TILE`."""
MOST = 1 << 30
"""The length of a padded row: places have 32 bits."""
_BITS = {dtypes.float32: (dtypes.int32, 0x7FC00000), dtypes.float64: (dtypes.int64, 0x7FF8 << 48)}
"""The integers of floats, and what stands for all that are no numbers."""
_KEYS = (dtypes.int32, dtypes.int64)


def sorted_places(keys: DeviceArray) -> DeviceArray:
    """The places (rows, length) of sorted integers (rows, length), which have no gaps."""
    rows, length = keys.shape
    element = dtypes.from_name(keys.dtype.name)
    padded = 1 << (length - 1).bit_length()
    exponent, within = padded.bit_length() - 1, min(padded, TILE).bit_length() - 1
    tiles = -(-rows * padded // TILE)
    work = [memory().empty((rows, padded), kind.numpy_dtype) for kind in (element, dtypes.int32)]
    words = [tiles, padded, length, rows, within]
    memory().launch("block_sort", [element], tiles, [keys, work[1], *work], words)
    for stage in range(within + 1, exponent + 1):
        for distance in range(stage - 1, within - 1, -1):
            pairs = rows * padded // 2
            sizes = [pairs, padded, 1 << stage, 1 << distance]
            memory().launch("exchange", [element], -(-pairs // THREADS), work, sizes)
        words[4] = stage
        memory().launch("block_merge", [element], tiles, [*work, *work], words)
    return work[1][:, :length].copy()


def keys_of(x: Tensor, *, descending: bool = False) -> Tensor:
    """Integers that are ordered as the elements are."""
    if x.dtype.is_floating_point and x.dtype not in _BITS:
        x = transfers.of_dtype(x, dtypes.float32)
    if x.dtype in _BITS:
        kind, undefined = _BITS[x.dtype]
        normal = x.masked_fill(x.eq(0), 0.0)
        bits = normal.view(kind).masked_fill(x.isnan(), undefined)
        sign = bits.bitwise_right_shift(8 * kind.itemsize - 1)
        keys = bits.bitwise_xor(sign.bitwise_and((1 << (8 * kind.itemsize - 1)) - 1))
    else:
        keys = x if x.dtype in _KEYS else transfers.of_dtype(x, dtypes.int32)
    return keys.bitwise_not() if descending else keys


def _places(x: Tensor, axis: int, *, descending: bool) -> Tensor:
    """Where the elements of a sorted tensor stood along an axis."""
    turned = x.swapaxes(axis, -1)
    shape = list(turned.array.shape)
    keys = keys_of(turned.reshape([-1, shape[-1]]).contiguous(), descending=descending)
    found = tensor_of(sorted_places(cast("DeviceArray", keys.array)))
    return transfers.of_dtype(found, dtypes.int64).view(shape).swapaxes(axis, -1)


def has_keys(element: dtype) -> bool:
    """Whether there are integers that have the order of elements of a dtype."""
    if element.is_complex or element.is_float8:
        return False
    return element in _KEYS or element in _BITS or element.itemsize <= 2


def can_sort(x: Tensor, dim: int) -> bool:
    """Whether a kernel sorts a tensor along a dimension."""
    rank = x.array.ndim
    if not has_keys(x.dtype) or not x.array.size or not -rank <= dim < rank:
        return False
    return x.array.shape[wrap_dim(dim, rank)] <= MOST


Found = tuple[Tensor, Tensor]


def sorted_rows(x: Tensor, dim: int, *, descending: bool = False) -> Found:
    """The elements of a tensor sorted along a dimension, and where they stood, in the layout of the tensor."""
    axis = wrap_dim(dim, x.array.ndim)
    places = _like(x, _places(x, axis, descending=descending))
    return _like(x, x.gather(axis, places)), places


def _like(x: Tensor, found: Tensor) -> Tensor:
    """The elements of a tensor of the same shape, in the layout of `x`."""
    return tensor_of(empty_like(x.array, found.array.dtype)).copy_(found)


def _sort(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::sort`, with `stable` or without."""
    x, *_, dim, descending = operands
    if not can_sort(x, dim):
        return placed.on_host(operands)
    return sorted_rows(x, dim, descending=descending)


def _argsort(placed: Any, operands: Sequence[Any]) -> Any:
    x, *_, dim, descending = operands
    if not can_sort(x, dim):
        return placed.on_host(operands)
    return _like(x, _places(x, wrap_dim(dim, x.array.ndim), descending=descending))


def _msort(placed: Any, operands: Sequence[Any]) -> Any:
    (x,) = operands
    return sorted_rows(x, 0)[0] if can_sort(x, 0) else placed.on_host(operands)


def _topk(placed: Any, operands: Sequence[Any]) -> Any:
    """The first k of a sort, whether they are to be sorted or not."""
    x, k, dim, largest, _ = operands
    if not can_sort(x, dim) or not 0 < k <= x.array.shape[dim]:
        return placed.on_host(operands)
    axis = wrap_dim(dim, x.array.ndim)
    places = _places(x, axis, descending=largest).narrow(axis, 0, k).contiguous()
    return x.gather(axis, places), places


def _kthvalue(placed: Any, operands: Sequence[Any]) -> Any:
    x, k, dim, keepdim = operands
    if not can_sort(x, dim) or not 1 <= k <= x.array.shape[dim]:
        return placed.on_host(operands)
    values, places = sorted_rows(x, dim)
    found = (one.narrow(dim, k - 1, 1) for one in (values, places))
    return tuple(one.contiguous() if keepdim else one.squeeze(dim).contiguous() for one in found)


SORTING: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::sort": _sort,
    "aten::argsort": _argsort,
    "aten::msort": _msort,
    "aten::topk": _topk,
    "aten::kthvalue": _kthvalue,
}
