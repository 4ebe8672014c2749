"""Recursion as deep as programs nest."""

from __future__ import annotations

import sys
from threading import RLock, get_ident

from torchscript_dialect.utils.background import is_in_background
from torchscript_dialect.utils.forks import at_fork

_FRAMES_OF_NESTING = 200_000
"""Python frames that programs may need: a few for each level of nesting in the source and of blocks in blocks."""

_FRAMES_OF_CALLS = 6_000
"""Python frames that functions may need which call each other, four for each. CPython runs a call of an object on the stack of the
machine, 2 KiB for each, so no more than 8 MiB hold.
"""


class _Limit:
    """The interpreter's limit, which all threads share: raised while anybody is inside."""

    def __init__(self) -> None:
        self.lock = RLock()  # garbage collection may end a body in the middle of anything
        self.users: dict[int, tuple[int, int]] = {}
        """How many frames each body needs that is entered, by its identity, and the thread that is in it."""
        self.before = 0
        """The limit to come back to; 0 while nobody is inside."""

    def enter(self, body: _Deep) -> None:
        with self.lock:
            self.before = self.before or sys.getrecursionlimit()
            self.users[id(body)] = body.frames, body.thread
            self.follow()

    def leave(self, body: _Deep) -> None:
        with self.lock:
            self.users.pop(id(body), None)
            self.follow()

    def follow(self) -> None:
        """Set the limit to what the one needs who needs most; to what it was if there is nobody."""
        if self.users:
            sys.setrecursionlimit(max(self.before, *[needs for needs, _ in self.users.values()]))
        elif self.before:
            sys.setrecursionlimit(self.before)
            self.before = 0

    def forget_threads(self) -> None:
        """In a forked process there is the thread that forked and no other."""
        self.lock = RLock()
        here = get_ident()
        self.users = {body: use for body, use in self.users.items() if use[1] == here}
        self.follow()


_limit = _Limit()
at_fork(after_in_child=_limit.forget_threads)


class _Deep:
    """While its body runs, there may be as many frames; Note [In the background] says where not.

    An exception of a signal, or of another thread, may come in the middle of entering or leaving: then the body is left when this
    object goes.
    """

    __slots__ = ("frames", "thread")

    def __init__(self, frames: int) -> None:
        self.frames = frames
        self.thread = 0
        """The thread that is in the body; 0 if none is."""

    def __enter__(self) -> None:
        if is_in_background():
            return
        self.thread = get_ident()
        try:
            _limit.enter(self)
        except RecursionError:  # there is no room for this call itself
            self.__exit__()
            raise

    def __exit__(self, *exception: object) -> None:
        if self.thread:
            _limit.leave(self)
            self.thread = 0

    __del__ = __exit__


def deep_recursion() -> _Deep:
    """While the body of a `with` runs, functions may call themselves for programs that nest hundreds of levels deep."""
    return _Deep(_FRAMES_OF_NESTING)


def deep_calls() -> _Deep:
    """While the body of a `with` runs, a program's functions may call each other more than a thousand deep."""
    return _Deep(_FRAMES_OF_CALLS)
