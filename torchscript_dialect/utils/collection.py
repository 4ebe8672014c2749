"""Turns Python's garbage collector off while many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from math import inf
from threading import get_ident
from time import monotonic
from typing import ClassVar

from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.forks import at_fork


class _Off:
    thread: ClassVar[int] = 0
    """The thread that turned the collector off; 0 while it is as the user has it."""
    frozen_until: ClassVar[float] = -inf
    """Until when frozen objects that were found are not looked for again."""


def _has_frozen() -> bool:
    """Whether the user has frozen objects. Python counts them one by one, so they are counted once a second."""
    if monotonic() < _Off.frozen_until:
        return True
    found = gc.get_freeze_count() > 0
    if found:
        _Off.frozen_until = monotonic() + 1
    return found


@contextmanager
def without_collection() -> Generator[None]:
    """While the body runs, no garbage is looked for: where all that is made stays, that would take a third of the time.

    This is a part of every compilation, and holds its lock: Note [Forks] in compilation.py. Afterwards all that there is counts as old,
    or else the next few objects would make Python look at it at once.
    """
    with compilation:
        collects = gc.isenabled()
        try:
            if collects:
                _Off.thread = get_ident()
                gc.disable()
            yield
        finally:
            if collects:
                try:
                    if not _has_frozen():  # a user's frozen objects stay frozen
                        gc.freeze()
                        gc.unfreeze()
                finally:
                    _Off.thread = 0
                    gc.enable()


def _forget_thread() -> None:
    """In a forked process nobody is left to turn it on, unless the thread that forked does."""
    if _Off.thread not in (0, get_ident()):
        _Off.thread = 0
        gc.enable()


at_fork(after_in_child=_forget_thread)
