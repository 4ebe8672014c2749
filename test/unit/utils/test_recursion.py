"""The recursion limit, which threads share."""

import sys
from threading import Event, Thread

import pytest

from torchscript_dialect.utils.recursion import deep_recursion


def test_the_limit_is_back_after_an_error() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(ValueError, match="why"), deep_recursion():
        assert sys.getrecursionlimit() > before
        raise ValueError("why")
    assert sys.getrecursionlimit() == before


def test_one_thread_that_is_done_leaves_the_limit_to_the_others() -> None:
    before = sys.getrecursionlimit()
    inside, leave = Event(), Event()

    def first() -> None:
        with deep_recursion():
            inside.set()
            leave.wait()

    thread = Thread(target=first)
    thread.start()
    inside.wait()
    with deep_recursion():
        leave.set()
        thread.join()
        assert sys.getrecursionlimit() > before
    assert sys.getrecursionlimit() == before


def test_what_is_cut_off_while_it_enters_or_leaves_is_left() -> None:
    """As when a signal raises in the middle of `__enter__` or `__exit__`."""
    before = sys.getrecursionlimit()
    body = deep_recursion()
    body.__enter__()
    assert sys.getrecursionlimit() > before
    del body
    assert sys.getrecursionlimit() == before
