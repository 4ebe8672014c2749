"""NumPy's floating-point errors, which PyTorch has none of: what is computed is infinite or NaN, without a word.

Note [Float errors]
`np.errstate` takes longer than the addition of two small arrays, most of it for its arguments. What it makes of them is the value of a
context variable, so variable and value are found once, and setting one is quick. A run of the interpreter sets it around all its
operators, and kernels in it only see that this was done. A kernel that is called by itself sets it for itself. Other threads have
states of their own. A Python function that a program calls has the state of whoever started the run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")


def _state_of(**errors: Any) -> tuple[ContextVar[Any], Any]:
    """NumPy's context variable for its error state, and its value for these settings."""
    context = Context()
    context.run(lambda: np.seterr(**errors))
    ((variable, value),) = context.items()
    return variable, value


_variable, _SILENT = _state_of(all="ignore")
_DEFAULT = _state_of(**Context().run(np.geterr))[1]
_outside: ContextVar[Any] = ContextVar("NumPy's error state around the run", default=None)


def is_silent() -> bool:
    """Whether float errors are ignored: for the kernels that run most often, instead of `ignores_float_errors`."""
    return _variable.get(None) is _SILENT


def in_silence(function: Callable[..., R], *args: Any) -> R:
    """The result of a function that computes, where errors may not be ignored yet."""
    token = _variable.set(_SILENT)
    try:
        return function(*args)
    finally:
        _variable.reset(token)


def ignores_float_errors(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function compute in silence; decorates kernels, and what computes for them."""

    @wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if _variable.get(None) is _SILENT:
            return function(*args, **kwargs)
        token = _variable.set(_SILENT)
        try:
            return function(*args, **kwargs)
        finally:
            _variable.reset(token)

    return run


def run_in_silence(function: Callable[..., R], args: Sequence[Any]) -> R:
    """The result of a function of many kernels, for which NumPy's error state is set once."""
    if _outside.get() is not None:
        return function(*args)
    outer = _outside.set(_variable.get(_DEFAULT))
    inner = _variable.set(_SILENT)
    try:
        return function(*args)
    finally:
        _variable.reset(inner)
        _outside.reset(outer)


@contextmanager
def float_errors_of_caller() -> Generator[None]:
    """The error state from before the run, for a function of the user's that a program calls."""
    before = _outside.get()
    if before is None:
        yield
        return
    outer = _outside.set(None)
    inner = _variable.set(before)
    try:
        yield
    finally:
        _variable.reset(inner)
        _outside.reset(outer)
