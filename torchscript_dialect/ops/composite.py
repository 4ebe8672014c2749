"""Composite operators: a decomposition in TorchScript is all that they are.

`composite("aten::layer_norm", "def layer_norm(input: Tensor, ...) -> Tensor: ...")` gives the kernel, which interprets the
decomposition, and the shape rule, which goes through it; `ts-decompose-ops` puts it in the place of the operator, so that what it
is made of fuses and leaves for other compilers. The parameters are the schema's arguments, in order.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Kernel, Operator, ShapeRule

DIMENSION_IN_RANGE = """
    if dim < -rank or dim >= rank:
        raise IndexError("Dimension out of range (expected to be in range of [" + str(-rank) + ", "
            + str(rank - 1) + "], but got " + str(dim) + ")")"""
"""Lines of a decomposition that refuse what is no dimension of `rank`."""


def composite(qualified_name: str, decomposition: str, **known: Any) -> None:
    """Declare an operator by its decomposition; `known` are other rules that it has.

    Raises:
        KeyError: the table has no such operator.
    """
    if "kernel" not in known:
        known["derive_kernel"] = decomposed
    if "shape" not in known:
        known["derive_shape"] = _shape
    registry.attach(qualified_name, decompose=decomposition, **known)


# What compiles and runs TorchScript is above the operators, and is loaded when a decomposition is first used.


def decomposed(operator: Operator) -> Kernel:
    """The kernel that interprets the decomposition of an operator."""
    return import_module("torchscript_dialect.runtime.interpreter.decompositions").kernel(operator)


def _shape(operator: Operator) -> ShapeRule:
    return import_module("torchscript_dialect.transforms.decompose_ops").shape_rule(operator)
