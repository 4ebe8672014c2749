"""Exceptions of signals leave nothing behind that a call has changed for a while: `support.interrupted`."""

from __future__ import annotations

import gc
import random
from threading import Thread
from typing import Any

import pytest

from support.amounts import IS_LONG
from support.interrupted import LIVES, problems_of
from torchscript_dialect.utils import collection
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.compilation import Turns


class _Interrupted:
    """A lock: the signal comes when it has just been taken."""

    def __init__(self, lock: Any) -> None:
        self.lock = lock

    def __getattr__(self, name: str) -> object:
        return getattr(self.lock, name)

    def acquire(self, blocking: bool = True) -> bool:
        self.lock.acquire(blocking)
        raise KeyboardInterrupt


@pytest.mark.parametrize("is_inner", [False, True])
def test_an_interrupt_leaves_no_lock_taken(is_inner: bool) -> None:
    turns = Turns()
    lock = turns._lock
    if is_inner:
        lock.acquire()
    turns._lock = _Interrupted(lock)
    with pytest.raises(KeyboardInterrupt), turns:
        pass
    if is_inner:
        assert lock._is_owned()
        lock.release()
    taken: list[bool] = []
    other = Thread(target=lambda: taken.append(lock.acquire(blocking=False)))
    other.start()
    other.join()
    assert taken == [True]


def test_an_interrupt_leaves_the_collector_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(collection, "_has_frozen", interrupted)
    with pytest.raises(KeyboardInterrupt), without_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


@pytest.mark.parametrize("name", LIVES if IS_LONG else ["scripted"])
def test_what_comes_after_an_interrupt_is_as_if_there_had_been_none(name: str) -> None:
    assert not problems_of(name, 60 if IS_LONG else 1, random.Random(16))
