"""Kernels of a GPU as `Executable`s: PTX, and machine code of the host that computes words of sizes."""

from __future__ import annotations

import ctypes
import json
import re
from array import array
from collections.abc import Sequence
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from torchscript_dialect.backend import Bindings, Grid, KernelSpec, MachineCode, TensorInput
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.driver import CudaError, driver
from torchscript_dialect.runtime.cuda.kernel import Geometry, Kernel
from torchscript_dialect.runtime.cuda.memory import allocator
from torchscript_dialect.runtime.cuda.streams import current_handle
from torchscript_dialect.runtime.native.bindings import bind, result_of, results_of, size_of
from torchscript_dialect.runtime.native.blob import Blob, LinkError
from torchscript_dialect.runtime.native.executable import read_head
from torchscript_dialect.runtime.native.loader import LoadedCode, load_blob
from torchscript_dialect.runtime.native.spec_json import spec_to_json
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.utils.memo import Memo
from torchscript_dialect.utils.properties import cached_property

SIZES = "sizes"
PRODUCT_NOTE = "// a product, which may round float32\n"
"""What the PTX of products says: how float32 is rounded PyTorch decides while it is loaded, and native calls do not ask it."""


class Code(NamedTuple):
    """PTX, and a cubin for devices of compute capability `sm / 10` alone, without bytes where there is none."""

    ptx: str
    cubin: bytes = b""
    sm: int = 0


class Launch(NamedTuple):
    """How a kernel is launched, and the words as it takes them."""

    geometry: Geometry
    words: bytes


class Prepared(NamedTuple):
    """The words of calls with tensors of one layout, and what follows from them."""

    syms: array[int]
    launches: tuple[Launch, ...]
    outputs: list[tuple[tuple[int, ...], np.dtype[Any]]]
    """Shapes and dtypes of the results."""


class CudaKernel:
    """The kernel `name` of a text of PTX, which takes addresses and words, each thread doing one of its range; with `@sizes` in a blob
    where it has words that follow from others.

    Arguments are tensors of the device, or of the host: then `launch` copies them there, and the results back.
    """

    device = "cuda"

    def __init__(
        self,
        spec: KernelSpec,
        name: str,
        code: Code,
        threads: tuple[int, int],
        sizes: Blob | None,
    ) -> None:
        """LinkError where the blob does not define the function."""
        if sizes is not None:
            sizes.check_defines([SIZES])
        self.spec = spec
        self.name = name
        self.ptx, self.cubin, self.sm = code
        self.each, self.threads = threads
        """How many of the range a block does, and how many threads it has."""
        self.sizes = sizes
        self._prepared: Memo[tuple[Any, ...], Prepared] = Memo(64)
        """By the layouts of arguments that are tensors of the device."""

    @classmethod
    def from_bytes(cls, data: bytes) -> CudaKernel:
        """The inverse of `serialize`; ValueError where the bytes are anything else."""
        try:
            head, texts, rest = data.split(b"\n", 2)
            each, threads, length, of_cubin, sm, has_sizes = json.loads(texts)
            spec, name, _ = read_head(head)
            end = length + of_cubin
            sizes = Blob.from_bytes(rest[end:]) if has_sizes else None
            code = Code(rest[:length].decode(), rest[length:end], int(sm))
            made = cls(spec, name, code, (int(each), int(threads)), sizes)
        except (LinkError, TypeError, RecursionError) as error:
            raise ValueError(f"not a kernel of a GPU: {error}") from error
        target = re.search(r"^\.target sm_(\d+)", made.ptx, re.MULTILINE)
        if target is None or divmod(int(target[1]), 10) > driver().capability:
            raise ValueError("a kernel for newer devices")
        return made

    def serialize(self) -> bytes:
        """Two lines of JSON, the PTX, the cubin, and then the blob."""
        text = self.ptx.encode()
        head = json.dumps([spec_to_json(self.spec), self.name, self.sizes is not None])
        lengths = [len(text), len(self.cubin), self.sm]
        texts = json.dumps([self.each, self.threads, *lengths, self.sizes is not None])
        blob = b"" if self.sizes is None else self.sizes.to_bytes()
        return f"{head}\n{texts}\n".encode() + text + self.cubin + blob

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel, loaded on the device at the first use: the cubin where it is for this device and the driver takes it."""
        device = driver()
        if self.cubin and divmod(self.sm, 10) == device.capability:
            with suppress(CudaError):
                return Kernel(device, self.cubin, self.name)
        return Kernel(device, self.ptx, self.name)

    @property
    def code(self) -> MachineCode | None:
        """What the native entry launches, loaded at the first use; None without arguments that are on the device, and for products
        beside PyTorch.

        Raises:
            CudaError: the driver does not take the code.
        """
        if PRODUCT_NOTE in self.ptx and pytorch_state.loaded() is not None:
            return None
        return self._code if any(isinstance(one, TensorInput) for one in self.spec.inputs) else None

    @cached_property
    def _code(self) -> MachineCode:
        sizes = 0 if self.sizes is None else self._sizes_code.address(SIZES)
        allocator()
        return MachineCode(self.kernel.function, sizes, self, self._grid)

    @cached_property
    def _grid(self) -> Grid:
        return Grid(self.each, self.threads, self.kernel.failed)

    @cached_property
    def _sizes_code(self) -> LoadedCode:
        assert self.sizes is not None
        return load_blob(self.sizes)

    def _compute_sizes(self, syms: array[int], _: Sequence[Any]) -> bool:
        address = self._sizes_code.address(SIZES)
        return ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)(address)(syms.buffer_info()[0])

    def bind(self, arguments: Sequence[Any]) -> Bindings | None:
        """See `Executable`. Arguments are all on the host, or all on the device, where single numbers may be on the host."""
        layouts = _layouts(arguments)
        prepared = None if layouts is None else self._prepared.get(layouts)
        if prepared is None:
            call = self._bind(arguments)
            if call is not None and layouts is not None:
                self._prepared[layouts] = self._prepare(call)
            return call
        empty = memory().empty
        made = [empty(shape, element) for shape, element in prepared.outputs]
        arrays = [one.array for one in arguments]
        results = results_of(self.spec, made)
        return Bindings((*arrays, *made), prepared.syms, results, prepared)

    def _prepare(self, call: Bindings) -> Prepared:
        outputs = [(one.shape, one.dtype) for one in call.made]
        return Prepared(call.syms, self._launches(call), outputs)

    def _launches(self, call: Bindings) -> tuple[Launch, ...]:
        """One, or one for each stage where there are parts: Note [Stages of launches] in `lowering/dialects/kernel_launch.py`."""
        blocks = -(-size_of(self.spec.total, call) // self.each)
        if not blocks:
            return ()
        stage = self.spec.stage
        if stage is None or blocks == 1:
            return (Launch(self._geometry(blocks, call.syms), call.syms.tobytes()),)
        launches: list[Launch] = []
        for number in range(1, self.spec.stages + 1):
            words = array("q", call.syms)
            words[stage.index] = number
            launches.append(Launch(self._geometry(blocks, words), words.tobytes()))
        return tuple(launches)

    def _geometry(self, blocks: int, syms: array[int]) -> Geometry:
        chosen = self.spec.threads
        threads = self.threads if chosen is None else syms[chosen.index]
        return Geometry((blocks, 1, 1), (threads, 1, 1))

    def _bind(self, arguments: Sequence[Any]) -> Bindings | None:
        sizes = self._compute_sizes if self.sizes is not None else None
        if not any(map(is_on_device, arguments)):
            return bind(self.spec, arguments, sizes)
        there = [_single_on_device(one) for one in arguments]
        return bind(self.spec, there, sizes, memory().empty, DeviceArray)

    def launch(self, call: Bindings) -> Tensor | tuple[Tensor, ...]:
        """See `Executable`.

        Raises:
            CudaError: the device fails.
        """
        prepared: Prepared | None = call.prepared
        launches = self._launches(call) if prepared is None else prepared.launches
        if not launches:
            return result_of(self.spec, call)
        if call.arrays[-1].__class__ is DeviceArray:
            self._run(launches, list(map(data_pointer, call.arrays)), call.syms)
        else:
            self._launch_from_host(launches, call)
        return result_of(self.spec, call)

    def _launch_from_host(self, launches: Sequence[Launch], call: Bindings) -> None:
        """Copy the arguments to the device, and the results back."""
        blocks_of = allocator()
        results = call.made
        inputs = call.arrays[: len(call.arrays) - len(results)]
        blocks = [blocks_of.to_device(span(one)) for one in inputs]
        blocks += [blocks_of.allocate(one.nbytes) for one in results]
        addresses = [block.address for block in blocks]
        self._run(launches, addresses, call.syms)
        for block, one in zip(blocks[len(inputs) :], results, strict=True):
            blocks_of.to_host(block, one.reshape(prod(one.shape)).view(np.uint8))

    def _run(self, launches: Sequence[Launch], buffers: list[int], syms: array[int]) -> None:
        """Launch the kernel, as often as it takes."""
        scratch = None
        if self.spec.scratch is not None:
            scratch = allocator().allocate(syms[self.spec.scratch.index], current_handle())
            buffers = [*buffers, scratch.address]
        addresses = array("Q", buffers).tobytes()
        for geometry, words in launches:
            self.kernel.launch(geometry, addresses + words)


def _layouts(arguments: Sequence[Any]) -> tuple[Any, ...] | None:
    """What a call depends on, beside the elements, where all arguments are tensors of the device."""
    found: list[Any] = []
    for one in arguments:
        if one.__class__ is not Tensor or (values := one.array).__class__ is not DeviceArray:
            return None
        found += (values.dtype.num, values.shape, values.strides, values.flags.aligned)
    return tuple(found)


def is_on_device(value: Any) -> bool:
    """Whether a runtime value is a tensor on the device."""
    return isinstance(value, Tensor) and value.array.__class__ is DeviceArray


def _single_on_device(value: Any) -> Any:
    """A tensor of one number on the device; anything else as it is."""
    if value.__class__ is not Tensor or value.array.ndim or value.array.__class__ is DeviceArray:
        return value
    return tensor_of(memory().from_host(value.array))


def span(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The bytes from the first element of an array to its last, whatever lies between them."""
    if array.size == 0:
        return np.empty(0, np.uint8)
    last = sum((n - 1) * stride for n, stride in zip(array.shape, array.strides, strict=True))
    elements = as_strided(array, (last // array.itemsize + 1,), (array.itemsize,))
    return elements.view(np.uint8)
