"""Elements of arrays on the device at places that other arrays hold: read, written to, or combined with others, by one kernel.

A place that is beyond its dimension ends the kernel, which a later call tells, as in PyTorch. Floats of 16 bits are added up in 32, and
rounded once, as on the host; integers of less than 32 bits in 32. Sums of floats come in any order, and where places repeat that are
written to, one of the values stays, unless a program asks for deterministic algorithms: Note [Elements in their order] in segments.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import MOST_BYTES_A_ELEMENT, memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.runtime.cuda.operators.rearranged import numbers
from torchscript_dialect.runtime.cuda.operators.segments import combine_rows
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.determinism import is_required
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    element_strides,
    pointwise_strides,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

PLACES = (dtypes.int32, dtypes.int64)
COMBINED = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
"""What kernels combine with others in memory."""
_ROUNDED = {"add": "add", "prod": "mul"}
"""What depends on the order of floats, and what its kernel calls it."""


class Operators(NamedTuple):
    """What a module gives, by names: operators, and those that write to the first operand, of which two are made."""

    reads: dict[str, Callable[[Any, Sequence[Any]], Any]]
    writes: dict[str, Callable[[Tensor, Sequence[Any]], bool]]


class Axis(NamedTuple):
    """A dimension that is indexed."""

    dim: int
    places: DeviceArray
    """Of the shape that is walked."""
    from_end: bool = False
    """Whether places below 0 count from the end."""


def combining_dtype(x: Tensor) -> dtype | None:
    """In what the elements of a tensor are combined; None for complex numbers."""
    if x.dtype in COMBINED:
        return x.dtype
    if x.dtype.is_complex:
        return None
    return dtypes.float32 if x.dtype.is_floating_point else dtypes.int32


def there(x: Any) -> DeviceArray | None:
    """The array of a tensor on the device whose elements a kernel copies."""
    if not isinstance(x, Tensor) or x.array.__class__ is not DeviceArray:
        return None
    return cast("DeviceArray", x.array) if x.array.itemsize <= MOST_BYTES_A_ELEMENT else None


def places_of(index: Any) -> DeviceArray | None:
    """Places on the device; None for what is none."""
    found = there(index)
    return found if found is not None and index.dtype in PLACES else None


class Selection(NamedTuple):
    """What of an array is indexed: the shape that is walked, for each of its dimensions the one of the array, or None where only places
    tell, and the axes.
    """

    shape: tuple[int, ...]
    dims: tuple[int | None, ...]
    axes: tuple[Axis, ...]

    def read(self, source: DeviceArray, strides: Sequence[int] | None = None) -> Tensor:
        """The elements, without gaps, or with strides."""
        made = memory().empty(self.shape, source.dtype)
        if strides is not None:
            made = made.restrided(self.shape, [step * source.itemsize for step in strides])
        self._launch("read", source, made)
        return tensor_of(made)

    def strides(self, source: DeviceArray) -> tuple[int, ...]:
        """The strides of elements that lie in memory as those of the source and the places do."""
        own = element_strides(source)
        steps = tuple(0 if dim is None else own[dim] for dim in self.dims)
        of_places = (element_strides(axis.places) for axis in self.axes)
        return pointwise_strides([(self.shape, one) for one in (steps, *of_places)], self.shape)

    def write(self, target: DeviceArray, values: Any) -> None:
        """Let the elements be those of values, which have their dtype and broadcast. Where places repeat, one of these stays."""
        given = _apart(values, target, self.shape)
        if is_required() and given.size > 1:
            self._in_order("last", target, given)
        else:
            self._launch("write", target, given)

    def combine(self, way: str, target: Tensor, values: Tensor) -> None:
        """Combine the elements with values, which have their dtype and broadcast: `add`, `amax`, `amin` or `prod`."""
        wanted = combining_dtype(target)
        assert wanted is not None
        wide = transfers.of_dtype(target, wanted)
        given = _apart(transfers.of_dtype(values, wanted).array, wide.array, self.shape)
        found = cast("DeviceArray", wide.array)
        if is_required() and way in _ROUNDED and wanted.is_floating_point and given.size:
            self._in_order(_ROUNDED[way], found, given)
        else:
            self._launch(way, found, given)
        if wide is not target:
            transfers.assign(target, wide)

    def _in_order(self, way: str, target: DeviceArray, values: DeviceArray) -> None:
        """Combine the elements with values of the shape, one after the other: Note [Elements in their order]. What places tell makes
        the rows of the target, all else its columns.
        """
        axes = {axis.dim: axis for axis in self.axes}
        by_columns = [
            dim
            for dim, own in enumerate(self.dims)
            if own is not None and not any(axis.places.strides[dim] for axis in self.axes)
        ]
        by_rows = [dim for dim in range(len(self.shape)) if dim not in by_columns]
        of_columns = [own for own in map(self.dims.__getitem__, by_columns) if own is not None]
        of_rows = [dim for dim in range(target.ndim) if dim not in of_columns]
        turned = target.transpose((*of_rows, *of_columns))
        dense: DeviceArray = turned if turned.flags.c_contiguous else turned.copy()
        walked = tuple(self.shape[dim] for dim in by_rows)
        owners = tensor_of(memory().empty(walked, dtypes.int64.numpy_dtype)).zero_()
        for dim, stride in zip(of_rows, contiguous_strides([target.shape[d] for d in of_rows])):
            steps = numbers(target.shape[dim], [target.shape[dim]]).mul(stride)
            if dim in axes:
                given = axes[dim].places
                places = given.restrided(walked, [given.strides[one] for one in by_rows])
                where = Axis(0, places, axes[dim].from_end)
                found = Selection(walked, (None,) * len(walked), (where,))
                owners = owners.add(found.read(cast("DeviceArray", steps.array)))
            else:
                at = by_rows.index(self.dims.index(dim))
                owners = owners.add(
                    steps.narrow(0, 0, walked[at]).view([-1, *[1] * (len(walked) - at - 1)])
                )
        rows: Any = values.transpose([*by_rows, *by_columns]).copy()
        count = prod(walked)
        rows = rows.reshape((count, rows.size // count))
        combine_rows(way, dense, owners.view([count]), rows)
        if dense is not turned:
            memory().assign(turned, dense)

    def _launch(self, way: str, indexed: DeviceArray, other: DeviceArray) -> None:
        """Walk the elements that are indexed, and those of another array of the shape."""
        if not other.size:
            return
        strides = [0 if dim is None else indexed.strides[dim] for dim in self.dims]
        pair = [indexed.restrided(self.shape, strides), other]
        source, target = pair if way == "read" else pair[::-1]
        places = [axis.places for axis in self.axes]
        words = [other.size]
        for number, size in enumerate(self.shape):
            words.append(size)
            words.extend(one.strides[number] // one.itemsize for one in (source, target, *places))
        for axis in self.axes:
            size = indexed.shape[axis.dim]
            stride = indexed.strides[axis.dim] // indexed.itemsize
            words.extend((size, stride, -size if axis.from_end else 0))
        is_copy = way in ("read", "write")
        element = str(8 * indexed.itemsize) if is_copy else indexed.dtype.name
        form = (way, len(self.shape), element, 8 * places[0].itemsize, len(places))
        blocks = -(-other.size // THREADS)
        memory().launch("indexed_copy", form, blocks, [source, target, *places], words)


def _apart(values: Any, target: Any, shape: tuple[int, ...]) -> DeviceArray:
    """Values of a shape, of which none is in the memory of the target."""
    found: Any = values.copy() if np.may_share_memory(target, values) else values
    return cast("DeviceArray", np.broadcast_to(found, shape))
