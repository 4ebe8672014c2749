"""Gets the runtime's own native code: from the disk cache, or compiled once with llvmlite."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from torchscript_dialect.backend import KernelSpec, MachineCode
from torchscript_dialect.runtime.native.blob import Blob, LinkError
from torchscript_dialect.runtime.native.cache import cache_key, disk_cache
from torchscript_dialect.runtime.native.loader import LoadedCode, host_machine, load_blob
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.llvm import is_installed

NEEDS = "native calls need CPython on Linux, x86-64 or AArch64, and llvmlite"


class NativeUnavailable(RuntimeError):
    """Native code cannot be used in this process, for the reason given; use the slow path."""


class RuntimeKernel(NamedTuple):
    """A kernel of that code: the part of `Executable` that native callables ask for."""

    spec: KernelSpec
    code: MachineCode


def load_runtime_code(
    name: str,
    make_text: Callable[[], str],
    symbols: Mapping[str, int] | None = None,
    *,
    functions: Sequence[str],
    data: Sequence[str] = (),
    level: int = 2,
) -> LoadedCode:
    """Maps the code of an IR module; NativeUnavailable where it cannot be had.

    `make_text` is asked for the module's text where the disk cache has no code for `name`, which
    tells one text of our sources from another. The module defines `functions` and the variables `data`.
    `level` is that of LLVM's code generator.
    """
    if not host_machine() or not is_installed():
        raise NativeUnavailable(NEEDS)
    key = cache_key("runtime", name)
    cache = disk_cache()
    stored = cache.get(key)
    if stored is not None:
        try:
            kept = Blob.from_bytes(stored)
            kept.check_defines(functions, data)
            return load_blob(kept, symbols)
        except LinkError:
            cache.remove(key)
    try:
        with (
            compilation
        ):  # around the import, too: a forked child would wait for a lock of it for ever
            from torchscript_dialect.runtime.native.compile import compile_blob

            blob = compile_blob(make_text(), host=False, level=level)
        loaded = load_blob(blob, symbols)
    except (ImportError, LinkError, RuntimeError) as error:
        raise NativeUnavailable(f"the native runtime cannot be made: {error}") from error
    cache.put(key, blob.to_bytes())
    return loaded


def load_functions(
    name: str, text: str, functions: Sequence[str], arguments: Sequence[Any]
) -> Mapping[str, Callable[..., None]]:
    """The functions of an IR module, by name, for calls from Python with arguments of these types of ctypes; none where there is no
    native code.
    """
    try:
        code = load_runtime_code(name, lambda: text, functions=functions)
    except NativeUnavailable:
        return {}
    kind = ctypes.CFUNCTYPE(None, *arguments)
    return {function: kind(code.address(function)) for function in functions}
