"""Kernels of composite operators: their decompositions, interpreted."""

from __future__ import annotations

from torchscript_dialect.ir.module import module_around
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime.interpreter.interpreter import (
    PROGRAM_ERRORS,
    InterpreterFunction,
    callees_of,
)
from torchscript_dialect.runtime.interpreter.values import RaisedException
from torchscript_dialect.transforms.decompose_ops import decomposition

_RAISED = {each.__name__: each for each in (IndexError, NotImplementedError, TypeError, ValueError)}
"""What decompositions raise that is no RuntimeError."""


class DecomposedOperator(InterpreterFunction):
    """A decomposition ready to run. It raises what a kernel would: no place in it is told."""

    def explain(self, error: Exception) -> Exception:
        if isinstance(error, RaisedException):
            name = error.class_name.removeprefix("builtins.")
            return _RAISED.get(name, RuntimeError)(str(error))
        return error if isinstance(error, PROGRAM_ERRORS) else super().explain(error)


def kernel(operator: Operator, *, records: bool = False) -> DecomposedOperator:
    """What runs a composite operator; one that `records` puts what it is made of on the tape of gradients.

    Raises:
        TorchScriptError: the decomposition does not compile, or is not that of an operator with this schema.
    """
    function = decomposition(operator)
    resolve = callees_of(module_around(function), records=records)
    return DecomposedOperator(function, resolve, records=records)
