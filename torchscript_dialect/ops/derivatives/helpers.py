"""Functions that the formulas of derivatives call, as TorchScript source. Blank lines stand between functions only."""

from __future__ import annotations

import re

_NUMBERS = """
def times(grad: Tensor, factor: number) -> Tensor:
    if grad.is_complex():
        return grad * torch.scalar_tensor(factor, dtype=grad.dtype).conj()
    return grad * factor

def over(grad: Tensor, divisor: number) -> Tensor:
    if grad.is_complex():
        return grad / torch.scalar_tensor(divisor, dtype=grad.dtype).conj()
    return grad / divisor

def one_minus(weight: number) -> number:
    return 1 - weight

def inverse(x: number) -> number:
    return 1.0 / float(x)

def power_of_number(grad: Tensor, base: Tensor, exponent: number) -> Tensor:
    if exponent == 0.0:
        return torch.zeros_like(grad)
    return grad * (base.pow(exponent - 1) * exponent).conj()

def power_of_base(grad: Tensor, base: Tensor, exponent: Tensor) -> Tensor:
    slope = grad * (exponent * base.pow(exponent + -1)).conj()
    return torch.where(exponent == 0.0, torch.zeros_like(slope), slope)

def power_of_exponent(grad: Tensor, base: Tensor, exponent: Tensor, result: Tensor) -> Tensor:
    flat = torch.logical_and(base == 0, torch.real(exponent) >= 0)
    slope = grad * (result * torch.log(base)).conj()
    return torch.where(flat, torch.zeros_like(slope), slope)

def sign_of(grad: Tensor, x: Tensor, result: Tensor) -> Tensor:
    if not x.is_complex():
        return torch.zeros_like(grad)
    size = torch.abs(x)
    along = grad / torch.where(size == 0, torch.ones_like(size), size)
    across = along - torch.real(along * result.conj()) * result
    return torch.where(size == 0, torch.zeros_like(across), across)

def angle_of(grad: Tensor, x: Tensor) -> Tensor:
    if not x.is_complex():
        return torch.zeros_like(grad)
    square = torch.real(x * x.conj())
    turned = grad * (x * 1j) / torch.where(square == 0, torch.ones_like(square), square)
    return torch.where(square == 0, torch.zeros_like(turned), turned)

def copied_sign(grad: Tensor, x: Tensor, result: Tensor) -> Tensor:
    ratio = result / x
    return torch.where(x == 0, torch.zeros_like(grad), grad * ratio)

def clamped(grad: Tensor, x: Tensor, low: Optional[number], high: Optional[number]) -> Tensor:
    result = grad
    if low is not None:
        result = torch.where(x >= low, result, torch.zeros_like(result))
    if high is not None:
        result = torch.where(x <= high, result, torch.zeros_like(result))
    return result

def clamped_by(grad: Tensor, x: Tensor, low: Optional[Tensor], high: Optional[Tensor]) -> Tensor:
    result = grad
    if low is not None:
        result = torch.where(x >= low, result, torch.zeros_like(result))
    if high is not None:
        result = torch.where(x <= high, result, torch.zeros_like(result))
    return result

def clamped_below(grad: Tensor, x: Tensor, low: Optional[Tensor], high: Optional[Tensor]) -> Tensor:
    assert low is not None
    is_low = x < low
    if high is not None:
        is_low = torch.logical_and(is_low, low < high)
    return torch.where(is_low, grad, torch.zeros_like(grad))

def clamped_above(grad: Tensor, x: Tensor, low: Optional[Tensor], high: Optional[Tensor]) -> Tensor:
    assert high is not None
    is_high = x > high
    if low is not None:
        is_high = torch.logical_or(is_high, high < low)
    return torch.where(is_high, grad, torch.zeros_like(grad))

def logit_of(grad: Tensor, x: Tensor, eps: Optional[float]) -> Tensor:
    slope = grad / (x * (1.0 - x))
    if eps is None:
        outside = torch.logical_or(x < 0.0, x > 1.0)
        return torch.where(outside, torch.full_like(slope, float("nan")), slope)
    outside = torch.logical_or(x < eps, x > 1.0 - eps)
    return torch.where(outside, torch.zeros_like(slope), slope)

def sinc_of(grad: Tensor, x: Tensor) -> Tensor:
    pi = 3.141592653589793
    y = torch.where(x == 0, torch.ones_like(x), x)
    slope = (pi * y * torch.cos(pi * y) - torch.sin(pi * y)) / (pi * y * y)
    return torch.where(x == 0, torch.zeros_like(slope), slope).conj() * grad

def multivariate(grad: Tensor, x: Tensor, p: int) -> Tensor:
    total = torch.digamma(x)
    for j in range(1, p):
        total = total + torch.digamma(x - j / 2)
    return grad * total

def bessel_1(x: Tensor, before: Tensor, result: Tensor) -> Tensor:
    y = torch.where(x == 0, torch.ones_like(x), x)
    return torch.where(x == 0, torch.full_like(x, 0.5), before - result / y)

def scaled_bessel_1(x: Tensor, before: Tensor, result: Tensor) -> Tensor:
    y = torch.where(x == 0, torch.ones_like(x), x)
    return torch.where(x == 0, torch.full_like(x, 0.5), before - result * (torch.sgn(x) + 1 / y))

def logarithm_beside(x: Tensor, other: Tensor, offset: float) -> Tensor:
    value = torch.log(other + offset)
    return torch.where(torch.logical_and(x == 0, other + offset <= 0), torch.zeros_like(value), value)
"""

_ACTIVATIONS = """
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

def glu_of(grad: Tensor, x: Tensor, dim: int) -> Tensor:
    half = x.size(dim) // 2
    gate = torch.sigmoid(x.narrow(dim, half, half))
    first = x.narrow(dim, 0, half)
    return torch.cat([grad * gate, grad * first * gate * (1 - gate)], dim)

def softmax_of(grad: Tensor, result: Tensor, dim: int) -> Tensor:
    product = grad * result
    return product - result * product.sum([dim], True)

def log_softmax_of(grad: Tensor, result: Tensor, dim: int) -> Tensor:
    return grad - torch.exp(result) * grad.sum([dim], True)
"""

_REDUCTIONS = """
def zeros_of(grad: Tensor, x: Tensor) -> Tensor:
    return torch.zeros(x.size(), dtype=grad.dtype)

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

def product_of(grad: Tensor, x: Tensor, dim: int) -> Tensor:
    if x.dim() == 0:
        return grad
    size = x.size(dim)
    if size == 0:
        return torch.zeros_like(x)
    one = torch.ones_like(x.narrow(dim, 0, 1))
    left = torch.cumprod(torch.cat([one, x.narrow(dim, 0, size - 1)], dim), dim)
    turned = torch.cat([one, x.narrow(dim, 1, size - 1).flip([dim])], dim)
    right = torch.cumprod(turned, dim).flip([dim])
    return grad * (left * right).conj()

def variance_of(grad: Tensor, x: Tensor, dim: Optional[List[int]], correction: Optional[number], keepdim: bool) -> Tensor:
    count = float(count_of(x, dim))
    lost = 1.0 if correction is None else float(correction)
    axes = [axis for axis in range(x.dim())]
    if dim is not None and len(dim) > 0:
        axes = [axis for axis in dim]
    distance = x - x.mean(axes, True)
    left = count - lost
    scale = float("inf") if left <= 0.0 else 2.0 / left
    return restored(grad, dim, keepdim, x.dim()) * distance * scale

def deviation(grad: Tensor, result: Tensor) -> Tensor:
    return (grad / (2 * result)).masked_fill(result == 0, 0)

def shared(grad: Tensor, result: Tensor, x: Tensor, dim: List[int]) -> Tensor:
    holds = torch.logical_or(x == result, torch.logical_and(x.isnan(), result.isnan()))
    mask = holds.to(grad.dtype)
    count = mask.sum() if len(dim) == 0 else mask.sum(dim, True)
    return grad * (mask / count)

def first_of(grad: Tensor, result: Tensor, x: Tensor) -> Tensor:
    return shared(grad, result, x, [])

def selected(grad: Tensor, indices: Tensor, x: Tensor, dim: int, keepdim: bool) -> Tensor:
    if x.dim() == 0:
        return grad
    zeros = torch.zeros(x.size(), dtype=grad.dtype)
    if keepdim:
        return zeros.scatter(dim, indices, grad)
    return zeros.scatter(dim, indices.unsqueeze(dim), grad.unsqueeze(dim))

def selected_many(grad: Tensor, indices: Tensor, x: Tensor, dim: int) -> Tensor:
    if x.dim() == 0:
        return grad
    return torch.zeros(x.size(), dtype=grad.dtype).scatter_add(dim, indices, grad)

def reversed_sum(grad: Tensor, dim: int) -> Tensor:
    if grad.dim() == 0:
        return grad
    return grad.flip([dim]).cumsum(dim).flip([dim])

def cumulative_product(grad: Tensor, x: Tensor, dim: int) -> Tensor:
    if x.dim() == 0 or x.numel() == 0:
        return grad
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
    nothing = torch.full_like(grad, -float("inf"))
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
        holds = (torch.abs(x) == length).to(slope.dtype)
        axes = [axis for axis in range(x.dim())]
        if dim is not None and len(dim) > 0:
            axes = [axis for axis in dim]
        return x.sgn() * (holds / holds.sum(axes, True) * slope)
    if p == 2.0:
        return (x / length * slope).masked_fill(length == 0, 0)
    if p < 1.0:
        size = torch.pow(torch.abs(x), p - 1).masked_fill(x == 0, 0)
        return (x.sgn() * size * (slope / torch.pow(length, p - 1))).masked_fill(length == 0, 0)
    if p < 2.0:
        small = x.sgn() * torch.pow(torch.abs(x), p - 1)
        return (small * (slope / torch.pow(length, p - 1))).masked_fill(length == 0, 0)
    large = x * torch.pow(torch.abs(x), p - 2)
    return (large * (slope / torch.pow(length, p - 1))).masked_fill(length == 0, 0)

def traced(grad: Tensor, x: Tensor) -> Tensor:
    return grad * torch.eye(x.size(0), x.size(1), dtype=grad.dtype)
"""

_VIEWS = """
def inverse_order(dims: List[int]) -> List[int]:
    rank = len(dims)
    order = [0 for axis in range(rank)]
    for place in range(rank):
        order[dims[place] % rank] = place
    return order

def scattered_select(grad: Tensor, x: Tensor, dim: int, index: int) -> Tensor:
    return torch.select_backward(grad, x.size(), dim, index)

def scattered_slice(grad: Tensor, x: Tensor, dim: int, start: Optional[int], end: Optional[int], step: int) -> Tensor:
    first = 0 if start is None else start
    last = 9223372036854775807 if end is None else end
    return torch.slice_backward(grad, x.size(), dim, first, last, step)

def folded(grad: Tensor, x: Tensor, dim: int, size: int, step: int) -> Tensor:
    places = torch.arange(x.numel()).view(x.size()).unfold(dim, size, step).reshape([-1])
    return torch.zeros([x.numel()], dtype=grad.dtype).index_add(0, places, grad.reshape([-1])).view(x.size())

def wrapped(index: Tensor, size: int) -> Tensor:
    return torch.where(index < 0, index + size, index)

def end_of(x: Tensor, dim: int, start: int, length: int) -> int:
    first = start
    if first < 0:
        first = first + x.size(dim)
    return first + length

def scattered_diagonal(grad: Tensor, x: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    result = torch.zeros(x.size(), dtype=grad.dtype)
    result.diagonal(offset, dim1, dim2).copy_(grad)
    return result

def scattered_strides(grad: Tensor, x: Tensor, size: List[int], stride: List[int], offset: Optional[int]) -> Tensor:
    own = x.storage_offset()
    first = own if offset is None else offset
    extent = 1 + max(first, own)
    for axis in range(len(size)):
        extent = extent + max(size[axis] - 1, 0) * stride[axis]
    for axis in range(x.dim()):
        extent = extent + max(x.size(axis) - 1, 0) * x.stride(axis)
    places = torch.arange(extent)
    taken = places.as_strided(size, stride, first).reshape([-1])
    memory = torch.zeros([extent], dtype=grad.dtype).index_add(0, taken, grad.reshape([-1]))
    held = places.as_strided(x.size(), x.stride(), own)
    return memory.index_select(0, held.reshape([-1])).reshape(x.size())

def repeated(grad: Tensor, x: Tensor, repeats: List[int]) -> Tensor:
    lead = len(repeats) - x.dim()
    sizes: List[int] = []
    axes: List[int] = []
    for axis in range(len(repeats)):
        axes.append(2 * axis)
        sizes.append(repeats[axis])
        sizes.append(1 if axis < lead else x.size(axis - lead))
    if len(axes) == 0:
        return grad
    return grad.reshape(sizes).sum(axes).reshape(x.size())

def divided(grad: Tensor, tensors: List[Tensor], dim: int) -> List[Tensor]:
    parts: List[Tensor] = []
    start = 0
    for one in tensors:
        size = 0
        if not (one.dim() == 1 and one.numel() == 0):
            size = one.size(dim)
        parts.append(grad.narrow(dim, start, size).reshape(one.size()))
        start = start + size
    return parts

def chosen(grad: Tensor, x: Tensor, mask: Tensor) -> Tensor:
    wide = torch.broadcast_tensors([x, mask])
    return torch.zeros(wide[0].size(), dtype=grad.dtype).masked_scatter(wide[1], grad)

def filled(grad: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    taken = torch.masked_select(grad, mask)
    rest = torch.zeros([source.numel() - taken.numel()], dtype=grad.dtype)
    return torch.cat([taken, rest]).reshape(source.size())

def gathered(grad: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    found = grad.gather(dim, index)
    if found.size() == src.size():
        return found
    result = torch.zeros(src.size(), dtype=grad.dtype)
    part = result
    for axis in range(src.dim()):
        part = part.narrow(axis, 0, found.size(axis))
    part.copy_(found)
    return result
"""

_PRODUCTS = """
def matmul_left(grad: Tensor, left: Tensor, right: Tensor) -> Tensor:
    if left.dim() == 1 and right.dim() == 1:
        return grad * right.conj()
    if left.dim() == 1:
        return torch.matmul(grad.unsqueeze(-2), right.transpose(-1, -2).conj()).squeeze(-2)
    if right.dim() == 1:
        return grad.unsqueeze(-1) * right.conj()
    return torch.matmul(grad, right.transpose(-1, -2).conj())

def matmul_right(grad: Tensor, left: Tensor, right: Tensor) -> Tensor:
    if left.dim() == 1 and right.dim() == 1:
        return grad * left.conj()
    if left.dim() == 1:
        return left.unsqueeze(-1).conj() * grad.unsqueeze(-2)
    if right.dim() == 1:
        return torch.matmul(left.transpose(-1, -2).conj(), grad.unsqueeze(-1)).squeeze(-1)
    return torch.matmul(left.transpose(-1, -2).conj(), grad)

def einsum_of(grad: Tensor, equation: str, tensors: List[Tensor]) -> List[Tensor]:
    whole = equation.replace(" ", "")
    if "." in whole:
        raise NotImplementedError("the gradient of einsum with an ellipsis")
    sides = whole.split("->")
    terms = sides[0].split(",")
    result = ""
    if len(sides) > 1:
        result = sides[1]
    else:
        letters: List[str] = []
        for place in range(len(sides[0])):
            if sides[0].count(sides[0][place]) == 1 and sides[0][place] != ",":
                letters.append(sides[0][place])
        letters.sort()
        result = "".join(letters)
    found: List[Tensor] = []
    for number in range(len(terms)):
        term = terms[number]
        others: List[Tensor] = [grad]
        names = result
        for place in range(len(terms)):
            if place != number:
                others.append(tensors[place].conj())
                names = names + "," + terms[place]
        kept = ""
        for place in range(len(term)):
            if term.count(term[place]) > 1:
                raise NotImplementedError("the gradient of einsum of a diagonal")
            if term[place] in names:
                kept = kept + term[place]
        slope = torch.einsum(names + "->" + kept, others)
        for place in range(len(term)):
            if not (term[place] in names):
                slope = slope.unsqueeze(place)
        found.append(slope.expand_as(tensors[number]) if slope.numel() <= tensors[number].numel() else slope)
    return found

def linear_weight(grad: Tensor, input: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return (grad.unsqueeze(-1) * input.conj()).reshape([-1, input.size(-1)]).sum([0])
    rows = grad.reshape([-1, weight.size(0)])
    return rows.t().mm(input.reshape([-1, input.size(-1)]).conj())
"""

_LAYERS = """
def bias_size(bias: Optional[Tensor]) -> Optional[List[int]]:
    if bias is None:
        return None
    return bias.size()

def each(values: List[int], rank: int) -> List[int]:
    if len(values) == 1:
        return [values[0] for axis in range(rank)]
    return values

def convolved(
        grad: Tensor, input: Tensor, weight: Tensor, bias: Optional[Tensor], stride: List[int], padding: List[int],
        dilation: List[int], transposed: bool, output_padding: List[int], groups: int, needs: List[bool], rank: int
) -> Tuple[Tensor, Tensor, Tensor]:
    x, g = input, grad
    is_one = input.dim() == rank + 1
    if is_one:
        x, g = input.unsqueeze(0), grad.unsqueeze(0)
    wanted = [needs[0], needs[1], needs[2] and bias is not None]
    dx, dw, db = torch.convolution_backward(
        g, x, weight, bias_size(bias), each(stride, rank), each(padding, rank), each(dilation, rank), transposed,
        each(output_padding, rank), groups, wanted)
    if is_one and needs[0]:
        dx = dx.squeeze(0)
    return dx, dw, db

def spread(grad: Tensor, x: Tensor, indices: Tensor, rank: int) -> Tensor:
    lead = x.size()[:x.dim() - rank]
    flat = torch.zeros(x.size(), dtype=grad.dtype).reshape(lead + [-1])
    return flat.scatter_add(-1, indices.reshape(lead + [-1]), grad.reshape(lead + [-1])).reshape(x.size())

def dropped(grad: Tensor, mask: Tensor, p: float, train: Optional[bool]) -> Tensor:
    if train is not None and not train:
        return grad
    scale = 0.0 if p == 1.0 else 1.0 / (1.0 - p)
    return grad * mask * scale

def scale_at(factors: Optional[List[float]], place: int) -> Optional[float]:
    if factors is None:
        return None
    return factors[place]

def averaged(grad: Tensor, x: Tensor, reduction: int) -> Tensor:
    if reduction == 1:
        return grad / x.numel()
    return grad

def smooth(x: Tensor, beta: float) -> Tensor:
    if beta == 0.0:
        return x.sgn()
    return torch.where(torch.abs(x) < beta, x / beta, x.sgn())

def cross_entropy_target(grad: Tensor, x: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int) -> Tensor:
    slope = torch.clamp(torch.log(1.0 - x), min=-100.0) - torch.clamp(torch.log(x), min=-100.0)
    if weight is not None:
        slope = slope * weight
    return averaged(grad, x, reduction) * slope
"""

_SPECTRA = """
def adjoint_norm(norm: Optional[str]) -> str:
    if norm is None or norm == "backward":
        return "forward"
    if norm == "forward":
        return "backward"
    return "ortho"

def fitted(x: Tensor, dim: int, size: int) -> Tensor:
    if x.size(dim) >= size:
        return x.narrow(dim, 0, size)
    sizes = x.size()
    sizes[dim] = size - x.size(dim)
    return torch.cat([x, torch.zeros(sizes, dtype=x.dtype)], dim)

def of_forward(grad: Tensor, x: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    return fitted(torch.fft_ifft(grad, None, dim, adjoint_norm(norm)), dim, x.size(dim))

def of_backward(grad: Tensor, x: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    return fitted(torch.fft_fft(grad, None, dim, adjoint_norm(norm)), dim, x.size(dim))

def of_real_forward(grad: Tensor, x: Tensor, n: Optional[int], dim: int, norm: Optional[str]) -> Tensor:
    size = x.size(dim) if n is None else n
    whole = torch.fft_ifft(fitted(grad, dim, size), None, dim, adjoint_norm(norm))
    return fitted(torch.real(whole), dim, x.size(dim))

def of_real_backward(grad: Tensor, x: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    size = grad.size(dim)
    half = torch.fft_rfft(grad, None, dim, adjoint_norm(norm))
    last = (size - 1) // 2
    parts = [half.narrow(dim, 0, 1), half.narrow(dim, 1, last) * 2]
    if half.size(dim) > last + 1:
        parts.append(half.narrow(dim, last + 1, half.size(dim) - last - 1))
    return fitted(torch.cat(parts, dim), dim, x.size(dim))
"""

_MATRICES = """
def adjoint(x: Tensor) -> Tensor:
    return x.transpose(-1, -2).conj()

def of_inverse(grad: Tensor, result: Tensor) -> Tensor:
    turned = adjoint(result)
    return -torch.matmul(turned, torch.matmul(grad, turned))

def of_determinant(grad: Tensor, result: Tensor, x: Tensor) -> Tensor:
    scale = (grad * result.conj()).unsqueeze(-1).unsqueeze(-1)
    return scale * adjoint(torch.linalg_inv(x))

def of_log_determinant(grad: Tensor, x: Tensor) -> Tensor:
    return grad.unsqueeze(-1).unsqueeze(-1) * adjoint(torch.linalg_inv(x))

def of_sign_and_log(grad_sign: Tensor, grad_log: Tensor, sign: Tensor, x: Tensor) -> Tensor:
    if not x.is_complex():
        return of_log_determinant(grad_log, x)
    turn = grad_log - 1j * torch.imag(grad_sign.conj() * sign)
    return of_log_determinant(turn, x)

def is_vector(a: Tensor, b: Tensor) -> bool:
    if b.dim() == 1:
        return True
    return b.dim() + 1 == a.dim() and b.size() == a.size()[:-1]

def of_right_side(grad: Tensor, a: Tensor, b: Tensor, left: bool) -> Tensor:
    return torch.linalg_solve(adjoint(a), grad, left=left)

def of_left_side(grad: Tensor, a: Tensor, b: Tensor, result: Tensor, left: bool) -> Tensor:
    inner = torch.linalg_solve(adjoint(a), grad, left=left)
    if is_vector(a, b):
        return -torch.matmul(inner.unsqueeze(-1), adjoint(result.unsqueeze(-1)))
    if left:
        return -torch.matmul(inner, adjoint(result))
    return -torch.matmul(adjoint(result), inner)

def of_triangle(grad: Tensor, a: Tensor, result: Tensor, upper: bool, left: bool, unit: bool) -> Tensor:
    inner = torch.linalg_solve_triangular(adjoint(a), grad, upper=not upper, left=left, unitriangular=unit)
    if left:
        whole = -torch.matmul(inner, adjoint(result))
    else:
        whole = -torch.matmul(adjoint(result), inner)
    diagonal = 1 if unit else 0
    if upper:
        return whole.triu(diagonal)
    return whole.tril(-diagonal)

def of_cholesky(grad: Tensor, result: Tensor, upper: bool) -> Tensor:
    low, g = result, grad
    if upper:
        low, g = adjoint(result), adjoint(grad)
    inner = torch.matmul(adjoint(low), g).tril(0)
    whole = 0.5 * (inner + adjoint(inner.tril(-1)))
    turned = torch.linalg_solve_triangular(adjoint(low), whole, upper=True, left=True)
    return torch.linalg_solve_triangular(low, turned, upper=False, left=False)

def of_exponential(grad: Tensor, x: Tensor) -> Tensor:
    n = x.size(-1)
    turned = adjoint(x)
    top = torch.cat([turned, grad], -1)
    low = torch.cat([torch.zeros_like(turned), turned], -1)
    whole = torch.linalg_matrix_exp(torch.cat([top, low], -2))
    return whole.narrow(-2, 0, n).narrow(-1, n, n)

def of_singular_values(grad: Tensor, x: Tensor) -> Tensor:
    u, s, vh = torch.linalg_svd(x, False)
    return torch.matmul(u * grad.to(u.dtype).unsqueeze(-2), vh)

def of_eigen(grad_values: Tensor, grad_vectors: Tensor, values: Tensor, vectors: Tensor) -> Tensor:
    gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
    gaps = gaps + torch.diag_embed(torch.full_like(values, float("inf")))
    turned = adjoint(vectors)
    inner = torch.matmul(turned, grad_vectors) / gaps
    inner = inner + torch.diag_embed(grad_values.to(inner.dtype))
    return torch.matmul(vectors, torch.matmul(inner, turned))
"""

_SOURCES = (_SPECTRA, _MATRICES, _NUMBERS, _ACTIVATIONS, _REDUCTIONS, _VIEWS, _PRODUCTS, _LAYERS)
HELPERS = {
    found[1]: f"{source.strip()}\n"
    for text in _SOURCES
    for source in text.split("\n\n")
    if (found := re.match(r"\s*def (\w+)\(", source))
}
"""The source of each function by its name."""
