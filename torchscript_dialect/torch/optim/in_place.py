"""Updates in place: the kernel of an update, launched on the memory of parameters and states, which it overwrites."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.autograd.history import History
from torchscript_dialect.backend import ScalarInput
from torchscript_dialect.runtime.native.bindings import size_of
from torchscript_dialect.runtime.native.entry import NativeUnavailable
from torchscript_dialect.runtime.native.executable import NativeKernel
from torchscript_dialect.runtime.native.launches import WORDS, run_each
from torchscript_dialect.runtime.native.table import CHUNK_NS
from torchscript_dialect.runtime.native.thread_pool import get_num_threads, thread_pool
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.versions import is_anything_watched

Array = NDArray[Any]
Row = Sequence[Tensor]


class Launches:
    """The launches of a kernel for some rows, good as long as the parameters and states stay where they are in memory."""

    def __init__(
        self, update: Any, kernel: NativeKernel, rows: Sequence[Row], numbers: Sequence[float]
    ) -> None:
        """ValueError: the kernel does not serve the rows."""
        spec = kernel.spec
        words = [one.sym.index for one in spec.inputs if isinstance(one, ScalarInput)]
        if spec.scratch is not None or words != list(range(words[0], words[0] + len(numbers))):
            raise ValueError("a kernel that needs more than its arguments, or numbers apart")
        self.update, self.code = update, kernel.code
        self.rows = [[tensor.array for tensor in row] for row in rows]
        self.first_number = words[0]
        self.calls = 0
        """How often all were launched."""
        inputs, outputs = len(rows[0]), len(rows[0]) - 1
        self.buffers = np.zeros((len(rows), inputs + outputs), np.int64)
        self.syms = np.zeros((len(rows), max(spec.num_syms, 1)), np.int64)
        self.launches = np.zeros((len(rows), WORDS), np.int64)
        for number, arrays in enumerate(self.rows):
            call = kernel.bind([*(tensor_of(one.reshape(-1)) for one in arrays), *numbers])
            if call is None or len(call.arrays) != inputs + outputs:
                raise ValueError("a kernel for other arguments")
            addresses = list(map(data_pointer, arrays))
            self.buffers[number] = [*addresses, addresses[0], *addresses[2:]]
            self.syms[number, : len(call.syms)] = call.syms
            total = size_of(spec.total, call)
            work = spec.cost_ns * size_of(spec.total if spec.work is None else spec.work, call)
            parts = min(get_num_threads(), int(work / max(spec.parallel_ns, CHUNK_NS))) or 1
            chunk = max(-(-total // (parts * spec.grain)), 1) * spec.grain
            where = data_pointer(self.buffers[number]), data_pointer(self.syms[number])
            self.launches[number] = [*where, total, chunk]
        self.address = data_pointer(self.launches)
        self.run_each, self.pool_run = run_each(), thread_pool().run_address

    def run(self, update: Any, rows: Sequence[Row], numbers: Sequence[float]) -> bool:
        """Launch all with new gradients and numbers; whether the rows are still those."""
        if update is not self.update or len(rows) != len(self.rows):
            return False
        gradients: list[Array] = []
        for row, arrays in zip(rows, self.rows, strict=True):
            gradient = row[1].array
            if not is_gradient_of(gradient, arrays[0]):
                return False
            for place, tensor in enumerate(row):
                if place != 1 and tensor.array is not arrays[place]:
                    return False
            gradients.append(gradient)
        self.launch(gradients, numbers)
        return True

    def launch(self, gradients: Sequence[Array], numbers: Sequence[float]) -> None:
        """Launch all with new gradients and numbers."""
        objects, floats = array("Q", map(id, gradients)), array("d", numbers)
        self.run_each(
            self.pool_run,
            self.code.kernel,
            self.address,
            len(gradients),
            objects.buffer_info()[0],
            floats.buffer_info()[0],
            self.first_number,
            8 * len(floats),
        )
        self.calls += 1


def is_gradient_of(gradient: Any, parameter: Array) -> bool:
    """Whether a gradient is laid out in memory as its parameter, which is contiguous."""
    return (
        gradient.__class__ is np.ndarray
        and gradient.shape == parameter.shape
        and gradient.dtype is parameter.dtype
        and (gradient.strides == parameter.strides or gradient.flags.c_contiguous)
    )


class Member(NamedTuple):
    """A parameter of a group that is updated as the last time: its memory, its state, and the arrays of that by name."""

    tensor: Tensor
    parameter: Array
    layout: tuple[tuple[int, ...], tuple[int, ...], np.dtype[Any]]
    """The sizes, strides and dtype of the parameter."""
    state: dict[str, Any]
    arrays: list[tuple[str, Array]]
    made: Array
    """How many steps."""


class Repeated(NamedTuple):
    """The step of a group of which nothing but the gradients is new."""

    launches: Launches
    of: tuple[str, tuple[bool, ...]]
    """The source of the update, and its switches."""
    parameters: tuple[int, ...]
    """The ids of the group's parameters."""
    members: list[Member]

    @classmethod
    def make(
        cls,
        launches: Launches,
        of: tuple[str, tuple[bool, ...]],
        parameters: Sequence[Tensor],
        states: Mapping[Tensor, dict[str, Any]],
    ) -> Repeated | None:
        """None where the launches are not those of all parameters."""
        tensors = {id(tensor.array): tensor for tensor in parameters}
        if len(tensors) != len(parameters) or len(launches.rows) != len(parameters):
            return None
        members: list[Member] = []
        for parameter, *_ in launches.rows:
            tensor = tensors.get(id(parameter))
            state = {} if tensor is None else states[tensor]
            if tensor is None or not all(isinstance(one, Tensor) for one in state.values()):
                return None
            arrays = [(name, one.array) for name, one in state.items()]
            layout = parameter.shape, parameter.strides, parameter.dtype
            members.append(Member(tensor, parameter, layout, state, arrays, state["step"].array))
        return cls(launches, of, tuple(map(id, parameters)), members)

    def run(
        self,
        of: tuple[str, tuple[bool, ...]],
        parameters: Sequence[Tensor],
        states: Mapping[Tensor, dict[str, Any]],
        numbers: Callable[[float], Sequence[float]],
    ) -> bool:
        """Make the step; whether all is as it was."""
        if of != self.of or tuple(map(id, parameters)) != self.parameters:
            return False
        gradients: list[Array] = []
        histories: list[History] = []
        made = self.members[0].made.item()
        for tensor, parameter, (shape, strides, dtype), state, arrays, count in self.members:
            own = tensor.autograd if tensor.__class__ is TrackedTensor else None
            if own is None or own.grad is None or states.get(tensor) is not state:
                return False
            gradient = own.grad.array
            if (
                tensor.array is not parameter
                or gradient.__class__ is not np.ndarray
                or gradient.shape != shape
                or gradient.strides != strides
                or gradient.dtype is not dtype
            ):
                return False
            for name, one in arrays:
                if state[name].array is not one:
                    return False
            if count.item() != made:
                return False
            gradients.append(gradient)
            histories.append(own)
        made += 1
        self.launches.launch(gradients, numbers(made))
        is_watched = is_anything_watched()
        for member, own in zip(self.members, histories, strict=True):
            member.made.fill(made)
            if is_watched:
                own.written(member.parameter)
        return True


def kernel_of(update: Any, row: Row, numbers: Sequence[float]) -> NativeKernel | None:
    """The kernel of an update for such a row, once there is one."""
    if not all(_is_plain(tensor.array) for tensor in row):
        return None
    flat = [tensor_of(tensor.array.reshape(-1)) for tensor in row]
    plan = update._executor.plan_for([*flat, *numbers])
    kernel = None if plan is None else plan.kernel
    return kernel if isinstance(kernel, NativeKernel) else None


def launches_of(
    update: Any, kernel: NativeKernel, rows: Sequence[Row], numbers: Sequence[float]
) -> Launches | None:
    """The launches for rows; None where the kernel does not serve them, or may not write where it reads, which is tried on a copy."""
    copies = [tensor_of(tensor.array.reshape(-1).copy()) for tensor in rows[0]]
    results = update(*copies, *numbers)
    wanted = [results] if isinstance(results, Tensor) else list(results)
    try:
        Launches(update, kernel, [copies], numbers).run(update, [copies], numbers)
        found = [copies[0], *copies[2:]]
        if [one.array.tobytes() for one in found] != [one.array.tobytes() for one in wanted]:
            return None
        return Launches(update, kernel, rows, numbers)
    except (ValueError, NativeUnavailable):
        return None


def _is_plain(values: Any) -> bool:
    return (
        values.__class__ is np.ndarray
        and values.dtype.kind == "f"
        and values.size > 0
        and values.flags.c_contiguous
        and values.flags.aligned
    )
