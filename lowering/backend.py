"""The `llvm` backend: machine code for the CPU that runs this process, by way of linalg.

Fusion asks it what groups may hold; that imports no dialect of upstream. The compiler is imported by the first group that has to
be compiled, and nothing of this package but this file where all kernels are found on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.backend import (
    Backend,
    Executable,
    NotCompilable,
    Recurrence,
    executable_of,
    fusing_device,
)
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS
from torchscript_dialect.runtime.native.executable import NativeKernel
from torchscript_dialect.runtime.native.runtime_blob import NEEDS
from torchscript_dialect.tensor.device_array import is_device_in_use
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.startup import formats_deferred


class LoweredOps:
    """The classes of ops that have a lowering to linalg which groups may take."""

    def __contains__(self, op_class: object) -> bool:
        return _groups().is_lowered(op_class)


class LinalgBackend(Backend):
    """What backends share to which a group comes as linalg: one that has no code for some of the operators narrows `ops`."""

    ops = LoweredOps()

    def can_lower(self, op: Operation) -> bool | None:
        if type(op) not in self.ops or (is_device_in_use() and not _is_there(op, fusing_device())):
            return False
        return _groups().can_lower(op)

    def is_view(self, op: Operation) -> bool:
        return _groups().is_view(op)

    def vanishes(self, op: Operation) -> bool:
        return _groups().vanishes(op)

    def pays_alone(self, op: Operation) -> bool:
        return _groups().pays_alone(op)

    def pays_at_once(self, op: Operation) -> bool:
        return _groups().pays_at_once(op)

    def updates(self, op: Operation) -> Sequence[SSAValue]:
        return _groups().updates(op)


class LLVMBackend(LinalgBackend):
    """See `torchscript_dialect.backend.Backend`."""

    device = "cpu"

    def cut(self, nodes: Sequence[Operation]) -> Sequence[Sequence[Operation]]:
        return _groups().cut(nodes)

    def can_compute(self, op: Operation) -> bool:
        return _numbers().can_compute(op)

    def compile(self, module: ModuleOp, lists: PassLists) -> Executable:
        (outcome,) = self.compile_all([module], lists)
        return executable_of(outcome)

    def compile_all(
        self, modules: Sequence[ModuleOp], lists: PassLists
    ) -> list[Executable | NotCompilable]:
        if not HAS_NATIVE_CALLS:
            return [NotCompilable(NEEDS) for _ in modules]
        return _compiler().compile_modules(modules, lists)

    def recurrence(self, which: Recurrence, lists: PassLists) -> Executable:
        if not HAS_NATIVE_CALLS:
            raise NotCompilable(NEEDS)
        return executable_of(_compiler().compile_recurrence(which, lists))

    def load(self, data: bytes) -> Executable:
        return NativeKernel.from_bytes(data)


def _is_there(op: Operation, device: str) -> bool:
    """Whether all tensors of an op of which that is known are on a kind of device."""
    types = [value.type for value in (*op.operands, *op.results)]
    devices = [type_.device for type_ in types if isinstance(type_, TensorType)]
    return all(one is None or one.partition(":")[0] == device for one in devices)


@cache
def _groups() -> Any:
    return import_module("lowering.linalg.groups")


@cache
def _numbers() -> Any:
    return import_module("lowering.scf.numbers")


@cache
def _compiler() -> Any:
    with without_collection(), formats_deferred():
        return import_module("lowering.compiler")


LLVM: Backend = LLVMBackend()
