"""What optimizers compute, as TorchScript, and how it runs over the parameters of a group.

Note [Updates]
An update is a function of a parameter, its gradient and its state, all with one dimension, and of numbers. It gives the parameter and
the state as they are afterwards. Switches (`nesterov`) are constants of the compiled function, so that it is one kernel, which serves
every size. What is computed of numbers alone is computed before: no kernel does that. Once there is that kernel, it writes where it
reads, and one native call launches it for all parameters of a group (`in_place.py`); before that, and where it does not fit, the
function is called for one parameter after the other, and what it gives is copied. The order of operations is that of PyTorch's
optimizers for single tensors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.api.unit import CompilationUnit
from torchscript_dialect.autograd.history import count_write
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode, versions
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.torch.optim.in_place import Launches, Repeated, kernel_of, launches_of

Array = NDArray[Any]


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


class Prepared:
    """The launches of an optimizer, by update and largest parameter; None where there can be none. Copies of the optimizer make their
    own.
    """

    def __init__(self) -> None:
        self.launches: dict[tuple[Any, int], Launches | None] = {}
        self.repeated: dict[int, Repeated] = {}
        """Whole groups, by the first of their parameters."""

    def __reduce__(self) -> tuple[type[Prepared], tuple[()]]:
        return Prepared, ()

    def of(self, update: Any, rows: Sequence[Sequence[Tensor]]) -> Launches | None:
        """What updates the rows at once, as far as is known."""
        return self.launches.get((update, id(rows[0][0])))

    def prepare(
        self, update: Any, rows: Sequence[Sequence[Tensor]], numbers: Sequence[float]
    ) -> None:
        """Make ready what updates rows that have just been updated, if there is a kernel for it now."""
        key = update, id(rows[0][0])
        kernel = (
            None if self.launches.get(key, self) is None else kernel_of(update, rows[0], numbers)
        )
        if kernel is not None:
            self.launches[key] = launches_of(update, kernel, rows, numbers)

    def repeat(
        self,
        update: Any,
        rows: Sequence[Sequence[Tensor]],
        of: tuple[str, tuple[bool, ...]],
        parameters: Sequence[Tensor],
        states: Mapping[Tensor, dict[str, Any]],
    ) -> None:
        """Make ready what steps with a whole group, if there are launches for it now. `of`: see `Repeated`."""
        first = id(parameters[0])
        launches = self.of(update, _largest_first(rows))
        made = None if launches is None else Repeated.make(launches, of, parameters, states)
        if made is None:
            self.repeated.pop(first, None)
        else:
            self.repeated[first] = made


def run(
    update: Any, rows: Sequence[Sequence[Tensor]], numbers: Sequence[float], prepared: Prepared
) -> None:
    """Update parameters, and their states: a row has one, its gradient, and its states. All are written in place."""
    if not rows:
        return
    rows = _largest_first(rows)
    launches = prepared.of(update, rows)
    if launches is None or not launches.run(update, rows, numbers):
        with grad_mode.enabled(False):
            for row in rows:
                _run_one(update, row, numbers)
            prepared.prepare(update, rows, numbers)
    if versions.is_anything_watched():
        for tensor, *_ in rows:
            count_write(tensor)


def record(update: Any, rows: Sequence[Sequence[Tensor]], numbers: Sequence[float]) -> None:
    """Update parameters and their states by operators that are recorded, so that gradients go through the step.

    Raises:
        RuntimeError: a parameter is a leaf that requires gradients.
    """
    with grad_mode.enabled(True):
        for row in rows:
            if row[0].dtype.is_complex:
                row = [
                    call("aten::view_as_real", (one,)) if one.is_complex() else one for one in row
                ]
            targets = (row[0], *row[2:])
            before = [call("aten::clone", (one,)) for one in targets]  # formulas keep them
            results = update(before[0], row[1], *before[1:], *numbers)
            if isinstance(results, Tensor):
                results = (results,)
            for target, result in zip(targets, results, strict=True):
                call("aten::copy_", (target, result))


def _largest_first(rows: Sequence[Sequence[Tensor]]) -> list[Sequence[Tensor]]:
    largest = max(rows, key=lambda row: row[0].array.size)
    return [largest, *(row for row in rows if row is not largest)]


def _run_one(update: Any, row: Sequence[Tensor], numbers: Sequence[float]) -> None:
    arrays: list[Array] = [tensor.array for tensor in row]
    if arrays[0].dtype.kind == "c":
        arrays = list(map(_real, arrays))
    given = [tensor_of(_contiguous(array).reshape(-1)) for array in arrays]
    results = update(*given, *numbers)
    if isinstance(results, Tensor):
        results = (results,)
    for array, result in zip((arrays[0], *arrays[2:]), results, strict=True):
        array[...] = result.array.reshape(array.shape)


def _contiguous(array: Array) -> Array:
    """The elements in the order of their indices, where they are."""
    if array.__class__ is DeviceArray:
        return array if array.flags.c_contiguous else array.copy()
    return np.ascontiguousarray(array)


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
