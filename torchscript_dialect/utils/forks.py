"""What is done when a process forks: see Note [Forks] in compilation.py. Where processes cannot fork there is nothing to do."""

from __future__ import annotations

import os
from collections.abc import Callable


def _nothing() -> None:
    pass


def at_fork(
    before: Callable[[], object] = _nothing,
    after_in_parent: Callable[[], object] = _nothing,
    after_in_child: Callable[[], object] = _nothing,
) -> None:
    """Have functions called at each fork from now on."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=before, after_in_parent=after_in_parent, after_in_child=after_in_child
        )
