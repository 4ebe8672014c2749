"""One compilation at a time, and none while the process forks.

A child that was forked while another thread compiles would find LLVM's and Python's import locks
taken for good. Compilations hold the GIL most of the time, so taking turns costs little.
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
