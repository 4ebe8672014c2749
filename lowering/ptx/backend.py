"""The `ptx` backend: kernels of a GPU, for tensors that are there, or for those of the host, which are copied there and back."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from lowering.backend import LinalgBackend
from torchscript_dialect.backend import Backend, Executable, fusing_device
from torchscript_dialect.passes.lists import PassLists


class PTXBackend(LinalgBackend):
    """See `torchscript_dialect.backend.Backend`. Products of matrices have no kernels yet."""

    device = "cuda"

    def can_lower(self, op: Operation) -> bool | None:
        return super().can_lower(op) and not _is_product(op)

    def pays_alone(self, op: Operation) -> bool:
        return fusing_device() == self.device or super().pays_alone(op)

    def compile(self, module: ModuleOp, lists: PassLists) -> Executable:
        return import_module("lowering.ptx.compiler").compile_function(module, lists)

    def strided_copy(self, rank: int, bits: int, capability: tuple[int, int]) -> tuple[str, str]:
        """The name and the PTX of a kernel: see `lowering.gpu.strided_copy`."""
        return import_module("lowering.ptx.compiler").compile_strided_copy(rank, bits, capability)

    def load(self, data: bytes) -> Executable:
        return import_module("torchscript_dialect.runtime.cuda.executable").CudaKernel.from_bytes(
            data
        )


def _is_product(op: Operation) -> bool:
    return _products().is_product(op)


@cache
def _products() -> Any:
    return import_module("lowering.linalg.matmul")


PTX: Backend = PTXBackend()
