"""Formulas of derivatives, ready to run: what the tape makes of them.

Note [Formulas that compute much]
A formula that is interpreted takes a step of NumPy for each of its operators, and several for one that is lowered otherwise than by a
scalar body. One that has computed `PATIENCE` elements, for some of which each step after the first two counts, gets a kernel, where it
is one for such operands: `runtime/executor/formula_kernels.py` compiles it. One that asks for sizes gets a plan, as a function has. As
with operators (Note [Operators that are called often] in ops/eager/often.py) what was computed alone decides that.
"""

from __future__ import annotations

from collections.abc import Callable
from dis import get_instructions
from functools import lru_cache
from importlib import import_module
from math import inf
from types import FunctionType
from typing import Any

from xdsl.ir import Operation

from torchscript_dialect.autodiff.derivatives import Derivative, Formula
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.module import module_around
from torchscript_dialect.ops.pointwise.pointwise_declaration import Body
from torchscript_dialect.runtime.interpreter.interpreter import (
    InterpreterFunction,
    callees_of,
    interpret,
)

PATIENCE = 1 << 23
"""Elements computed before a formula is compiled."""
CALL = 1 << 11
"""Elements that NumPy computes in the time that a step takes to begin."""
SEVERAL = 4
"""Steps that an operator takes which is not pointwise, and has a lowering."""
FEW = 2
"""Steps that take as long as it takes to find a kernel for few elements."""
TRIES = 4
"""Operands that may turn out to have no kernel before none is expected."""
KERNELS = "torchscript_dialect.runtime.executor.formula_kernels"


def _steps_of(op: Operation) -> int:
    """The steps of NumPy's that a node of a formula takes."""
    if not isinstance(op, OperatorOp):
        return 0
    rules = None if op.OPERATOR is None else op.OPERATOR.rules
    if rules is None:
        return 1
    if rules.pointwise is not None:
        return _methods_called(rules.pointwise.body)
    return SEVERAL if rules.lower is not None and not rules.is_view else 1


@lru_cache(maxsize=1 << 10)
def _methods_called(body: Body) -> int:
    """About how many steps a scalar body takes: how often it names a method."""
    if not isinstance(body, FunctionType):
        return 1
    names = [one.opname for one in get_instructions(body)]
    return max(1, names.count("LOAD_METHOD") + names.count("LOAD_ATTR"))


class Counted(InterpreterFunction):
    """A formula that is interpreted until kernels pay: Note [Formulas that compute much]. Who calls `run` takes from `left` what a call
    computes, and has it `look` for kernels once that is below 0.
    """

    def __init__(self, formula: Formula) -> None:
        function = formula.inlined_function
        super().__init__(function, callees_of(module_around(function)))
        self.formula = formula
        steps = sum(map(_steps_of, nested_ops(function.body.block)))
        self.work = CALL * max(0, steps - FEW)
        """The elements that a call counts for."""
        self.left: float = PATIENCE
        self.tries = TRIES

    def look(self, *operands: Any) -> None:
        """Let kernels run the formula for operands like these, if there are any."""
        kernels = import_module(KERNELS)
        made = kernels.kernels_of(self.formula, self.run, operands, PATIENCE // CALL)
        self.tries -= 1
        self.left = inf if made is not None or not self.tries else PATIENCE
        if made is not None:
            self.run = made


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
