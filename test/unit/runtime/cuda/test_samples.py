"""Operators on the device against those of the host, on the samples that every operator has: a sample of each reduction and product and
of some pointwise operators, or three of all with `TORCHSCRIPT_DIALECT_LONG_TESTS=1`.
"""

from __future__ import annotations

import os
import warnings
from itertools import islice
from typing import Any

import numpy as np
import pytest

from samples import samples_of
from samples.compare import difference, ours, plain
from support.simt.driver.device import Device
from support.simt.moving import on_cuda
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.device_array import DeviceArray, use_device
from torchscript_dialect.tensor.generator import default_generator
from torchscript_dialect.tensor.tensor import Tensor

IS_LONG = os.environ.get("TORCHSCRIPT_DIALECT_LONG_TESTS") == "1"
SAMPLES = None if IS_LONG else 1
EVERY = 1 if IS_LONG else 16
"""Which pointwise operators."""
ERRORS = (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError)

EXPECTED = frozenset(
    (
        "prim::device", "prim::is_cpu", "prim::is_cuda", "aten::get_device", "aten::cuda", "aten::remove.Tensor",
        "aten::meshgrid", "aten::meshgrid.indexing", "aten::linalg_lstsq",
        "aten::threshold_",
    )
)  # fmt: skip
"""Operators that tell where a tensor is; some whose results lie in memory in another order there; and one that writes to elements which
share memory, where threads of a device would race."""


def family(kind: str) -> list[str]:
    """The operators that are pointwise, reductions or products."""
    names = sorted(name for name, rules in registry.attached() if not registry.is_registered(name))
    found: list[str] = []
    for name in names:
        operator = registry.find(name)
        assert operator is not None
        rules, base = operator.rules, operator.name.removeprefix("aten::")
        is_product = base in (
            "mm",
            "bmm",
            "matmul",
            "addmm",
            "linear",
            "dot",
            "mv",
            "addbmm",
            "baddbmm",
            "outer",
        )
        kinds = {"pointwise": rules.pointwise, "reduction": rules.reduction, "product": is_product}
        if kinds[kind] and name not in EXPECTED and operator.kernel is not None:
            found.append(name)
    return found[::EVERY] if kind == "pointwise" else found


def there(value: Any, memo: dict[int, Any]) -> Any:
    """A sample's operand with its tensors on the device."""
    if isinstance(value, np.ndarray):
        if id(value) not in memo:
            memo[id(value)] = on_cuda(value)
        return memo[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(there(item, memo) for item in value)
    return value


def back(value: Any) -> Any:
    """A result as arrays of the host, without strides."""
    if isinstance(value, Tensor):
        array = value.array
        found = array.on_host() if isinstance(array, DeviceArray) else array
        return ("tensor", found, value.dtype.name, ())
    if isinstance(value, (list, tuple)):
        return type(value)(back(item) for item in value)
    return plain(value)


def outcome(run: Any, operands: list[Any]) -> Any:
    default_generator.manual_seed(0)
    try:
        return back(run(*operands)), [back(operand) for operand in operands]
    except ERRORS as error:
        return error


@pytest.mark.parametrize("kind", ["pointwise", "reduction", "product"])
def test_operators_of_a_family(on_device: Device, kind: str) -> None:
    use_device()
    wrong: list[str] = []
    compared = 0
    for name in family(kind):
        operator = registry.find(name)
        assert operator is not None and operator.kernel is not None and operator.placed is not None
        for make in islice(samples_of(operator), SAMPLES):
            expected = outcome(operator.kernel, ours(list(make()), {}))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = outcome(operator.placed, there(list(make()), {}))
            compared += 1
            why = difference(found, expected)
            if why is not None and str(expected) != "ZeroDivisionError":  # which no kernel raises
                wrong.append(f"{name}: {why}")
    assert not on_device.faults
    assert not wrong, "\n".join(wrong)
    assert compared > {"pointwise": 40, "reduction": 9, "product": 9}[kind]
