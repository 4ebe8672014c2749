"""Operators on the device whose operands hold places along one dimension: see `places.py`. What is wrong with operands the kernels of
the host say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.masks import MASKS
from torchscript_dialect.runtime.cuda.operators.place_keys import (
    PLACE_KEYS,
    check_indices,
    index_put,
    put,
)
from torchscript_dialect.runtime.cuda.operators.places import (
    Axis,
    Selection,
    combining_dtype,
    places_of,
    there,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Own = Callable[[Any, Sequence[Any]], Any]
Write = Callable[[Tensor, Sequence[Any]], bool]
"""Writes to a tensor, whose operator has these operands behind it; False, and nothing is written, where the host does it, or says why
not.
"""


def _index_select(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::index_select`."""
    x, dim, index = operands
    source = there(x)
    found = None if source is None else _rows(source, dim, index)
    if source is None or found is None:
        return placed.on_host(operands)
    return found.read(source)


def _rows(
    indexed: DeviceArray, dim: int, index: Any, *, from_end: bool = False
) -> Selection | None:
    """What is at places along a dimension, all of the others; None for what is no vector of places, or no dimension."""
    places = places_of(index)
    rank = indexed.ndim
    if places is None or not rank or places.ndim > 1 or not -rank <= dim < rank:
        return None
    axis = wrap_dim(dim, rank)
    shape = (*indexed.shape[:axis], places.size, *indexed.shape[axis + 1 :])
    steps = [0] * rank
    steps[axis] = places.strides[0] if places.ndim else 0
    return _along(axis, places.restrided(shape, steps), from_end=from_end)


def _along(axis: int, places: DeviceArray, *, from_end: bool = False) -> Selection:
    dims = tuple(None if dim == axis else dim for dim in range(places.ndim))
    return Selection(places.shape, dims, (Axis(axis, places, from_end),))


def _gather(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::gather`."""
    x, dim, index = operands[:3]
    source, places = there(x), places_of(index)
    if source is None or places is None or not _fit(source, places, dim):
        return placed.on_host(operands)
    return _along(wrap_dim(dim, source.ndim), places).read(source)


def _fit(indexed: DeviceArray, places: DeviceArray, dim: int) -> bool:
    """Whether places of all dimensions lie in a tensor but for the one along which they are given."""
    rank = indexed.ndim
    if not rank or places.ndim != rank or not -rank <= dim < rank:
        return False
    axis = wrap_dim(dim, rank)
    pairs = enumerate(zip(places.shape, indexed.shape, strict=True))
    return all(size <= most for number, (size, most) in pairs if number != axis)


def _scattered(x: Tensor, dim: int, index: Any, value: Any) -> tuple[Selection, Tensor] | None:
    """Where a scatter writes, and what: as many of the values as there are places."""
    target, places = there(x), places_of(index)
    if target is None or places is None or not _fit(target, places, dim):
        return None
    found = _along(wrap_dim(dim, target.ndim), places)
    if not isinstance(value, Tensor):
        return found, number_like(x, value)
    source = there(value)
    if source is None or value.dtype is not x.dtype or not _fit(source, places, dim):
        return None
    if source.shape[dim] < places.shape[dim]:
        return None
    return found, tensor_of(source.restrided(places.shape, source.strides))


def number_like(x: Tensor, value: Any) -> Tensor:
    """A number on the device, of the dtype of a tensor.

    Raises:
        RuntimeError: it does not fit.
    """
    check_fits(x.dtype, value)
    return tensor_of(memory().from_host(np.asarray(np.asarray(value).astype(x.array.dtype))))


def _scatter(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::scatter_` of a tensor or a number."""
    found = _scattered(x, *operands[:3])
    way = {None: "write", "add": "add", "multiply": "prod"}.get(
        operands[3] if len(operands) > 3 else None
    )
    if found is None or way is None:
        return False
    where, values = found
    if way == "write":
        where.write(cast("DeviceArray", x.array), values.array)
        return True
    return x.dtype is not dtypes.bool_ and _added(where, x, values, way)


def _added(where: Selection, x: Tensor, values: Tensor, way: str = "add") -> bool:
    if combining_dtype(x) is None:
        return False
    where.combine(way, x, values)
    return True


def _scatter_add(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::scatter_add_`."""
    found = _scattered(x, *operands)
    return found is not None and _added(found[0], x, found[1])


def _scatter_reduce(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::scatter_reduce_`."""
    dim, index, source, reduce, include_self = operands
    found = _scattered(x, dim, index, source)
    return found is not None and _reduced(*found, x, reduce, include_self=include_self)


def _reduced(
    where: Selection, values: Tensor, x: Tensor, reduce: str, *, include_self: bool
) -> bool:
    way = {"sum": "add", "mean": "add", "amax": "amax", "amin": "amin", "prod": "prod"}.get(reduce)
    if way is None or combining_dtype(x) is None or x.dtype is dtypes.bool_:
        return False
    if not include_self:
        where.write(cast("DeviceArray", x.array), number_like(x, _start(way, x)).array)
    if reduce != "mean":
        return _added(where, x, values, way)
    wanted = combining_dtype(x)
    assert wanted is not None
    sums = transfers.of_dtype(x, wanted).clone()
    where.combine("add", sums, transfers.of_dtype(values, wanted))
    counts = tensor_of(memory().empty(x.array.shape, sums.array.dtype)).fill_(int(include_self))
    where.combine("add", counts, number_like(sums, 1))
    counts = counts.clamp_min(1)
    if x.dtype.is_floating_point:
        transfers.assign(x, sums.div(counts))
        return True
    given = (transfers.of_dtype(one, x.dtype) for one in (sums, counts))
    transfers.assign(x, call("aten::div", tuple(given), {"rounding_mode": "floor"}))
    return True


def _start(way: str, x: Tensor) -> Any:
    """What combined with a number is that number."""
    if way in ("add", "prod"):
        return int(way == "prod")
    if x.dtype.is_floating_point:
        return float("-inf") if way == "amax" else float("inf")
    limits = np.iinfo(x.array.dtype)
    return limits.min if way == "amax" else limits.max


def _index_add(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::index_add_`."""
    dim, index, source, alpha = operands
    found = _row_values(x, dim, index, source)
    if found is None or combining_dtype(x) is None:
        return False
    check_fits(x.dtype, alpha)
    where, values = found
    return _added(where, x, values if alpha == 1 else values.mul(alpha))


def _row_values(x: Tensor, dim: int, index: Any, source: Any) -> tuple[Selection, Tensor] | None:
    """Where an operator writes along a dimension, and what."""
    target = there(x)
    where = None if target is None else _rows(target, dim, index)
    if where is None or there(source) is None or source.dtype is not x.dtype:
        return None
    return None if source.array.shape != where.shape else (where, source)


def _index_copy(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::index_copy_`."""
    found = _row_values(x, *operands)
    if found is None or operands[1].dtype is not dtypes.int64:
        return False
    where, values = found
    where.write(cast("DeviceArray", x.array), values.array)
    return True


def _index_fill(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::index_fill_` of a number, or of a tensor of one."""
    dim, index, value = operands
    target = there(x)
    where = None if target is None else _rows(target, dim, index, from_end=True)
    if target is None or where is None or index.dtype is not dtypes.int64:
        return False
    if isinstance(value, Tensor):
        if value.array.ndim:
            return False
        value = value.item()
    if isinstance(value, complex) and not x.dtype.is_complex:
        return False
    where.write(target, number_like(x, value).array)
    return True


def _index_reduce(x: Tensor, operands: Sequence[Any]) -> bool:
    """`aten::index_reduce_`."""
    dim, index, source, reduce, include_self = operands
    found = _row_values(x, dim, index, source)
    if found is None or reduce == "sum":
        return False
    return _reduced(*found, x, reduce, include_self=include_self)


def _embedding_dense_backward(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::embedding_dense_backward`."""
    grad, indices, count, padding, by_frequency = operands
    places = places_of(indices)
    rows = there(grad)
    if places is None or rows is None or combining_dtype(grad) is None or not rows.ndim:
        return placed.on_host(operands)
    width = rows.shape[-1]
    at, given = indices.reshape([-1]), grad.reshape([-1, width])
    wanted = combining_dtype(grad)
    assert wanted is not None
    given = transfers.of_dtype(given, wanted)
    if by_frequency:
        uses = _zeros((count,), wanted)
        _index_add(uses, (0, at, _zeros((places.size,), wanted).fill_(1), 1))
        given = given.div(uses.index_select(0, at).unsqueeze(1))
    if padding >= 0:
        given = given.masked_fill(at.eq(padding).unsqueeze(1), 0)
    total = _zeros((count, width), wanted)
    _index_add(total, (0, at, given, 1))
    return transfers.of_dtype(total, grad.dtype)


def _zeros(shape: tuple[int, ...], element: dtypes.dtype) -> Tensor:
    return tensor_of(memory().empty(shape, element.numpy_dtype)).zero_()


def in_place(write: Write) -> Own:
    """The operator that writes to its first operand."""

    def run(placed: Any, operands: Sequence[Any]) -> Tensor:
        x, *rest = operands
        if x.array.__class__ is DeviceArray:
            if write not in SHARING:
                assert_no_internal_overlap(x.array)
            if write(x, rest):
                return x
        elif write is index_put:
            check_indices(x, rest[0])
        return placed.on_host(operands)

    return run


def functional(write: Write) -> Own:
    """The operator that gives what another one would write."""

    def run(placed: Any, operands: Sequence[Any]) -> Tensor:
        x, *rest = operands
        if x.array.__class__ is DeviceArray:
            made = x.clone() if write in KEEPING else tensor_of(x.array.copy())
            if write(made, rest):
                return made
        return placed.on_host(operands)

    return run


KEEPING = (_index_fill, index_put, put)
"""Those whose functional forms keep the order of dimensions in memory."""
SHARING = (_index_fill, index_put)
"""Those that take tensors whose elements share memory, too, of which PyTorch disapproves."""
WRITES: dict[str, Write] = {
    "aten::scatter": _scatter,
    "aten::scatter_add": _scatter_add,
    "aten::scatter_reduce": _scatter_reduce,
    "aten::index_add": _index_add,
    "aten::index_copy": _index_copy,
    "aten::index_fill": _index_fill,
    "aten::index_reduce": _index_reduce,
    **PLACE_KEYS.writes,
    **MASKS.writes,
}
INDEXING: dict[str, Own] = {
    "aten::index_select": _index_select,
    "aten::gather": _gather,
    "aten::embedding_dense_backward": _embedding_dense_backward,
    **PLACE_KEYS.reads,
    **MASKS.reads,
    **{name: functional(write) for name, write in WRITES.items()},
    **{f"{name}_": in_place(write) for name, write in WRITES.items()},
}
