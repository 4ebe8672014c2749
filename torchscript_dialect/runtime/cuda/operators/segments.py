"""Rows on the device that are combined in their order: Note [Elements in their order].

Note [Elements in their order]
Atomic operations combine elements in the order in which threads come to them, so that sums and products of floats differ in their last
bits from run to run; and of values that are written to one place any may stay. Where a program asks for deterministic algorithms
(`tensor/determinism.py`), places are sorted instead, by a stable sort, so that those which are one make a segment. A thread goes
through a column of a segment, from the first row to the last: so a sum is that of the host, and the last value stays, as in PyTorch.
"""

from __future__ import annotations

from typing import cast

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.runtime.cuda.operators.searching import places_in
from torchscript_dialect.runtime.cuda.operators.sorting import sorted_places
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def combine_rows(way: str, target: DeviceArray, owners: Tensor, rows: DeviceArray) -> None:
    """Combine rows of a target with others (count, columns), of which `owners` (count) tells the rows, both without gaps: by `add` or
    `mul`, or so that the `last` one stays.
    """
    keys = cast("DeviceArray", owners.array).restrided((1, owners.array.size), (0, 8))
    order = transfers.of_dtype(tensor_of(sorted_places(keys)[0]), dtypes.int64)
    combine_segments(way, target, owners.index_select(0, order), order, rows)


def combine_segments(
    way: str, target: DeviceArray, owners: Tensor, order: Tensor, rows: DeviceArray
) -> None:
    """The same of some rows, in an order in which those of one owner stand together."""
    ends = places_in(owners, owners, right=True)
    count, columns = order.array.size, rows.shape[1]
    element = str(8 * rows.itemsize) if way == "last" else rows.dtype.name
    blocks = -(-count * columns // THREADS)
    given = [cast("DeviceArray", one.array) for one in (order, owners, ends)]
    memory().launch(
        "segments", (way, element), blocks, [rows, *given, target], [blocks, count, columns]
    )
