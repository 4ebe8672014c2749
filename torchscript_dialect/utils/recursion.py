"""Recursion as deep as programs nest."""

from __future__ import annotations

import sys
from threading import Lock

_FRAMES = 200_000
"""Python frames that programs may need: a few for each level of nesting in the source and of blocks in blocks."""


class _Limit:
    """The interpreter's limit, which all threads share: raised while anybody is inside."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.users = 0
        self.before = 0

    def __enter__(self) -> None:
        with self.lock:
            if not self.users:
                self.before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self.before, _FRAMES))
            self.users += 1

    def __exit__(self, *exception: object) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                sys.setrecursionlimit(self.before)


_limit = _Limit()


def deep_recursion() -> _Limit:
    """While the body of a `with` runs, functions may call themselves for programs that nest hundreds of levels deep."""
    return _limit
