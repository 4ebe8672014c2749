"""Bounds that are numbers keep the sign of a zero: `relu(-0.0)` is -0.0 in PyTorch, interpreted and compiled."""

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.tensor.conversion import as_tensor

ZEROS = [0.0, -0.0] * 20
CALLS = (
    "torch.relu(x)",
    "torch.clamp(x, min=0.0)",
    "torch.clamp(x, min=-0.0)",
    "torch.clamp(x, max=0.0)",
    "torch.clamp(x, max=-0.0)",
    "torch.clamp(x, 0.0, -0.0)",
    "torch.clamp_min(x, s)",
    "torch.nn.functional.relu6(x)",
    "torch.nn.functional.hardtanh(x, -1.0, 0.0)",
    "torch.nn.functional.softshrink(x)",
)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("call", CALLS)
def test_a_bound_keeps_the_sign_of_a_zero(call: str, dtype: type[np.floating]) -> None:
    x = np.array(ZEROS).astype(dtype)
    source = f"def f(x: Tensor, s: float) -> Tensor:\n    return torch.reciprocal({call})\n"
    function = ts.CompilationUnit(source).f
    for _ in range(4):
        for part in (x, x[:3], x[::2], x[1:2]):
            found = function(as_tensor(part), 0.0).array
            np.testing.assert_array_equal(np.signbit(found), np.signbit(part))
    assert function(as_tensor(np.array([np.nan], dtype)), 0.0).array != 0


@pytest.mark.parametrize("bound", ["-7.0", "0.0", "s", "x[0]"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_sum_that_is_held_between_bounds_has_its_own_sign(
    bound: str, dtype: type[np.floating]
) -> None:
    """`-0.0 + 0.0` is 0.0 also where the kernel chooses from it; random programs, seed 32,000,238."""
    x = np.array([5.0, *ZEROS]).astype(dtype)
    low = bound.replace("x[0]", "(0.0 * x[0] - 1.0)")
    source = (
        f"def f(x: Tensor, s: float) -> Tensor:\n    return torch.maximum(0.0 + x, {low} + 0 * x)\n"
    )
    if bound != "x[0]":
        source = f"def f(x: Tensor, s: float) -> Tensor:\n    return torch.clamp(0.0 + x, min={low}, max=9.0)\n"
    function = ts.CompilationUnit(source).f
    for _ in range(4):
        for part in (x, x[:3], x[::2], x[1:2]):
            assert not np.signbit(function(as_tensor(part), -2.0).array).any()
