"""Kernels of the runtime's own, called from those of operators: they give None for calls that they do not serve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.backend import KernelSpec, MachineCode
from torchscript_dialect.runtime.kernels.kernels import add_kernel
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import RuntimeKernel

NAMES = {"f": "float32", "d": "float64"}
"""Of dtypes that most of them are for, by NumPy's character: their own names take longer to find."""


def nothing(*_: object) -> None:
    """What a call gives that no kernel serves."""


def kernel_of(
    spec: KernelSpec, code: LoadedCode, name: str, sizes: str | None = None
) -> RuntimeKernel:
    """A kernel of a module by name, with the function of sizes by its own."""
    check = 0 if sizes is None else code.address(sizes)
    return RuntimeKernel(spec, MachineCode(code.address(name), check, code))


def native_or_nothing(make: Callable[[], RuntimeKernel]) -> Callable[..., Any]:
    """What calls a kernel, and gives None where it does not fit or there is no native code."""
    native = NativeCallable(nothing)
    try:
        add_kernel(native, make())
    except NativeUnavailable:
        return nothing
    return native
