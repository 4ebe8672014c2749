"""A batch of items as one item of batches (PyTorch: torch/utils/data/_utils/collate.py)."""

# Items are what programs make them: they have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def default_collate(batch: Sequence[Any]) -> Any:
    """Tensors and arrays stacked, numbers as a tensor, strings as a list, the same for what containers hold.

    Raises:
        RuntimeError: sequences have different lengths.
        TypeError: items of this type make no batch.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return torch.stack(list(batch), 0)  # pyright: ignore
    if isinstance(first, np.ndarray):
        return torch.stack([torch.as_tensor(item) for item in batch], 0)  # pyright: ignore
    if isinstance(first, np.generic):
        return torch.as_tensor(np.asarray(batch))
    if isinstance(first, float):
        return torch.tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, str | bytes):
        return batch
    if isinstance(first, Mapping):
        return _mapping(batch, cast("Mapping[Any, Any]", first))
    if isinstance(first, tuple) and hasattr(cast(Any, first), "_fields"):
        return type(first)(*map(default_collate, zip(*batch, strict=False)))
    if isinstance(first, Sequence):
        return _sequence(batch, cast("Sequence[Any]", first))
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found"
        f" {type(first)}"
    )


def _mapping(batch: Sequence[Any], first: Mapping[Any, Any]) -> Any:
    made = {key: default_collate([item[key] for item in batch]) for key in first}
    try:
        if isinstance(first, MutableMapping):
            clone = copy.copy(first)
            cast("MutableMapping[Any, Any]", clone).update(made)
            return clone
        return type(first)(made)  # pyright: ignore
    except TypeError:
        return made


def _sequence(batch: Sequence[Any], first: Sequence[Any]) -> Any:
    if any(len(item) != len(first) for item in batch):
        raise RuntimeError("each element in list of batch should be of equal size")
    made = [default_collate(column) for column in zip(*batch, strict=True)]
    if isinstance(first, tuple):
        return made
    try:
        if isinstance(first, MutableSequence):
            clone = copy.copy(first)
            for place, item in enumerate(made):
                cast("MutableSequence[Any]", clone)[place] = item
            return clone
        return type(first)(made)  # pyright: ignore
    except TypeError:
        return made


def default_convert(data: Any) -> Any:
    """An item whose arrays are tensors, those that containers hold too."""
    if isinstance(data, np.ndarray | np.generic):
        return torch.as_tensor(data)
    if isinstance(data, Mapping):
        entries = cast("Mapping[Any, Any]", data)
        return type(entries)({key: default_convert(entries[key]) for key in entries})  # pyright: ignore
    if isinstance(data, tuple):
        items = [default_convert(item) for item in cast("tuple[Any, ...]", data)]
        return type(cast(Any, data))(*items) if hasattr(cast(Any, data), "_fields") else items
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return type(cast(Any, data))(map(default_convert, cast("Sequence[Any]", data)))
    return data
