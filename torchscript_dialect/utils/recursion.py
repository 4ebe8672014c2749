"""Recursion as deep as programs nest."""

from __future__ import annotations

import os
import sys
from threading import Lock, get_ident

_FRAMES = 200_000
"""Python frames that programs may need: a few for each level of nesting in the source and of blocks in blocks."""


class _Limit:
    """The interpreter's limit, which all threads share: raised while anybody is inside."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.users: dict[int, int] = {}
        """How many bodies each thread is in."""
        self.before = 0
        """The limit to come back to; 0 while nobody is inside."""

    def __enter__(self) -> None:
        with self.lock:
            thread = get_ident()
            self.before = self.before or sys.getrecursionlimit()
            self.users[thread] = self.users.get(thread, 0) + 1
            sys.setrecursionlimit(max(self.before, _FRAMES))

    def __exit__(self, *exception: object) -> None:
        with self.lock:
            thread = get_ident()
            self.users[thread] -= 1
            if not self.users[thread]:
                del self.users[thread]
            self.restore()

    def restore(self) -> None:
        if self.before and not self.users:
            sys.setrecursionlimit(self.before)
            self.before = 0

    def forget_threads(self) -> None:
        """In a forked process there is the thread that forked and no other."""
        self.lock = Lock()
        thread = get_ident()
        self.users = {thread: self.users[thread]} if thread in self.users else {}
        self.restore()


_limit = _Limit()
os.register_at_fork(after_in_child=_limit.forget_threads)


def deep_recursion() -> _Limit:
    """While the body of a `with` runs, functions may call themselves for programs that nest hundreds of levels deep."""
    return _limit
