"""Arrays on the device: made in blocks of the allocator, copied there and back, and written to (`DeviceMemory`)."""

from __future__ import annotations

from array import array as words_of
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.backend import Executable, get_backend
from torchscript_dialect.runtime.cuda import streams
from torchscript_dialect.runtime.cuda.copies import planned
from torchscript_dialect.runtime.cuda.driver import driver
from torchscript_dialect.runtime.cuda.kernel import THREADS, Geometry, Kernel
from torchscript_dialect.runtime.cuda.memory import Allocator, Block, allocator
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.device_array import DeviceArray, array_on
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.strides import dense_strides, element_strides
from torchscript_dialect.utils.memo import Memo

DEVICE = device("cuda", 0)
MOST_BYTES_A_ELEMENT = 8


def dense_order(array: NDArray[Any]) -> list[int]:
    """The dimensions in the order that they have in memory where elements have no gaps: that of the strides, the least last."""
    strides = dense_strides(array.shape, element_strides(array))
    return sorted(range(array.ndim), key=lambda axis: -strides[axis])


class _Constant(NamedTuple):
    """No array, which would keep the memory that keeps it: the collector does not see what NumPy's arrays are views of."""

    block: Block
    shape: tuple[int, ...]
    element: np.dtype[Any]


class CudaMemory:
    """The memory of the device: see `DeviceMemory`."""

    device = DEVICE

    def __init__(self) -> None:
        self.allocator: Allocator = allocator()
        self.operators: Memo[Any, Executable | None] = Memo(1 << 12)
        """Kernels of single operators; None for those that have none."""
        self.seen: Memo[Any, None] = Memo(1 << 12)
        """What functions were called with once: see Note [Fused functions] in `fused_functions.py`."""
        self.warned: set[str] = set()
        """Operators of which it was said that the host runs them."""
        self.own_kernels: dict[tuple[Any, ...], Kernel] = {}
        """Kernels that are not made of programs, by name and what tells those of one name apart."""
        self.constants: Memo[Any, _Constant] = Memo(64)
        """What operators need again, by its name and stream."""

    @property
    def stream(self) -> int:
        """The stream of this thread, as protocols of arrays name it."""
        chosen = streams.current()
        return streams.LEGACY if chosen is None else chosen.cuda_stream

    def wait_for(self, stream: object) -> None:
        """Let what somebody else puts into another stream come after what is in that of this thread."""
        if stream not in (None, self.stream):
            driver().synchronize()

    def wait_for_stream(self, stream: int | None) -> None:
        """Let what this thread does come after what somebody else has put into a stream."""
        if stream not in (None, self.stream):
            driver().synchronize()

    def record_stream(self, array: DeviceArray, stream: Any) -> None:
        """See `DeviceMemory`. What others lend they keep themselves."""
        base: Any = array
        while base is not None and not isinstance(base, Block):
            base = getattr(base, "owner", None) or getattr(base, "base", None)
        if base is not None:
            self.allocator.record_stream(base, stream)

    def empty(self, shape: Sequence[int], element: np.dtype[Any]) -> DeviceArray:
        """An uninitialized array, its elements in the order of their indices.

        Raises:
            CudaOutOfMemoryError: there is no room.
        """
        block = self.allocator.allocate(prod(shape) * element.itemsize, streams.current_handle())
        return array_on(self, block, block.address, shape, element)

    def from_host(self, array: NDArray[Any]) -> DeviceArray:
        """A copy of an array of the host without gaps, with its dimensions in the same order in memory."""
        if array.flags.c_contiguous:
            made = self.empty(array.shape, array.dtype)
            self.allocator.write(data_pointer(made), array)
            return made
        order = dense_order(array)
        made = self.from_host(np.ascontiguousarray(array.transpose(order)))
        return made.transpose(np.argsort(order))

    def to_host(self, array: DeviceArray) -> NDArray[Any]:
        """See `DeviceMemory`.

        Raises:
            CudaError: a kernel that was launched before failed.
        """
        if array.flags.c_contiguous:
            made = np.empty(array.shape, array.dtype)
            self.allocator.read(data_pointer(array), made)
            return made
        order = dense_order(array)
        turned: Any = array.transpose(order)
        dense = turned if turned.flags.c_contiguous else self.copy(turned)
        return self.to_host(dense).transpose(np.argsort(order))

    def constant(self, name: Any, make: Callable[[], NDArray[Any]]) -> DeviceArray:
        """An array of that name, which is made on the host once for each stream. Nobody writes to it."""
        stream = streams.current_handle()
        found = self.constants.get((name, stream))
        if found is None:
            array = make()
            block = self.allocator.allocate(array.nbytes, stream)
            self.allocator.write(block.address, array)
            found = self.constants[name, stream] = _Constant(block, array.shape, array.dtype)
        return array_on(self, found.block, found.block.address, found.shape, found.element)

    def launch(
        self,
        name: str,
        form: Sequence[Any],
        blocks: int,
        arrays: Sequence[DeviceArray],
        words: Sequence[int],
    ) -> None:
        """Launch so many blocks of an own kernel, which takes the addresses of arrays and words."""
        addresses = words_of("Q", map(data_pointer, arrays))
        geometry = Geometry((blocks, 1, 1), (THREADS, 1, 1))
        parameters = addresses.tobytes() + words_of("q", words).tobytes()
        self.own_kernel(name, form).launch(geometry, parameters)

    def own_kernel(self, name: str, form: Sequence[Any]) -> Kernel:
        """A kernel of `lowering/gpu/own_kernels.py`, which is made of a form."""
        key = (name, *form)
        kernel = self.own_kernels.get(key)
        if kernel is None:
            backend: Any = get_backend("ptx")
            text = backend.own_kernel(name, form, driver().capability)
            kernel = self.own_kernels[key] = Kernel(driver(), text, name)
        return kernel

    def copy(self, array: DeviceArray) -> DeviceArray:
        """See `DeviceMemory`."""
        made = self.empty(array.shape, array.dtype)
        self._copy_to(made, array)
        return made

    def assign(self, array: DeviceArray, value: Any) -> None:
        """See `DeviceMemory`.

        Raises:
            ValueError: the shape of a value does not broadcast, or the array cannot be written to.
        """
        if not array.flags.writeable:
            raise ValueError("assignment destination is read-only")
        if not array.size:
            return
        if value.__class__ is not DeviceArray:
            value = self.from_host(_cast(np.asarray(value), array.dtype))
        elif value.dtype != array.dtype:
            raise TypeError(f"elements of {value.dtype} are not those of {array.dtype}")
        spread: Any = np.broadcast_to(value, array.shape)
        self._copy_to(array, spread)

    def _copy_to(self, target: DeviceArray, source: DeviceArray) -> None:
        """Copy between arrays of one shape and dtype."""
        if not target.size:
            return
        if target.flags.c_contiguous and source.flags.c_contiguous:
            self.allocator.copy(data_pointer(target), data_pointer(source), target.nbytes)
            return
        if target.itemsize > MOST_BYTES_A_ELEMENT:
            target, source = _halves(target), _halves(source)
        copy = planned(target, source)
        form = copy.rank, 8 * target.itemsize
        self.launch(copy.name, form, copy.blocks, [source, target], copy.words)


def _cast(value: NDArray[Any], element: np.dtype[Any]) -> NDArray[Any]:
    return value if value.dtype == element else np.asarray(value.astype(element))


def _halves(array: DeviceArray) -> DeviceArray:
    """Complex numbers of 16 bytes as pairs."""
    element = np.dtype(np.int64)
    return array_on(
        array.memory,
        array,
        data_pointer(array),
        (*array.shape, array.itemsize // element.itemsize),
        element,
        (*array.strides, element.itemsize),
    )


@lru_cache(maxsize=1)
def memory() -> CudaMemory:
    """The memory of the first device.

    Raises:
        CudaError: there is none.
    """
    return CudaMemory()
