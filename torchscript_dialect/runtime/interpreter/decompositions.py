"""Kernels of composite operators: their decompositions, interpreted."""

from __future__ import annotations

from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.transforms.decompose_ops import decomposition


def kernel(operator: Operator) -> Kernel:
    """What runs a composite operator.

    Raises:
        TorchScriptError: the decomposition does not compile, or is not that of an operator with this schema.
    """
    return interpret(decomposition(operator))
