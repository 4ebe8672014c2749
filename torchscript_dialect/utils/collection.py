"""Python's garbage collector out of the way while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

from torchscript_dialect.utils.compilation import compilation


@contextmanager
def without_collection() -> Generator[None]:
    """While the body runs, no garbage is looked for: where all that is made stays, that would take a third of the time.

    This is a part of every compilation, and holds its lock: Note [Forks] in compilation.py. Afterwards all that there is counts as old,
    or else the next few objects would make Python look at it at once.
    """
    with compilation:
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                if not gc.get_freeze_count():  # a user's frozen objects stay frozen
                    gc.freeze()
                    gc.unfreeze()
                gc.enable()
