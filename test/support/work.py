"""How much work a hostile input makes: calls of functions are counted, as no machine's pace changes their number."""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from cProfile import Profile
from typing import NoReturn

CALLS_ALLOWED = 10_000_000
"""Calls of functions, Python's and C's, that a hostile input may make: about a second of a fast machine of 2025."""
SECONDS_TO_HANG = 60
"""Processor seconds after which a loop in C without calls hangs."""


@contextmanager
def work_is_bounded(calls: int = CALLS_ALLOWED) -> Generator[None]:
    """Asserts what runs inside to make at most `calls` calls, and to end."""
    profile = Profile()
    before = signal.signal(signal.SIGPROF, _hangs)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_TO_HANG)
    try:
        with profile:
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    made = sum(entry.callcount for entry in profile.getstats())
    assert made <= calls, f"{made} calls of functions"


def _hangs(*_: object) -> NoReturn:
    raise AssertionError(f"more than {SECONDS_TO_HANG} s of the processor")
