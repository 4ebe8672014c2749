"""Eager operators in a region of `torch.autocast` (PyTorch: aten/src/ATen/autocast_mode.h).

An operator of the lists in autocast.py gets its tensors with another dtype. One that is made of others is what autocast_composites.py
says. What operators call themselves is not cast once more.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from torchscript_dialect.ops import autocast as lists
from torchscript_dialect.ops import autocast_composites as composites
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.autocast_region import region
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import is_in_use


def call_in_region(operator: Operator, run: Kernel, name: str, *operands: Any) -> Any:
    """The result of `run`, which runs the operator, in a region with the dtype of this name."""
    if not operands:  # it may ask whether there is a region
        return run()
    reduced = dtypes.from_name(name)
    instead = _instead(operator, reduced.scalar_type, is_in_use())
    wanted = _wanted(operator, reduced)
    with region(""):
        if instead is not None:
            return instead(*operands)
        given = operands if wanted is None else [_cast(operand, wanted) for operand in operands]
        return run(*given)


def _wanted(operator: Operator, reduced: dtype) -> dtype | None:
    """What the tensors of an operator are cast to."""
    if not operator.name.startswith("aten::") or operator.schema.is_mutable:
        return None
    name = operator.name.removeprefix("aten::")
    if name in lists.REDUCED_AROUND:
        return reduced
    return dtypes.float32 if name in lists.FULL_AROUND else None


def _cast(operand: Any, wanted: dtype) -> Any:
    """The operand with another dtype, where it is a tensor on the CPU, of floating point numbers that are no doubles."""
    if operand.__class__ is list:
        return [_cast(one, wanted) for one in operand]
    if not isinstance(operand, Tensor):
        return operand
    is_eligible = operand.dtype.is_floating_point and operand.dtype is not dtypes.float64
    if not is_eligible or operand.dtype is wanted or operand.device.type != "cpu":
        return operand
    return operand.to(wanted)


@lru_cache(maxsize=64)
def _instead(operator: Operator, reduced: int, is_recorded: bool) -> Kernel | None:
    """What runs an operator that is made of others; None where it is what it is elsewhere."""
    text = composites.around(operator.qualified_name, reduced)
    if text is None:
        return None
    function = import_module("torchscript_dialect.transforms.decompose_ops").function_for(
        operator, text
    )
    interpreter = import_module("torchscript_dialect.runtime.interpreter")
    return interpreter.interpret(function, records=is_recorded)
