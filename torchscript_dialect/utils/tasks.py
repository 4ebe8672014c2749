"""Calls that run beside their caller, on threads.

Note [Waiting never deadlocks]
Tasks wait for tasks, and there are fewer threads than tasks. Who waits for a task that no thread has begun runs it himself; who waits
for one that has begun waits for a thread that gets on, since a task can only wait for older tasks or for its own.
"""

from __future__ import annotations

import copy
import os
from collections import deque
from collections.abc import Callable
from threading import Condition, Lock, Thread
from typing import Any, Generic, TypeVar

from torchscript_dialect.utils.forks import at_fork

_T = TypeVar("_T")
_PENDING, _RUNNING, _DONE = range(3)


class Future(Generic[_T]):
    """The result of a call, once it is there."""

    def __init__(self, call: Callable[[], _T] | None = None) -> None:
        self._call = call
        self._state = _PENDING
        self._value: Any = None
        self._error: BaseException | None = None
        self._changed = Condition(Lock())

    def __repr__(self) -> str:
        return f"<Future, {('pending', 'running', 'done')[self._state]}>"

    def run(self) -> bool:
        """Make the call, unless somebody has begun it; whether it was made."""
        with self._changed:
            if self._state != _PENDING or self._call is None:
                return False
            self._state = _RUNNING
        try:
            self._value = self._call()
        except BaseException as error:
            self._error = error
        self._finish()
        return True

    def _finish(self) -> None:
        self._call = None
        with self._changed:
            self._state = _DONE
            self._changed.notify_all()

    def set_result(self, value: _T) -> None:
        """Make it done with a value; for a future without a call."""
        self._value = value
        self._finish()

    def done(self) -> bool:
        """Whether the result, or an exception, is there."""
        return self._state == _DONE

    def wait(self) -> _T:
        """The result; raises what the call raised, the same each time."""
        if not self.run():
            with self._changed:
                while self._state != _DONE:
                    self._changed.wait()
        if self._error is not None:
            raise copy.copy(self._error).with_traceback(self._error.__traceback__)
        return self._value

    value = wait


class _Setting:
    threads: int = os.cpu_count() or 1


def get_num_threads() -> int:
    """How many threads tasks may use."""
    return _Setting.threads


def set_num_threads(number: int) -> None:
    """Sets what `get_num_threads` returns; threads that have begun go on."""
    _Setting.threads = number


class _Pool:
    """Threads that run tasks, begun when they are first needed; idle ones sleep."""

    def __init__(self) -> None:
        self._waiting: deque[Future[Any]] = deque()
        self._changed = Condition(Lock())
        self._threads = 0
        self._idle = 0

    def add(self, future: Future[Any]) -> None:
        with self._changed:
            self._waiting.append(future)
            if self._idle:
                self._changed.notify()
            elif self._threads < _Setting.threads:
                self._threads += 1
                Thread(target=self._work, name="torchscript task", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._idle += 1
                    self._changed.wait()
                    self._idle -= 1
                future = self._waiting.popleft()
            future.run()
            del future

    def forget_threads(self) -> None:
        """In a forked process there are no threads."""
        self.__init__()


_pool = _Pool()
at_fork(after_in_child=_pool.forget_threads)


def start(call: Callable[[], _T]) -> Future[_T]:
    """Begin a call on another thread; its result is in the future."""
    future = Future(call)
    _pool.add(future)
    return future
