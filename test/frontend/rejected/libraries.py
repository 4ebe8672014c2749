"""What people who port library code write first, and PyTorch refuses."""

from enum import Enum
from typing import List, Optional

from examples._torch import torch

nn = torch.nn
Tensor = torch.Tensor


class _Level(Enum):
    LOW = 1
    HIGH = 3


SCALE = 0.5


def global_float(x):
    return x * SCALE


def overload_by_attribute(x):
    return torch.ops.aten.add.Tensor(x, x)


def conversion_in_a_text(kind: str):
    return f"no norm called {kind!s}"


def format_in_a_text(x: float):
    return f"{x:.2f}"


def keyword_only_with_a_default(x, *, scale: float = 2.0):
    return x * scale


def enum_in_a_list(i: int):
    levels = [_Level.LOW, _Level.HIGH]
    return levels[i] in levels


def condition_of_a_comprehension(items: List[int]):
    return [item for item in items if item > 0]


def starred_rest_of_a_list(x):
    first, *rest = x.shape
    return rest


def number_of_elements(x):
    return x.nelement()


def cast_by_method(x):
    return x.bool()


def norm_over_a_dimension(x):
    return x.norm(dim=-1)


def round_to_digits(a: float):
    return round(a, 4)


def real_part_of_a_number(z: complex):
    return z.real


def integer_power(n: int) -> int:
    return n**2


class SkipsInAList(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Identity(), nn.Identity()])

    def forward(self, x):
        for part in self.parts:
            if x.numel() == 0:
                continue
            x = part(x)
        return x


class OptionalAttribute(nn.Module):
    mask: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, x):
        if self.mask is not None:
            x = x.masked_fill(self.mask, 0.0)
        return x


class IndexesModules(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Identity(), nn.Identity()])

    def forward(self, x, i: int):
        return self.parts[i](x)
