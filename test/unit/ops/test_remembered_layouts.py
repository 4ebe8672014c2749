"""Pointwise operators give the same for operands of kinds that they remember as for those that they meet: Note [Remembered layouts]."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

DTYPES = (np.float32, np.float64, np.int64, np.int32, np.uint8, np.bool_, np.float16, np.complex64)
SHAPES = ((2, 3, 4), (3, 4), (4,), (1,), (3, 1), (1, 3, 1), (), (2, 1, 4), (1, 1))
NAMES = (
    "add.Tensor sub.Tensor mul.Tensor div.Tensor div.Tensor_mode add.Scalar mul.Scalar rsub.Scalar pow.Tensor_Scalar where.self maximum "
    "atan2 eq.Tensor lt.Scalar logical_and bitwise_not neg relu tanh sigmoid clamp gelu lerp.Scalar addcmul masked_fill.Scalar abs "
    "leaky_relu hypot fmod.Tensor floor_divide exp isnan copysign.Tensor remainder.Scalar threshold"
).split()


def _operand(numbers: np.random.Generator) -> Tensor:
    shape = SHAPES[numbers.integers(len(SHAPES))]
    array = np.asarray(numbers.random(shape) * 4 + 1)
    array = array.astype(DTYPES[numbers.integers(len(DTYPES))])
    how = numbers.integers(4)
    if how == 1 and array.ndim > 1:
        array = np.ascontiguousarray(array.transpose(numbers.permutation(array.ndim)))
        array = array.transpose(numbers.permutation(array.ndim))
    elif how == 2 and array.ndim:
        array = np.repeat(array, 2, -1)[..., ::2]
    elif how == 3 and array.ndim:
        strides = (0, *array.strides[1:])
        array = np.lib.stride_tricks.as_strided(array, array.shape, strides)
    return tensor_of(array)


def _value(type_: str, numbers: np.random.Generator) -> Any:
    if "Tensor" in type_:
        return _operand(numbers)
    if type_ == "str?":
        return (None, "floor", "trunc")[numbers.integers(3)]
    if type_ == "str":
        return "none"
    if type_.endswith("?") and numbers.random() < 0.3:
        return None
    return (2, 3.0, 1, True, -0.0)[numbers.integers(5)] if "float" not in type_ else 1.5


def _run(kernel: Any, operands: list[Any]) -> Any:
    try:
        array = kernel(*operands).array
    except (RuntimeError, NotImplementedError, TypeError) as error:
        return type(error), str(error)
    return array.dtype, array.shape, array.strides, array.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_remembered_changes_no_result(name: str) -> None:
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None
    numbers = np.random.default_rng([*name.encode()])
    for _ in range(200):
        operands = [_value(argument.spelling, numbers) for argument in operator.schema.arguments]
        first, second, third = (_run(operator.kernel, operands) for _ in range(3))
        assert first == second == third


@pytest.mark.parametrize(
    "name",
    "add_.Tensor sub_.Scalar mul_.Tensor div_.Tensor pow_.Scalar addcmul_ lerp_.Tensor eq_.Tensor remainder_.Scalar clamp_ neg_".split(),
)
def test_what_is_remembered_changes_nothing_in_place(name: str) -> None:
    """The first call of operands is the general way; each writes to operands of its own."""
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None
    for seed in range(100):
        found: list[Any] = []
        for _ in range(3):
            numbers = np.random.default_rng([seed, *name.encode()])
            arguments = operator.schema.arguments
            operands = [_value(argument.spelling, numbers) for argument in arguments]
            if arguments[-1].spelling == "Tensor" and numbers.random() < 0.2:
                operands[-1] = tensor_of(operands[0].array[..., None][..., 0])
            found.append(_run(operator.kernel, operands))
        assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("name", ["lt.Tensor", "eq.Tensor", "isnan", "logical_and", "add.Tensor"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_results_of_another_dtype_than_the_operands(name: str, dtype: type[Any]) -> None:
    """Of turned operands with a dimension of one element, whose result NumPy lays out otherwise."""
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None
    one = tensor_of(np.lib.stride_tricks.as_strided(np.ones(17, dtype), (1, 17, 1), (8, 0, 8)))
    other = tensor_of(np.ones((1, 17, 1), dtype).transpose(2, 1, 0))
    operands = [one, other, 1][: len(operator.schema.arguments)]
    found = [_run(operator.kernel, operands) for _ in range(4)]
    assert found[0][0] == (dtype if name == "add.Tensor" else np.bool_)
    assert all(again == found[0] for again in found)
