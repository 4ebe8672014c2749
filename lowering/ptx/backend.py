"""The `ptx` backend: kernels of a GPU, for tensors that are there, or for those of the host, which are copied there and back."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from lowering.backend import LinalgBackend
from torchscript_dialect.backend import Backend, Executable, fusing_device
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime import settings
from torchscript_dialect.tensor.dtype import dtype


class PTXBackend(LinalgBackend):
    """See `torchscript_dialect.backend.Backend`."""

    device = "cuda"

    def cut(self, nodes: Sequence[Operation]) -> Sequence[Sequence[Operation]]:
        return import_module("lowering.gpu.groups").cut(nodes)

    def pays_alone(self, op: Operation) -> bool:
        return fusing_device() == self.device or super().pays_alone(op)

    def target(self) -> str:
        runtime = import_module("torchscript_dialect.runtime.cuda.driver")
        try:
            (major, minor), processors = runtime.driver().capability, runtime.driver().processors
        except runtime.CudaError:
            return ""
        tf32 = " tf32" if settings.current().allows_tf32 else ""
        return f"sm_{major}{minor} {processors}{tf32}"

    def compile(self, module: ModuleOp, lists: PassLists) -> Executable:
        return import_module("lowering.ptx.compiler").compile_function(module, lists)

    def strided_copy(self, rank: int, bits: int, capability: tuple[int, int]) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.strided_copy`."""
        return import_module("lowering.ptx.compiler").compile_strided_copy(rank, bits, capability)

    def indexed_copy(self, *form: Any, capability: tuple[int, int]) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.indexed_copy`."""
        made = import_module("lowering.gpu.indexed_copy").Form(*form)
        return import_module("lowering.ptx.compiler").compile_indexed_copy(made, capability)

    def chosen_places(self, rank: int, capability: tuple[int, int]) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.chosen_places`."""
        return import_module("lowering.ptx.compiler").compile_chosen_places(rank, capability)

    def block_scan(self, way: str, element: dtype, capability: tuple[int, int]) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.block_scan`."""
        return import_module("lowering.ptx.compiler").compile_block_scan(way, element, capability)

    def carry(self, way: str, element: dtype, capability: tuple[int, int]) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.block_scan`."""
        return import_module("lowering.ptx.compiler").compile_carry(way, element, capability)

    def sort_step(self, name: str, element: dtype, capability: tuple[int, int]) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.block_sort`."""
        return import_module("lowering.ptx.compiler").compile_sort_step(name, element, capability)

    def binary_search(
        self, element: dtype, steps: int, right: bool, capability: tuple[int, int]
    ) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.binary_search`."""
        return import_module("lowering.ptx.compiler").compile_binary_search(
            element, steps, right, capability
        )

    def random_numbers(
        self, kind: str, element: dtype, capability: tuple[int, int]
    ) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.random_numbers`."""
        return import_module("lowering.ptx.compiler").compile_random_numbers(
            kind, element, capability
        )

    def load(self, data: bytes) -> Executable:
        return import_module("torchscript_dialect.runtime.cuda.executable").CudaKernel.from_bytes(
            data
        )


PTX: Backend = PTXBackend()
