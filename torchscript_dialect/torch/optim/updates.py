"""What optimizers compute, as TorchScript, and how it runs over the parameters of a group.

Note [Updates]
An update is a function of a parameter, its gradient and its state, all with one dimension, and of numbers. It gives the parameter and
the state as they are afterwards. Switches (`nesterov`) are constants of the compiled function, so that it is one kernel, which serves
every size. What is computed of numbers alone is computed before: no kernel does that. Small parameters of a group are laid side by side
and go through it in one call; large ones, for which a copy would cost more than a call, are taken one by one. States stand on what
the call gave, so that they are copied neither back nor, as parts of one array, side by side again. The order of operations is that
of PyTorch's optimizers for single tensors.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.api.unit import CompilationUnit
from torchscript_dialect.tensor import versions
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
LARGE = 1 << 14
"""How many elements a parameter has that is taken alone."""


@lru_cache(maxsize=64)
def compiled(source: str, states: int, numbers: int, switches: tuple[bool, ...]) -> Any:
    """The update that `source` defines as `update`, for some values of its last arguments."""
    tensors = ["p", "g", *(f"s{place}" for place in range(states))]
    floats = [f"n{place}" for place in range(numbers)]
    parameters = ", ".join([*(f"{t}: Tensor" for t in tensors), *(f"{n}: float" for n in floats)])
    arguments = ", ".join([*tensors, *floats, *map(str, switches)])
    result = "Tensor" if states == 0 else f"Tuple[{', '.join(['Tensor'] * (1 + states))}]"
    text = f"{source}\ndef step({parameters}) -> {result}:\n    return update({arguments})\n"
    return CompilationUnit(text).step


class Together:
    """States of small parameters, which lie side by side from one step to the next."""

    def __init__(self) -> None:
        self.columns: dict[Any, list[tuple[Array, list[Array]]]] = {}
        """By group and dtypes, for each state: what all are parts of, and the parts."""

    def column(self, key: Any, place: int, parts: Sequence[Array]) -> Array:
        """The parts side by side; those that are as the last step left them are that already."""
        known = self.columns.get(key)
        if known is not None:
            whole, left = known[place]
            if len(left) == len(parts) and all(map(operator.is_, left, parts)):
                return whole
        return _side_by_side(parts)


def run(
    update: Any,
    rows: Sequence[Sequence[Tensor]],
    numbers: Sequence[float],
    together: Together,
    group: object,
) -> None:
    """Update parameters of a group: a row has one, its gradient, and its states. Parameters are written in place, states get other
    memory.
    """
    small: dict[Any, list[Sequence[Tensor]]] = {}
    for row in rows:
        array = row[0].array
        if array.size >= LARGE or array.dtype.kind == "c":
            _run_one(update, [row], numbers)
        else:
            small.setdefault(tuple([tensor.array.dtype for tensor in row]), []).append(row)
    for key, some in small.items():
        _run_one(update, some, numbers, together, (id(group), key))
    if versions.is_anything_watched():
        for tensor, *_ in rows:
            versions.written(tensor.array)


def _run_one(
    update: Any,
    rows: Sequence[Sequence[Tensor]],
    numbers: Sequence[float],
    together: Together | None = None,
    key: Any = None,
) -> None:
    """One call for some rows of the same dtypes."""
    columns = [[tensor.array for tensor in column] for column in zip(*rows, strict=True)]
    if columns[0][0].dtype.kind == "c":
        columns = [list(map(_real, column)) for column in columns]
    given = [_side_by_side(column) for column in columns[:2]]
    for place, column in enumerate(columns[2:]):
        given.append(
            _side_by_side(column) if together is None else together.column(key, place, column)
        )
    results = update(*map(tensor_of, given), *numbers)
    if isinstance(results, Tensor):
        results = (results,)
    for array, new in zip(columns[0], _parts(results[0].array, columns[0]), strict=True):
        array[...] = new
    kept: list[tuple[Array, list[Array]]] = []
    for place, result in enumerate(results[1:], 2):
        parts = _parts(result.array, columns[place])
        for row, part in zip(rows, parts, strict=True):
            array = row[place].array
            if array.dtype is part.dtype and array.flags.c_contiguous:
                row[place].array = part
            else:
                _real(array)[...] = part
        kept.append((result.array, parts))
    if together is not None:
        together.columns[key] = kept


def _parts(values: Array, like: Sequence[Array]) -> list[Array]:
    """What was laid side by side, each part with the sizes that it had."""
    if len(like) == 1:
        return [values.reshape(like[0].shape)]
    found: list[Array] = []
    start = 0
    for array in like:
        end = start + array.size
        found.append(values[start:end].reshape(array.shape))
        start = end
    return found


def _side_by_side(arrays: Sequence[Array]) -> Array:
    if len(arrays) == 1:
        return np.ascontiguousarray(arrays[0]).reshape(-1)
    return np.concatenate([array.reshape(-1) for array in arrays])


def _real(array: Array) -> Array:
    """The same memory of complex numbers as real ones."""
    if array.dtype.kind != "c":  # a state
        return array
    real = np.dtype(f"f{array.dtype.itemsize // 2}")
    if array.flags.c_contiguous:
        return array.view(real).reshape(*array.shape, 2)
    strides = (*array.strides, real.itemsize)
    parts: Array = cast("Any", array).real
    return np.lib.stride_tricks.as_strided(parts, (*array.shape, 2), strides)
