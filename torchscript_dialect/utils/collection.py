"""Python's garbage collector out of the way while much is made that stays."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator
from contextlib import contextmanager
from threading import get_ident
from typing import ClassVar

from torchscript_dialect.utils.compilation import compilation


class _Off:
    thread: ClassVar[int] = 0
    """The thread that turned the collector off; 0 while it is as the user has it."""


@contextmanager
def without_collection() -> Generator[None]:
    """While the body runs, no garbage is looked for: where all that is made stays, that would take a third of the time.

    This is a part of every compilation, and holds its lock: Note [Forks] in compilation.py. Afterwards all that there is counts as old,
    or else the next few objects would make Python look at it at once.
    """
    with compilation:
        collects = gc.isenabled()
        if collects:
            gc.disable()
            _Off.thread = get_ident()
        try:
            yield
        finally:
            if collects:
                if not gc.get_freeze_count():  # a user's frozen objects stay frozen
                    gc.freeze()
                    gc.unfreeze()
                _Off.thread = 0
                gc.enable()


def _forget_thread() -> None:
    """In a forked process nobody is left to turn it on, unless the thread that forked does."""
    if _Off.thread not in (0, get_ident()):
        _Off.thread = 0
        gc.enable()


os.register_at_fork(after_in_child=_forget_thread)
