"""Kernels of fusion groups: compiled once for a text, kept on disk, loaded where they run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Block

from torchscript_dialect.backend import CompiledKernel, KernelSpec, get_backend
from torchscript_dialect.runtime.native.blob import Blob, LinkError
from torchscript_dialect.runtime.native.cache import cache_key, disk_cache
from torchscript_dialect.runtime.native.compilation import compilation
from torchscript_dialect.runtime.native.entry import NativeCallable
from torchscript_dialect.runtime.native.loader import LoadedCode, load_blob
from torchscript_dialect.serialization.graph_printer import print_block


@dataclass
class Kernel:
    """A loaded kernel: what calls it serves, and its code."""

    spec: KernelSpec
    code: LoadedCode
    name: str
    has_sizes: bool

    def add_to(self, callable_: NativeCallable) -> None:
        """Let a callable serve the calls that fit.

        Raises:
            NativeUnavailable: this interpreter allows no native calls.
        """
        sizes = self.code.address("sizes") if self.has_sizes else 0
        callable_.add_specialization(self.spec, self.code.address(self.name), sizes, self.code)


def compile_kernel(
    body: Block, fuser: str, key: str | None = None, returns_tuple: bool | None = None
) -> Kernel:
    """The kernel of a group's block: from the cache on disk, or compiled and put there.

    `key` is the cache's key where it is not made from the block's text; `returns_tuple` says whether the result is packed,
    None if it is where there are several.

    Raises:
        NotCompilable: the backend has no code for the group.
    """
    key = key or cache_key("kernel", fuser, print_block(body))
    found = load_kernel(key)
    if found is not None:
        return found
    with compilation:
        compiled = get_backend(fuser)(body)
        blob = link(compiled)
    if returns_tuple is not None:
        compiled = compiled._replace(spec=compiled.spec._replace(returns_tuple=returns_tuple))
    disk_cache().put(key, pack_kernel(compiled, blob))
    return Kernel(compiled.spec, load_blob(blob), compiled.name, compiled.has_sizes)


def link(compiled: CompiledKernel) -> Blob:
    """The object as a blob."""
    from torchscript_dialect.runtime.native.linker import link_object

    return link_object(compiled.object)


def pack_kernel(compiled: CompiledKernel, blob: Blob) -> bytes:
    """A cache entry: a line of JSON, then the blob."""
    head = {
        "spec": compiled.spec.to_json(),
        "name": compiled.name,
        "has_sizes": compiled.has_sizes,
    }
    return json.dumps(head).encode() + b"\n" + blob.to_bytes()


def load_kernel(key: str) -> Kernel | None:
    """The kernel that is kept under a key; an entry that cannot be read is removed."""
    entry = disk_cache().get(key)
    if entry is None:
        return None
    line, _, data = entry.partition(b"\n")
    try:
        head: dict[str, Any] = json.loads(line)
        spec = KernelSpec.from_json(head["spec"])
        code = load_blob(Blob.from_bytes(data))
        return Kernel(spec, code, head["name"], head["has_sizes"])
    except (ValueError, KeyError, TypeError, LinkError):
        disk_cache().remove(key)
        return None
