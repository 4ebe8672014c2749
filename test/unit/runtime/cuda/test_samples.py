"""Operators on the device against those of the host, on the samples that every operator has: a sample of each reduction and product and
of some pointwise operators, or three of all with `TORCHSCRIPT_DIALECT_LONG_TESTS=1`.
"""

from __future__ import annotations

import warnings
from itertools import islice
from typing import Any

import numpy as np
import pytest

from lowering.backend import LinalgBackend
from samples import samples_of
from samples.compare import difference, ours, plain
from support.amounts import IS_LONG
from support.simt.driver.device import Device
from support.simt.moving import on_cuda
from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime.cuda.operator_kernel import inputs_of
from torchscript_dialect.runtime.kernels.operator_kernels import INPUT, compile_operator
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.device_array import DeviceArray, use_device
from torchscript_dialect.tensor.dtype import float32
from torchscript_dialect.tensor.generator import default_generator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.core import FLOAT

SAMPLES = None if IS_LONG else 1
EVERY = 1 if IS_LONG else 16
"""Which pointwise operators."""
ERRORS = (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError)

EXPECTED = frozenset(
    (
        "prim::device", "prim::is_cpu", "prim::is_cuda", "aten::get_device", "aten::cuda", "aten::remove.Tensor",
        "aten::linalg_lstsq", "aten::threshold_",
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


def outcomes(operator: Operator, make: Any) -> tuple[Any, Any]:
    """What an operator gives for a sample on the device, be it through the host, and what it gives on the host."""
    assert operator.kernel is not None and operator.placed is not None
    expected = outcome(operator.kernel, ours(list(make()), {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return outcome(operator.placed, there(list(make()), {})), expected


@pytest.mark.parametrize("kind", ["pointwise", "reduction", "product"])
def test_operators_of_a_family(on_device: Device, kind: str) -> None:
    use_device()
    wrong: list[str] = []
    compared = 0
    for name in family(kind):
        operator = registry.find(name)
        assert operator is not None
        for make in islice(samples_of(operator), SAMPLES):
            found, expected = outcomes(operator, make)
            compared += 1
            why = difference(found, expected)
            if why is not None and str(expected) != "ZeroDivisionError":  # which no kernel raises
                wrong.append(f"{name}: {why}")
    assert not on_device.faults
    assert not wrong, "\n".join(wrong)
    assert compared > {"pointwise": 40, "reduction": 9, "product": 9}[kind]


def on_kernel_of_host(operator: Operator, operands: list[Any]) -> Any:
    """What a kernel of the CPU for the operator alone gives; None where there is none."""
    for takes_floats in (True, False):
        given = list(inputs_of(operands, takes_floats=takes_floats))
        marked = [INPUT if any(one is each for each in given) else one for one in operands]
        types = [tensor_type(one) if isinstance(one, Tensor) else FLOAT for one in given]
        try:
            kernel = compile_operator(operator, types, marked, "llvm", "")
        except (*ERRORS, NotCompilable):
            continue
        call = kernel.bind(given)
        if call is not None:
            return kernel.launch(call)
    return None


def test_float32_has_the_bits_of_kernels_of_the_host(
    on_device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results of pointwise operators that have kernels on both; what is no number has one sign."""
    use_device()
    monkeypatch.setattr(LinalgBackend, "pays_alone", lambda *_: True)
    wrong: list[str] = []
    compared = 0
    for name in family("pointwise"):
        operator = registry.find(name)
        assert operator is not None and operator.placed is not None
        if operator.schema.is_mutable or operator.lower is None:
            continue
        for make in islice(samples_of(operator), SAMPLES):
            tensors = [one for one in ours(list(make()), {}) if isinstance(one, Tensor)]
            if not tensors or any(one.dtype is not float32 for one in tensors):
                continue
            try:
                expected = on_kernel_of_host(operator, ours(list(make()), {}))
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    found = operator.placed(*there(list(make()), {}))
            except (*ERRORS, RuntimeWarning):
                continue
            if isinstance(expected, Tensor) and expected.dtype is float32:
                compared += 1
                first, second = (
                    np.where(np.isnan(one), np.float32(np.nan), one)
                    for one in (back(found)[1], expected.array)
                )
                if first.tobytes() != second.tobytes():
                    wrong.append(f"{name}: {first.reshape(-1)[:4]} for {second.reshape(-1)[:4]}")
    assert not on_device.faults
    assert not wrong, "\n".join(wrong)
    assert compared >= (200 if IS_LONG else 10)
    print(compared, "results have the same bits")
