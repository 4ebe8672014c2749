"""Runs operators on tensors that require no gradient, while something else in the process does: with kernels as without gradients.

Views let the tensor that they are of know them, since both begin to require gradients when one is written what does. What that
takes is put into the view as it is (`Origin` in `autograd/history.py`), and looked at when somebody asks. Writes are counted where
somebody keeps the memory for a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.autograd.creation_meta import creation_meta
from torchscript_dialect.autograd.history import count_write, set_origin
from torchscript_dialect.autograd.nodes import has_same_kind
from torchscript_dialect.autograd.objections import check_plain_write
from torchscript_dialect.autograd.recording import is_plain
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import versions
from torchscript_dialect.tensor.inference import (
    ENTERED,
    INFERENCE,
    is_inference,
    is_inference_mode_enabled,
    mark_views,
    slot,
)
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor

Wrap = Callable[[Kernel], Kernel]


def on_plain_operands(operator: Operator) -> Wrap | None:
    """What makes of a kernel of the operator what follows its views or writes, for operands none of which requires a gradient; None
    where it takes more.
    """
    if not is_plain(operator):
        return None
    if operator.rules.is_view and not operator.schema.is_mutable:
        is_sliced = operator.name == "aten::tensor_split"
        return lambda kernel: _slices(kernel) if is_sliced else _views(operator, kernel)
    arguments = operator.schema.arguments
    written = [place for place, one in enumerate(arguments) if one.alias and one.alias.is_write]
    return _writes if written == [0] and not arguments[0].kwarg_only else None


def _views(operator: Operator, kernel: Kernel) -> Kernel:
    def run(x: Tensor, *rest: Any) -> Any:
        result = kernel(x, *rest)
        if result is x:
            return result
        if ENTERED and is_inference(x):
            mark_views(result)
            return result
        if result.__class__ is Tensor:
            if _is_view(result, x):
                set_origin(result, x, operator, rest, creation_meta())
            return result
        meta = creation_meta(is_several=True)
        for one in cast("list[Tensor]", result):
            if one is not x and _is_view(one, x):
                set_origin(one, x, operator, rest, meta)
        return result

    return run


def _slices(kernel: Kernel) -> Kernel:
    """The same for `tensor_split`, whose pieces are slices: they may be written to."""
    operator = registry.find("aten::slice.Tensor")
    assert operator is not None

    def run(x: Tensor, given: int | Sequence[int], dim: int) -> Any:
        result = kernel(x, given, dim)
        if ENTERED and is_inference(x):
            mark_views(result)
            return result
        ends = None if isinstance(given, int) else (*given, x.array.shape[dim])
        start, meta = 0, creation_meta()
        for number, one in enumerate(result):
            end = start + one.array.shape[dim] if ends is None else ends[number]
            if _is_view(one, x):
                set_origin(one, x, operator, (dim, start, end, 1), meta)
            start = end
        return result

    return run


def _is_view(one: Tensor, x: Tensor) -> bool:
    """Whether a result stands on the memory of an operand, as numbers that may have gradients."""
    array, other = one.array, x.array
    base = array.base
    if base is None:
        return array is other
    if not has_same_kind(array, other):
        return False
    return base is other or base is other.base or root(array) is root(other)


def _writes(kernel: Kernel) -> Kernel:
    def run(x: Tensor, *rest: Any) -> Any:
        try:
            known = slot(x)
        except AttributeError:  # sooner than getattr, which asks for an operator of that name
            known = 0
        if known.__class__ is int:
            result = kernel(x, *rest)
            if not versions.written(x.array):
                x.autograd = known + 1
            return result
        if known is INFERENCE and is_inference_mode_enabled():
            return kernel(x, *rest)  # nobody counts
        check_plain_write(x)
        result = kernel(x, *rest)
        count_write(x)
        return result

    return run
