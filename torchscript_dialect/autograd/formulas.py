"""Formulas of derivatives, ready to run: what the tape makes of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from torchscript_dialect.autodiff.derivatives import Derivative, Formula
from torchscript_dialect.runtime.interpreter import interpret


@lru_cache(maxsize=1 << 12)
def plain(formula: Formula) -> Callable[..., Any]:
    """Runs a formula on tensors that are not tracked."""
    return interpret(formula.inlined_function)


@lru_cache(maxsize=1 << 12)
def recorded(formula: Formula) -> Callable[..., Any]:
    """Runs a formula, and records it."""
    return interpret(formula.function, records=True)


@lru_cache(maxsize=1 << 12)
def parts(derivative: Derivative) -> Callable[..., Any]:
    """Runs what an operator is made of, and records it."""
    return interpret(derivative.parts_function, records=True)
