"""Compiles in the background, on a thread of its own.

Note [In the background]
There is one such thread, as compilations take turns anyway. It holds the lock `compilation` and gives way at each `checkpoint`, so
that a fork or another compilation waits for a pass at most. Meanwhile the program shares the GIL with it: a thread that wants it waits
no longer than `SWITCH_SECONDS`, less than Python's 5 ms, since a program that gives the GIL up for each operator would wait as often.
Half of the GIL would make the calls that are interpreted meanwhile twice as slow. So the compiler stands still for them (`breathe`),
and works between them, or half of the time where there is nothing between.

The limit of recursion is one for all threads, and a program whose mistake is to call itself for ever has to meet it. So this thread
leaves it as it is (recursion.py). A function that nests too deep for that is compiled by a call.

The thread is a daemon. At the end of the process what it does is dropped: it stops at the next checkpoint, or when it next needs the
GIL, but not within LLVM, whose data may be gone by then; the end waits for the one call that LLVM is in. A child of a fork has no such
thread, and what was begun is begun anew.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Condition, Event, Lock, Thread, current_thread, get_ident
from time import perf_counter, sleep
from typing import Any, Generic, Protocol, TypeVar

from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.forks import at_fork
from torchscript_dialect.utils.progress import report

_T = TypeVar("_T")

SWITCH_SECONDS = 0.0005
STANDS_STILL = 0.1
"""Seconds for which the compiler waits for calls at most, before it works for as long as it has waited."""
LOOKS_UP = 0.002
"""Seconds between two looks at whether they have returned."""


class Dropped(BaseException):
    """Nobody needs any more what is being compiled."""


class Wanting(Protocol):
    """Who waits for a compilation."""

    is_needed: bool
    """Whether it is of use any more."""


class Job(Generic[_T]):
    """A compilation in the background for somebody."""

    def __init__(self, call: Callable[[], _T], owner: Wanting) -> None:
        self.owner = owner
        self._call = call
        self._process = os.getpid()
        self._is_over = Event()
        self._result: Any = None
        self._error: BaseException | None = None

    def is_over(self) -> bool:
        """Whether there is a result, or an exception."""
        return self._is_over.is_set()

    def is_lost(self) -> bool:
        """Whether nobody works on it, as this process is a child of the one that began it."""
        return self._process != os.getpid()

    def wait(self) -> None:
        """Wait until it is over."""
        self._is_over.wait()

    def result(self) -> _T:
        """What came out; raises what the compilation raised."""
        if self._error is not None:
            raise self._error
        return self._result

    def run(self) -> None:
        """Make the call, if it is of use."""
        try:
            if self.owner.is_needed:
                self._result = self._call()
        except BaseException as error:
            self._error = error
        self._is_over.set()


class Calls:
    """The calls of the program that are interpreted while the compiler works for them."""

    def __init__(self) -> None:
        self.threads: set[int] = set()
        """Those that are in such a call."""
        self._works_until = 0.0

    def __enter__(self) -> None:
        self.threads.add(get_ident())

    def __exit__(self, *exception: object) -> None:
        self.threads.discard(get_ident())

    def let_go_first(self) -> None:
        """Wait until they have returned, but neither for ever nor while somebody waits for the compiler."""
        begun = now = perf_counter()
        if begun < self._works_until:
            return
        while self.threads and now < begun + STANDS_STILL and not compilation.is_wanted:
            sleep(LOOKS_UP)
            now = perf_counter()
        self._works_until = now + (now - begun)


calls = Calls()


class _Worker:
    """The thread, begun when it is first needed."""

    def __init__(self) -> None:
        self.llvm = Lock()
        """Held while LLVM is at work."""
        self.is_stopping = False
        self.keeps_lock = False
        """Whether a library is in use, on whichever thread."""
        self.job: Job[Any] | None = None
        self._waiting: deque[Job[Any]] = deque()
        self._changed = Condition(Lock())
        self._thread: Thread | None = None

    def add(self, job: Job[Any]) -> None:
        """Raises RuntimeError where no thread can be begun."""
        with self._changed:
            if self._thread is None:
                thread = Thread(target=self._work, name="torchscript compiler", daemon=True)
                thread.start()
                self._thread = thread
            self._waiting.append(job)
            self._changed.notify()

    def is_here(self) -> bool:
        """Whether this is the thread."""
        return current_thread() is self._thread

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._changed.wait()
                self.job = self._waiting.popleft()
            before = sys.getswitchinterval()
            sys.setswitchinterval(min(before, SWITCH_SECONDS))
            try:
                self.job.run()
            finally:
                sys.setswitchinterval(before)
                self.job = None

    def stop(self) -> None:
        """At the end of the process: nothing goes on, and LLVM is not at work."""
        self.is_stopping = True
        self.llvm.acquire(timeout=10)

    def forget_thread(self) -> None:
        """In a forked process there is no such thread, nor those that call."""
        self.__init__()
        calls.threads.clear()


_worker = _Worker()
atexit.register(_worker.stop)
at_fork(after_in_child=_worker.forget_thread)


def start(call: Callable[[], _T], owner: Wanting) -> Job[_T] | None:
    """Begin a compilation in the background; None where there can be no thread for it."""
    job = Job(call, owner)
    try:
        _worker.add(job)
    except RuntimeError:
        return None
    return job


def checkpoint(step: str) -> None:
    """Between two steps of a compilation; `step` is the one that follows.

    Raises:
        Dropped: it goes on in the background, and nobody needs it any more.
    """
    report(step)
    if not _worker.is_here():
        return
    breathe()
    if not _worker.keeps_lock:
        compilation.give_way()
    if _worker.is_stopping or (_worker.job is not None and not _worker.job.owner.is_needed):
        raise Dropped


def breathe() -> None:
    """Within a long step of a compilation: let calls go first that are under way."""
    if calls.threads and _worker.is_here() and not _worker.keeps_lock:
        calls.let_go_first()


@contextmanager
def without_giving_way() -> Generator[None]:
    """Within the body, checkpoints keep the lock: another thread works for the compilation."""
    _worker.keeps_lock = True
    try:
        yield
    finally:
        _worker.keeps_lock = False


def is_in_background() -> bool:
    """Whether this thread compiles beside the program."""
    return _worker.is_here()


def llvm_at_work() -> Lock:
    """The lock that is held by who calls LLVM for long: see Note [In the background]."""
    return _worker.llvm
