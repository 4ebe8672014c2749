"""Whether gradients are wanted: a mode of each thread (PyTorch: c10/core/GradMode.h)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import local
from typing import TypeVar

from torchscript_dialect.tensor import pytorch_state

_T = TypeVar("_T")


class _Mode(local):
    enabled: bool = True


_mode = _Mode()


def is_grad_enabled() -> bool:
    """Whether gradients are wanted in this thread: PyTorch's mode while it is loaded."""
    torch = pytorch_state.loaded()
    return _mode.enabled if torch is None else torch.is_grad_enabled()


def set_grad_enabled(wanted: bool) -> None:
    """Say whether gradients are wanted in this thread from now on."""
    _mode.enabled = wanted
    torch = pytorch_state.loaded()
    if torch is not None:
        torch._C._set_grad_enabled(wanted)


@contextmanager
def enabled(wanted: bool) -> Generator[None]:
    """The mode until the end of a `with`."""
    before = is_grad_enabled()
    set_grad_enabled(wanted)
    try:
        yield
    finally:
        set_grad_enabled(before)


def carried(call: Callable[[], _T]) -> Callable[[], _T]:
    """The call in the mode of this thread, whichever thread makes it."""
    wanted = is_grad_enabled()

    def in_that_mode() -> _T:
        with enabled(wanted):
            return call()

    return in_that_mode
