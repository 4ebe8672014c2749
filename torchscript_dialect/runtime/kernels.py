"""Kernels of fusion groups: compiled once for a text, kept on disk, loaded where they run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Block

from torchscript_dialect.backend import CompiledKernel, KernelSpec, NotCompilable, get_backend
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import op_classes
from torchscript_dialect.ops.registry import is_registered
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.native.blob import Blob, LinkError
from torchscript_dialect.runtime.native.cache import cache_key, disk_cache
from torchscript_dialect.runtime.native.entry import NativeCallable
from torchscript_dialect.runtime.native.loader import LoadedCode, load_blob
from torchscript_dialect.runtime.native.spec_json import spec_from_json, spec_to_json
from torchscript_dialect.runtime.native.table import check_spec
from torchscript_dialect.serialization.graph_printer import print_block
from torchscript_dialect.utils.compilation import compilation


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
    body: Block,
    fuser: str,
    lists: PassLists,
    key: str | None = None,
    returns_tuple: bool | None = None,
) -> Kernel:
    """The kernel of a group's block, compiled by the passes of `lists`: from the cache on disk, or made and put there.

    `key` is the cache's key where it is not made from the block's text; `returns_tuple` says whether the result is packed,
    None if it is where there are several. A kernel that passes of a user have a part in is not kept.

    Raises:
        NotCompilable: the backend has no code for the group, or the group is more than one native call takes.
    """
    passes = lists.identity("linalg-to-llvm")
    if key is None and passes is not None:
        key = cache_key("kernel", fuser, passes, repr(returns_tuple), print_block(body))
    found = None if key is None else load_kernel(key)
    if found is not None:
        return found
    with compilation:
        compiled = get_backend(fuser).compile(body, lists)
        try:
            check_spec(compiled.spec, has_sizes=compiled.has_sizes)
        except ValueError as error:
            raise NotCompilable(str(error)) from error
        blob = link(compiled)
    if returns_tuple is not None:
        compiled = compiled._replace(spec=compiled.spec._replace(returns_tuple=returns_tuple))
    if key is not None and not _holds_registered(body):
        disk_cache().put(key, pack_kernel(compiled, blob))
    return Kernel(compiled.spec, load_blob(blob), compiled.name, compiled.has_sizes)


def _holds_registered(body: Block) -> bool:
    """Whether a group holds operators that this process added: in another one the same name may be something else."""
    classes = op_classes(body)
    operators = [class_.OPERATOR for class_ in classes if issubclass(class_, OperatorOp)]
    return any(one is not None and is_registered(one.qualified_name) for one in operators)


def link(compiled: CompiledKernel) -> Blob:
    """The object as a blob."""
    from torchscript_dialect.runtime.native.linker import link_object

    return link_object(compiled.object)


def pack_kernel(compiled: CompiledKernel, blob: Blob) -> bytes:
    """A cache entry: a line of JSON, then the blob."""
    head = [spec_to_json(compiled.spec), compiled.name, compiled.has_sizes]
    return json.dumps(head).encode() + b"\n" + blob.to_bytes()


def load_kernel(key: str) -> Kernel | None:
    """The kernel that is kept under a key; an entry that cannot be read is removed."""
    entry = disk_cache().get(key)
    if entry is None:
        return None
    try:
        return unpack_kernel(entry)
    except (ValueError, LinkError):
        disk_cache().remove(key)
        return None


def unpack_kernel(entry: bytes) -> Kernel:
    """The kernel of a cache entry, loaded. All that the entry says is checked before its code is mapped.

    Raises:
        ValueError: the line of JSON is damaged.
        LinkError: the code is.
    """
    line, _, data = entry.partition(b"\n")
    spec, name, has_sizes = read_head(line)
    blob = Blob.from_bytes(data)
    blob.check_defines([name, "sizes"] if has_sizes else [name])
    return Kernel(spec, load_blob(blob), name, has_sizes)


def read_head(line: bytes) -> tuple[KernelSpec, str, bool]:
    """What the JSON of a cache entry says; ValueError where that cannot be."""
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
