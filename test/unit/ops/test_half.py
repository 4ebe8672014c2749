"""float16 and bfloat16 beside numbers and tensors of other dtypes: what is rounded before the computation."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.conversion import as_tensor

X = np.linspace(0.1, 3, 500)
Y = 0.3137


def call(name: str, *operands: Any) -> np.ndarray:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    return operator.kernel(*operands).array


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("name", ["mul", "div"])
@pytest.mark.parametrize("of", ["Scalar", "Tensor"])
def test_products_and_quotients_take_the_second_operand_as_it_is(kind: Any, name: str, of: str):
    x = X.astype(kind)
    y = Y if of == "Scalar" else as_tensor(np.array(Y))
    wide, factor = x.astype(np.float32), np.float32(Y)
    expected = (wide * factor if name == "mul" else wide / factor).astype(kind)
    np.testing.assert_array_equal(call(f"aten::{name}.{of}", as_tensor(x), y), expected)


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
@pytest.mark.parametrize("of", ["Scalar", "Tensor"])
def test_sums_and_comparisons_round_it_first(kind: Any, of: str):
    x = X.astype(kind)
    x[7] = Y
    y = Y if of == "Scalar" else as_tensor(np.array(Y))
    rounded = np.float32(kind(Y))
    wide = x.astype(np.float32)
    expected = (wide + rounded).astype(kind)
    np.testing.assert_array_equal(call(f"aten::add.{of}", as_tensor(x), y, 1), expected)
    np.testing.assert_array_equal(call(f"aten::lt.{of}", as_tensor(x), y), wide < rounded)
    assert call(f"aten::eq.{of}", as_tensor(x), y)[7]


def test_a_number_too_large_is_infinite():
    x = as_tensor(np.ones(2, np.float16))
    assert np.isinf(call("aten::add.Scalar", x, 1e6, 1)).all()


def test_what_overflows_is_infinite_without_a_warning():
    x = np.full((2, 2), 6e4, np.float16)
    for name, *more in (
        ("add.Tensor", as_tensor(x), 1),
        ("mm", as_tensor(x)),
        ("add_.Tensor", as_tensor(x), 1),
    ):
        assert np.isinf(call(f"aten::{name}", as_tensor(x.copy()), *more)).all()
    assert np.isinf(call("aten::sum", as_tensor(x), None))


def test_a_weight_without_dimensions_may_have_any_dtype():
    x = as_tensor(np.ones(2, np.float16))
    np.testing.assert_array_equal(
        call(
            "aten::lerp.Tensor", x, as_tensor(np.full(2, 3, np.float16)), as_tensor(np.array(0.5))
        ),
        2,
    )
    with pytest.raises(RuntimeError, match="expected dtype c10::Half for `weight`"):
        call("aten::lerp.Tensor", x, x, as_tensor(np.ones(2)))


EXTREMES = np.array([-np.inf, -0.0, 0.0, 4.0, -1.0, np.inf])
ROOTS = {
    0.5: [np.nan, -0.0, 0.0, 2, np.nan, np.inf],
    -0.5: [np.nan, -np.inf, np.inf, 0.5, np.nan, 0],
}
POWERS = {0.5: [np.inf, 0.0, 0.0, 2, np.nan, np.inf], -0.5: [0, np.inf, np.inf, 0.5, np.nan, 0]}
"""What PyTorch 2.13 gives: a number as exponent takes roots but of float16, a tensor takes powers."""


def assert_identical(actual: np.ndarray, expected: list[float]) -> None:
    actual = actual.astype(np.float64)
    np.testing.assert_array_equal(actual, expected)
    numbers = ~np.isnan(np.array(expected))
    np.testing.assert_array_equal(np.signbit(actual)[numbers], np.signbit(expected)[numbers])


@pytest.mark.parametrize("exponent", [0.5, -0.5])
@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_only_powers_of_float16_are_no_roots(kind: Any, exponent: float):
    x = EXTREMES.astype(kind)
    expected = POWERS if kind is np.float16 else ROOTS
    assert_identical(call("aten::pow.Tensor_Scalar", as_tensor(x), exponent), expected[exponent])
    assert_identical(call("aten::pow_.Scalar", as_tensor(x), exponent), expected[exponent])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(), (1,), (6,)])
@pytest.mark.parametrize("exponent", [0.5, -0.5])
def test_a_broadcast_exponent_takes_no_root(kind: Any, shape: tuple[int, ...], exponent: float):
    y = as_tensor(np.full(shape, exponent, kind))
    powers = call("aten::pow.Tensor_Tensor", as_tensor(EXTREMES.astype(kind)), y)
    assert_identical(powers, POWERS[exponent])


@pytest.mark.parametrize(
    ("exponent", "number"), [("0.5", 0.5), ("-0.5", -0.5), ("e", 0.5), ("e", -0.5)]
)
def test_compiled_functions_take_powers_of_half_as_well(exponent: str, number: float):
    f = ts.CompilationUnit(
        f"def f(x, e: float):\n    return torch.neg(torch.pow(x, {exponent}))\n"
    ).f
    for _ in range(4):
        negative = f(as_tensor(EXTREMES.astype(np.float16)), number).array
        assert_identical(-negative, POWERS[number])


@pytest.mark.parametrize("element", [torch.float16, torch.bfloat16])
def test_neighbours_and_limits_are_those_of_the_narrow_dtype(element) -> None:
    """They are not float32's, in which 16-bit floats are computed otherwise."""
    x = torch.tensor([float("inf"), float("-inf"), float("nan")]).to(element)
    largest = torch.nextafter(x[:1], torch.zeros(1).to(element))
    assert torch.isfinite(largest).all()
    assert torch.isinf(torch.nextafter(largest, x[:1])).all()
    assert torch.nan_to_num(x).tolist() == [largest.item(), -largest.item(), 0]
    zeros = torch.nextafter(torch.tensor([0.0]).to(element), torch.tensor([-0.0]).to(element))
    assert torch.signbit(zeros).all()


def test_special_functions_at_their_limits() -> None:
    inf, nan = float("inf"), float("nan")
    wide = torch.float64
    assert torch.lgamma(torch.tensor([1.0, 2.0], dtype=wide)).tolist() == [0, 0]
    assert np.isclose(torch.lgamma(torch.tensor(5e-324, dtype=wide)).item(), 744.4400719213812)
    assert torch.i0(torch.tensor(1e308, dtype=wide)).item() == inf
    a, x = torch.tensor([nan, nan, inf, 2.0]), torch.tensor([inf, 0.0, nan, inf])
    assert torch.igamma(a, x).tolist() == [1, 0, 0, 1]
    assert torch.igammac(a, x).tolist() == [0, 1, 1, 0]


STALLS = {torch.float16: 2048.0, torch.bfloat16: 256.0}
"""The number that a 1 does not change."""


@pytest.mark.parametrize("dtype", STALLS)
@pytest.mark.parametrize(
    "added",
    [
        lambda x, at, ones: x.scatter_add(0, at, ones),
        lambda x, at, ones: x.scatter(0, at, ones, reduce="add"),
        lambda x, at, ones: x.scatter(0, at, 1.0, reduce="add"),
        lambda x, at, ones: x.scatter_reduce(0, at, ones, "sum"),
        lambda x, at, ones: x[:, None].scatter_add(0, at[:, None], ones[:, None]),
        lambda x, at, ones: x[:, None].index_add(0, at, ones[:, None]),
        lambda x, at, ones: x[None].index_add(-1, at, ones[None]),
        lambda x, at, ones: torch.addbmm(x[:1, None], ones[:, None, None], ones[:, None, None]),
    ],
)
def test_what_is_scattered_is_summed_in_32_bits(added: Any, dtype: Any) -> None:
    """It was rounded at every step, so that sums stood still."""
    least = STALLS[dtype]
    x, at, ones = torch.tensor([least, 1]), torch.zeros(40, dtype=torch.int64), torch.ones(40)
    assert added(x.to(dtype), at, ones.to(dtype)).reshape(-1)[0].item() == least + 40


@pytest.mark.parametrize("dtype", STALLS)
@pytest.mark.parametrize(
    "added",
    [
        lambda x, at, ones: x.index_add(0, at, ones),
        lambda x, at, ones: x[:, None].index_add(0, at.to(torch.int32), ones[:, None]),
        lambda x, at, ones: x[:, None].index_add(0, at, ones[:, None], alpha=0.99609375),
        lambda x, at, ones: x[None, :, None].index_add(1, at, ones[None, :, None]),
        lambda x, at, ones: x.index_put((at,), ones, accumulate=True),
        lambda x, at, ones: x.put(at, ones, accumulate=True),
    ],
)
def test_what_is_indexed_is_rounded_at_every_step(added: Any, dtype: Any) -> None:
    least = STALLS[dtype]
    x, at, ones = torch.tensor([least, 1]), torch.zeros(40, dtype=torch.int64), torch.ones(40)
    assert added(x.to(dtype), at, ones.to(dtype)).reshape(-1)[0].item() == least


def test_means_divide_by_what_16_bits_count_to() -> None:
    """As in PyTorch, where counts of a vector are rounded at every step, too, and those of a matrix are not."""
    at, ones = torch.zeros(600, dtype=torch.int64), torch.ones(600, dtype=torch.bfloat16)
    x = torch.tensor([256, 1], dtype=torch.bfloat16)
    assert x.index_reduce(0, at, ones, "mean").tolist() == [1, 1]
    assert x[:, None].index_reduce(0, at, ones[:, None], "mean")[0].item() == 0.42578125
    assert x.scatter_reduce(0, at, ones, "mean")[0].item() == 1.4296875


def test_a_trace_is_added_up_in_more_than_its_dtype() -> None:
    ones = torch.ones(300, 300, dtype=torch.bfloat16)
    assert torch.trace(ones).item() == 300


def test_correlations_are_no_larger_than_one() -> None:
    rows = [[-8.5, -1.765625], [-4.3125, -2.40625], [-7.9375, 3.609375]]
    found = torch.corrcoef(torch.tensor(rows, dtype=torch.bfloat16))
    assert found.abs().max().item() == 1


def test_the_gradient_of_a_filled_value_is_no_difference_of_large_sums() -> None:
    x, value = torch.zeros(3, 4), torch.tensor(1.0, requires_grad=True)
    filled = x.index_fill(0, torch.tensor([1]), value)
    weights = torch.tensor([[1e8], [0.25], [1e8]]).expand(3, 4)
    filled.backward(weights)
    assert value.grad is not None
    assert value.grad.item() == 1


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("norm", ["layer_norm", "group_norm"])
def test_gradients_of_float32_weights_come_of_moments_of_float32(norm: str, dtype: Any) -> None:
    """Mean and deviation had been rounded to the dtype of the input, which the weights do not have."""
    torch.manual_seed(0)
    x, grad = torch.randn(3, 8).to(dtype), torch.randn(3, 8).to(dtype)
    found = []
    for given in (x, x.float()):
        weight, bias = torch.ones(8, requires_grad=True), torch.zeros(8, requires_grad=True)
        sizes = [8] if norm == "layer_norm" else 2
        result = getattr(torch.nn.functional, norm)(given, sizes, weight, bias)
        result.backward(grad.to(result.dtype))
        found.append(weight.grad)
    assert torch.allclose(found[0], found[1], rtol=1e-5, atol=1e-6)
