"""Kernels of fusion groups: compiled once for a text, shared while somebody runs them, kept on disk where they can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from torchscript_dialect.backend import (
    BACKENDS,
    LOWERING,
    Executable,
    NotCompilable,
    executable_of,
    get_backend,
)
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import clone_block, erase, op_classes, terminator
from torchscript_dialect.ops.registry import is_registered
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.native.bindings import Launcher
from torchscript_dialect.runtime.native.cache import cache_key, disk_cache
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.native.runtime_blob import RuntimeKernel
from torchscript_dialect.runtime.native.table import can_be_in_place
from torchscript_dialect.serialization.graph_printer import print_block
from torchscript_dialect.tensor.tensor import tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.utils.compilation import compilation

_shared: WeakValueDictionary[str, Executable] = WeakValueDictionary()
"""The executables that something in this process runs, by the keys under which the disk has them."""


class CarriedKernel:
    """A kernel that came with an archive, as bytes."""

    __slots__ = ("__weakref__", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data


_carried: WeakValueDictionary[str, CarriedKernel] = WeakValueDictionary()
"""The kernels that came with programs which live, by the keys under which a disk has them."""


def carried(key: str, data: bytes) -> CarriedKernel:
    """Let a kernel be found under a key, as long as what is given back lives."""
    made = _carried[key] = CarriedKernel(data)
    return made


def key_of(body: Block, lists: PassLists) -> str | None:
    """The key of the kernel of a block with the backend of the settings; None where it is not kept."""
    return _key(print_block(body), body, settings.current().fuser, lists)


def bytes_of(key: str) -> bytes | None:
    """The bytes of a kernel that runs in this process or is kept on disk; None where neither has them."""
    kernel = _shared.get(key)
    data = None if kernel is None else kernel.serialize()
    return disk_cache().get(key) if data is None else data


def compile_kernel(body: Block, fuser: str, lists: PassLists, key: str | None = None) -> Executable:
    """The kernel of one group; see `compile_kernels`.

    Raises:
        NotCompilable: the backend has no code for the group, or the group is more than one native call takes.
    """
    (outcome,) = compile_kernels([body], fuser, lists, key)
    return executable_of(outcome)


def compile_kernels(
    bodies: Sequence[Block], fuser: str, lists: PassLists, key: str | None = None
) -> list[Executable | NotCompilable]:
    """The kernels of the blocks of groups: those that run already, or from the cache on disk, or compiled by the passes of `lists`
    and put there; or why there are none. Equal blocks share one kernel.

    `key` is the cache's key where it is not made from the block's text. A kernel that passes of a user have a part in, or operators
    that the process registered, is not kept.
    """
    texts = [print_block(body) for body in bodies]
    groups = dict(zip(texts, bodies, strict=True))
    keys: dict[str, str | None] = {
        text: key or _key(text, body, fuser, lists) for text, body in groups.items()
    }
    with compilation:
        found: dict[str, Executable | NotCompilable] = {}
        for text, kept_under in keys.items():
            kernel = None if kept_under is None else load_kernel(kept_under, fuser)
            if kernel is not None:
                found[text] = kernel
        missing = [text for text in groups if text not in found]
        if missing:
            modules = [module_of(groups[text]) for text in missing]
            outcomes = get_backend(fuser).compile_all(modules, lists)
            found.update(zip(missing, outcomes, strict=True))
            for text, outcome in zip(missing, outcomes, strict=True):
                _keep(keys[text], outcome, _holds_registered(groups[text]))
    return [found[text] for text in texts]


def _key(text: str, body: Block, fuser: str, lists: PassLists) -> str | None:
    passes = lists.identity(*LOWERING)
    if passes is None or _holds_registered(body):
        return None
    return of_target(cache_key("kernel", fuser, passes, text), fuser)


def of_target(key: str, fuser: str) -> str:
    """The key of kernels for what a backend makes code for at present, where that is not the processor of this machine."""
    target = get_backend(fuser).target() if fuser in BACKENDS else ""
    return cache_key(key, target) if target else key


def _keep(key: str | None, outcome: Executable | NotCompilable, holds_registered: bool) -> None:
    if key is not None and not holds_registered and not isinstance(outcome, NotCompilable):
        keep(key, outcome)


def keep(key: str, kernel: Executable) -> None:
    """Share a kernel under a key in this process, and keep it on disk."""
    _shared[key] = kernel
    data = kernel.serialize()
    if data is not None:
        disk_cache().put(key, data)


def _holds_registered(body: Block) -> bool:
    """Whether a group holds operators that this process added: in another one the same name may be something else."""
    classes = op_classes(body)
    operators = [class_.OPERATOR for class_ in classes if issubclass(class_, OperatorOp)]
    return any(one is not None and is_registered(one.qualified_name) for one in operators)


def module_of(body: Block) -> ModuleOp:
    """A group's block as a function in a module; several results, or none, are returned as a tuple."""
    block = clone_block(body)
    end = terminator(block)
    results = list(end.operands)
    if len(results) != 1:
        type_ = TupleType.get([prim.type_of(value) for value in results])
        pack = prim.TupleConstructOp.create(operands=results, result_types=[type_])
        block.insert_op_before(pack, end)
        results = list(pack.results)
    erase(end)
    block.add_op(ReturnOp(*results))
    types = [value.type for value in results]
    return ModuleOp([FuncOp("kernel", (block.arg_types, types), Region(block))])


def load_kernel(key: str, fuser: str) -> Executable | None:
    """The kernel that runs in this process under a key, came along with a program, or is kept on disk under it; an entry of the disk
    that cannot be read is removed.
    """
    kernel = _shared.get(key)
    if kernel is not None:
        return kernel
    if (came_along := _carried.get(key)) is not None:
        with suppress(ValueError):
            kernel = _shared[key] = get_backend(fuser).load(came_along.data)
            return kernel
    entry = disk_cache().get(key)
    if entry is None:
        return None
    try:
        kernel = _shared[key] = get_backend(fuser).load(entry)
        return kernel
    except ValueError:
        disk_cache().remove(key)
        return None


def callable_of(
    executable: Executable,
    slow_path: Callable[..., Any],
    *,
    in_place: bool = False,
    takes_tracked: bool = False,
) -> Callable[..., Any]:
    """What runs a kernel where the arguments fit, and hands other calls to `slow_path`. `in_place` is for pointwise operators: the
    result is written over the first argument. `takes_tracked` takes tensors that require gradients, without their history.

    Raises:
        NativeUnavailable: this interpreter allows no native calls, or the kernel cannot be run in place.
    """
    code = executable.code
    if (code is None or code.grid is not None) and not in_place:
        slow_path = Launcher(executable, slow_path)
    if takes_tracked:
        slow_path = without_history(slow_path)
    if code is None and not in_place:
        return slow_path
    callable_ = NativeCallable(slow_path)
    add_kernel(callable_, executable, in_place=in_place, takes_tracked=takes_tracked)
    return callable_


def without_history(run: Callable[..., Any]) -> Callable[..., Any]:
    """What calls something with tensors that have no history."""

    def call(*args: Any) -> Any:
        return run(*[tensor_of(x.array) if x.__class__ is TrackedTensor else x for x in args])

    return call


def plain(operands: Sequence[Any]) -> tuple[Any, ...]:
    """Operands of which tensors that require gradients are without their history."""
    if not any(one.__class__ is TrackedTensor for one in operands):
        return tuple(operands)
    return tuple(
        [tensor_of(one.array) if one.__class__ is TrackedTensor else one for one in operands]
    )


def add_kernel(
    callable_: NativeCallable,
    executable: Executable | RuntimeKernel,
    *,
    in_place: bool = False,
    takes_tracked: bool = False,
) -> None:
    """Let the native entry of a callable serve the calls that fit, where the kernel is machine code.

    Raises:
        NativeUnavailable: this interpreter allows no native calls, or the kernel cannot be run in place.
    """
    code = executable.code
    if in_place and (code is None or code.grid or not can_be_in_place(executable.spec)):
        raise NativeUnavailable("the kernel cannot write over its first argument")
    if code is not None:
        kernel, sizes, _, grid = code
        callable_.add_specialization(
            executable.spec,
            kernel,
            sizes,
            executable,
            in_place=in_place,
            takes_tracked=takes_tracked,
            grid=grid,
        )
