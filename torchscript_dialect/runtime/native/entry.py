"""Callables that run compiled kernels without entering a Python frame.

A `NativeCallable` has a list of specializations, each a `KernelSpec` with the address of its
kernel. A call whose arguments fit one runs it and returns fresh tensors; every other call goes,
unchanged, to the slow path, an ordinary callable, whose result or exception is the call's.
"""

from __future__ import annotations

import array
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self
from weakref import WeakSet

import numpy as np

from torchscript_dialect.backend import Grid, KernelSpec
from torchscript_dialect.runtime.native import abi, device_state, table
from torchscript_dialect.runtime.native.entry_ir import Layout, entry_ir
from torchscript_dialect.runtime.native.pytorch_guard import guarded_entry
from torchscript_dialect.runtime.native.runtime_blob import (
    NEEDS,
    NativeUnavailable,
    load_runtime_code,
)
from torchscript_dialect.runtime.native.struct_type import (
    allow_vectorcall,
    make_forwarder,
    make_struct_type,
)
from torchscript_dialect.runtime.native.thread_pool import thread_pool
from torchscript_dialect.runtime.native.view_table import ViewProgram, encode_views
from torchscript_dialect.tensor import grad_mode, inference, pytorch_state
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.utils.compilation import compilation

__all__ = [
    "NativeCallable",
    "NativeUnavailable",
    "configure",
    "native_entry",
    "without_native_calls",
]

if TYPE_CHECKING:

    class _Struct:
        """The fields of the C structure."""

        _vectorcall: int
        _table: int
        native_calls: int
        _active: int

else:
    _Struct = make_struct_type("torchscript_dialect.runtime.native.entry.NativeStruct")

    if _Struct is None:

        class _Struct:
            """Stands in for the C structure: every call takes the slow path."""

            __slots__ = ("_vectorcall",)
            _active = _table = native_calls = 0

            def __call__(self, /, *args, **kwargs):
                return self._slow_path(*args, **kwargs)


_forwarder = 0
"""The vectorcall function of callables without specializations."""


def _no_slow_path(*args: object, **kwargs: object) -> object:
    raise TypeError("this native callable has no slow path for such arguments")


class NativeCallable(_Struct):
    """Calls a matching specialization natively, and `slow_path(*args, **kwargs)` otherwise.

    Subclasses may add methods, attributes and slots; one that defines `__call__` is called through
    that. `native_calls` counts the calls that ran natively.
    """

    __slots__ = ("__dict__", "__weakref__", "_kept", "_noted_at", "_retired", "_slow_path")
    _kept: list[tuple[array.array[int], object]]
    _noted_at: int
    _retired: list[object]
    _slow_path: Callable[..., Any]

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        self = super().__new__(cls)
        self._vectorcall = _forwarder
        self._slow_path = _no_slow_path
        self._kept = []
        self._noted_at = 0
        self._retired = []
        return self

    def __init__(self, slow_path: Callable[..., Any]):  # pyright: ignore[reportInconsistentConstructor]
        self.set_slow_path(slow_path)

    def __init_subclass__(cls, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        _allow_native_calls(cls)

    if TYPE_CHECKING:

        def __call__(self, /, *args: Any, **kwargs: Any) -> Any: ...

    @property
    def slow_path(self) -> Callable[..., Any]:
        """What answers the calls that no specialization fits."""
        return self._slow_path

    def set_slow_path(self, slow_path: Callable[..., Any]) -> None:
        """Makes `slow_path` answer the calls that no specialization fits."""
        if not callable(slow_path):
            raise TypeError(f"a slow path must be callable, not {type(slow_path).__name__}")
        self._slow_path = slow_path

    def add_specialization(
        self,
        spec: KernelSpec,
        kernel_address: int,
        sizes_address: int = 0,
        owner: object = None,
        *,
        in_place: bool = False,
        takes_tracked: bool = False,
        grid: Grid | None = None,
    ) -> None:
        """Adds a kernel, tried after those added before.

        `owner` is kept alive as long as the kernel may run. What is `in_place` writes the result over the first argument and
        returns that, and one that `takes_tracked` takes tensors that require gradients: see `table.encode`. `grid.failed` has to live
        as long as `owner` does.

        NativeUnavailable where native calls cannot be made, ValueError where `spec` is
        inconsistent.
        """
        _require_native_calls()
        words = table.encode(
            spec,
            kernel_address,
            sizes_address,
            in_place=in_place,
            takes_tracked=takes_tracked,
            grid=grid,
        )
        self._add(words, owner)

    def add_function(self, inputs: Sequence[table.Forwarded], function: Callable[..., Any]) -> None:
        """Lets a Python function have the calls with such arguments that no specialization before it fits.

        NativeUnavailable where native calls cannot be made, ValueError for more arguments than they take.
        """
        _require_native_calls()
        self._add(table.encode_function(inputs, function), function)

    def add_views(self, program: ViewProgram) -> None:
        """Adds a program that makes views, tried after what was added before.

        NativeUnavailable where native calls cannot be made, ValueError for one that is too large.
        """
        _require_native_calls()
        self._add(encode_views(program), None)

    def note_calls_at(self, address: int) -> None:
        """Lets native calls leave the address of the table that they took in a word; the tables of others have one of their own."""
        self._noted_at = address

    def owner_of(self, address: int) -> object:
        """What the table at an address is of; None where it is none of this callable's."""
        tables = (owner for words, owner in self._kept if words.buffer_info()[0] == address)
        return next(tables, None)

    def _add(self, words: array.array[int], owner: object) -> None:
        entry = native_entry()
        address = words.buffer_info()[0]
        words[table.LAST_AT] = self._noted_at or address + 8 * table.LAST
        self._kept.append((words, owner))
        if len(self._kept) > 1:
            self._kept[-2][0][table.NEXT] = address
        else:
            self._table = address
        _Diverted.callables.add(self)
        if not _Diverted.hears_of_pytorch:
            _Diverted.hears_of_pytorch = True
            pytorch_state.around_import(_choose_ways)
        self._vectorcall = _way(entry.address)

    def clear_specializations(self) -> None:
        """Forgets every kernel; those that are running keep their tables and owners."""
        self._table = 0
        self._vectorcall = _forwarder
        self._retired = [*self._retired, self._kept] if self._active else []
        self._kept = []

    def take_slow_path(self) -> None:
        """Lets every call go to the slow path until `take_kernels`."""
        self._vectorcall = _forwarder

    def take_kernels(self) -> None:
        """Lets calls try the kernels, where there are any."""
        if self._kept:
            self._vectorcall = _way(native_entry().address)

    @property
    def num_specializations(self) -> int:
        """How many specializations there are."""
        return len(self._kept)


HAS_NATIVE_CALLS = hasattr(_Struct, "__vectorcalloffset__")


def _require_native_calls() -> None:
    if not HAS_NATIVE_CALLS:
        raise NativeUnavailable(NEEDS)


def _allow_native_calls(cls: type) -> None:
    """Sets the vectorcall flag unless `cls` or a class before `NativeCallable` has a `__call__`."""
    for one in cls.__mro__:
        if one is _Struct:
            break
        if "__call__" in vars(one):
            return
    if HAS_NATIVE_CALLS:
        allow_vectorcall(cls)


if HAS_NATIVE_CALLS:
    _forwarder = make_forwarder(abi.slot_offset(NativeCallable, "_slow_path"), _no_slow_path)
    _allow_native_calls(NativeCallable)


class _Diverted:
    """The callables that have kernels, and how many want all calls to take the slow path."""

    callables: ClassVar[WeakSet[NativeCallable]] = WeakSet()
    by: ClassVar[int] = 0
    lock: ClassVar[Lock] = Lock()
    hears_of_pytorch: ClassVar[bool] = False


def _way(entry: int) -> int:
    """The vectorcall function of a callable with kernels: see Note [PyTorch's state in native calls] in pytorch_guard.py."""
    if _Diverted.by:
        return _forwarder
    torch = pytorch_state.loaded()
    if torch is None:
        return _forwarder if pytorch_state.is_being_imported() else entry
    try:
        return guarded_entry(os.path.dirname(torch.__file__), entry, _forwarder)
    except NativeUnavailable:
        return _forwarder


def _choose_ways() -> None:
    for callable in list(_Diverted.callables):
        callable.take_kernels()


@contextmanager
def without_native_calls() -> Generator[None]:
    """Let every call of every thread take the slow path, where a trace sees it."""
    with _Diverted.lock:
        _Diverted.by += 1
        for callable in list(_Diverted.callables):
            callable.take_slow_path()
    try:
        yield
    finally:
        with _Diverted.lock:
            _Diverted.by -= 1
            for callable in [] if _Diverted.by else list(_Diverted.callables):
                callable.take_kernels()


def keep_memory_of_results() -> None:
    """Let the process keep the memory of results that are gone for the next ones.

    The C library gives freed memory at the end of its heap back to the system, if it is more than twice the largest block that was
    freed so far, and pages that come back from there have to be filled with zeros: a step that makes gradients of 3 MB takes five
    times as long. It learns from blocks of up to 32 MB; this is one, of which no page is touched. Who has set limits of memory
    allocation in the environment keeps them.
    """
    with suppress(MemoryError):
        np.empty((32 << 20) - (1 << 16), np.uint8)


class NativeEntry(NamedTuple):
    """The loaded entry, which wraps its results in `tensor_type`."""

    address: int
    tensor_type: type


class _Configuration:
    types: tuple[type, type] | None = None


def configure(tensor_type: type, tracked_type: type) -> None:
    """Sets the type of tensors, a class with the slots `array` and `autograd`, for later specializations, and that of those that
    require gradients.
    """
    _Configuration.types = tensor_type, tracked_type


def native_entry() -> NativeEntry:
    """The entry for the configured tensor type; NativeUnavailable where there can be none."""
    if _Configuration.types is None:
        raise NativeUnavailable("native calls were not given the type of tensors; call configure")
    with compilation:
        return _load_entry(*_Configuration.types)


@lru_cache(maxsize=4)
def _load_entry(tensor_type: type, tracked_type: type) -> NativeEntry:
    array_offset = abi.check_tensor_type(tensor_type)
    if not issubclass(tracked_type, tensor_type):
        raise NativeUnavailable(f"{tracked_type.__name__} is no {tensor_type.__name__}")
    interpreter = abi.interpreter()
    keep_memory_of_results()
    pool = thread_pool()
    slow_path = abi.slot_offset(NativeCallable, "_slow_path")
    autograd_offset = abi.slot_offset(tensor_type, "autograd")
    layout = Layout(slow_path, array_offset, autograd_offset, interpreter.inline_refcounts)
    symbols = {
        **interpreter.numpy_functions,
        "tensor_type": id(tensor_type),
        "tracked_type": id(tracked_type),
        "without_gradients": grad_mode.WITHOUT_GRADIENTS.buffer_info()[0],
        "inferring": id(inference.INSIDE) + abi.VAR_SIZE,
        "entered": id(inference.ENTERED) + abi.VAR_SIZE,
        "made": id(inference.made),
        "viewed": id(inference.viewed),
        "ndarray_type": id(np.ndarray),
        "device_array_type": id(DeviceArray),
        "device_state": device_state.STATE.buffer_info()[0],
        "uint8_descriptor": abi.descriptors("uint8")[0],
        "no_slow_path": id(_no_slow_path),
        "pool_run": pool.run_address,
        "pool_state": pool.state,
    }
    code = load_runtime_code(
        f"entry {layout}", lambda: entry_ir(layout), symbols, functions=["entry"]
    )
    return NativeEntry(code.address("entry"), tensor_type)
