# type: ignore
# ruff: noqa
"""Numbers, constants, tensors, operators, defaults, long lines and names."""

import math
from typing import List, Optional, Tuple

import torch

ONE = torch.tensor(1)
HALF = torch.tensor(0.5)


def integers():
    return 0, 1, -1, 9223372036854775807


def floats():
    return 0.0, -0.0, 1.0, 1.5, 0.1, 1e-5, 1e10, 1e9, 1e100, 123456789.125, 5e-324


def infinities():
    return float("inf"), -float("inf"), float("nan"), math.inf, math.pi


def complexes(x: complex):
    return x + 3 + 4j, complex(1.5, -2)


def booleans(a: bool):
    return True, False, not a, a == True


def nothing():
    return None


def devices(x: torch.Tensor):
    return x.to(torch.device("cuda:0")), x.device, x.to("cpu"), torch.device("cpu")


def dtypes(x: torch.Tensor):
    return x.to(torch.float64), torch.zeros([2, 3], dtype=torch.int32), x.dtype, torch.bool


def layouts(x: torch.Tensor):
    return torch.empty([2], dtype=torch.float, layout=torch.strided), x.contiguous(
        memory_format=torch.channels_last
    )


def int_arithmetic(a: int, b: int):
    return a + b, a - b, a * b, a / b, a // b, a % b, a**b, -a, a & b, a | b, a ^ b, a << b, a >> b


def float_arithmetic(a: float, b: float):
    return a + b, a - b, a * b, a / b, a // b, a % b, a**b, -a


def mixed_arithmetic(a: int, b: float):
    return a + b, a * b, b / a, a**b, a < b


def comparisons(a: int, b: int):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


def identity(a: Optional[int], b: bool):
    return a is None, a is not None


def conversions(a: float, b: int, c: torch.Tensor):
    return int(a), float(b), bool(b), int(c), float(c), bool(c)


def math_functions(x: float, y: int):
    return (
        math.sqrt(x),
        math.floor(x),
        math.ceil(x),
        math.log(x),
        math.pow(x, y),
        math.gcd(y, 2),
        abs(x),
        round(x),
    )


def min_max(x: int, y: float):
    return min(x, 3), max(y, 2.5), divmod(x, 2)


def augmented(x: int, y: torch.Tensor):
    x += 1
    x -= 2
    x *= 3
    y += x
    y *= 2
    return x, y


def tensor_arithmetic(a: torch.Tensor, b: torch.Tensor):
    return a + b, a - b, a * b, a / b, a // b, a % b, a**2, -a, a @ b, ~a, a & b, 2 - a, 1 / a


def tensor_comparisons(a: torch.Tensor, b: torch.Tensor):
    return a < b, a <= 1, a > 2.5, a >= b, a == b, a != b


def tensor_methods(x: torch.Tensor):
    return x.sum(), x.sum(0), x.sum([0, 1], keepdim=True), x.mean(-1), x.max(), x.max(1), x.argmax()


def tensor_shape(x: torch.Tensor):
    return (
        x.size(),
        x.size(0),
        x.shape,
        x.shape[1],
        x.dim(),
        x.numel(),
        x.ndim,
        x.is_cuda,
        x.requires_grad,
    )


def tensor_views(x: torch.Tensor):
    return (
        x.view(-1, 2),
        x.reshape([4]),
        x.permute(1, 0),
        x.transpose(0, 1),
        x.t(),
        x.T,
        x.unsqueeze(0),
        x.squeeze(),
    )


def tensor_index(x: torch.Tensor, i: int):
    return x[0], x[i], x[0, 1], x[-1], x[..., 0], x[None], x[:, 0]


def tensor_slice(x: torch.Tensor):
    return x[1:], x[:2], x[1:2], x[::2], x[:, 1:], x[1:3, ::2], x[:]


def tensor_mask(x: torch.Tensor, m: torch.Tensor):
    return x[m], x[m, 0], x[[0, 2]]


def tensor_set(x: torch.Tensor, y: torch.Tensor):
    x[0] = y
    x[1:3] = 2.0
    x[y > 0] = 1
    return x


def tensor_inplace(x: torch.Tensor, y: torch.Tensor):
    x.add_(y)
    x.mul_(2).sub_(1, alpha=3)
    return x


def tensor_alpha(x: torch.Tensor, y: torch.Tensor):
    return torch.add(x, y, alpha=2), torch.sub(x, y, alpha=1), torch.addmm(x, y, y, beta=2, alpha=3)


def tensor_out(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor):
    torch.add(x, y, out=z)
    torch.add(x, y, alpha=2, out=z)
    return torch.mul(x, y, out=z)


def tensor_creation(n: int, x: torch.Tensor):
    return (
        torch.zeros(n, 3),
        torch.ones([n]),
        torch.full([2], 1.5),
        torch.arange(n),
        torch.arange(1, n, 2),
        torch.zeros_like(x),
        torch.eye(3),
        torch.rand(2, 3),
    )


def tensor_literal():
    return (
        torch.tensor([[1.0, 2.0], [3.0, 4.0]]),
        torch.tensor(5),
        torch.tensor([1, 2], dtype=torch.float),
    )


def tensor_cat(x: torch.Tensor, y: torch.Tensor):
    return torch.cat([x, y]), torch.cat([x, y], dim=1), torch.stack([x, y], 0)


def tensor_split(x: torch.Tensor):
    a, b = x.chunk(2, 1)
    c, d = torch.split(x, 2)
    return a + b, c, d


def tensor_item(x: torch.Tensor):
    return x.item(), float(x.item())


def tensor_tolist(x: torch.Tensor):
    y: List[List[float]] = x.tolist()
    return y


def tensor_implicit(x: torch.Tensor, y: torch.Tensor):
    return torch.dropout(x, float(y), False), x.sum(int(y))


def tensor_condition(x: torch.Tensor):
    if x.sum() > 0:
        return x
    return -x


def tensor_functional(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor):
    return (
        torch.conv2d(x, w, b),
        torch.conv2d(x, w, b, [2, 2], [1, 1]),
        torch.softmax(x, 1),
        torch.relu(x),
        torch.max_pool2d(x, [2, 2]),
    )


def tensor_where(x: torch.Tensor, y: torch.Tensor):
    return torch.where(x > 0, x, y), torch.where(x > 0)


def tensor_clamp(x: torch.Tensor):
    return x.clamp(0), x.clamp(max=1), x.clamp(0, 1), torch.clamp(x, min=0.5)


def tensor_norm(x: torch.Tensor):
    return (
        x.norm(),
        x.std(0),
        x.var(dim=0, unbiased=False),
        torch.topk(x, 2),
        x.sort(descending=True),
    )


def tensor_einsum(x: torch.Tensor, y: torch.Tensor):
    return torch.matmul(x, y), torch.bmm(x, y), torch.dot(x, y)


def tensor_grad(x: torch.Tensor):
    x.backward()
    return torch.autograd.grad([x.sum()], [x]), x.grad, x.detach()


def scalar_tensors(x: torch.Tensor):
    return x + torch.tensor(1), x * torch.tensor(0.5)


def default_ints(x: torch.Tensor, a: int = 2, b: int = -3):
    return x * a + b


def default_kinds(
    a: float = 0.5,
    b: bool = True,
    c: str = "text",
    d: Optional[float] = None,
    e: Tuple[int, int] = (1, 2),
):
    return a, b, c, d, e


def default_special(a: float = 1e-5, b: float = float("inf"), c: str = "\n"):
    return a, b, c


def keyword_only(x: torch.Tensor, *, b: bool):
    if b:
        return x * 2
    return x


def many_uses(x: torch.Tensor):
    y = x + 1
    z = x + 1
    return y * y + z * y


def reused_names(x: torch.Tensor):
    x = x + 1
    x = x * 2
    x0 = x - 1
    x = x0 / x
    return x


def numbered_names(x_1: torch.Tensor, x_2: torch.Tensor):
    x_3 = x_1 + x_2
    if x_3.sum() > 0:
        x_4 = x_3
    else:
        x_4 = x_1
    return x_4 * x_3


def underscores(_: int, __: int, _0: int):
    _1 = _ + __
    for _ in range(_0):
        _1 += 1
    return _1


def reserved(ops: int, fork: int, inf: float, nan: float, aten: int):
    attribute = ops + fork
    getattr = attribute * aten
    return inf * getattr + nan


def builtin_names(
    input: torch.Tensor, range: int, torch_: int, list: List[int], annotate: int, CONSTANTS: int
):
    return input, range, torch_, list, annotate, CONSTANTS


def order_of_effects(x: torch.Tensor, y: torch.Tensor):
    return torch.add(x.add_(1), y.mul_(x.sub_(2)))


def order_kept(x: torch.Tensor):
    a = x.sin()
    b = x.cos()
    return torch.stack([b, a])


def order_of_calls(x: List[int]):
    return x.pop() - x.pop() * x.pop()


def order_swapped(x: List[int]):
    a = x.pop()
    b = x.pop()
    return b - a


def long_expression(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor):
    return torch.sigmoid(a * b + c * a - b * c) * torch.tanh(a * c + b * a - c * b) + torch.exp(
        a - b - c
    )


def long_with_effects(x: torch.Tensor, y: torch.Tensor):
    return torch.cat([x.add_(1), torch.sigmoid(y * x + y * y - x * x + 1), y.add_(1), x.mul_(y)], 1)


def long_arguments(
    aaaaaaaaaaaa: torch.Tensor, bbbbbbbbbbbbbbbb: torch.Tensor, cccccccccccccccc: torch.Tensor
):
    return torch.addmm(aaaaaaaaaaaa, bbbbbbbbbbbbbbbb + 1, cccccccccccccccc + 2)


def long_condition(aaaaaaaaaaaa: int, bbbbbbbbbbbbbbbb: int, cccccccccccccccc: int):
    if aaaaaaaaaaaa * bbbbbbbbbbbbbbbb > cccccccccccccccc + aaaaaaaaaaaa and bbbbbbbbbbbbbbbb > 0:
        return aaaaaaaaaaaa
    return cccccccccccccccc


def long_chain(x: torch.Tensor):
    return x.sin().cos().tan().exp().log().sqrt().relu().tanh().sigmoid().abs().neg().floor().ceil()


def long_list(x: int):
    return [x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8, x + 9, x + 10]


def long_range(x: torch.Tensor, bbbbbbbbbbbbbbbb: List[int], cccccccccccccccc: List[int]):
    for i in range(len(bbbbbbbbbbbbbbbb) * 2 + len(cccccccccccccccc) * 3):
        x = x + i
    return x


def indentation_counts(x: torch.Tensor, n: int):
    for i in range(n):
        for j in range(i):
            if i > j:
                x = torch.sigmoid(x.t() + 1) * torch.tanh(x.t() - 1)
    return x


def polynomial(x: torch.Tensor):
    return 1 + x * (2 + x * (3 + x * (4 + x * (5 + x * (6 + x * (7 + x))))))


def many_results(x: torch.Tensor):
    a, b = torch.max(x, 0)
    c, _ = torch.min(x, 1, keepdim=True)
    return a, b, c


def random(x: torch.Tensor):
    return torch.rand_like(x), torch.randn(2, 3), torch.randint(0, 10, [2]), torch.bernoulli(x, 0.5)


def interpolate_like(x: torch.Tensor):
    return torch.pixel_shuffle(x, 2), torch.cumsum(x, 0), torch.flip(x, [0])
