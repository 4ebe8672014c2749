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

    def own_kernel(self, name: str, form: Sequence[Any], capability: tuple[int, int]) -> str:
        """The PTX of a kernel that is not made of a program: see `lowering/gpu/own_kernels.py`."""
        return import_module("lowering.ptx.compiler").compile_own(name, form, capability)

    def load(self, data: bytes) -> Executable:
        return import_module("torchscript_dialect.runtime.cuda.executable").CudaKernel.from_bytes(
            data
        )


PTX: Backend = PTXBackend()
