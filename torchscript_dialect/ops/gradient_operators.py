"""Gradients that are operators of their own, for graphs that hold them (PyTorch: FunctionsManual.cpp, DistanceOpsKernel.cpp)."""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

composite(
    "aten::value_selecting_reduction_backward",
    """
def select_back(grad: Tensor, dim: int, indices: Tensor, sizes: List[int], keepdim: bool) -> Tensor:
    if not keepdim and len(sizes) > 0:
        grad = grad.unsqueeze(dim)
        indices = indices.unsqueeze(dim)
    return torch.zeros(sizes, dtype=grad.dtype).scatter(dim, indices, grad)
""",
)
composite(
    "aten::cummaxmin_backward",
    """
def running_back(grad: Tensor, input: Tensor, indices: Tensor, dim: int) -> Tensor:
    if input.numel() == 0:
        return input.clone()
    return torch.zeros(input.size(), dtype=input.dtype).scatter_add(dim, indices, grad)
""",
)
composite(
    "aten::cumprod_backward",
    """
def products_back(grad: Tensor, input: Tensor, dim: int, output: Tensor) -> Tensor:
    if input.dim() == 0 or input.numel() <= 1:
        return grad.clone()
    if not bool((input == 0).any()):
        flowing = output.conj() * grad
        return flowing.flip([dim]).cumsum(dim).flip([dim]) / input.conj()
    result = torch.zeros_like(input)
    for place in range(input.size(dim)):
        others = input.clone()
        others.select(dim, place).fill_(1)
        count = input.size(dim) - place
        after = (others.cumprod(dim) * grad).narrow(dim, place, count)
        result.select(dim, place).copy_(after.sum(dim))
    return result
""",
)
composite(
    "aten::matrix_exp_backward",
    """
def exponential_back(self: Tensor, grad: Tensor) -> Tensor:
    size = self.size(-1)
    adjoint = self.mH
    above = torch.cat([adjoint, grad], -1)
    below = torch.cat([torch.zeros_like(adjoint), adjoint], -1)
    return torch.matrix_exp(torch.cat([above, below], -2)).narrow(-2, 0, size).narrow(-1, size, size)
""",
)
_OF_DISTANCE = """
    if p == 0.0:
        scaled = torch.zeros_like(apart)
    elif p == 1.0:
        scaled = slope * apart.sign()
    elif p == float("inf"):
        scaled = slope * apart.sign() * (apart.abs() == distance).to(apart.dtype)
    else:
        scaled = slope * apart.sign() * apart.abs() ** (p - 1.0) / distance ** (p - 1.0)
        scaled = torch.where(distance == 0.0, torch.zeros_like(scaled), scaled)
"""
composite(
    "aten::_cdist_backward",
    f"""
def distances_back(grad: Tensor, x1: Tensor, x2: Tensor, p: float, cdist: Tensor) -> Tensor:
    apart = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    slope = grad.unsqueeze(-1)
    distance = cdist.unsqueeze(-1)
{_OF_DISTANCE}
    return scaled.sum([-2])
""",
)
composite(
    "aten::_pdist_backward",
    f"""
def pairs_back(grad: Tensor, self: Tensor, p: float, pdist: Tensor) -> Tensor:
    places = torch.triu_indices(self.size(0), self.size(0), 1)
    apart = self.index_select(0, places[0]) - self.index_select(0, places[1])
    slope = grad.unsqueeze(-1)
    distance = pdist.unsqueeze(-1)
{_OF_DISTANCE}
    return torch.zeros_like(self).index_add(0, places[0], scaled).index_add(0, places[1], -scaled)
""",
)
composite(
    "aten::_masked_softmax_backward",
    """
def masked_back(grad_output: Tensor, output: Tensor, mask: Tensor, dim: Optional[int]) -> Tensor:
    axis = -1
    if dim is not None:
        axis = dim
    slope = (grad_output * output).masked_fill(mask, 0.0)
    return (slope - output * slope.sum([axis], keepdim=True)).masked_fill(mask, 0.0)
""",
)
