"""Updates in place: the kernel of an update, launched on the memory of parameters and states, which it overwrites."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.backend import ScalarInput
from torchscript_dialect.runtime.bindings import size_of
from torchscript_dialect.runtime.native.entry import NativeUnavailable
from torchscript_dialect.runtime.native.executable import NativeKernel
from torchscript_dialect.runtime.native.launches import WORDS, run_each
from torchscript_dialect.runtime.native.table import CHUNK_NS
from torchscript_dialect.runtime.native.thread_pool import get_num_threads, thread_pool
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

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
        if spec.scratch is not None or len(words) != len(numbers):
            raise ValueError("a kernel that needs more than its arguments")
        self.update, self.kernel = update, kernel
        self.rows = [[tensor.array for tensor in row] for row in rows]
        self.words = np.array(words, np.intp)
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
        gradients: list[int] = []
        for row, known in zip(rows, self.rows, strict=True):
            gradient, parameter = row[1].array, known[0]
            if gradient.shape != parameter.shape or gradient.dtype is not parameter.dtype:
                return False
            if gradient.__class__ is not np.ndarray or not gradient.flags.c_contiguous:
                return False
            for place, tensor in enumerate(row):
                if place != 1 and tensor.array is not known[place]:
                    return False
            gradients.append(gradient.__array_interface__["data"][0])
        self.buffers[:, 1] = gradients
        self.syms[:, self.words] = array("q", array("d", numbers).tobytes())
        self.run_each(self.pool_run, self.kernel.code.kernel, self.address, len(rows))
        self.calls += 1
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
