"""What optimizers compute, as TorchScript, and how it runs over the parameters of a group.

Note [Updates]
An update is a function of a parameter, its gradient and its state, all with one dimension, and of numbers. It gives the parameter and
the state as they are afterwards. Switches (`nesterov`) are constants of the compiled function, so that it is one kernel, which serves
every size. What is computed of numbers alone is computed before: no kernel does that. Small parameters of a group are laid side by side
and go through it in one call; large ones, for which a copy would cost more than a call, are taken one by one. The order of operations
is that of PyTorch's optimizers for single tensors.
"""

from __future__ import annotations

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


def run(update: Any, rows: Sequence[Sequence[Tensor]], numbers: Sequence[float]) -> None:
    """Update parameters: a row has one, its gradient, and its states. Parameters and states are written in place."""
    small: dict[Any, list[Sequence[Array]]] = {}
    for row in rows:
        arrays = [tensor.array for tensor in row]
        if arrays[0].dtype.kind == "c":
            arrays = [_real(array) for array in arrays]
        if arrays[0].size >= LARGE:
            _run_one(update, [arrays], numbers)
        else:
            small.setdefault(tuple([array.dtype for array in arrays]), []).append(arrays)
    for together in small.values():
        _run_one(update, together, numbers)
    for tensor, _, *states in rows:
        for one in (tensor, *states):
            versions.written(one.array)


def _run_one(update: Any, rows: Sequence[Sequence[Array]], numbers: Sequence[float]) -> None:
    """One call for some rows of the same dtypes."""
    columns = [_side_by_side(column) for column in zip(*rows, strict=True)]
    results = update(*map(tensor_of, columns), *numbers)
    if isinstance(results, Tensor):
        results = (results,)
    for column, result in zip((0, *range(2, len(columns))), results, strict=True):
        values, start = result.array, 0
        for row in rows:
            array = row[column]
            end = start + array.size
            array[...] = values[start:end].reshape(array.shape)
            start = end


def _side_by_side(arrays: Sequence[Array]) -> Array:
    if len(arrays) == 1:
        return np.ascontiguousarray(arrays[0]).reshape(-1)
    return np.concatenate([array.reshape(-1) for array in arrays])


def _real(array: Array) -> Array:
    """The same memory of complex numbers as real ones."""
    real = np.dtype(f"f{array.dtype.itemsize // 2}")
    if array.flags.c_contiguous:
        return array.view(real).reshape(*array.shape, 2)
    strides = (*array.strides, real.itemsize)
    parts: Array = cast("Any", array).real
    return np.lib.stride_tricks.as_strided(parts, (*array.shape, 2), strides)
