"""Kernels of numbers of 8 and 16 bits on the CPU: pointwise results and integers have the bits that operators give one by one, sums of
floats are as close as their dtype is precise.
"""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

pytestmark = [needs_native_calls, pytest.mark.usefixtures("compiled_at_once")]

DTYPES = (torch.float16, torch.bfloat16)
TOLERANCE = {torch.float16: 1e-3, torch.bfloat16: 8e-3}
POINTWISE = {
    "arithmetic": "x * y + x / (y.abs() + 1) - 0.1",
    "functions": "torch.tanh(x) + torch.exp(y) * torch.sigmoid(x)",
    "other_dtypes": "(x + y.float()).half() * (x > y).long() + x.double().bfloat16()",
    "comparisons": "torch.where(x > y, x, torch.maximum(x, y)) + (x < 0)",
    "bounds": "torch.clamp(x, -0.5, 2.0) * torch.relu(y) + torch.nn.functional.leaky_relu(x, 0.1)",
}
SUMS = {
    "sum": "x.sum(1) * 2 + x.amax(1)",
    "softmax": "torch.softmax(x * 2, 1) + torch.log_softmax(y, 1)",
    "layer_norm": "torch.layer_norm(x, [x.size(1)]) * 2 + y",
    "norms": "torch.linalg_vector_norm(x, 2, 1) + torch.var(x, 1)",
}
INTEGERS = {
    "arithmetic": "x * y + (x - 3) * 2 - (-y)",
    "bits": "(x ^ y) & 127 | (x >> 1)",
    "choices": "torch.where(x > y, x, torch.minimum(x, y)).clamp(-100, 77) + (x == y)",
    "other_dtypes": "(x * 0.5 + y).to(torch.uint8) + (x.long() * 3).to(torch.int16) - x.float().to(torch.int8)",
    "reductions": "x.sum(1) * 2 + x.amax(1) - y.prod(1)",
}
SPECIAL = [0.0, -0.0, 1.0, 1e-40, -3e-39, 6e-8, 65504.0, -65520.0, 3.38e38, np.inf, -np.inf, np.nan]


def both(body: str, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """What operators give one by one, and a kernel."""
    f = ts.CompilationUnit(f"def f(x, y):\n    return {body}\n").f
    with ts.fuser("none"):
        expected = f(x, y)
    found = f(x, y)
    assert not x.is_contiguous() or "native" in ts.explain(f).partition("specializations")[2]
    assert (found.dtype, found.shape, found.stride()) == (
        expected.dtype,
        expected.shape,
        expected.stride(),
    )
    return expected, found


def layouts(dtype: torch.dtype) -> list[tuple[Tensor, Tensor]]:
    """Of sizes that fit no vector, in another order, with gaps, at odd addresses, without elements, and of special numbers."""
    generator = torch.Generator().manual_seed(0)
    x, y = ((torch.randn(67, 39, generator=generator) * 2).to(dtype) for _ in "xy")
    special = torch.tensor(SPECIAL).to(dtype)
    return [
        (x, y),
        (x.t(), y.t()),
        (x[::2, 1:], y[::2, 1:]),
        (x.flatten()[1:].unflatten(0, (2, -1)), y.flatten()[1:].unflatten(0, (2, -1))),
        (x[:0], y[:0]),
        (special.unsqueeze(1), special.unsqueeze(0)),
    ]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", POINTWISE)
def test_pointwise_results_have_the_bits_of_operators(name: str, dtype: torch.dtype) -> None:
    for x, y in layouts(dtype):
        expected, found = both(POINTWISE[name], x, y)
        np.testing.assert_array_equal(found.double().numpy(), expected.double().numpy())


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", SUMS)
def test_sums_are_as_close_as_their_dtype(name: str, dtype: torch.dtype) -> None:
    for x, y in layouts(dtype)[:4]:
        expected, found = both(SUMS[name], x.contiguous(), y.contiguous())
        tolerance = TOLERANCE[dtype]
        np.testing.assert_allclose(
            found.double().numpy(), expected.double().numpy(), rtol=tolerance, atol=tolerance
        )


@pytest.mark.parametrize("dtype", (torch.int8, torch.uint8, torch.int16), ids=str)
@pytest.mark.parametrize("name", INTEGERS)
def test_integers_wrap_as_operators_do(name: str, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randint(-200, 300, (67, 39), generator=generator).to(dtype) for _ in "xy")
    for shown in ((x, y), (x[:, 1:], y[:, 1:]), (x[:0], y[:0])):
        expected, found = both(INTEGERS[name], *shown)
        np.testing.assert_array_equal(found.numpy(), expected.numpy())


PRODUCTS = {
    "mm": "torch.mm(x[0], y[0]) * 2",
    "both_turned": "torch.mm(y[0].t(), x[0].t()).relu()",
    "addmm": "torch.addmm(z, x[0], y[0], beta=2, alpha=3).abs()",
    "layer": "torch.nn.functional.linear(x, y[0].t().contiguous(), z)",
    "one_row": "torch.mm(x[0, :1], y[0]) + 1",
    "bmm": "torch.bmm(x, y) + 1",
    "gaps": "torch.mm(x[0, :, ::2], y[0, ::2, ::3]) - 1",
}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_added_up_in_float32(name: str, dtype: torch.dtype) -> None:
    """Of whole numbers, whose sums are exact in any order, and are rounded once."""
    generator = torch.Generator().manual_seed(0)
    f = ts.CompilationUnit(f"def f(x, y, z):\n    return {PRODUCTS[name]}\n").f
    for m, k, n in ((3, 5, 7), (40, 300, 70), (9, 1, 4), (2, 0, 3), (0, 4, 5)):
        x, y, z = (
            torch.randint(-9, 10, shape, generator=generator).to(dtype)
            for shape in ((2, m, k), (2, k, n), (n,))
        )
        with ts.fuser("none"):
            expected = f(x, y, z)
        for _ in range(2):
            found = f(x, y, z)
        assert (found.dtype, found.stride()) == (dtype, expected.stride())
        np.testing.assert_array_equal(found.double().numpy(), expected.double().numpy())
    assert "interpreted" not in ts.explain(f)


CONVOLUTIONS = {
    "windows": ("conv2d(x, w, b, 1, 1)", (2, 3, 9, 11), (5, 3, 3, 3)),
    "steps": ("conv2d(x, w, b, [2, 1], 0, [1, 2])", (2, 3, 9, 11), (5, 3, 3, 3)),
    "groups": ("conv2d(x, w, b, 1, 1, 2, 2)", (2, 4, 12, 11), (6, 2, 3, 3)),
    "depthwise": ("conv2d(x, w, b, 1, 1, 1, 4)", (2, 4, 7, 6), (4, 1, 3, 3)),
    "one_tap": ("conv2d(x, w, b)", (2, 16, 8, 8), (32, 16, 1, 1)),
    "sequence": ("conv1d(x, w, b, 1, 2)", (2, 4, 33), (7, 4, 5)),
    "transposed": ("conv_transpose2d(x, w, b, 2, 1)", (2, 4, 6, 5), (4, 6, 3, 3)),
}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions_are_added_up_in_float32(name: str, dtype: torch.dtype) -> None:
    """So are their gradients; of whole numbers, as above."""
    body, image, filters = CONVOLUTIONS[name]
    generator = torch.Generator().manual_seed(0)
    outputs = filters[1 if name == "transposed" else 0]
    given = [
        torch.randint(-4, 5, shape, generator=generator).to(dtype)
        for shape in (image, filters, (outputs,))
    ]
    f = ts.CompilationUnit(f"def f(x, w, b):\n    return torch.{body}.relu()\n").f

    def results() -> list[np.ndarray]:
        tensors = [one.clone().requires_grad_() for one in given]
        y = f(*tensors)
        (y * y).sum().backward()
        plain = f(*given)
        return [one.detach().double().numpy() for one in (y, plain, *(t.grad for t in tensors))]

    with ts.fuser("none"):
        expected = results()
    for _ in range(2):
        found = results()
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=TOLERANCE[dtype])
    np.testing.assert_array_equal(found[1], expected[1])
    assert "interpreted" not in ts.explain(f)


def test_numbers_of_64_bits_are_rounded_to_float32_first() -> None:
    """As in PyTorch, whose classes are made of float32: the first is half way between two numbers of float16 then."""
    x = torch.tensor([1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-8 + 2.0**-50], dtype=torch.float64)
    f = ts.CompilationUnit("def f(x):\n    return (x * 1).half() + (x * 1).bfloat16()\n").f
    with ts.fuser("none"):
        expected = f(x)
    assert f(x).tolist() == expected.tolist()
    assert (x.half().tolist(), x.bfloat16().tolist()) == ([1.0, x.half().tolist()[1]], [1.0, 1.0])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("other", ["1", "x * 0 + 1"])
def test_factors_are_rounded_as_numbers_are(other: str, dtype: torch.dtype) -> None:
    """In both kinds of overloads."""
    x = torch.linspace(-2, 2, 101).to(dtype)
    factor = torch.tensor(0.3).to(dtype).float()
    expected, found = both(f"torch.sub(x, {other}, alpha=0.3) * 1", x, x)
    assert found.tolist() == expected.tolist() == (x.float() - factor).to(dtype).tolist()


FITTING = [-300.0, -1.0, -0.0, 2.5, 127.5, 300.0, 65504.0, 7e4, 1e39, 2.0**63, np.inf, np.nan]


@pytest.mark.parametrize("dtypes", ("int8", "uint8", "int16", "int64", "bfloat16 float16"))
def test_floats_that_elements_have_no_room_for_are_refused_as_by_operators(dtypes: str) -> None:
    """Kernels serve no call with one, whichever of the dtypes it is too large for."""
    x, y = (torch.ones(3).to(getattr(torch, (dtypes.split() * 2)[n])) for n in range(2))
    call = "addcmul({0}, {0}, {0}, value=s)" if "int" in dtypes else "add({0}, {0}, alpha=s)"
    body = " + ".join(f"torch.{call.format(name)}" for name in "xy")
    f = ts.CompilationUnit(f"def f(x, y, s: float):\n    return {body}\n").f

    def outcome(number: float) -> list[float] | str:
        try:
            return f(x, y, number).tolist()
        except RuntimeError as error:
            return str(error).splitlines()[-1]

    with ts.fuser("none"):
        expected = [outcome(number) for number in FITTING]
    assert any("without overflow" in one for one in expected if isinstance(one, str))
    np.testing.assert_equal([outcome(number) for number in FITTING], expected)
    assert "native" in ts.explain(f).partition("specializations")[2]
