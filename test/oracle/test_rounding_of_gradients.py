"""Gradients in 16 bits are PyTorch's, bit for bit: its kernels compute most of them in float32 and round once."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402
from torchscript_dialect import torch as stand_in  # noqa: E402

EXPRESSIONS = (
    "torch.relu(x)",
    "torch.tanh(x)",
    "torch.sigmoid(x)",
    "torch.logit(torch.sigmoid(x))",
    "torch.hypot(x, x + 1)",
    "torch.rsqrt(x.abs() + 0.1)",
    "torch.special.xlog1py(x.abs(), y)",
    "torch.gradient(x, spacing=0.7)[0]",
    "torch.cov(x)",
    "torch.matmul(y.reshape([3, 20, 32]), x.reshape([32, 60]))",
    "torch.matmul(x, y.reshape([3, 32, 20]))",
    "torch.matmul(x[0], y.reshape([3, 32, 20])) + torch.matmul(y.reshape([3, 20, 32]), x[0])",
    "torch.logsumexp(x, -1)",
    "torch.softmax(x, -1)",
    "torch.renorm(x, 2.0, 0, 1.0)",
    "torch.log_softmax(x, -1)",
    "torch.log_softmax(x, 0)",
    "x.std(-1)",
    "torch.nn.functional.relu6(x)",
    "torch.nn.functional.hardtanh(x, -0.7, 0.9)",
    "torch.nn.functional.threshold(x, 0.3, 1.0)",
    "torch.nn.functional.leaky_relu(x, 0.013)",
    "torch.nn.functional.elu(x, 0.7)",
    "torch.nn.functional.celu(x, 0.7)",
    "torch.nn.functional.selu(x)",
    "torch.nn.functional.silu(x)",
    "torch.nn.functional.mish(x)",
    "torch.nn.functional.softplus(x, 2.5, 3.0)",
    "torch.nn.functional.logsigmoid(x)",
    "torch.nn.functional.hardsigmoid(x)",
    "torch.nn.functional.hardswish(x)",
    "torch.nn.functional.hardshrink(x, 0.4)",
    "torch.nn.functional.softshrink(x, 0.4)",
    "torch.nn.functional.glu(x, -1)",
    "torch.nn.functional.mse_loss(x, y)",
    "torch.nn.functional.smooth_l1_loss(x, y, beta=0.7)",
    "torch.nn.functional.huber_loss(x, y, delta=0.7)",
    "torch.nn.functional.soft_margin_loss(x, y)",
    "torch.nn.functional.binary_cross_entropy(x.sigmoid(), y)",
    "torch.nn.functional.binary_cross_entropy_with_logits(x, y)",
    "torch.nn.functional.kl_div(x, y, reduction='batchmean')",
)
SIZES = (60, 32)
"""Whole vectors of PyTorch's, and a number of elements that is no power of two, which means divide by exactly."""
ROUNDED_ELSEWHERE = 0.003
"""How many elements may differ in their last bit: elementary functions are not those of PyTorch."""


def _values(tensor):
    return np.asarray(tensor.detach().float().numpy())


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values_and_gradients_have_the_bits_of_pytorch(expression: str, dtype: str) -> None:
    function = ts.CompilationUnit(f"def f(x, y):\n    return {expression}\n").f
    random = np.random.default_rng(0)
    for call in range(4):  # interpreted, then compiled
        given = 2 * random.standard_normal(SIZES, np.float32)
        x = torch.tensor(given, dtype=getattr(torch, dtype), requires_grad=True)
        mine = stand_in.tensor(given, dtype=getattr(stand_in, dtype), requires_grad=True)
        target = random.random(SIZES, np.float32)
        y, target = torch.tensor(target).to(x.dtype), stand_in.tensor(target).to(mine.dtype)
        wanted = eval(expression, {"torch": torch, "x": x, "y": y})
        eager = eval(expression, {"torch": stand_in, "x": mine, "y": target})
        weight = random.standard_normal(tuple(wanted.shape), np.float32)
        (of_x,) = torch.autograd.grad(wanted, x, torch.tensor(weight, dtype=x.dtype))
        for result in (eager, function(mine, target)):
            weights = stand_in.tensor(weight, dtype=mine.dtype)
            (gradient,) = stand_in.autograd.grad(result, mine, weights)
            for one, other in ((result, wanted), (gradient, of_x)):
                differ = np.mean(_values(one) != _values(other))
                assert differ <= ROUNDED_ELSEWHERE, (call, differ)
