"""Recursion as deep as programs nest."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, get_ident

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
        self.lock = Lock()
        self.users: dict[int, list[int]] = {}
        """How many frames the bodies need that each thread is in."""
        self.before = 0
        """The limit to come back to; 0 while nobody is inside."""

    def enter(self, frames: int) -> None:
        with self.lock:
            self.before = self.before or sys.getrecursionlimit()
            bodies = self.users.setdefault(get_ident(), [])
            bodies.append(frames)
            try:
                self.follow()
            except RecursionError:
                # There is no room for this call itself, so the body is not entered.
                bodies.pop()
                raise

    def leave(self) -> None:
        with self.lock:
            thread = get_ident()
            self.users[thread].pop()
            if not self.users[thread]:
                del self.users[thread]
            self.follow()

    def depth(self) -> int:
        return len(self.users.get(get_ident(), ()))

    def unwind(self, depth: int) -> None:
        """Leave the bodies of this thread but the first `depth`."""
        with self.lock:
            bodies = self.users.pop(get_ident(), [])[:depth]
            if bodies:
                self.users[get_ident()] = bodies
            self.follow()

    def follow(self) -> None:
        """Set the limit to what the one needs who needs most; to what it was if there is nobody."""
        needs = [frames for bodies in self.users.values() for frames in bodies]
        if self.before:
            sys.setrecursionlimit(max(self.before, *needs) if needs else self.before)
        if not needs:
            self.before = 0

    def forget_threads(self) -> None:
        """In a forked process there is the thread that forked and no other."""
        self.lock = Lock()
        thread = get_ident()
        self.users = {thread: self.users[thread]} if thread in self.users else {}
        self.follow()


_limit = _Limit()
at_fork(after_in_child=_limit.forget_threads)


@dataclass(frozen=True)
class _Deep:
    """While its body runs, there may be as many frames; Note [In the background] says where not."""

    frames: int

    def __enter__(self) -> None:
        if not is_in_background():
            _limit.enter(self.frames)

    def __exit__(self, *exception: object) -> None:
        if not is_in_background():
            _limit.leave()


_nesting, _calls = _Deep(_FRAMES_OF_NESTING), _Deep(_FRAMES_OF_CALLS)


@contextmanager
def unwound() -> Generator[None]:
    """Come back to the limit of before, even from an exception that was raised in the middle of leaving a body: one of a signal, or of
    another thread.
    """
    depth = _limit.depth()
    try:
        yield
    finally:
        _limit.unwind(depth)


def deep_recursion() -> _Deep:
    """While the body of a `with` runs, functions may call themselves for programs that nest hundreds of levels deep."""
    return _nesting


def deep_calls() -> _Deep:
    """While the body of a `with` runs, a program's functions may call each other more than a thousand deep."""
    return _calls
