"""Eager operators in a region of `torch.autocast` (PyTorch: aten/src/ATen/autocast_mode.h).

An operator of the lists in autocast.py gets its tensors with another dtype. One that is made of others is what autocast_composites.py
says. What operators call themselves is not cast once more. Tensors heed the region for their kind of device.

Weights are cast once: what float32 leaves that require gradients become is kept until the thread leaves the outermost region, so that
gradients of several uses are added up before they are cast back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, cast

from torchscript_dialect.ops.autocast import autocast as lists
from torchscript_dialect.ops.autocast import autocast_composites as composites
from torchscript_dialect.ops.eager.recording import RECORDING
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.autocast_region import REGION, Casts, without_casts
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.grad_mode import is_grad_enabled
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import is_in_use
from torchscript_dialect.utils.errors import TorchScriptError


def call_in_region(operator: Operator, run: Kernel, casts: Casts, *operands: Any) -> Any:
    """The result of `run`, which runs the operator, in a region with these dtypes.

    Raises:
        RuntimeError: a region may not hold the operator, or not where it is traced.
    """
    if not operands:  # it may ask whether there is a region
        return run()
    is_aten = operator.name.startswith("aten::") and not operator.schema.is_mutable
    kinds = {one.device.type for one in _tensors(operands)} if is_aten else ()
    with without_casts():
        given: Sequence[Any] = operands
        for kind, name in zip(Casts._fields, casts, strict=True):
            if not name or kind not in kinds:
                continue
            reduced = dtypes.from_name(name)
            instead = instead_of(operator, kind, reduced.scalar_type, is_in_use())
            if instead is not None:
                if RECORDING.recorder is not None:
                    raise TorchScriptError(
                        f"{operator.name} cannot be traced in a region of torch.autocast: script it, or trace it outside"
                    )
                return instead(*given)
            given = _given(operator, given, kind, reduced)
        return run(*given)


def _tensors(operands: Sequence[Any]) -> Iterator[Tensor]:
    for operand in operands:
        if isinstance(operand, Tensor):
            yield operand
        elif operand.__class__ is list:
            yield from _tensors(cast("list[Any]", operand))


def _given(operator: Operator, operands: Sequence[Any], kind: str, reduced: dtype) -> Sequence[Any]:
    """The operands with the dtypes that a kind of device computes with.

    Raises:
        RuntimeError: a region may not hold the operator, or not with these dtypes.
    """
    name = operator.name.removeprefix("aten::")
    policies = lists.POLICIES[kind]
    if name in policies.banned:
        raise RuntimeError(lists.UNSAFE)
    if name in policies.fp32_set_opt_dtype:
        return _told_dtype(operator, operands, kind)
    if name in policies.promote:
        wanted = _widest(operator, operands, kind, reduced)
    elif name in policies.lower_precision_fp:
        wanted = reduced
    elif name in policies.fp32:
        wanted = dtypes.float32
    else:
        return operands
    return [_cast(operand, kind, wanted, reduced) for operand in operands]


def _told_dtype(operator: Operator, operands: Sequence[Any], kind: str) -> Sequence[Any]:
    """The operands, with float32 for the dtype that is not told."""
    names = [argument.name for argument in operator.schema.arguments]
    place = names.index("dtype") if "dtype" in names else -1
    if place < 0 or operands[place] is not None or not _is_eligible(operands[0], kind):
        return operands
    return [*operands[:place], dtypes.float32.scalar_type, *operands[place + 1 :]]


def _widest(operator: Operator, operands: Sequence[Any], kind: str, reduced: dtype) -> dtype:
    """float32 where a tensor has it that may not be None, and else the dtype of the region."""
    wanted = reduced
    for place in lists.places_of_tensors(operator):
        one = operands[place]
        if _is_eligible(one, kind) and wanted is reduced:
            if one.dtype not in (reduced, dtypes.float32):
                raise RuntimeError("Unexpected floating ScalarType in at::autocast::prioritize")
            wanted = one.dtype
    return wanted


def _is_eligible(operand: Tensor, kind: str) -> bool:
    """Whether a region for a kind of device casts a tensor: one of floating point numbers that are no doubles."""
    is_float = operand.dtype.is_floating_point and operand.dtype is not dtypes.float64
    return is_float and operand.device.type == kind


def _cast(operand: Any, kind: str, wanted: dtype, reduced: dtype) -> Any:
    """The operand with another dtype, where it is, or holds, what is cast."""
    if operand.__class__ is list:
        values = cast("list[Any]", operand)
        found = [_cast(one, kind, wanted, reduced) for one in values]
        return operand if all(one is old for one, old in zip(found, values, strict=True)) else found
    if not isinstance(operand, Tensor) or operand.dtype is wanted:
        return operand
    if not _is_eligible(operand, kind):
        return operand
    is_weight = operand.requires_grad and operand.is_leaf and operand.dtype is dtypes.float32
    is_kept = is_weight and wanted is reduced and REGION.cache_enabled and is_grad_enabled()
    if not is_kept or RECORDING.recorder is not None:
        return operand.to(wanted)
    kept = REGION.weights.get(id(operand))
    if kept is None or kept[1].dtype is not wanted:
        kept = REGION.weights[id(operand)] = operand, operand.to(wanted)
    return kept[1]


@lru_cache(maxsize=64)
def instead_of(operator: Operator, kind: str, reduced: int, is_recorded: bool) -> Kernel | None:
    """What runs an operator that is made of others; None where it is what it is elsewhere."""
    text = composites.around(operator.qualified_name, kind, reduced)
    if text is None:
        return None
    function = import_module("torchscript_dialect.transforms.decompose_ops").function_for(
        operator, text
    )
    interpreter = import_module("torchscript_dialect.runtime.interpreter.interpreter")
    return interpreter.interpret(function, records=is_recorded)
