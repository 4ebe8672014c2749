"""What derivatives of activations call."""

SOURCE = """
def elu_of(grad: Tensor, x: Tensor, alpha: number, scale: number, input_scale: number) -> Tensor:
    a, b, c = float(alpha), float(scale), float(input_scale)
    return torch.where(x <= 0, grad * (a * b * c) * torch.exp(x * c), grad * b)

def gelu_of(grad: Tensor, x: Tensor, approximate: str) -> Tensor:
    if approximate == "tanh":
        k, c = 0.7978845608028654, 0.044715
        inner = torch.tanh(k * (x + c * x * x * x))
        slope = k * (1 + 3 * c * x * x)
        return grad * (0.5 * (1 + inner) + 0.5 * x * (1 - inner * inner) * slope)
    below = 0.5 * (1 + torch.erf(x * 0.7071067811865476))
    density = torch.exp(-0.5 * x * x) * 0.3989422804014327
    return grad * (below + x * density)

def silu_of(grad: Tensor, x: Tensor) -> Tensor:
    return grad * (torch.sigmoid(x) * (1 + x * (1 - torch.sigmoid(x)))).conj()

def mish_of(grad: Tensor, x: Tensor) -> Tensor:
    inner = torch.tanh(torch.softplus(x))
    return grad * (inner + x * torch.sigmoid(x) * (1 - inner * inner))

def softplus_of(grad: Tensor, x: Tensor, beta: number, threshold: number) -> Tensor:
    scaled = x * beta
    return torch.where(scaled > threshold, grad, grad * torch.sigmoid(scaled))

def hardswish_of(grad: Tensor, x: Tensor) -> Tensor:
    inner = torch.where(x < 3, grad * (x / 3 + 0.5), grad)
    return torch.where(x <= -3, torch.zeros_like(grad), inner)

def by_channel(weight: Tensor, x: Tensor) -> Tensor:
    if weight.dim() == x.dim() and weight.dim() != 1:
        return weight
    if weight.numel() == 1:
        return weight.reshape([])
    if x.dim() < 2:
        return weight
    sizes = [-1 if axis == 1 else 1 for axis in range(x.dim())]
    return weight.reshape(sizes)

def sum_by_channel(grad: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == grad.dim():
        return grad
    if weight.numel() == 1:
        return grad.sum().reshape(weight.size())
    if grad.dim() < 2:
        return grad
    axes = [axis if axis == 0 else axis + 1 for axis in range(grad.dim() - 1)]
    return grad.sum(axes)

def log_softmax_of(grad: Tensor, result: Tensor, dim: int) -> Tensor:
    return grad - torch.exp(result) * grad.sum([dim], True)
"""
