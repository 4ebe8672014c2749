"""Activation functions with a gate or with parameters of their own, as decompositions, and their gradients (PyTorch:
native/GatedLinearUnit.cpp, Activation.cpp).
"""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

_HALVES = """
    if {x}.dim() == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    at = dim + {x}.dim() if dim < 0 else dim
    if {x}.size(at) % 2 != 0:
        raise RuntimeError(
            "Halving dimension must be even, but dimension " + str(at) + " is size "
            + str({x}.size(at)))
    half = {x}.size(at) // 2
    first, second = {x}.narrow(at, 0, half), {x}.narrow(at, half, half)
"""

_WIDE = """torch.float32 if self.dtype == torch.float16 or self.dtype == torch.bfloat16 else self.dtype"""
"""What kernels compute with, and round once."""

composite(
    "aten::glu",
    f"""
def glu(self: Tensor, dim: int) -> Tensor:
{_HALVES.format(x="self")}
    wide = {_WIDE}
    return (first.to(wide) * torch.sigmoid(second.to(wide))).to(self.dtype)
""",
)
composite(
    "aten::glu_backward",
    f"""
def glu_backward(grad_output: Tensor, self: Tensor, dim: int) -> Tensor:
{_HALVES.format(x="self")}
    gate = torch.sigmoid(second)
    wide = {_WIDE}
    slope = (1 - gate.to(wide)) * gate.to(wide) * first.to(wide) * grad_output.to(wide)
    return torch.cat([grad_output * gate, slope.to(self.dtype)], at)
""",
)
composite(
    "aten::glu_jvp",
    f"""
def glu_jvp(glu: Tensor, x: Tensor, dx: Tensor, dim: int) -> Tensor:
{_HALVES.format(x="x")}
    gate = torch.sigmoid(second)
    change, change_of_gate = dx.narrow(at, 0, half), dx.narrow(at, half, half)
    return change * gate + change_of_gate * (glu - gate * glu)
""",
)
composite(
    "aten::prelu",
    """
def prelu(self: Tensor, weight: Tensor) -> Tensor:
    if self.dtype != weight.dtype:
        raise RuntimeError("prelu: Type promoting not supported.")
    slope = weight
    if weight.numel() != 1:
        if self.dim() == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = 1
        if self.dim() > 1:
            channels = self.size(1)
        if channels != weight.numel():
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                + str(weight.numel()) + " and channel size = " + str(channels) + ".")
    if weight.dim() > 1:
        raise RuntimeError(
            "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = "
            + str(weight.dim()))
    if self.dim() == 0:
        slope = weight.reshape([])
    elif weight.dim() == 1 and self.dim() > 1:
        slope = weight.reshape([1, -1] + [1] * (self.dim() - 2))
    return torch._prelu_kernel(self, slope)
""",
)
composite(
    "aten::_prelu_kernel_backward",
    """
def _prelu_kernel_backward(
    grad_output: Tensor, self: Tensor, weight: Tensor
) -> Tuple[Tensor, Tensor]:
    positive = self > 0
    of_weight = torch.where(positive, torch.zeros_like(self), self * grad_output)
    return torch.where(positive, grad_output, weight * grad_output), of_weight
""",
)
composite(
    "aten::log_sigmoid_forward",
    """
def log_sigmoid_forward(self: Tensor) -> Tuple[Tensor, Tensor]:
    return torch.log_sigmoid(self), torch.exp(-torch.abs(self)).contiguous()
""",
)
composite(
    "aten::rrelu_with_noise_backward",
    """
def rrelu_with_noise_backward(
    grad_output: Tensor, self: Tensor, noise: Tensor, lower: number, upper: number, training: bool,
    self_is_result: bool
) -> Tensor:
    low, high = float(lower), float(upper)
    if training and high - low > 1e-6:
        result = noise * grad_output
    else:
        result = torch.where(self > 0, grad_output, grad_output * ((low + high) / 2))
    return result
""",
)
composite(
    "aten::infinitely_differentiable_gelu_backward",
    """
def infinitely_differentiable_gelu_backward(grad: Tensor, self: Tensor) -> Tensor:
    below = 0.5 * (1.0 + torch.erf(self * 0.7071067811865476))
    density = 0.3989422804014327 * torch.exp(self * self * -0.5)
    return below * grad + self * density * grad
""",
)
