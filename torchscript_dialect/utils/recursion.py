"""Recursion as deep as programs nest."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

_FRAMES = 200_000
"""Python frames that programs may need: a few for each level of nesting in the source and of blocks in blocks."""


class _Limit:
    """The interpreter's limit, which all threads share: raised while anybody needs it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.users = 0
        self.before = 0

    def enter(self) -> None:
        with self.lock:
            if not self.users:
                self.before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self.before, _FRAMES))
            self.users += 1

    def leave(self) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                sys.setrecursionlimit(self.before)


_limit = _Limit()


@contextmanager
def deep_recursion() -> Generator[None]:
    """While the body runs, functions may call themselves for programs that nest hundreds of levels deep."""
    _limit.enter()
    try:
        yield
    finally:
        _limit.leave()
