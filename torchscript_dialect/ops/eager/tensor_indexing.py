"""Indexing of tensors by Python code, `x[key]` and `x[key] = value` (PyTorch: torch/csrc/autograd/python_variable_indexing.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as index_of
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
    ndim, covered = self.ndim, 0
    entries = list(cast("Sequence[Key]", key)) if _stands_for_a_tuple(key) else [key]
    places: list[int] = []
    for place, entry in enumerate(entries):
        kind = entry.__class__
        if kind is int or kind is slice:
            covered += 1
        elif kind is EllipsisType:
            places.append(place)
        elif entry is not None and kind is not bool:
            covered += entry.array.ndim if isinstance(entry, Tensor) and _is_mask(entry) else 1
    if covered > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    if not places:
        return entries
    rest = [entry for entry in entries[places[0] + 1 :] if not isinstance(entry, EllipsisType)]
    return [*entries[: places[0]], *([_WHOLE] * (ndim - covered)), *rest]


def _is_plain(entry: Key) -> bool:
    """Whether an entry needs no tensor."""
    return entry is None or entry.__class__ is slice or isinstance(entry, (int, np.integer))


def _is_mask(index: Tensor) -> bool:
    return index.array.dtype.kind == "b" or index.array.dtype == np.uint8


def _apply(self: Tensor, key: Key) -> tuple[Tensor, list[Tensor | None]]:
    """The view that ints, slices and None in a key give, and the tensors that are left to index it with: from the first on, one or None
    for each dimension, and one mask for several.
    """
    result, dim, selected = self, 0, 0
    indices: list[Tensor | None] = []
    for entry in _full_key(self, key):
        index: Tensor | None = None
        if not _is_plain(entry):
            index = entry if isinstance(entry, Tensor) else placed(_places_of(entry))
            if not index.array.ndim and index.array.dtype.kind in "biu":
                entry = bool(index) if _is_mask(index) else _number(index)
                index = None
        if index is not None:
            pass
        elif entry is None:
            result = call("aten::unsqueeze", (result, dim))
        elif entry.__class__ is bool:
            result = call("aten::unsqueeze", (result, dim))
            index = as_tensor(np.zeros(1 if entry else 0, np.int64))
        elif entry.__class__ is slice:
            result = result if entry is _WHOLE else _sliced(result, dim, cast("slice", entry))
        else:
            place = entry if isinstance(entry, Tensor) else int(entry)
            result = _at(result, dim, place, dim + selected)
            selected += 1
            continue
        if index is not None and not indices:
            indices = [None] * dim
        if indices or index is not None:
            indices.append(index)
        dim += index.array.ndim if index is not None and _is_mask(index) else 1
    while indices and indices[-1] is None:
        indices.pop()
    return result, indices


def _places_of(values: Any) -> Tensor:
    """What is no tensor as one that indexes; a sequence that is no mask is one of integers."""
    if not isinstance(values, (list, tuple, range, str)) and not hasattr(values, "__array__"):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
            f"indices (got {type(values).__name__})"
        )
    made = as_tensor(values)
    if _is_mask(made) or not isinstance(values, (list, tuple, range, np.ndarray)):
        return made
    return as_tensor(made.array.astype(np.int64))


def _number(index: Any) -> Any:
    """An index or bound as a number; a trace sees a tensor as it is."""
    return int(index) if RECORDING.recorder is None else index


def _sliced(x: Tensor, dim: int, entry: slice) -> Tensor:
    return x if entry == _WHOLE and RECORDING.recorder is None else _slice_of(x, dim, entry)


def _slice_of(x: Tensor, dim: int, entry: slice) -> Tensor:
    start = 0 if entry.start is None else _bound(entry.start)
    stop = INT64_MAX if entry.stop is None else _bound(entry.stop)
    step = 1 if entry.step is None else _bound(entry.step)
    if step.__class__ is int and step <= 0:
        raise ValueError("step must be greater than zero" if step else "slice step cannot be zero")
    return _slice(x, dim, start, stop, step)


def _bound(bound: Any) -> Any:
    """A bound of a slice as a number; a trace sees a tensor as it is."""
    if isinstance(bound, Tensor):
        return _number(bound)
    if not hasattr(bound, "__index__"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return index_of(bound)


def _at(x: Tensor, dim: int, place: Any, told_dim: int) -> Tensor:
    """`x` at one place of a dimension; errors tell of it by the number that it has in the tensor that is indexed."""
    try:
        return _select(x, dim, place)
    except IndexError:
        shape = x.shape
        if not shape:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            ) from None
        if not -(2**63) <= place < 2**63:
            raise ValueError("Overflow when unpacking long long") from None
        raise IndexError(
            f"index {int(place)} is out of bounds for dimension {told_dim} with size {shape[dim]}"
        ) from None


def placed(tensor: Tensor) -> Tensor:
    """A tensor that was made of Python values, on its device: PyTorch's functions put it there, and traces show it."""
    if RECORDING.recorder is None:
        return tensor
    return call("aten::to", (tensor, tensor.device, tensor.dtype))


_select, _slice = caller("aten::select"), caller("aten::slice")
_unsqueeze, _index = caller("aten::unsqueeze"), caller("aten::index")


def get_item(self: Tensor, key: Key) -> Tensor:
    """`x[key]` with ints, slices, None, `...`, bools, tensors and lists of ints."""
    if key.__class__ is int:
        return _at(self, 0, key, 0)
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
        if key != _WHOLE or not self.array.ndim:
            return _slice_of(self, 0, key)
    result, indices = _apply(self, key)
    if indices:
        return call("aten::index", (result, indices))
    return call("aten::alias", (result,)) if result is self else result


def set_item(self: Tensor, key: Key, value: Any) -> None:
    """`x[key] = value`."""
    if value is None or isinstance(value, str):
        kind = f"torch.{self.dtype.type_name}Tensor"
        raise TypeError(f"can't assign a {type(value).__name__} to a {kind}")
    if key.__class__ in (slice, int) and not self.array.ndim:
        get_item(self, key)  # which raises
    if key is False:
        return
    target, indices = _apply(self, None if key is True else key)
    if isinstance(value, Tensor):
        source = value
    else:
        if isinstance(value, (bool, int, float, complex)):
            half = self.dtype.is_floating_point and self.dtype.itemsize == 2
            check_fits(dtypes.float64 if half else self.dtype, value)
        source = as_operand(value, self.dtype)
    if indices:
        if source.dtype is not self.dtype and not isinstance(value, Tensor):
            source = call("aten::to", (source, self.dtype))
        if source.array.ndim and source.array.shape[0] == 1:
            source = _without_leading_ones(source)
        call("aten::index_put_", (target, indices, source))
        return
    has_shape = source.array.shape == target.array.shape
    if not source.array.ndim and not (has_shape and isinstance(value, Tensor)):
        call("aten::fill_", (target, source))
        return
    call("aten::copy_", (target, source if has_shape else _spread(source, target)))


def _without_leading_ones(source: Tensor) -> Tensor:
    shape = source.array.shape
    first = next((dim for dim, size in enumerate(shape) if size != 1), len(shape))
    return call("aten::view", (source, list(shape[first:])))


def _spread(source: Tensor, target: Tensor) -> Tensor:
    """What is copied to a target of another shape: without leading dimensions of size 1, which the target need not have, and expanded,
    so that a part of a tensor may be copied to all of it.
    """
    source = _without_leading_ones(source)
    if source.array.shape == target.array.shape:
        return source
    return call("aten::expand", (source, list(target.array.shape)))
