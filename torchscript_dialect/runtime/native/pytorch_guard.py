"""Native calls in a process that has PyTorch.

Note [PyTorch's state in native calls]
What kernels were compiled for holds while PyTorch's default dtype is what it was, and outside of its regions of `torch.autocast`, for
the CPU and for CUDA's devices. Both change without a word. So while PyTorch is loaded the vectorcall pointer of callables leads to
`guarded`, which asks PyTorch's own functions for both, a few nanoseconds, and goes on to the entry or to the slow path. Without
PyTorch it leads to the entry, and nobody asks.

All calls take the slow path while PyTorch is being imported.
"""

from __future__ import annotations

import ctypes
import os
from functools import lru_cache
from typing import Any, Final

from torchscript_dialect.runtime.native.runtime_blob import NativeUnavailable, load_runtime_code
from torchscript_dialect.tensor import dtype as dtypes

_EXPECTED: Final = ctypes.c_int8(dtypes.get_default_dtype().scalar_type)
"""The default dtype that kernels are for, as PyTorch numbers it."""

_FUNCTIONS: Final = {
    "is_autocast_enabled": (
        "libtorch_cpu.so",
        "_ZN2at8autocast19is_autocast_enabledEN3c1010DeviceTypeE",
    ),
    "default_dtype": ("libc10.so", "_ZN3c1031get_default_dtype_as_scalartypeEv"),
}
"""What is asked: the library, and the symbol (ATen/autocast_mode.h, c10/core/DefaultDtype.h)."""

_CPU, _CUDA = 0, 1
"""The numbers of kinds of devices in PyTorch (c10/core/DeviceType.h)."""

_GUARDED = f"""
@expected = external global i8
declare zeroext i1 @is_autocast_enabled(i8 signext)
declare signext i8 @default_dtype()
declare ptr @entry(ptr, ptr, i64, ptr)
declare ptr @slow(ptr, ptr, i64, ptr)

define ptr @guarded(ptr %self, ptr %args, i64 %nargsf, ptr %kwnames) nounwind {{
  %is_cast = call zeroext i1 @is_autocast_enabled(i8 signext {_CPU})
  br i1 %is_cast, label %other, label %devices
devices:
  %is_cast_there = call zeroext i1 @is_autocast_enabled(i8 signext {_CUDA})
  br i1 %is_cast_there, label %other, label %dtype
dtype:
  %found = call signext i8 @default_dtype()
  %wanted = load i8, ptr @expected
  %same = icmp eq i8 %found, %wanted
  br i1 %same, label %usual, label %other
usual:
  %given = tail call ptr @entry(ptr %self, ptr %args, i64 %nargsf, ptr %kwnames)
  ret ptr %given
other:
  %answer = tail call ptr @slow(ptr %self, ptr %args, i64 %nargsf, ptr %kwnames)
  ret ptr %answer
}}
"""


@lru_cache(maxsize=4)
def guarded_entry(folder: str, entry: int, slow: int) -> int:
    """The address of a vectorcall function that goes to `entry`, or to `slow` where PyTorch, installed in `folder`, has to be heeded.

    Raises:
        NativeUnavailable: its libraries are not as expected.
    """
    symbols = {name: _address(folder, *where) for name, where in _FUNCTIONS.items()}
    symbols |= {"entry": entry, "slow": slow, "expected": ctypes.addressof(_EXPECTED)}
    code = load_runtime_code("guarded entry", lambda: _GUARDED, symbols, functions=["guarded"])
    return code.address("guarded")


def _address(folder: str, library: str, name: str) -> int:
    try:
        loaded = ctypes.CDLL(os.path.join(folder, "lib", library), os.RTLD_NOLOAD | os.RTLD_NOW)
        function: Any = loaded[name]
    except (OSError, AttributeError):
        raise NativeUnavailable(f"PyTorch's {library} has no {name}") from None
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _follow_default() -> None:
    _EXPECTED.value = dtypes.get_default_dtype().scalar_type


dtypes.on_change_of_default(_follow_default)
