"""Padding by elements of the tensor itself, on the device, and its gradients: each element is one of the tensor (`windows.py`), and the
gradient of each of these is the sum of those of its copies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda.operators.complex_numbers import joined, parts
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.windows import Table, of_images
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor

Places = Callable[[int, int, int], list[int]]
"""Where the elements of a dimension come from, by its size, and how many are put before and after it; none where that does not fit."""


def _replicated(size: int, before: int, after: int) -> list[int]:
    return [min(max(place, 0), size - 1) for place in range(-before, size + after)]


def _reflected(size: int, before: int, after: int) -> list[int]:
    if max(before, after) >= size:
        return []
    return [size - 1 - abs(size - 1 - abs(place)) for place in range(-before, size + after)]


def _circular(size: int, before: int, after: int) -> list[int]:
    if max(before, after) > size:
        return []
    return [place % size for place in range(-before, size + after)]


def _tables(x: Tensor, pads: list[int], places: Places) -> list[Table] | None:
    """Windows of one element for each of the last dimensions; None where pads do not fit."""
    rank = x.array.ndim
    if len(pads) % 2 or rank not in (len(pads) // 2 + 1, len(pads) // 2 + 2) or not x.array.size:
        return None
    found: list[Table] = []
    for number in reversed(range(len(pads) // 2)):
        size = x.array.shape[rank - 1 - number]
        at = places(size, pads[2 * number], pads[2 * number + 1])
        if not at or min(at) < 0 or max(at) >= size:
            return None
        found.append(Table(np.asarray([at], np.int32)))
    return found


def _padded(places: Places) -> Callable[..., Any]:

    def run(x: Tensor, pads: list[int]) -> Any:
        tables = _tables(x, pads, places)
        if tables is None:
            return NOTHING
        like = None if places is _circular else x  # which PyTorch makes of slices
        if x.dtype is dtypes.complex128:
            return joined(*(of_images("read", one, tables, like)[0] for one in parts(x)))
        return of_images("read", x, tables, like)[0]

    return run


def _backward(places: Places) -> Callable[..., Any]:

    def run(grad: Tensor, x: Tensor, pads: list[int]) -> Any:
        tables = _tables(x, pads, places)
        if tables is None or not grad.dtype.is_floating_point:
            return NOTHING
        lead = x.array.ndim - len(tables)
        if grad.array.shape != (*x.array.shape[:lead], *(one.size for one in tables)):
            return NOTHING
        turned = [one.turned(size) for one, size in zip(tables, x.array.shape[lead:])]
        return of_images("sum", grad, turned, x)[0]

    return run


_MODES = {"reflect": _reflected, "replicate": _replicated, "circular": _circular}


def _pad(x: Tensor, pads: list[int], mode: str, value: float | None) -> Any:
    """`aten::pad`."""
    if mode == "constant":
        return call("aten::constant_pad_nd", (x, pads, value or 0))
    return NOTHING if mode not in _MODES or value is not None else _padded(_MODES[mode])(x, pads)


def _pad_enum(x: Tensor, pads: list[int], mode: int, value: float | None) -> Any:
    """`aten::_pad_enum`, whose mode is a number."""
    return _pad(x, pads, (*_MODES, "constant")[mode], value) if 0 <= mode < 4 else NOTHING


PADDING: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::pad": own(_pad),
    "aten::_pad_enum": own(_pad_enum),
    "aten::_pad_circular": own(_padded(_circular)),
}
"""What runs operators, by their names."""
for _name, _places in (("reflection", _reflected), ("replication", _replicated)):
    for _rank in (1, 2, 3):
        PADDING[f"aten::{_name}_pad{_rank}d"] = own(_padded(_places))
        PADDING[f"aten::{_name}_pad{_rank}d_backward"] = own(_backward(_places))
