"""What derivatives of reductions and scans call."""

SOURCE = """
def zeros_of(grad: Tensor, x: Tensor) -> Tensor:
    return grad.new_zeros(x.size())

def restored(x: Tensor, dim: Optional[List[int]], keepdim: bool, rank: int) -> Tensor:
    if keepdim or rank == 0:
        return x
    axes = [axis for axis in range(rank)]
    if dim is not None and len(dim) > 0:
        axes = [axis % rank for axis in dim]
    result = x
    for axis in range(rank):
        if axis in axes:
            result = result.unsqueeze(axis)
    return result

def count_of(x: Tensor, dim: Optional[List[int]]) -> int:
    if dim is None or x.dim() == 0:
        return x.numel()
    if len(dim) == 0:
        return x.numel()
    count = 1
    for axis in dim:
        count = count * x.size(axis)
    return count

def product_of(grad: Tensor, x: Tensor, result: Tensor, dim: int) -> Tensor:
    if x.dim() == 0:
        return grad
    size = x.size(dim)
    if size == 0:
        return torch.zeros_like(x)
    if not bool((x == 0).any()):
        return grad * (result / x).conj()
    one = torch.ones_like(x.narrow(dim, 0, 1))
    left = torch.cumprod(torch.cat([one, x.narrow(dim, 0, size - 1)], dim), dim)
    turned = torch.cat([one, x.narrow(dim, 1, size - 1).flip([dim])], dim)
    right = torch.cumprod(turned, dim).flip([dim])
    return grad * (left * right).conj()

def whole_product(grad: Tensor, x: Tensor, result: Tensor) -> Tensor:
    if int((x == 0).sum()) > 1 and not torch.is_grad_enabled():
        return torch.zeros_like(x)
    return product_of(grad, x, result, 0)

def variance_of(grad: Tensor, x: Tensor, dim: Optional[List[int]], correction: Optional[number], keepdim: bool) -> Tensor:
    count = float(count_of(x, dim))
    lost = 1.0 if correction is None else float(correction)
    axes = [axis for axis in range(x.dim())]
    if dim is not None and len(dim) > 0:
        axes = [axis for axis in dim]
    distance = x - x.mean(axes, True)
    left = count - lost
    scale = float("inf") if left <= 0.0 else 2.0 / left
    return scale * restored(grad, dim, keepdim, x.dim()) * distance

def deviation(grad: Tensor, result: Tensor) -> Tensor:
    return (grad / (2 * result)).masked_fill(result == 0, 0)

def shared(grad: Tensor, result: Tensor, x: Tensor, dim: List[int]) -> Tensor:
    return evenly(grad, torch.logical_or(x == result, torch.logical_and(x.isnan(), result.isnan())), dim)

def evenly(grad: Tensor, holds: Tensor, dim: List[int]) -> Tensor:
    mask = holds.to(grad.dtype)
    count = mask.sum() if len(dim) == 0 else mask.sum(dim, True)
    return grad * (mask / count)

def first_of(grad: Tensor, result: Tensor, x: Tensor) -> Tensor:
    return shared(grad, result, x, [])

def selected(grad: Tensor, indices: Tensor, x: Tensor, dim: int, keepdim: bool) -> Tensor:
    if x.dim() == 0:
        return grad
    zeros = grad.new_zeros(x.size())
    if keepdim:
        return zeros.scatter(dim, indices, grad)
    return zeros.scatter(dim, indices.unsqueeze(dim), grad.unsqueeze(dim))

def selected_many(grad: Tensor, indices: Tensor, x: Tensor, dim: int) -> Tensor:
    if x.dim() == 0:
        return grad
    return grad.new_zeros(x.size()).scatter_add(dim, indices, grad)

def reversed_sum(grad: Tensor, dim: int) -> Tensor:
    if grad.dim() == 0:
        return grad
    return grad.flip([dim]).cumsum(dim).flip([dim])

def first_of_cumulative_product(grad: Tensor, x: Tensor, result: Tensor, dim: int) -> Tensor:
    zeros = (x == 0).cumsum(dim)
    weighted = (grad * result.conj()).masked_fill(zeros != 0, 0)
    before = reversed_sum(weighted, dim) / x.conj()
    has_one = zeros == 1
    place = has_one.max(dim, True)[1]
    is_first = torch.logical_and(torch.zeros_like(has_one).scatter(dim, place, torch.ones_like(has_one)), has_one)
    between = torch.logical_and(has_one, torch.logical_not(is_first))
    after = x.conj().masked_fill(torch.logical_not(between), 1).cumprod(dim)
    left = result.conj().gather(dim, (place - 1).relu()).masked_fill(place == 0, 1)
    at_zero = (after * grad.masked_fill(torch.logical_not(has_one), 0)).sum([dim], True) * left
    return torch.where(zeros == 0, before, torch.where(is_first, at_zero, torch.zeros_like(x)))

def cumulative_product(grad: Tensor, x: Tensor, result: Tensor, dim: int) -> Tensor:
    if x.dim() == 0 or x.numel() == 0:
        return grad
    if not bool((x == 0).any()):
        return reversed_sum(grad * result.conj(), dim) / x.conj()
    if not torch.is_grad_enabled():
        return first_of_cumulative_product(grad, x, result, dim)
    size = x.size(dim)
    one = torch.ones_like(x.narrow(dim, 0, 1))
    before = one
    parts: List[Tensor] = []
    for place in range(size):
        after = torch.cat([one, x.narrow(dim, place + 1, size - place - 1)], dim).cumprod(dim)
        rest = grad.narrow(dim, place, size - place)
        parts.append((rest * (before * after).conj()).sum([dim], True))
        before = before * x.narrow(dim, place, 1)
    return torch.cat(parts, dim)

def log_sums(grad: Tensor, x: Tensor, result: Tensor, dim: int) -> Tensor:
    if x.dim() == 0 or x.numel() == 0:
        return grad
    if x.is_complex():
        below = torch.log(grad) - result.conj()
        return torch.exp(below.flip([dim]).logcumsumexp(dim).flip([dim]) + x.conj())
    nothing = torch.full_like(grad, -1e30)
    up = torch.where(grad > 0, torch.log(torch.abs(grad)), nothing) - result
    down = torch.where(grad < 0, torch.log(torch.abs(grad)), nothing) - result
    risen = torch.exp(up.flip([dim]).logcumsumexp(dim).flip([dim]) + x)
    fallen = torch.exp(down.flip([dim]).logcumsumexp(dim).flip([dim]) + x)
    return risen - fallen

def norm_of(grad: Tensor, x: Tensor, ord: number, dim: Optional[List[int]], keepdim: bool, result: Tensor) -> Tensor:
    p = float(ord)
    slope = restored(grad, dim, keepdim, x.dim())
    length = restored(result, dim, keepdim, x.dim())
    if p == 0.0:
        return torch.zeros_like(x)
    if p == 1.0:
        return x.sgn() * slope
    if p == float("inf") or p == -float("inf"):
        both_nan = torch.logical_and(x.isnan(), length.isnan())
        holds = torch.logical_or(torch.abs(x) == length, both_nan).to(slope.dtype)
        axes = [axis for axis in range(x.dim())]
        if dim is not None and len(dim) > 0:
            axes = [axis for axis in dim]
        return x.sgn() * (holds / holds.sum(axes, True) * slope)
    if p >= 1.0:
        length = length.masked_fill(length == 0, float("inf"))
    if p == 2.0:
        return x / length * slope
    if p < 2.0:
        size = torch.pow(torch.abs(x), p - 1)
        if p < 1.0:
            size = size.masked_fill(x == 0, 0)
            return x.sgn() * size * (slope * torch.pow(length, 1 - p))
        return x.sgn() * size * (slope / torch.pow(length, p - 1))
    return x * torch.pow(torch.abs(x), p - 2) * (slope / torch.pow(length, p - 1))

def renormed(grad: Tensor, x: Tensor, p: number, dim: int, maxnorm: number) -> Tensor:
    place = dim if dim >= 0 else dim + x.dim()
    others: List[int] = []
    for d in range(x.dim()):
        if d != place:
            others.append(d)
    wide = torch.float32
    if x.dtype == torch.float32 or x.dtype == torch.float64 or x.is_complex():
        wide = torch.float64
    held = torch.complex128 if x.is_complex() else wide
    sizes = torch.linalg_vector_norm(x, p, others, True, dtype=held)
    along = x.conj() * grad
    if x.is_complex():
        along = torch.real(along)
    slope = norm_of(along.sum(others, True, dtype=wide), x, p, others, True, sizes)
    shrunk = torch.reciprocal(sizes + 1e-7)
    return torch.where(sizes > maxnorm, (shrunk * maxnorm * (grad - shrunk * slope)).to(grad.dtype), grad)

def traced(grad: Tensor, x: Tensor) -> Tensor:
    return grad * torch.eye(x.size(0), x.size(1), dtype=grad.dtype, device=grad.device)
"""
