"""Which results require gradients, where all operands of floats do: as PyTorch's, for samples of all operators."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatch
from typing import Any

import numpy as np
import pytest

from samples import samples_of
from support.amounts import IS_LONG
from support.gradient_golden import tensors
from support.random_kernels import as_torch
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.conversion import as_tensor

pytorch = pytest.importorskip("torch")
SAMPLES = 3 if IS_LONG else 1
DIFFERENT = {
    "aten::_fused_*": "steps of optimizers, which run without gradients",
    "aten::_amp_foreach_*": "the same",
    "aten::*histogramdd*": "edges of bins, of which PyTorch says that nothing is implemented",
    "aten::_rowwise_prune": "made of operators with gradients here",
    "aten::detach_copy": "PyTorch says that nothing is implemented",
    "aten::rrelu_with_noise_functional": "its noise has a history here, too",
}
"""Patterns of operators, with the reasons."""


def names() -> list[str]:
    registry.load_derivatives()
    attached = sorted(name for name, _ in registry.attached() if name.startswith("aten::"))
    return [one for one in attached if not any(fnmatch(one, pattern) for pattern in DIFFERENT)]


def operands(value: Any, make: Callable[[np.ndarray], Any], known: dict[int, Any]) -> Any:
    """A sample with tensors that require gradients where they can; those that stand in it twice are one."""
    if isinstance(value, np.ndarray):
        if id(value) not in known:
            known[id(value)] = required(make(np.array(value)))
        return known[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(operands(item, make, known) for item in value)
    return value


def required(tensor: Any) -> Any:
    is_able = tensor.dtype.is_floating_point or tensor.dtype.is_complex
    return tensor.requires_grad_() if is_able else tensor


def overload(operator: Operator) -> Any:
    """PyTorch's operator."""
    packet = getattr(pytorch.ops.aten, operator.name.removeprefix("aten::"), None)
    return packet and getattr(packet, operator.overload or "default", None)


def difference(operator: Operator, make: Callable[[], Any]) -> str | None:
    """What is different of a sample, of which PyTorch takes the operands."""
    theirs = operands(list(make()), as_torch, {})
    ours = operands(list(make()), as_tensor, {})
    arguments = operator.schema.arguments
    positional = [v for a, v in zip(arguments, theirs, strict=False) if not a.kwarg_only]
    named = {a.name: v for a, v in zip(arguments, theirs, strict=False) if a.kwarg_only}
    try:
        wanted = [one.requires_grad for one in tensors(overload(operator)(*positional, **named))]
    except Exception:
        return None
    assert operator.recorded is not None
    found = [one.requires_grad for one in tensors(operator.recorded(*ours))]
    return None if wanted == found else f"{operator.qualified_name}: {found}, not {wanted}"


@pytest.mark.filterwarnings("ignore")
def test_the_same_results_require_gradients() -> None:
    operators = [one for name in names() if (one := registry.find(name)) is not None]
    compared = [
        difference(one, make)
        for one in operators
        if not one.schema.is_mutable and overload(one) is not None
        for make in list(samples_of(one))[:SAMPLES]
    ]
    assert len(compared) > 1500
    assert [one for one in compared if one is not None] == []
