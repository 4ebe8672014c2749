"""Operators on the device that masks choose elements for. How many those are the host has to know, which waits for the device, as in
PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.places import (
    Axis,
    Operators,
    Selection,
    there,
)
from torchscript_dialect.runtime.cuda.operators.scans import scanned
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.overlap import has_internal_overlap
from torchscript_dialect.tensor.strides import broadcast_shapes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

MASK_DTYPES = (dtypes.bool_, dtypes.uint8)


def chosen(x: Tensor) -> DeviceArray:
    """Where a tensor of some dimensions is not 0: for each dimension the places along it, in the order of the elements."""
    mask = x if x.dtype is dtypes.bool_ else x.ne(0)
    given: Any = mask.array if mask.array.flags.c_contiguous else mask.array.copy()
    rank, size = given.ndim, given.size
    if not size:
        return memory().empty((rank, 0), dtypes.int64.numpy_dtype)
    flat = tensor_of(given.reshape([-1]))
    counts = scanned("add", cast("DeviceArray", transfers.of_dtype(flat, dtypes.int64).array))
    count = int(counts[size - 1].item())
    made = memory().empty((rank, count), dtypes.int64.numpy_dtype)
    if count:
        words = [size, count, *given.shape]
        blocks = -(-size // THREADS)
        memory().launch("chosen_places", [rank], blocks, [given, counts, made], words)
    return made


def places_in(mask: Tensor) -> list[Tensor]:
    """A mask of some dimensions as places along each."""
    found = chosen(mask)
    return [tensor_of(found[dim]) for dim in range(mask.array.ndim)]


def _nonzero(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::nonzero` and `aten::argwhere`, laid out by column."""
    (x,) = operands
    return tensor_of(chosen(x).T) if x.array.ndim else placed.on_host(operands)


def _nonzero_numpy(_: Any, operands: Sequence[Any]) -> list[Tensor]:
    """`aten::nonzero_numpy`: a tensor for each dimension."""
    (x,) = operands
    return places_in(x if x.array.ndim else x.reshape([1]))


def _selected(mask: DeviceArray) -> Selection:
    """What a mask chooses of an array of its shape without gaps, in the order of the elements."""
    places: Any = chosen(tensor_of(mask).reshape([-1]))[0]
    return Selection(places.shape, (None,), (Axis(0, places),))


def _masked_select(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::masked_select`."""
    x, mask = operands
    source, given = there(x), there(mask)
    if source is None or given is None or mask.dtype not in MASK_DTYPES:
        return placed.on_host(operands)
    shape = broadcast_shapes(source.shape, given.shape)
    spread: list[Any] = [np.broadcast_to(cast("Any", one), shape) for one in (source, given)]
    return _selected(spread[1]).read(cast("DeviceArray", tensor_of(spread[0]).reshape([-1]).array))


def _masked_scatter(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::masked_scatter_`."""
    mask, source = operands
    target, given, values = there(x), there(mask), there(source)
    if target is None or given is None or values is None or mask.dtype is not dtypes.bool_:
        return False
    if source.dtype is not x.dtype or broadcast_shapes(target.shape, given.shape) != target.shape:
        return False
    spread: Any = np.broadcast_to(cast("Any", given), target.shape)
    found = _selected(spread)
    (count,) = found.shape
    if count > values.size:
        return False
    dense: Any = target if target.flags.c_contiguous else target.copy()
    found.write(dense.reshape([-1]), source.reshape([-1]).array[:count])
    if dense is not target:
        transfers.assign(x, tensor_of(dense))
    return True


def _masked_fill_(_: Any, operands: Sequence[Any]) -> Any:
    """`aten::masked_fill_` of a tensor whose elements share memory: some are written to, and none read."""
    x, mask, value = operands
    if x.array.__class__ is not DeviceArray or not has_internal_overlap(x.array):
        return NOTHING
    number = transfers.of_dtype(value, x.dtype) if isinstance(value, Tensor) else value
    filler = x.new_zeros([]).fill_(number)
    return call("aten::index_put_", (x, [mask.expand(list(x.array.shape))], filler))


MASKS = Operators(
    {
        "aten::nonzero": _nonzero,
        "aten::argwhere": _nonzero,
        "aten::nonzero_numpy": _nonzero_numpy,
        "aten::masked_select": _masked_select,
        "aten::masked_fill_": _masked_fill_,
    },
    {"aten::masked_scatter": _masked_scatter},
)
