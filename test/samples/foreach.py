"""Operators on lists of tensors, made from their schemas, and steps of optimizers."""

from typing import Any

import numpy as np

from samples.arrays import array, transposed
from torchscript_dialect.ops import registry


def _list(seed, dtype="float32", low=0.1, high=2):
    return [array((2, 3), dtype, low, high, seed), array((4,), dtype, low, high, seed)]


_NUMBERS = {"Scalar": 1.5, "Scalar[]": [1.5, 0.5], "ScalarType?": None, "bool": False}


def _value(argument, seed, dtype):
    text = argument.spelling
    if text.startswith("Tensor") and text.endswith("[]"):
        return _list(seed, dtype)
    if text.startswith("Tensor"):
        scalars = np.array([1.5, 0.5], dtype)
        return scalars if argument.name == "scalars" else np.array(1.5, dtype)
    return _NUMBERS.get(text)


def _makes(operator):
    arguments = operator.schema.arguments
    if operator.name.startswith("aten::_foreach_mm"):
        square = [np.eye(3, dtype=np.float32) * 2, array((3, 3))]
        return [lambda: tuple([one.copy() for one in square] for _ in arguments)]

    def make(dtype):
        values = [_value(argument, str(i), dtype) for i, argument in enumerate(arguments)]
        if arguments[-1].name == "out":
            small = operator.name in _TO_NUMBERS
            values[-1] = [np.zeros(() if small else a.shape, a.dtype) for a in _list("o", dtype)]
        return tuple(values)

    return [lambda dtype=dtype: make(dtype) for dtype in ("float32", "float64")]


_TO_NUMBERS = {f"aten::_foreach_{name}" for name in ("norm", "powsum", "max")}

SAMPLES: dict[str, list[Any]] = {
    operator.qualified_name: _makes(operator)
    for name in registry.names()
    if name.startswith("aten::_foreach_")
    for operator in registry.lookup(name)
    if operator.kernel is not None
}
SAMPLES["aten::_foreach_add.List"] = [
    *SAMPLES["aten::_foreach_add.List"],
    lambda: (_list("a"), _list("b")[:1], 1),
    lambda: ([], [], 1),
    lambda: ([transposed((2, 3))], [transposed((2, 3))], 2),
]


def _steps(make, *lists):
    """Settings with a number and with a tensor for the rate."""
    return {
        "": [lambda one=one: make(0.1, *one) for one in lists],
        ".tensor_lr": [lambda one=one: make(np.array(0.1, np.float32), *one) for one in lists],
    }


def _adam(rate, decay, amsgrad, maximize, dtype="float32"):
    return (
        _list("p", dtype),
        _list("g", dtype, -1, 1),
        _list("m", dtype),
        _list("s", dtype),
        _list("l", dtype) if amsgrad else [],
        [np.array(3.0, np.float32), np.array(3.0, np.float32)],
        rate,
        0.9,
        0.99,
        decay,
        1e-8,
        amsgrad,
        maximize,
        None,
        None,
    )


def _sgd(rate, decay, momentum, nesterov, first, dtype="float32"):
    return (
        _list("p", dtype),
        _list("g", dtype, -1, 1),
        _list("b", dtype) if momentum else [],
        decay,
        momentum,
        rate,
        0.0 if nesterov else 0.1,
        nesterov,
        False,
        first,
        None,
        None,
    )


def _adagrad(rate, decay, maximize, dtype="float32"):
    return (
        _list("p", dtype),
        _list("g", dtype, -1, 1),
        _list("s", dtype),
        [np.array(3.0, np.float32), np.array(3.0, np.float32)],
        rate,
        0.1,
        decay,
        1e-10,
        maximize,
        None,
        None,
    )


for _suffix, _found in _steps(
    _adam,
    (0.0, False, False),
    (0.1, True, False),
    (0.1, False, True),
    (0.0, True, False, "float64"),
).items():
    SAMPLES[f"_fused_adam_{_suffix} _fused_adamw_{_suffix}"] = _found
for _suffix, _found in _steps(
    _sgd,
    (0.0, 0.0, False, False),
    (0.1, 0.9, False, False),
    (0.1, 0.9, True, False),
    (0.0, 0.9, False, True, "float64"),
).items():
    SAMPLES[f"_fused_sgd_{_suffix}"] = _found
for _suffix, _found in _steps(_adagrad, (0.0, False), (0.1, True), (0.0, False, "float64")).items():
    SAMPLES[f"_fused_adagrad_{_suffix}"] = _found
