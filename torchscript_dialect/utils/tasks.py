"""Calls that run beside their caller, on threads.

Note [Waiting never deadlocks]
Tasks wait for tasks, and there are fewer threads than tasks. Who waits for a task that no thread has begun runs it himself; who waits
for one that has begun waits for a thread that gets on, since a task can only wait for older tasks or for its own.
"""

from __future__ import annotations

import copy
import os
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from threading import Condition, Lock, Thread
from typing import Any, Generic, TypeVar

from torchscript_dialect.utils.forks import at_fork

_T = TypeVar("_T")
_S = TypeVar("_S")
_PENDING, _RUNNING, _DONE = range(3)


class Future(Generic[_T]):
    """The result of a call, once it is there."""

    def __init__(
        self, call: Callable[[], _T] | None = None, *, devices: Iterable[object] | None = None
    ) -> None:
        """`devices` says where tensors of the result may lie (PyTorch); results of all devices are taken."""
        self._call = call
        self._state = _PENDING
        self._value: Any = None
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Future[_T]], object]] | None = None
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
            callbacks, self._callbacks = self._callbacks, None
            self._changed.notify_all()
        for callback in callbacks or ():
            self._report_failure_of(callback)

    def _report_failure_of(self, callback: Callable[[Future[_T]], object]) -> None:
        try:
            callback(self)
        except Exception as error:
            text = "".join(traceback.format_exception(error))
            sys.stderr.write(f"{_callback_failed(error)}\n{text}")

    def _mark(self, value: Any, error: BaseException | None) -> None:
        with self._changed:
            if self._state != _PENDING:
                raise RuntimeError(
                    "Attempting to mark a completed Future as complete again. Note that a Future can"
                    " only be marked completed once."
                )
            self._state = _RUNNING
        self._value, self._error = value, error
        self._finish()

    def set_result(self, result: _T) -> None:
        """Make it done with a value; for a future without a call."""
        self._mark(result, None)

    def set_exception(self, result: BaseException) -> None:
        """Make it done with an exception, which `wait` raises; for a future without a call."""
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._mark(None, result)

    def add_done_callback(self, callback: Callable[[Future[_T]], object]) -> None:
        """Call a function with this future once it is done; what the function raises is printed."""
        _require_callable(callback)
        with self._changed:
            if self._state != _DONE:
                self._callbacks = [*(self._callbacks or ()), callback]
                return
        self._report_failure_of(callback)

    def then(self, callback: Callable[[Future[_T]], _S]) -> Future[_S]:
        """The future of a call with this future, which is made once this one is done."""
        _require_callable(callback)

        def call() -> _S:
            self._await()
            try:
                return callback(self)
            except Exception as error:
                raise RuntimeError(_callback_failed(error)) from error

        after = Future(call)
        self.add_done_callback(lambda _: after.run())
        return after

    def done(self) -> bool:
        """Whether the result, or an exception, is there."""
        return self._state == _DONE

    def _await(self) -> None:
        if not self.run():
            with self._changed:
                while self._state != _DONE:
                    self._changed.wait()

    def wait(self) -> _T:
        """The result; raises what the call raised, the same each time."""
        self._await()
        if self._error is not None:
            raise copy.copy(self._error).with_traceback(self._error.__traceback__)
        return self._value

    def value(self) -> _T:
        """What `wait` gives; an error where only a later `set_result` can make it done."""
        if self._state == _PENDING and self._call is None:
            raise RuntimeError("the value of a Future is there once the Future is done")
        return self.wait()

    def __reduce__(self) -> Any:
        raise RuntimeError("Can not pickle torch.futures.Future")


def _require_callable(callback: object) -> None:
    if not callable(callback):
        raise TypeError(f"a callback of a Future is called with it: {callback!r} is not callable")


def _callback_failed(error: Exception) -> str:
    name = type(error).__name__
    return f"Got the following error when running the callback: {name}: {error}"


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
