"""Indexing of tensors by Python code, `x[key]` and `x[key] = value` (PyTorch: torch/csrc/autograd/python_variable_indexing.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call, caller
from torchscript_dialect.ops.eager.recording import RECORDING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import as_operand, as_tensor, check_fits
from torchscript_dialect.tensor.tensor import Tensor

Key = Any
INT64_MAX = 2**63 - 1
_WHOLE = slice(None)
"""What an ellipsis stands for in a dimension: it is no slice, which a trace would show."""


def _stands_for_a_tuple(key: Key) -> bool:
    """Whether a key has an entry for each dimension: a list has where one of its items indexes by itself, as before in NumPy."""
    if isinstance(key, list):
        items = cast("list[Key]", key)
        parts = (slice, Tensor, list, tuple, np.ndarray, EllipsisType, type(None))
        return len(items) < 32 and any(isinstance(item, parts) for item in items)
    return isinstance(key, tuple)


def _full_key(self: Tensor, key: Key) -> list[Key]:
    """The key as a list without an ellipsis, one entry for each dimension it covers."""
    entries = list(cast("Sequence[Key]", key)) if _stands_for_a_tuple(key) else [key]
    places = [i for i, entry in enumerate(entries) if isinstance(entry, EllipsisType)]
    if not places:
        return entries
    covered = sum(_dims_of(entry) for entry in entries)
    missing = max(self.array.ndim - covered, 0)
    place = places[0]
    rest = [entry for entry in entries[place + 1 :] if not isinstance(entry, EllipsisType)]
    return [*entries[:place], *([_WHOLE] * missing), *rest]


def _dims_of(entry: Key) -> int:
    if entry is None or isinstance(entry, (bool, EllipsisType)):
        return 0
    if isinstance(entry, Tensor) and entry.array.dtype.kind == "b":
        return entry.array.ndim
    return 1


def _apply(self: Tensor, key: Key) -> tuple[Tensor, list[Tensor | None]]:
    """The view that ints, slices and None in a key give, and the tensors that are left to index it with."""
    result = self
    indices: list[Tensor | None] = []
    dim = 0
    for entry in _full_key(self, key):
        if entry is None:
            result = call("aten::unsqueeze", (result, dim))
            dim += 1
        elif isinstance(entry, bool):
            result = call("aten::unsqueeze", (result, dim))
            _place(indices, dim, as_tensor([0] if entry else np.zeros(0, np.int64)))
            dim += 1
        elif isinstance(entry, int) or issubclass(entry.__class__, np.integer):
            result = call("aten::select", (result, dim, int(entry)))
        elif entry is _WHOLE:
            dim += 1
        elif entry.__class__ is slice:
            result = _sliced(result, dim, entry)
            dim += 1
        else:
            index = entry if isinstance(entry, Tensor) else placed(_places_of(entry))
            if not index.array.ndim and index.array.dtype.kind in "iu":
                result = call("aten::select", (result, dim, _number(index)))
                continue
            _place(indices, dim, index)
            dim += max(_dims_of(index), 1)
    return result, indices


def _places_of(values: Any) -> Tensor:
    """What is no tensor as one that indexes; a list without elements is one of integers."""
    made = as_tensor(values)
    is_typed = made.array.size or not isinstance(values, (list, tuple))
    return made if is_typed else as_tensor(made.array.astype(np.int64))


def _number(index: Any) -> Any:
    """An index or bound as a number; a trace sees a tensor as it is."""
    return int(index) if RECORDING.recorder is None else index


def _sliced(x: Tensor, dim: int, entry: slice) -> Tensor:
    if entry == _WHOLE and RECORDING.recorder is None:
        return x
    start = 0 if entry.start is None else _number(entry.start)
    stop = INT64_MAX if entry.stop is None else _number(entry.stop)
    step = 1 if entry.step is None else _number(entry.step)
    return _slice(x, dim, start, stop, step)


def placed(tensor: Tensor) -> Tensor:
    """A tensor that was made of Python values, on its device: PyTorch's functions put it there, and traces show it."""
    if RECORDING.recorder is None:
        return tensor
    return call("aten::to", (tensor, tensor.device, tensor.dtype))


def _place(indices: list[Tensor | None], dim: int, index: Tensor) -> None:
    indices.extend([None] * (dim - len(indices)))
    indices.append(index)


_select, _slice = caller("aten::select"), caller("aten::slice")
_unsqueeze, _index = caller("aten::unsqueeze"), caller("aten::index")


def get_item(self: Tensor, key: Key) -> Tensor:
    """`x[key]` with ints, slices, None, `...`, bools, tensors and lists of ints."""
    if key.__class__ is int:
        return _select(self, 0, key)
    if key.__class__ is Tensor and key.array.dtype.kind in "iu" and key.array.ndim:
        return _index(self, [key])
    if key is None:
        return _unsqueeze(self, 0)
    if key.__class__ is slice:
        start, stop = key.start, key.stop
        if start.__class__ is int and key.step is None and RECORDING.recorder is None:
            if stop is None:
                return _slice(self, 0, start)
            if stop.__class__ is int:
                return _slice(self, 0, start, stop)
        if key != _WHOLE:
            return _sliced(self, 0, key)
    result, indices = _apply(self, key)
    if indices:
        return call("aten::index", (result, indices))
    return call("aten::alias", (result,)) if result is self else result


def set_item(self: Tensor, key: Key, value: Any) -> None:
    """`x[key] = value`."""
    target, indices = _apply(self, key)
    if isinstance(value, Tensor):
        source = value
    else:
        if isinstance(value, (bool, int, float, complex)):
            half = self.dtype.is_floating_point and self.dtype.itemsize == 2
            check_fits(dtypes.float64 if half else self.dtype, value)
        source = as_operand(value, self.dtype)
    if indices:
        if source.dtype is not self.dtype:
            source = call("aten::to", (source, self.dtype))
        if source.array.ndim and source.array.shape[0] == 1:
            source = _without_leading_ones(source)
        call("aten::index_put_", (target, indices, source))
        return
    if not isinstance(value, Tensor) and not source.array.ndim:
        call("aten::fill_", (target, source))
        return
    if source.array.shape != target.array.shape:
        source = _spread(source, target)
    call("aten::copy_", (target, source))


def _without_leading_ones(source: Tensor) -> Tensor:
    shape = source.array.shape
    first = next((dim for dim, size in enumerate(shape) if size != 1), len(shape))
    return call("aten::view", (source, list(shape[first:])))


def _spread(source: Tensor, target: Tensor) -> Tensor:
    """What is copied to a target of another shape: without leading dimensions of size 1, which the target need not have. The copy
    would expand it, too; a trace shows it expanded.
    """
    is_traced = RECORDING.recorder is not None
    if is_traced or source.array.ndim > target.array.ndim:
        source = _without_leading_ones(source)
    if is_traced and source.array.shape != target.array.shape:
        source = call("aten::expand", (source, list(target.array.shape)))
    return source
