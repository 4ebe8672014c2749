"""How published code calls: operators by their full names, parameters by keyword, numbers where lists are meant, methods of many kinds."""

import math
from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def check(condition: bool, message: str = "wrong") -> None:
    if not condition:
        raise ValueError(message)


@case(ramp(2, 3))
@case(ramp(3, 2))
def operators_by_full_name(x):
    y = torch.ops.aten.relu(x)
    z = torch.ops.aten.add(y, x, alpha=2)
    return torch.ops.aten.sum(z, [1], True)


@case(ramp(2, 3))
@case(ramp(3, 2))
def operators_with_fields(x):
    values, indices = torch.ops.aten.max(x, 1, False)
    return values, indices, torch.ops.aten.mul(x, 3)


@case(ramp(2, 3))
@case(ramp(3, 2))
def everything_by_keyword(x):
    y = torch.cat(tensors=[x, x], dim=0)
    z = torch.index_select(input=y, dim=1, index=torch.tensor([0]))
    return torch.clamp(input=z, min=0.0, max=0.5), torch.squeeze(input=z, dim=1)


@case(ramp(2, 3))
@case(ramp(3, 2))
def bounds_by_keyword(x):
    return x.clamp(min=0), x.clamp(max=0.25), torch.clamp(x, -0.5, 0.5), x.clip(0.0)


@case(ramp(4, 4))
@case(ramp(2, 4))
def assertions_of_torch(x):
    torch._assert(x.dim() == 2, "two dimensions, please")
    torch._assert(x.size(1) == 4, f"four columns, not {x.size(1)}")
    return x.sum(1)


@case(ramp(4, 4))
@case(ramp(2, 3))
def assertions_that_fail(x):
    torch._assert(x.size(1) == 4, f"four columns, not {x.size(1)}")
    check(x.size(0) > 1)
    return x


@case(ramp(2, 3), True)
@case(ramp(2, 3), False)
def defaults_of_a_helper(x, flag: bool):
    check(flag, message="flag is {}".format(flag))
    return x


@case(ramp(1, 1, 4, 4))
@case(ramp(2, 1, 5, 4))
def one_number_for_two(x):
    weight = torch.ones(1, 1, 2, 2)
    a = F.conv2d(x, weight, stride=2, padding=1)
    b = F.avg_pool2d(x, 2, 1)
    return a, b, b + a.sum()


@case(ramp(2, 3))
@case(ramp(3, 3))
def numbers_from_tensors(x):
    n = int(x.shape[0])
    scale = float(x.abs().max())
    flag = bool((x > 0).any())
    return x * scale / max(n, 1), flag, x.sum().item() > 0


@case(ramp(2, 3), arr(1, "int64"))
@case(ramp(3, 3), arr(2, "int64"))
def tensors_for_numbers(x, n):
    return x[n], x[: int(n)], torch.zeros(int(n)), x.select(0, 1)


@case(ramp(3, 3))
@case(ramp(2, 2))
def fills(x):
    a = torch.full((2,), 3)
    b = torch.full([1, 2], 0.5, dtype=x.dtype)
    c = x.new_full((2,), -math.inf)
    d = x.new_zeros(2), x.new_ones([1, 2]), x.new_empty([0])
    return a, b, c, d


@case(ramp(3))
@case(ramp(5))
def ranges(x):
    n = x.size(0)
    a = torch.arange(n)
    b = torch.arange(0, n, 2, dtype=torch.float32)
    c = torch.arange(n - 1, -1, -1)
    return a, b, c, torch.linspace(0, 1, steps=n), torch.arange(0.0, 1.0, 0.25)


@case(ramp(2, 3))
@case(ramp(1, 4))
def chains_of_methods(x):
    y = x.unsqueeze(0).expand(2, -1, -1).contiguous().view(-1, x.size(1))
    return y.add(1).mul_(2).t().flip(0), y.type_as(x), y.to(x)


@case(ramp(2, 3), "l1")
@case(ramp(2, 3), "l2")
@case(ramp(2, 3), "l3")
def chosen_by_name(x, kind: str):
    if kind == "l1":
        return x.abs().sum()
    elif kind == "l2":
        return x.pow(2).sum().sqrt()
    raise ValueError(f"no norm called {kind}")


@case(ramp(3, 3))
@case(ramp(2, 2))
def sums_over_diagonals(x):
    total = torch.einsum("ii->", x)
    outer = torch.einsum("i,j->ij", x[0], x[1])
    batch = torch.einsum("bij,bjk->bik", x.unsqueeze(0), x.unsqueeze(0))
    return total, outer, batch, torch.trace(x)


@case(ramp(2, 16), ramp(8))
@case(ramp(12), ramp(6))
def spectrogram(x, window):
    n = window.size(0)
    spec = torch.stft(x, n, hop_length=n // 2, window=window, return_complex=True)
    inside = torch.stft(x, n, center=False, return_complex=True)
    return spec.abs().pow(2).sum(-1), torch.view_as_real(inside)


@case(ramp(3, 2), ramp(4, 2))
@case(ramp(2, 3, 2), ramp(2, 1, 2))
def distances(x, y):
    far = torch.cdist(x, y, p=1.0)
    near = torch.cdist(x, y, compute_mode="donot_use_mm_for_euclid_dist")
    return far, near, torch.cdist(x, y).argmin(-1)


class Base(nn.Module):
    def scale(self) -> float:
        return 1.0

    def forward(self, x):
        return x * self.scale() + self._shift(x)

    def _shift(self, x) -> float:
        return 0.0


@case(ramp(3))
@case(ramp(2))
class Derived(Base):
    def __init__(self):
        super().__init__()
        self.factor = 2.0

    def scale(self) -> float:
        return self.factor * 2

    @staticmethod
    def half(x: float) -> float:
        return x / 2

    def _shift(self, x) -> float:
        return self.half(float(x.numel()))


@case(ramp(3))
@case(ramp(2))
class CallsByKeyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = Derived()

    def helper(self, x, scale: float = 2.0, shift: Optional[Tensor] = None):
        y = x * scale
        return y if shift is None else y + shift

    def forward(self, x):
        a = self.helper(x)
        b = self.helper(x, shift=x, scale=3.0)
        return a, b, self.linear(x=x)


@case(ramp(3))
@case(ramp(2))
class ExportedMethods(nn.Module):
    def forward(self, x):
        return self.twice(x, 3)

    @torch.jit.export
    def twice(self, x, n: int):
        return x * 2 + n

    @torch.jit.ignore
    def draw(self, x):
        print(x)

    @torch.jit.unused
    def train_step(self, x):
        return [y for y in self.parts(x)]


@case(ramp(2, 3), 2)
@case(ramp(2, 3), 3)
@case(ramp(2), 1)
def checks(x, rows: int):
    torch._check(x.dim() == 2)
    torch._check(x.size(0) == rows, f"{rows} rows expected")
    torch._check(cond=rows > 1, message="too few")
    torch._check(x.sum() < 100, "too much")
    return x * rows


@case(ramp(3))
@case(-ramp(2))
def assertions_of_tensors(x):
    torch._assert(x.sum() >= 0, "negative")
    torch._assert((x == x).all(), message="not a number")
    return x
