"""Operators on the device that index several dimensions at once, or all elements in their order: `aten::index`, `aten::index_put`,
`aten::take`, `aten::put`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.masks import MASK_DTYPES, places_in
from torchscript_dialect.runtime.cuda.operators.places import (
    Axis,
    Operators,
    Selection,
    combining_dtype,
    places_of,
    there,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.strides import common_shape
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def _selection(x: DeviceArray, indices: Sequence[Tensor | None]) -> Selection | None:
    """What indices name; None where they do not fit, and the host says why."""
    given: list[tuple[int, Tensor]] = []
    kept: list[int] = []
    dim = 0
    for index in indices:
        if index is None:
            kept.append(dim)
            dim += 1
            continue
        found = _as_places(x, dim, index)
        if found is None:
            return None
        given.extend((dim + number, one) for number, one in enumerate(found))
        dim += len(found)
    if dim > x.ndim or not given:
        return None
    kept.extend(range(dim, x.ndim))
    return _walked(x, given, kept)


def _as_places(x: DeviceArray, dim: int, index: Tensor) -> list[Tensor] | None:
    """An index as places along the dimensions that it stands for; None where it fits none."""
    on_device = transfers.to_device(index, memory().device)
    if index.dtype in MASK_DTYPES:
        shape = index.array.shape
        if not shape or shape != x.shape[dim : dim + len(shape)]:
            return None
        return places_in(on_device)
    if index.dtype is dtypes.int32:
        return [transfers.of_dtype(on_device, dtypes.int64)]
    return [on_device] if index.dtype is dtypes.int64 else None


def _walked(
    x: DeviceArray, given: Sequence[tuple[int, Tensor]], kept: Sequence[int]
) -> Selection | None:
    """The dimensions of the places stand where the first indexed one stood if no other stands between them, otherwise in front."""
    shape = common_shape(*(one.array.shape for _, one in given))
    if shape is None:
        return None
    dims = [dim for dim, _ in given]
    is_together = dims == list(range(dims[0], dims[0] + len(dims)))
    before = [dim for dim in kept if is_together and dim < dims[0]]
    after = kept[len(before) :]
    order = (*before, *[None] * len(shape), *after)
    sizes = (
        *(x.shape[dim] for dim in before),
        *shape,
        *(x.shape[dim] for dim in after),
    )
    axes: list[Axis] = []
    for dim, one in given:
        places: Any = one.array
        spread: Any = np.broadcast_to(places, shape)
        steps = (*[0] * len(before), *spread.strides, *[0] * len(after))
        axes.append(Axis(dim, places.restrided(sizes, steps), from_end=True))
    return Selection(sizes, order, tuple(axes))


def check_indices(x: Tensor, indices: Sequence[Tensor | None]) -> None:
    """RuntimeError where a tensor of the host is indexed by some of a device."""
    if x.array.__class__ is not DeviceArray and any(
        one is not None and one.array.__class__ is DeviceArray for one in indices
    ):
        raise RuntimeError(
            "indices should be either on cpu or on the same device as the indexed tensor (cpu)"
        )


def _index(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::index`."""
    x, indices = operands
    if isinstance(x, Tensor):  # and no list that is asked for the place of one
        check_indices(x, indices)
    source = there(x)
    found = None if source is None else _selection(source, indices)
    if source is None or found is None:
        return placed.on_host(operands)
    return found.read(source, found.strides(source))


def index_put(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::index_put_`; a value of one element may be on the host."""
    indices, values, accumulate = operands[:3]
    target = there(x)
    found = None if target is None else _selection(target, indices)
    if target is None or found is None or values.dtype is not x.dtype:
        return False
    if values.array.__class__ is not DeviceArray:
        if values.array.ndim:
            return False
        values = transfers.to_device(values, memory().device)
    if common_shape(values.array.shape, found.shape) != found.shape:
        return False
    if not accumulate:
        found.write(target, values.array)
        return True
    if combining_dtype(x) is None:
        return False
    found.combine("add", x, values)
    return True


def _flat(x: DeviceArray, index: Any) -> Selection | None:
    """What is at places that are counted through a whole array, which has no gaps."""
    places = places_of(index)
    if places is None or index.dtype is not dtypes.int64 or (places.size and not x.size):
        return None
    dims = (None,) * places.ndim
    return Selection(places.shape, dims, (Axis(0, places, from_end=True),))


def _take(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::take`."""
    x, index = operands
    source = there(x)
    found = None if source is None else _flat(source, index)
    if source is None or found is None:
        return placed.on_host(operands)
    return found.read(cast("DeviceArray", x.reshape([-1]).array))


def put(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::put_`."""
    index, source, accumulate = operands
    target, values = there(x), there(source)
    if target is None or values is None or source.dtype is not x.dtype:
        return False
    found = _flat(target, index)
    if found is None or index.array.size != values.size:
        return False
    if accumulate and combining_dtype(x) is None:
        return False
    dense = target if target.flags.c_contiguous else cast("DeviceArray", target.copy())
    flat = tensor_of(dense.reshape([-1]))
    given = source.reshape(list(found.shape))
    if accumulate:
        found.combine("add", flat, given)
    else:
        found.write(cast("DeviceArray", flat.array), given.array)
    if dense is not target:
        transfers.assign(x, tensor_of(dense))
    return True


PLACE_KEYS = Operators(
    {"aten::index": _index, "aten::_unsafe_index": _index, "aten::take": _take},
    {
        "aten::index_put": index_put,
        "aten::_index_put_impl": index_put,
        "aten::_unsafe_index_put": index_put,
        "aten::put": put,
    },
)
