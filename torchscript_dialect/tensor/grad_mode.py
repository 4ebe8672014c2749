"""Whether gradients are wanted: a mode of each thread (PyTorch: c10/core/GradMode.h).

Note [A thread without gradients]
Native calls take tensors that require gradients as they are where none are wanted. They find that out by one word of memory: the
thread that wants none. Where there are several, the first has it until it wants gradients again; the others go through Python, which
asks them. So does every thread while PyTorch is loaded, whose mode it is then.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import get_ident
from typing import TypeVar

from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.grad_state import STATE, is_grad_enabled
from torchscript_dialect.tensor.inference import is_inference_mode_enabled, set_inference_mode

_T = TypeVar("_T")


WITHOUT_GRADIENTS = array("Q", [0])
"""See Note [A thread without gradients]."""


class _Claim:
    """Has the word for this thread, until nobody holds it: a thread that ends leaves nothing to the next of its number."""

    def __init__(self) -> None:
        self.word = WITHOUT_GRADIENTS
        self.word[0] = get_ident()

    def __del__(self) -> None:
        self.word[0] = 0


def set_grad_enabled(wanted: bool, *, for_long: bool = True) -> None:
    """Say whether gradients are wanted in this thread from now on: never in inference mode. What is not `for_long` leaves native calls
    as they are.
    """
    wanted = wanted and not is_inference_mode_enabled()
    STATE.enabled = wanted
    torch = pytorch_state.loaded()
    if torch is not None:
        torch._C._set_grad_enabled(wanted)
    if wanted:
        STATE.claim = None
    elif for_long and torch is None and not WITHOUT_GRADIENTS[0]:
        STATE.claim = _Claim()


@contextmanager
def enabled(wanted: bool) -> Generator[None]:
    """The mode until the end of a `with`."""
    before = is_grad_enabled()
    set_grad_enabled(wanted)
    try:
        yield
    finally:
        set_grad_enabled(before)


@contextmanager
def inference_mode(wanted: bool) -> Generator[None]:
    """Inference mode, or no such mode, until the end of a `with`; gradients are wanted in the latter alone."""
    before = is_grad_enabled(), is_inference_mode_enabled()
    set_inference_mode(wanted)
    set_grad_enabled(not wanted)
    try:
        yield
    finally:
        set_inference_mode(before[1])
        set_grad_enabled(before[0])


def carried(call: Callable[[], _T]) -> Callable[[], _T]:
    """The call in the modes of this thread, whichever thread makes it."""
    wanted, is_inference = is_grad_enabled(), is_inference_mode_enabled()

    def in_that_mode() -> _T:
        with inference_mode(is_inference), enabled(wanted):
            return call()

    return in_that_mode
