"""One compilation at a time, and none while the process forks.

Note [Forks]
A child of a fork has one thread, and whatever lock another thread held stays taken there for good. So whoever compiles, from source
to graph, from graph to plan and from plan to machine code, holds `compilation`, and a fork waits for it: what is locked or half done
within (LLVM, imports on first use, the garbage collector) is whole in the child. What is locked elsewhere is either made anew in the
child (tasks.py, recursion.py, background.py) or not locked at all (properties.py). Compilations hold the GIL most of the time, so
taking turns costs little.

Who compiles in the background (background.py) gives way between two passes, and between two kernels, to whoever waits for the lock.
No library is in use then: what a fork leaves half done in the child is a copy of a function that nobody will finish.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, RLock, get_ident
from typing import Any

from torchscript_dialect.utils.forks import at_fork


class Turns:
    """A lock that a thread may take several times, and whose holder can see whether others wait for it.

    No exception of a signal leaves it taken.
    """

    def __init__(self) -> None:
        self._lock: Any = RLock()
        self._changed = Condition(self._lock)
        self._waiting: set[int] = set()

    def __enter__(self) -> None:
        is_inner = self._lock._is_owned()
        try:
            if is_inner:
                self._lock.acquire()
            else:
                self._wait()
        except BaseException:
            if self._lock._is_owned():
                self._lock.release()
            raise

    @property
    def __exit__(self) -> Callable[..., None]:
        return self._lock.__exit__  # C code, in the middle of which none is raised

    def _wait(self) -> None:
        if self._lock.acquire(blocking=False):
            return
        self._waiting.add(get_ident())
        try:
            self._lock.acquire()
        finally:
            self._waiting.discard(get_ident())

    def release(self) -> None:
        """Give the lock back, once for each time that it was taken."""
        self._lock.release()

    @property
    def is_wanted(self) -> bool:
        """Whether other threads wait for the lock."""
        return bool(self._waiting)

    def give_way(self) -> None:
        """Let those go first who wait for the lock, which this thread holds."""
        while self._waiting:
            self._changed.wait(0.001)

    def release_in_child(self) -> None:
        """Give the lock back that was taken for a fork. In the child nobody waits."""
        self._waiting.clear()
        self._lock.release()


compilation = Turns()
"""Held by whoever compiles, and by the thread that forks."""

at_fork(
    before=compilation.__enter__,
    after_in_parent=compilation.release,
    after_in_child=compilation.release_in_child,
)
