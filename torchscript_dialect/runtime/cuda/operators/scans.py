"""Scans on the device, by tiles: see `lowering/gpu/block_scan.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.runtime.cuda.operators.places import combining_dtype
from torchscript_dialect.runtime.cuda.operators.rearranged import numbers
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

TILE = 1024
"""Elements that a block scans: `lowering.gpu.block_scan.TILE`."""


def scanned(way: str, rows: DeviceArray) -> DeviceArray:
    """What all elements up to each one in the last dimension give, of an array without gaps, combined in a way: see
    `lowering.gpu.block_scan.Way`.
    """
    length = rows.shape[-1]
    made = memory().empty(rows.shape, rows.dtype)
    if not rows.size:
        return made
    element = dtypes.from_name(rows.dtype.name)
    tiles = -(-length // TILE)
    count = rows.size // length
    totals = memory().empty((count, tiles), rows.dtype)
    words = [count * tiles, length, tiles]
    form = (way, element)
    memory().launch("block_scan", form, count * tiles, [rows, totals, made], words)
    if tiles > 1:
        words[0] = rows.size
        blocks = -(-rows.size // THREADS)
        before = scanned(way, totals)
        memory().launch("carry", form, blocks, [before, made], words)
    return made


def _scan(way: str) -> Callable[[Any, Sequence[Any]], Tensor]:
    """`aten::cumsum`, `aten::cumprod` or `aten::logcumsumexp`."""

    def run(placed: Any, operands: Sequence[Any]) -> Tensor:
        x, dim, *wanted = operands
        rank = x.array.ndim
        result = _result_dtype(x, *wanted) if wanted else x.dtype
        if not wanted and not x.dtype.is_floating_point:
            return placed.on_host(operands)
        wide = combining_dtype(tensor_of(memory().empty((), result.numpy_dtype)))
        if wide is None or x.dtype.is_complex or not -max(rank, 1) <= dim < max(rank, 1):
            return placed.on_host(operands)
        if not rank:
            return transfers.of_dtype(x.clone(), result)
        axis = wrap_dim(dim, rank)
        found: Any = scanned(way, _rows(transfers.of_dtype(x, wide), axis)).swapaxes(axis, -1)
        return transfers.of_dtype(tensor_of(_dense(found)), result)

    return run


def _rows(x: Tensor, axis: int) -> DeviceArray:
    """A copy in which an axis is the last one, or the array itself where it is so."""
    return _dense(x.array.swapaxes(axis, -1))


def _dense(array: Any) -> DeviceArray:
    return cast("DeviceArray", array if array.flags.c_contiguous else array.copy())


def _extreme(way: str) -> Callable[[Any, Sequence[Any]], tuple[Tensor, Tensor]]:
    """`aten::cummax` or `aten::cummin`: the last place up to each one of an element that is not exceeded, or is no number, and what is
    there.
    """

    def run(placed: Any, operands: Sequence[Any]) -> tuple[Tensor, Tensor]:
        x, dim = operands
        rank = x.array.ndim
        wide = combining_dtype(x)
        if (
            wide is None
            or x.dtype.is_complex
            or not x.array.size
            or not -max(rank, 1) <= dim < max(rank, 1)
        ):
            return placed.on_host(operands)
        axis = wrap_dim(dim, max(rank, 1))
        given = x if rank else x.view([1])
        rows = tensor_of(_rows(transfers.of_dtype(given, wide), axis))
        length: int = rows.array.shape[-1]
        is_new = rows.eq(tensor_of(scanned(way, cast("DeviceArray", rows.array))))
        if x.dtype.is_floating_point:
            is_new = is_new.logical_or(rows.isnan())
        counted = numbers(length, [length])
        places = counted.where(is_new, counted * 0)
        found: Any = scanned("max", _dense(places.array)).swapaxes(axis, -1)
        indices = tensor_of(_dense(found))
        values = given.gather(axis, indices)
        return values.view(list(x.array.shape)), indices.view(list(x.array.shape))

    return run


def _result_dtype(x: Tensor, wanted: int | None) -> dtype:
    if wanted is not None:
        return dtypes.from_scalar_type(wanted)
    return x.dtype if x.dtype.is_floating_point or x.dtype.is_complex else dtypes.int64


SCANS = {
    "aten::cumsum": _scan("add"),
    "aten::cumprod": _scan("mul"),
    "aten::logcumsumexp": _scan("logaddexp"),
    "aten::cummax": _extreme("max"),
    "aten::cummin": _extreme("min"),
}
