"""A limit for programs that may run for ever: random inputs find every endless loop."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Generator
from contextlib import contextmanager


class OutOfTime(BaseException):
    """A run took longer than it may. No error of the program, as which the interpreter would explain any Exception."""


@contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Raise `OutOfTime` in this thread, between two of Python's instructions, unless the block is done by then."""
    thread, lock, is_done = threading.get_ident(), threading.Lock(), False
    raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def stop() -> None:
        with lock:
            if not is_done:
                raise_in_thread(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            is_done = True
        timer.cancel()
