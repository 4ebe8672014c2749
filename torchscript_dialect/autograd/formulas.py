"""Formulas of derivatives, ready to run: what the tape makes of them.

Note [Formulas that compute much]
A formula that is interpreted takes a step of NumPy for each of its operators. One that has computed `PATIENCE` elements, of which each
call counts for some, gets a kernel, where it is one for such operands: `runtime/formula_kernels.py` compiles it. As with operators
(Note [Operators that are called often] in ops/often.py) what was computed alone decides that.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

from torchscript_dialect.autodiff.derivatives import Derivative, Formula
from torchscript_dialect.runtime.interpreter import interpret
from torchscript_dialect.tensor.tensor import Tensor

PATIENCE = 1 << 23
"""Elements computed before a formula is compiled."""
CALL = 1 << 11
"""Elements that NumPy computes in the time that it takes to begin."""
TRIES = 4
"""Operands that may turn out to have no kernel before none is expected."""
KERNELS = "torchscript_dialect.runtime.formula_kernels"


class Counted:
    """A formula that is interpreted until kernels pay: Note [Formulas that compute much]."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.interpreted = interpret(formula.inlined_function)
        self.explain = self.interpreted.explain
        self.left = PATIENCE
        self.tries = TRIES
        self.run: Callable[..., Any] = self.counted

    def __call__(self, *operands: Any) -> Any:
        """Run the formula, and say where in it an error is."""
        return self.interpreted(*operands)

    def counted(self, *operands: Any) -> Any:
        """Run it, and see whether it has computed enough."""
        largest = 0
        for one in operands:
            if one.__class__ is Tensor:
                largest = max(largest, one.array.size)
        self.left -= largest + CALL
        if self.left < 0:
            self.left = PATIENCE
            often = PATIENCE // CALL
            made = import_module(KERNELS).kernels_of(self.formula, self.usual, operands, often)
            self.tries -= 1
            if made is not None or not self.tries:
                self.run = made or self.usual
        return self.usual(*operands)

    def usual(self, *operands: Any) -> Any:
        """Run what no kernel runs."""
        return self.interpreted.run(*operands)


@lru_cache(maxsize=1 << 12)
def plain(formula: Formula) -> Counted:
    """Runs a formula on tensors that are not tracked."""
    return Counted(formula)


@lru_cache(maxsize=1 << 12)
def recorded(formula: Formula) -> Callable[..., Any]:
    """Runs a formula, and records it."""
    return interpret(formula.function, records=True)


@lru_cache(maxsize=1 << 12)
def parts(derivative: Derivative) -> Callable[..., Any]:
    """Runs what an operator is made of, and records it."""
    return interpret(derivative.parts_function, records=True)
