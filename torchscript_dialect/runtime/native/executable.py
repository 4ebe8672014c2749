"""Kernels of machine code for the processor that runs this process: linked to blobs, mapped, run on the pool of threads."""

from __future__ import annotations

import ctypes
import json
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

from torchscript_dialect.backend import Bindings, KernelSpec, MachineCode
from torchscript_dialect.runtime.native.bindings import bind, result_of, size_of
from torchscript_dialect.runtime.native.blob import Blob, LinkError
from torchscript_dialect.runtime.native.loader import load_blob
from torchscript_dialect.runtime.native.spec_json import spec_from_json, spec_to_json
from torchscript_dialect.runtime.native.table import CHUNK_NS, check_spec
from torchscript_dialect.runtime.native.thread_pool import get_num_threads, thread_pool
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.properties import cached_property

CACHE_LINE = 64


class NativeKernel:
    """A kernel whose code the blob defines as `name`, with the function `sizes` where `has_sizes`.

    The native entry calls it where `code` says; `bind` and `launch` do the same from Python.
    """

    device = "cpu"

    def __init__(self, spec: KernelSpec, name: str, has_sizes: bool, blob: Blob) -> None:
        """ValueError where a native call cannot be like the spec, LinkError where the blob does not define the functions."""
        check_spec(spec, has_sizes=has_sizes)
        blob.check_defines([name, "sizes"] if has_sizes else [name])
        self.spec = spec
        self.name = name
        self.has_sizes = has_sizes
        self.blob = blob

    @classmethod
    def linked(
        cls, spec: KernelSpec, name: str, has_sizes: bool, objects: Sequence[bytes]
    ) -> NativeKernel:
        """The kernel of relocatable objects.

        ValueError where a native call cannot be like the spec, LinkError where the objects cannot be linked.
        """
        from torchscript_dialect.runtime.native.linker import link_objects

        return cls(spec, name, has_sizes, link_objects(objects))

    @classmethod
    def from_bytes(cls, data: bytes) -> NativeKernel:
        """The inverse of `serialize`; ValueError where the bytes are anything else.

        All that they say is checked before code is mapped.
        """
        line, _, code = data.partition(b"\n")
        spec, name, has_sizes = read_head(line)
        try:
            kernel = cls(spec, name, has_sizes, Blob.from_bytes(code))
            kernel.code  # noqa: B018  (what cannot be mapped is refused here)
        except LinkError as error:
            raise ValueError(str(error)) from error
        return kernel

    def serialize(self) -> bytes:
        """A line of JSON, then the blob."""
        head = [spec_to_json(self.spec), self.name, self.has_sizes]
        return json.dumps(head).encode() + b"\n" + self.blob.to_bytes()

    @property
    def code(self) -> MachineCode:
        """Where the code is, mapped at the first use."""
        return self._code

    @cached_property
    def _code(self) -> MachineCode:
        loaded = load_blob(self.blob)
        sizes = loaded.address("sizes") if self.has_sizes else 0
        return MachineCode(loaded.address(self.name), sizes, loaded)

    def bind(self, arguments: Sequence[Any]) -> Bindings | None:
        """See `Executable`."""
        return bind(self.spec, arguments, self._sizes if self.has_sizes else None)

    def _sizes(self, syms: array[int], arrays: Sequence[Any]) -> bool:
        pointer = ctypes.c_void_p
        function = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, pointer)(self.code.sizes)
        buffers = array("q", [data_pointer(one) for one in arrays])
        return function(syms.buffer_info()[0], buffers.buffer_info()[0])

    def launch(self, call: Bindings) -> Tensor | tuple[Tensor, ...]:
        """See `Executable`.

        NativeUnavailable where there can be no threads.
        """
        spec = self.spec
        addresses = [data_pointer(one) for one in call.arrays]
        if spec.scratch is not None:
            scratch = np.empty(call.syms[spec.scratch.index] + CACHE_LINE, np.uint8)
            addresses.append(-(-data_pointer(scratch) // CACHE_LINE) * CACHE_LINE)
        buffers, total = array("q", addresses), size_of(spec.total, call)
        work = spec.cost_ns * size_of(spec.total if spec.work is None else spec.work, call)
        parts = min(get_num_threads(), int(work / max(spec.parallel_ns, CHUNK_NS))) or 1
        grains = -(-total // (parts * spec.grain))
        thread_pool().run(
            self.code.kernel,
            buffers.buffer_info()[0],
            call.syms.buffer_info()[0],
            total,
            max(grains, 1) * spec.grain,
        )
        return result_of(spec, call)


def read_head(line: bytes) -> tuple[KernelSpec, str, bool]:
    """What the JSON of a serialized kernel says; ValueError where that cannot be."""
    try:
        head: Any = json.loads(line)
        spec, name, has_sizes = head
    except (TypeError, RecursionError) as error:
        raise ValueError(f"not the head of a kernel: {error}") from error
    if not isinstance(name, str) or not isinstance(has_sizes, bool):
        raise ValueError(f"not the name of a kernel and a flag: {name!r}, {has_sizes!r}")
    found = spec_from_json(spec)
    check_spec(found, has_sizes=has_sizes)
    return found, name, has_sizes
