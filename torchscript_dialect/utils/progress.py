"""What is being compiled, on a terminal, where that takes long."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import local
from time import monotonic

SILENT_FOR = 2.0
"""Seconds that a compilation takes before anything is said of it."""


class _Shown(local):
    """What this thread compiles, since when, and whether there is a line about it on the terminal."""

    name: str = ""
    since: float = 0.0
    is_visible: bool = False


_shown = _Shown()


@contextmanager
def progress(name: str) -> Generator[None]:
    """While the body compiles `name`, `report` may show how far it is; the line is gone afterwards."""
    if _shown.name:
        yield
        return
    _shown.name, _shown.since = name, monotonic()
    try:
        yield
    finally:
        if _shown.is_visible:
            _write("")
        _shown.name, _shown.is_visible = "", False


def report(step: str) -> None:
    """Say what is done next, if what this thread compiles has taken long and standard error is a terminal."""
    if not _shown.name:
        return
    seconds = monotonic() - _shown.since
    if seconds < SILENT_FOR or not _is_terminal():
        return
    _shown.is_visible = True
    _write(f"torchscript_dialect compiles '{_shown.name}', {seconds:.0f} s: {step}")


def _is_terminal() -> bool:
    stream = sys.stderr
    return stream is not None and stream.isatty()  # pyright: ignore[reportUnnecessaryComparison]


def _write(line: str) -> None:
    """Replace the line on the terminal, which has had 80 columns since there have been any."""
    sys.stderr.write(f"\r\x1b[K{line[:79]}")
    sys.stderr.flush()
