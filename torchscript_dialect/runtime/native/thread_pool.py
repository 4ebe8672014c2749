"""The pool of native threads on which kernels run; started when it is first needed.

The pool runs one job at a time; see Note [The thread pool]. `TORCHSCRIPT_DIALECT_NUM_THREADS` sets
the number of threads, the calling one included; without it there is one for each processor that
this process may use.
"""

from __future__ import annotations

import ctypes
import os
import time
from functools import cache

from torchscript_dialect.runtime.native import pool_ir
from torchscript_dialect.runtime.native.loader import LoadedCode
from torchscript_dialect.runtime.native.runtime_blob import load_runtime_code
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.forks import at_fork

SPINS = 1500
"""Pauses before a worker sleeps: 20 to 60 µs, by processor."""


class _Setting:
    threads: int | None = None


def get_num_threads() -> int:
    """How many threads, the calling one included, a parallel kernel may use."""
    if _Setting.threads is None:
        _Setting.threads = _default_threads()
    return _Setting.threads


def set_num_threads(number: int) -> None:
    """Sets what `get_num_threads` returns; running workers end once the present job is done."""
    if number < 1:
        raise ValueError(f"set_num_threads expects a positive number, not {number}")
    _Setting.threads = min(number, pool_ir.MAX_THREADS)
    if _make_pool.cache_info().currsize:
        thread_pool().resize(_Setting.threads)


class ThreadPool:
    """The loaded pool: the addresses of `pool_run` and of the state, for native callers."""

    def __init__(self, code: LoadedCode, threads: int):
        self.state = code.address("pool_state")
        self.run_address = code.address("pool_run")
        pointers = [ctypes.c_void_p] * 3
        self._run = ctypes.CFUNCTYPE(
            None, *pointers, ctypes.c_int64, ctypes.c_int64, ctypes.c_bool
        )(self.run_address)
        self._lock = ctypes.CFUNCTYPE(ctypes.c_int32)(code.address("pool_lock"))
        self._unlock = ctypes.CFUNCTYPE(None)(code.address("pool_unlock"))
        self._stop = ctypes.CFUNCTYPE(None)(code.address("pool_stop"))
        self._set(pool_ir.WANTED, threads)
        self._set(pool_ir.SPINS, SPINS if (os.cpu_count() or 1) > 1 else 0)

    @property
    def num_workers(self) -> int:
        """How many worker threads there are now."""
        return ctypes.c_int32.from_address(self.state + pool_ir.STARTED).value

    def run(
        self, kernel: int, buffers: int, syms: int, total: int, chunk: int, wake: bool = True
    ) -> None:
        """Runs the kernel at address `kernel` over `[0, total)` in chunks, without the GIL.

        With `wake` false it uses only workers that are awake.
        """
        if chunk < 1:
            raise ValueError(f"chunks of {chunk} elements")
        self._run(kernel, buffers, syms, total, chunk, wake)

    def resize(self, threads: int) -> None:
        """Ends the workers and sets how many threads the next parallel job starts."""
        self._acquire()
        try:
            self._stop()
            self._set(pool_ir.WANTED, threads)
        finally:
            self._unlock()

    def before_fork(self) -> None:
        """Ends the workers and keeps new ones from starting, so that the child knows its pool."""
        self._acquire()
        self._stop()

    def after_fork(self) -> None:
        """Lets parent or child start workers again, when they need them."""
        self._unlock()

    def _acquire(self) -> None:
        while not self._lock():
            time.sleep(1e-5)

    def _set(self, offset: int, value: int) -> None:
        ctypes.c_int32.from_address(self.state + offset).value = value


def thread_pool() -> ThreadPool:
    """The process's pool; NativeUnavailable where there can be none."""
    with compilation:
        return _make_pool()


@cache
def _make_pool() -> ThreadPool:
    code = load_runtime_code(
        "pool",
        lambda: pool_ir.pool_ir(os.uname().machine),
        functions=["pool_run", "pool_lock", "pool_unlock", "pool_stop"],
        data=["pool_state"],
        level=0,
    )
    pool = ThreadPool(code, get_num_threads())
    at_fork(
        before=pool.before_fork,
        after_in_parent=pool.after_fork,
        after_in_child=pool.after_fork,
    )
    return pool


def _default_threads() -> int:
    setting = os.environ.get("TORCHSCRIPT_DIALECT_NUM_THREADS", "")
    if setting.isdecimal() and int(setting) > 0:
        return min(int(setting), pool_ir.MAX_THREADS)
    return min(_processors(), pool_ir.MAX_THREADS)


def _processors() -> int:
    """Those that this process may use, where the system tells; else all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
