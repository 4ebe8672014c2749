"""Operators on the device whose operands hold places along a dimension: what they read, or write, is copied by one kernel. A place that
is beyond the dimension ends the kernel, which a later call tells, as in PyTorch.
"""

from __future__ import annotations

from array import array as words_of
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.backend import get_backend
from torchscript_dialect.runtime.cuda.arrays import MOST_BYTES_A_ELEMENT, THREADS, memory
from torchscript_dialect.runtime.cuda.driver import driver
from torchscript_dialect.runtime.cuda.kernel import Geometry, Kernel
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Own = Callable[[Any, Sequence[Any]], Any]
PLACES = (dtypes.int32, dtypes.int64)


def _kernel(rank: int, size: int, place_size: int, *, writes: bool) -> Kernel:
    key = (rank, size, place_size, writes)
    found = memory().copiers.get(key)
    if found is None:
        backend: Any = get_backend("ptx")
        name, text = backend.indexed_copy(
            rank, 8 * size, 8 * place_size, driver().capability, writes=writes
        )
        found = memory().copiers[key] = Kernel(driver(), text, name)
    return found


def _copy(
    source: DeviceArray,
    target: DeviceArray,
    places: DeviceArray,
    axis: int,
    *,
    writes: bool = False,
) -> None:
    """Copy to or from the `places` along an axis of the target (`writes`), or the source; the other two have one shape."""
    shape = places.shape
    if not places.size:
        return
    indexed = target if writes else source
    words = words_of("q", [places.size])
    for dim, size in enumerate(shape):
        steps = [one.strides[dim] // one.itemsize for one in (source, target, places)]
        if dim == axis:
            steps[int(writes)] = 0
        words.extend((size, *steps))
    words.extend((indexed.shape[axis], indexed.strides[axis] // indexed.itemsize, 0))
    addresses = words_of("Q", [data_pointer(one) for one in (source, places, target)])
    kernel = _kernel(len(shape), source.itemsize, places.itemsize, writes=writes)
    geometry = Geometry((-(-places.size // THREADS), 1, 1), (THREADS, 1, 1))
    kernel.launch(geometry, addresses.tobytes() + words.tobytes())


def _there(x: Any) -> DeviceArray | None:
    """The array of a tensor on the device whose elements a kernel copies."""
    if not isinstance(x, Tensor) or x.array.__class__ is not DeviceArray:
        return None
    return cast("DeviceArray", x.array) if x.array.itemsize <= MOST_BYTES_A_ELEMENT else None


def _index_select(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::index_select`; what is wrong with operands the host says."""
    x, dim, index = operands
    source, places = _there(x), _there(index)
    if source is None or places is None or not source.ndim or places.ndim > 1:
        return placed.on_host(operands)
    if index.dtype not in PLACES or not -source.ndim <= dim < source.ndim:
        return placed.on_host(operands)
    axis = wrap_dim(dim, source.ndim)
    shape = (*source.shape[:axis], places.size, *source.shape[axis + 1 :])
    made = memory().empty(shape, source.dtype)
    steps = [0] * source.ndim
    steps[axis] = places.strides[0] if places.ndim else 0
    _copy(source, made, places.restrided(shape, steps), axis)
    return tensor_of(made)


def _gather(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::gather`."""
    x, dim, index = operands[:3]
    source, places = _there(x), _there(index)
    if source is None or places is None or not _fit(source, places, dim, index):
        return placed.on_host(operands)
    made = memory().empty(places.shape, source.dtype)
    _copy(source, made, places, wrap_dim(dim, source.ndim))
    return tensor_of(made)


def _fit(indexed: DeviceArray, places: DeviceArray, dim: int, index: Tensor) -> bool:
    """Whether places of all dimensions lie in a tensor but for the one along which they are given."""
    rank = indexed.ndim
    if not rank or places.ndim != rank or index.dtype not in PLACES or not -rank <= dim < rank:
        return False
    axis = wrap_dim(dim, rank)
    pairs = enumerate(zip(places.shape, indexed.shape, strict=True))
    return all(size <= most for number, (size, most) in pairs if number != axis)


def _scatter(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::scatter` of a tensor or a number. Where places repeat, one of the elements stays."""
    x, dim, index, value, *rest = operands
    target, places = _there(x), _there(index)
    if rest or target is None or places is None or not _fit(target, places, dim, index):
        return placed.on_host(operands)
    if not isinstance(value, Tensor):
        check_fits(x.dtype, value)
        number = memory().from_host(np.asarray(value).astype(target.dtype))
        source = cast("DeviceArray", np.broadcast_to(number, places.shape))
    else:
        source = _there(value)
        if source is None or value.dtype is not x.dtype or not _fit(source, places, dim, index):
            return placed.on_host(operands)
        if source.shape[dim] < places.shape[dim]:
            return placed.on_host(operands)
        source = source.restrided(places.shape, source.strides)
    made: DeviceArray = target.copy()
    _copy(source, made, places, wrap_dim(dim, target.ndim), writes=True)
    return tensor_of(made)


INDEXING: dict[str, Own] = {
    "aten::index_select": _index_select,
    "aten::gather": _gather,
    "aten::scatter": _scatter,
}
