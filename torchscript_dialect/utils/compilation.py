"""One compilation at a time, and none while the process forks.

Note [Forks]
A child of a fork has one thread, and whatever lock another thread held stays taken there for good. So whoever compiles, from source
to graph, from graph to plan and from plan to machine code, holds `compilation`, and a fork waits for it: what is locked or half done
within (LLVM, imports on first use, the garbage collector) is whole in the child. What is locked elsewhere is either made anew in the
child (tasks.py, recursion.py) or not locked at all (properties.py). Compilations hold the GIL most of the time, so taking turns costs
little.
"""

from __future__ import annotations

import os
import threading

compilation = threading.RLock()
"""Held by whoever compiles, and by the thread that forks."""

os.register_at_fork(
    before=compilation.acquire,
    after_in_parent=compilation.release,
    after_in_child=compilation.release,
)
