"""NumPy's floating-point errors, which PyTorch has none of: what is computed is infinite or NaN, without a word.

Note [Float errors]
To set NumPy's error state takes about as long as to add two small arrays, so a run of the interpreter sets it once, around all its
operators, and kernels in it only see that this was done. A kernel that is called by itself sets it for itself. Both are context
variables: other threads have states of their own. A Python function that a program calls has the state of whoever started the run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

_outside: ContextVar[Context | None] = ContextVar("what was around the run", default=None)


def is_silent() -> bool:
    """Whether a run around this ignores float errors: for the kernels that run most often, instead of `ignores_float_errors`."""
    return _outside.get() is not None


def ignores_float_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function compute in silence; decorates kernels, and what computes for them."""
    alone = np.errstate(all="ignore")(function)

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if _outside.get() is None:
            return alone(*args, **kwargs)
        return function(*args, **kwargs)

    return run


def run_in_silence(function: Callable[..., R], args: Sequence[Any]) -> R:
    """The result of a function of many kernels, for which NumPy's error state is set once."""
    if _outside.get() is not None:
        return function(*args)
    token = _outside.set(copy_context())
    try:
        return _call_in_silence(function, args)
    finally:
        _outside.reset(token)


@np.errstate(all="ignore")
def _call_in_silence(function: Callable[..., R], args: Sequence[Any]) -> R:
    return function(*args)


@contextmanager
def float_errors_of_caller() -> Generator[None]:
    """The error state from before the run, for a function of the user's that a program calls."""
    outside = _outside.get()
    if outside is None:
        yield
        return
    token = _outside.set(None)
    try:
        with np.errstate(**outside.run(np.geterr)):
            yield
    finally:
        _outside.reset(token)
