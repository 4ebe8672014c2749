"""Numbers become elements of tensors where the dtype has room for them; PyTorch and we refuse others, whatever the number of the call.

Point 6 of docs/testing.md.
"""

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor

MASK = "torch.arange(4) > 1"
REFUSED = (
    ("x.fill_(n)", "int8", 300),
    ("x.fill_(s)", "float32", 1e300),
    ("torch.full([4], n, dtype=x.dtype)", "int8", 128),
    ("torch.full([4], n, dtype=x.dtype)", "uint8", -256),
    ("torch.full([4], s, dtype=x.dtype)", "int64", 1e22),
    ("torch.full([4], s, dtype=x.dtype)", "int64", float("nan")),
    ("torch.full([4], s, dtype=x.dtype)", "uint8", -1.5),
    ("torch.full([4], s, dtype=x.dtype)", "float16", 70000.0),
    ("torch.full([4], s)", "float32", 1e300),
    ("torch.full_like(x, n)", "int8", 300),
    ("x.new_full([4], n)", "int16", 70000),
    ("torch.scalar_tensor(n, dtype=x.dtype)", "int8", 300),
    ("torch.tensor(s)", "float32", 1e300),
    ("torch.tensor(s, dtype=torch.float64)", "float64", 1e300),
    ("torch.clamp(x + x, n)", "int8", 300),
    ("torch.clamp(x + x, n) + x", "int32", 2**40),
    ("torch.clamp(x, max=n)", "int16", 70000),
    ("torch.clamp(x, s)", "float32", 1e300),
    ("torch.clamp(x, max=s)", "float16", 70000.0),
    ("torch.clamp_min(x, n)", "uint8", 300),
    (f"torch.where({MASK}, x, n)", "int8", 300),
    (f"torch.where({MASK}, x + x, n) + x", "int32", 2**40),
    (f"torch.where({MASK}, x, s)", "float32", 1e300),
    (f"torch.masked_fill(x, {MASK}, n)", "int8", 300),
    (f"torch.masked_fill(x, {MASK}, s)", "float16", 70000.0),
    (f"torch.masked_fill(x, {MASK}, torch.tensor(n))", "int8", 300),
    (f"torch.masked_fill(x, {MASK}, torch.tensor(s))", "float16", 70000.0),
    ("torch.add(x, x, alpha=n)", "int8", 300),
    ("torch.add(x, x, alpha=s)", "float32", 1e300),
    ("torch.sub(x, x, alpha=s)", "float16", 70000.0),
    ("torch.addcmul(x, x, x, value=s)", "float32", 1e300),
    ("torch.addcmul(x, x, x, value=n)", "int8", 300),
    ("torch.lerp(x, x, s)", "float32", 1e300),
    ("torch.threshold(x, n, 1)", "int8", 300),
    ("torch.threshold(x, 1, n)", "int8", 300),
    ("torch.constant_pad_nd(x, [1, 1], n)", "int8", 300),
    ("torch.index_fill(x, 0, torch.tensor([0]), n)", "int8", 300),
    ("torch.scatter(x, 0, torch.tensor([0]), n)", "int8", 300),
    ("torch.tensor(int(torch.full([1], s)))", "float32", 1e22),
    ("torch.index_add(x, 0, torch.tensor([0]), x[:1], alpha=n)", "int8", 300),
    ("torch.histc(x, 4, 0, s)", "float32", 1e300),
    ("torch.linspace(0, s, 3)", "float32", 1e300),
    ("torch.linspace(s, 0, 1)", "float32", 1e300),
    ("torch.linspace(0, s, 3, dtype=x.dtype)", "int8", 300.0),
    ("torch.logspace(0, s, 3, dtype=x.dtype)", "float16", 70000.0),
    (
        "torch.nn.functional.multi_margin_loss(x[None], torch.tensor([0]), margin=s)",
        "float32",
        1e300,
    ),
    ("torch.addr(x, x, x[:1], beta=n)", "int8", 300),
    ("torch.addr(x[:, None], x, x, alpha=s)", "float32", 1e300),
    ("torch.addr(x[:, None], x, x, beta=s)", "float16", 70000.0),
    ("torch.nn.functional.rrelu(x, 0.1, s)", "float16", 1e300),
    ("torch.nn.functional.rrelu(x, 0.1, s, True)", "float32", 1e300),
    ("torch.segment_reduce(x, 'sum', lengths=torch.tensor([4]), initial=s)", "float16", 70000.0),
    ("torch.segment_reduce(x, 'max', lengths=torch.tensor([4]), initial=s)", "float32", -1e300),
    ("torch.nn.functional.hinge_embedding_loss(x, x, margin=s)", "float32", 1e300),
    ("torch.nn.functional.hinge_embedding_loss(x, x, margin=s)", "int8", float("nan")),
    ("torch.zeros_like(x).uniform_(0.0, s)", "float16", 70000.0),
    ("torch.nn.functional.hardtanh(x, -1.0, s)", "float16", 70000.0),
    ("torch.nn.functional.leaky_relu(x, s)", "float16", 1e300),
    ("torch.nn.functional.softplus(x, s)", "float32", 1e300),
    ("torch.nn.functional.elu(x, s)", "float32", 1e300),
    ("torch.hardshrink(x, s)", "float16", 70000.0),
    ("torch.logit(x, s)", "float16", 70000.0),
    ("torch.threshold(x, 1, s)", "float16", 70000.0),
    ("torch.pow(x, s)", "float16", 70000.0),
    ("torch.addmm(x, x[None], x[:, None].expand(4, 4), beta=n)", "int8", 300),
    ("torch.addmm(x, x[None], x[:, None].expand(4, 4), alpha=s)", "float32", 1e300),
    ("torch.addmv(x, x[:, None], x[:1], beta=s)", "float16", 70000.0),
    ("torch.baddbmm(x, x[None, None], x[None, :, None].expand(1, 4, 4), beta=s)", "float32", 1e300),
    ("torch.addbmm(x, x[None, None], x[None, :, None].expand(1, 4, 4), alpha=n)", "int32", 2**40),
)
TAKEN = (
    ("x * n", "int8", 300, [0, 44, 88, -124]),
    ("x < n", "int8", 300, [True] * 4),
    ("torch.full([4], n, dtype=x.dtype)", "uint8", -1, [255] * 4),
    ("torch.full([4], s, dtype=x.dtype)", "float16", float("inf"), [float("inf")] * 4),
    ("torch.full([4], s, dtype=x.dtype)", "bool", 1e300, [True] * 4),
    ("torch.clamp(x, n)", "int8", 127, [127] * 4),
    ("x * s", "float32", 1e300, [float("nan")] + [float("inf")] * 3),
    ("torch.addcmul(x, x, x, value=s)", "float16", 1.0, [0, 2, 6, 12]),
    ("torch.bucketize(s, x)", "int64", 2.5, 3),
    ("torch.bucketize(s, x)", "int64", 1e22, 4),
    ("torch.bucketize(s, x)", "float32", float("nan"), 4),
    ("torch.linspace(s, 0, 0)", "float32", 1e300, []),
    ("torch.ops.aten.hardtanh(x, s, 0.5)", "float32", 3.0, [0.5] * 4),
    ("torch.nn.functional.rrelu(x - 1, s, s)", "float32", 0.5, [-0.5, 0, 1, 2]),
    ("torch.ops.aten.rrelu(x - 1, n, n)", "float32", 2**63 - 1, [1, 0, 1, 2]),
    ("torch.nn.functional.elu(x, s)", "float32", float("inf"), [0, 1, 2, 3]),
    ("torch.nn.functional.elu(x * 2 - 0, s) + 1", "float32", float("nan"), [1, 3, 5, 7]),
    ("torch.nn.functional.celu(x, s)", "float64", float("inf"), [0, 1, 2, 3]),
    ("torch.logit(x, s)", "float32", 1.0, [float("inf")] + [-float("inf")] * 3),
    (
        "torch.logit(x * 1, s) + 1",
        "float32",
        float("nan"),
        [-float("inf"), float("inf")] + [float("nan")] * 2,
    ),
    ("torch.bucketize(x, torch.tensor([0.0, s]))", "float32", float("nan"), [2, 2, 2, 2]),
    (
        "torch.bucketize(x, torch.tensor([1.0, 2.0, 0.0, 3.0, s, 1.0, 1.0]))",
        "float32",
        float("nan"),
        [0, 0, 1, 3],
    ),
    (
        "torch.searchsorted(torch.tensor([[3, 1, 2, n], [0, 0, 9, 1]]), torch.tensor([[2], [1]]), right=True)",
        "int64",
        0,
        [[4], [2]],
    ),
    (
        "torch.nn.functional.multi_margin_loss(x[None], torch.tensor([0]), margin=s)",
        "float32",
        float("nan"),
        0,
    ),
    (
        "torch.ops.aten.hinge_embedding_loss(x, x, s, 0)",
        "int8",
        2.5,
        [2, 1, 2, 3],
    ),
    (
        "torch.segment_reduce(x * 0 + 1024, 'sum', lengths=torch.tensor([4]), initial=s)",
        "float16",
        0.5,
        [4096],
    ),
    ("torch.arange(0, s, 2, dtype=torch.int32)", "float32", 4.5, [0, 2, 4]),
    ("torch.arange(0, s, 2, dtype=torch.int64)", "float32", 4.5, [0, 2]),
    ("torch.arange(0.9, s, 0.5, dtype=torch.int32)", "float32", 2.0, [0, 0, 0]),
    ("torch.nn.functional.elu(x, s)", "float16", 70000.0, [0, 1, 2, 3]),
    ("torch.threshold(x, s, 1)", "float16", 70000.0, [1] * 4),
    (f"torch.where({MASK}, x, s)", "float16", 1e300, [float("inf")] * 2 + [2, 3]),
    ("torch.pow(x, s)", "float32", 1e300, [0, 1, float("inf"), float("inf")]),
    ("torch.addmm(x, x[None, :0], x[:0, None].expand(0, 4), alpha=n)", "int8", 300, [[0, 1, 2, 3]]),
)


def outcomes(expression: str, name: str, number: float) -> list[Any]:
    """What several calls give; the messages of errors."""
    kind = "n: int" if isinstance(number, int) else "s: float"
    function = ts.CompilationUnit(f"def f(x: Tensor, {kind}):\n    return {expression}\n").f
    found: list[Any] = []
    for _ in range(5):
        try:
            found.append(function(as_tensor(np.arange(4).astype(name)), number).array.tolist())
        except RuntimeError as error:
            found.append(str(error))
    return found


@pytest.mark.parametrize(("expression", "name", "number"), REFUSED)
def test_numbers_beyond_a_dtype_are_refused(expression: str, name: str, number: float) -> None:
    for found in outcomes(expression, name, number):
        assert "value cannot be converted to type" in found and "without overflow" in found


@pytest.mark.parametrize(("expression", "name", "number", "wanted"), TAKEN)
def test_operands_are_rounded(expression: str, name: str, number: float, wanted: list[Any]) -> None:
    for found in outcomes(expression, name, number):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("literal", ["1e300", "-1e300"])
def test_constants_beyond_a_dtype_are_refused_in_kernels(literal: str) -> None:
    text = f"def f(x: Tensor):\n    return torch.clamp(x * 2 + 1, max={literal}) * x\n"
    function = ts.CompilationUnit(text).f
    for _ in range(5):
        with pytest.raises(RuntimeError, match="without overflow"):
            function(as_tensor(np.ones(4, np.float32)))


@pytest.mark.parametrize(
    "expression",
    ["torch.full([4], s)", "torch.full_like(x, s)", "x.new_full([4], s)", "torch.scalar_tensor(s)", "torch.tensor(s)"],
)  # fmt: skip
def test_a_negative_zero_stays_one(expression: str) -> None:
    text = f"def f(x: Tensor, s: float):\n    return torch.reciprocal({expression} * 1.0)\n"
    function = ts.CompilationUnit(text).f
    for _ in range(5):
        found = function(as_tensor(np.ones(4, np.float32)), -0.0).array
        np.testing.assert_array_equal(found, np.full_like(found, -np.inf))


IN_KERNELS = (
    "torch.clamp(x * 2, max=s) + 1",
    "torch.clamp_min(x * 2, s) + 1",
    "torch.where(x > 1, x * 2, s) + 1",
    "torch.add(x * 2, x, alpha=s) + 1",
    "torch.rsub(x * 2, x, alpha=s) + 1",
    "torch.zeros_like(x).add_(x, alpha=s) * 2",
    "torch.addcmul(x * 2, x, x, value=s) + 1",
    "torch.addcdiv(x * 2, x + 1, x + 1, value=s) + 1",
    "torch.lerp(x * 2, x, s) + 1",
    "torch.threshold(x * 2, s, 1.0) + 1",
    "torch.threshold(x * 2, 1.0, s) + 1",
    "torch.nn.functional.leaky_relu(x * 2, s) + 1",
    "torch.nn.functional.elu(x * 2, s) + 1",
    "torch.nn.functional.celu(x * 2, s) + 1",
    "torch.nn.functional.softplus(x * 2, s) + 1",
    "torch.hardtanh(x * 2, -1.0, s) + 1",
    "torch.hardshrink(x * 2, s) + 1",
    "torch.logit(torch.sigmoid(x), s) + 1",
)


@needs_native_calls
@pytest.mark.parametrize("expression", IN_KERNELS)
def test_a_kernel_serves_no_number_that_a_dtype_has_no_room_for(expression: str) -> None:
    """It is made for numbers that fit, and computed infinities for others."""
    function = ts.CompilationUnit(f"def f(x: Tensor, s: float):\n    return {expression}\n").f
    floats, doubles = (as_tensor(np.arange(4).astype(name)) for name in ("float32", "float64"))
    for _ in range(4):
        function(floats, 0.25)
        function(doubles, 0.25)
    native = function.native_calls
    for beyond in (1e300, -1e300, 3.5e38):
        with pytest.raises(RuntimeError, match="cannot be converted to type float without"):
            function(floats, beyond)
        function(doubles, beyond)
    for fits in (3.4e38, float("inf"), float("nan"), -0.0, 0.25):
        function(floats, fits)
    assert function.native_calls - native == 8


@pytest.mark.parametrize(
    "expression",
    [
        "torch.nn.functional.rrelu(x, 0.1, s)",
        "torch.nn.functional.rrelu(x, s, 0.5, True)",
        "torch.nn.functional.softshrink(x, s)",
        "torch.nn.functional.smooth_l1_loss(x, x, beta=s)",
        "torch.nn.functional.huber_loss(x, x, delta=s)",
        "torch.allclose(x, x, rtol=s)",
        "torch.isclose(x, x, atol=s)",
        "torch.normal(x, s)",
        "x.normal_(0.0, s)",
        "x.uniform_(s, 1.0)",
        "x.exponential_(s)",
        "x.cauchy_(0.0, s)",
        "x.log_normal_(0.0, s)",
        "torch.renorm(x[None], s, 0, 1.0)",
        "torch.renorm(x[None], 1.0, 0, s)",
    ],
)
def test_what_is_no_number_is_out_of_every_range(expression: str) -> None:
    """Comparisons with a NaN are false: a check that it is too small let it pass."""
    for found in outcomes(expression, "float32", float("nan")):
        assert isinstance(found, str), "it gives a result"


@pytest.mark.parametrize(
    "expression",
    [
        "torch.nn.functional.softshrink(x * 2, s) + 1",
        "torch.isclose(x * 2, x + x, s) & (x > 1)",
        "torch.isclose(x * 2, x + x, 0.5, s) & (x > 1)",
    ],
)
def test_a_kernel_serves_no_number_that_the_operator_refuses(expression: str) -> None:
    """Kernels do not check, and took numbers that are not known before a call."""
    function = ts.CompilationUnit(f"def f(x: Tensor, s: float):\n    return {expression}\n").f
    x = as_tensor(np.arange(4, dtype=np.float32))
    for number in (0.5, 0.5, 0.5, 0.5, -1.0, float("nan"), 0.25):
        if number > 0:
            function(x, number)
            continue
        with pytest.raises(RuntimeError, match="must be"):
            function(x, number)


def test_a_correction_that_is_no_number_leaves_nothing_to_divide_by() -> None:
    for found in outcomes("torch.var(x, 0, correction=s)", "float32", float("nan")):
        assert found == float("inf")
    constant = "torch.var(x * 2, 0, correction=float('nan')) + s"
    for found in outcomes(constant, "float32", 1.0):
        assert found == float("inf")


def test_a_constant_that_is_no_number_fills_no_integers_in_kernels() -> None:
    for literal in ("nan", "inf"):
        expression = f"torch.full([4], float('{literal}'), dtype=torch.int64) * (x * 2 + s)"
        for found in outcomes(expression, "float32", 1.0):
            assert "value cannot be converted to type int64_t without overflow" in found


@pytest.mark.parametrize(
    ("name", "number"),
    [("float32", 1e39), ("int8", 300), ("uint8", -0.5), ("int64", float("inf")), ("bfloat16", 1j)],
)
@pytest.mark.parametrize("key", [0, slice(0, 2), ..., as_tensor(np.array([0]))])
def test_items_are_numbers_that_fit(name: str, number: complex, key: Any) -> None:
    """Those of 16-bit floats become infinities, as in PyTorch."""
    x = torch.zeros(3, dtype=getattr(torch, name))
    with pytest.raises(RuntimeError, match="cannot be converted to type"):
        x[key] = number
    half = torch.zeros(3, dtype=torch.float16)
    half[key] = 1e39
    assert half[0].item() == float("inf")


@pytest.mark.parametrize(("name", "number"), [("float32", 1e39), ("int8", 300), ("float16", 7e4)])
def test_sequences_are_padded_with_numbers_that_fit(name: str, number: float) -> None:
    x = torch.ones(2, dtype=getattr(torch, name))
    with pytest.raises(RuntimeError, match="cannot be converted to type"):
        torch.nn.utils.rnn.pad_sequence([x, x[:1]], padding_value=number)


def test_sums_of_segments_are_rounded_at_every_step() -> None:
    """They stop at the number that a 1 does not change."""
    ones = torch.ones(4096)
    for name, wanted in (("float16", 2048), ("bfloat16", 256), ("float32", 4096)):
        found = torch.segment_reduce(
            ones.to(getattr(torch, name)), "sum", lengths=torch.tensor([4096])
        )
        assert found.tolist() == [wanted]
