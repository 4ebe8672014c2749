"""Native kernels of all steps of recurrent layers: `backend.Recurrence`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from torchscript_dialect.backend import Executable, NotCompilable, Recurrence, get_backend
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.kernels.handwritten.own_kernels import nothing
from torchscript_dialect.runtime.kernels.kernels import add_kernel, keep, load_kernel, of_target
from torchscript_dialect.runtime.kernels.small_kernels import may_compile
from torchscript_dialect.runtime.native.cache import cache_key
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.utils.compilation import compilation

FUSER = "llvm"


def recurrence(*which: Any) -> Callable[..., Any] | None:
    """What runs a kernel, given by the fields of `Recurrence`, and gives None for calls that it does not serve; None where nothing may
    be compiled.
    """
    return _native(Recurrence(*which)) if may_compile() else None


@lru_cache(maxsize=64)
def _native(which: Recurrence) -> Callable[..., Any]:
    native = NativeCallable(nothing)
    try:
        add_kernel(native, _executable(which))
    except (NativeUnavailable, NotCompilable):
        return nothing
    return native


def _executable(which: Recurrence) -> Executable:
    """The kernel, from the cache on disk or compiled and put there."""
    lists = PassLists()
    key = of_target(cache_key("recurrence", repr(which)), FUSER)
    with compilation:
        kernel = load_kernel(key, FUSER)
        if kernel is None:
            kernel = get_backend(FUSER).recurrence(which, lists)
            keep(key, kernel)
        return kernel
