"""Statements of published code: guards for Python beside those for programs, loops that stop early, contexts, messages, counts."""

import cmath
import math
import warnings
from enum import Enum
from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class Interpolation(Enum):
    NEAREST = "nearest"
    BILINEAR = "bilinear"


class Level(Enum):
    LOW = 1
    HIGH = 3


def _log_in_python(x):
    raise RuntimeError("no program")


@case(ramp(3))
@case(ramp(2))
def python_beside_programs(x):
    if not torch.jit.is_scripting():
        _log_in_python(x)
    return x * 2


@case(ramp(3))
@case(ramp(2))
def python_behind_a_condition(x):
    if torch.jit.is_scripting() or torch.jit.is_tracing():
        y = x + 1
    else:
        y = x.some_method_of_python()
    return y


@case(ramp(3), "nearest")
@case(ramp(3), "bilinear")
@case(ramp(3), "other")
def enum_by_value(x, name: str):
    if name == Interpolation.NEAREST.value:
        return 0
    if name == Interpolation.BILINEAR.value:
        return Level.HIGH.value
    return -1


@case(0)
@case(1)
def enums_in_lists(i: int):
    levels = [Level.LOW, Level.HIGH]
    chosen = levels[i]
    return chosen.value + 1, chosen.name, chosen == levels[1], chosen != levels[0]


@case([1, 2, 3, 4], 3)
@case([1, 2], 7)
def search_with_a_break(items: List[int], wanted: int):
    found = -1
    for i, item in enumerate(items):
        if item < 0:
            continue
        if item == wanted:
            found = i
            break
    return found


@case([[1, 2], [3]])
@case([[-1, 5], []])
def nested_loops_that_stop(rows: List[List[int]]):
    total = 0
    for row in rows:
        for item in row:
            if item < 0:
                break
            if item == 2:
                continue
            total += item
        else_was = len(row)
        if else_was == 0:
            return -1
    return total


@case(10)
@case(3)
def loop_until(limit: int):
    a, b = 0, 1
    steps: List[int] = []
    while True:
        a, b = b, a + b
        if b > limit:
            break
        steps.append(b)
    return steps, a


@case(ramp(3))
@case(ramp(2))
def contexts(x):
    with torch.no_grad():
        y = x * 2
        if y.numel() > 2:
            return y
    with torch.no_grad():
        z = y + 1
    return z


@case(ramp(2, 3), 1)
@case(ramp(2, 3), 5)
def messages(x, dim: int):
    if dim < -x.dim() or dim >= x.dim():
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-x.dim()}, {x.dim() - 1}], but got {dim})"
        )
    return x.size(dim)


@case(ramp(2, 3))
@case(ramp(3))
def assertion_with_parts(x):
    assert x.dim() == 2 and x.size(0) > 1, "expected a matrix, got {} dimensions of {}".format(x.dim(), x.shape)
    return x


@case(2.0, 3)
@case(-1.0, 2)
def arithmetic(a: float, n: int):
    b = a**n
    c = math.ceil(a / 2), math.floor(a), abs(a), -n // 2, n % 3
    d = min(a, float(n)), max(n, 1), round(a), divmod(n, 2)
    return b, c, d


@case(2.0)
@case(0.5)
def chained(a: float):
    inside = 0 <= a < 1
    outside = not inside and a != 2
    return inside, outside, 1 if inside else 2, a > 0 and (a < 1 or a >= 2)


@case(3 + 4j)
@case(1j)
def complex_numbers(z: complex):
    return abs(z), cmath.phase(z), cmath.sqrt(z), z * 2, cmath.exp(z * 1j)


@case("a-b_c", ["x", "y"])
@case("", [])
def texts(name: str, parts: List[str]):
    pieces = name.replace("-", "_").split("_")
    joined = ".".join(parts)
    return pieces, joined, name.startswith("a"), name.upper(), name[1:3], f"{name}/{joined}"


@case([3, 1, 2])
@case([])
def lists(items: List[int]):
    copied = items.copy()
    copied.extend([7, 8])
    copied.insert(0, -1)
    copied.reverse()
    last = copied.pop()
    return copied, last, sorted(items), items[::-1], [0] * len(items), items + [last]


@case(ramp(4))
@case(ramp(6))
def slices_by_object(x):
    n = x.size(0) // 2
    part = slice(1, n)
    return x[part], x[slice(None, n)], x[slice(0, n * 2, 2)]


@case(ramp(4, 3))
@case(ramp(2, 3))
def indices_of_many_kinds(x):
    mask = x[:, 0] > 0
    rows = torch.tensor([1, 0])
    x = x.clone()
    x[mask, 1] = 5.0
    x[rows, :2] += 1
    x[..., -1] = x[..., 0]
    return x[None, rows], x[:, None, 1:], x[-1:, ::2], x[mask].shape


@case(ramp(4, 3))
@case(ramp(2, 3))
def deleted_and_rebound(x):
    y = x * 2
    z = y + 1
    del y
    parts = [z, x]
    del parts[0]
    table = {"a": 1, "b": 2}
    del table["a"]
    return z, len(parts), table


@case(ramp(2, 3))
@case(ramp(4, 3))
class HasAttributes(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def forward(self, x):
        if hasattr(self, "scale"):
            x = x * self.scale
        if hasattr(self, "missing"):
            x = self.missing(x)
        return x, getattr(self, "scale"), getattr(self, "other", 3)


@case(ramp(2, 3))
@case(ramp(4, 3))
class TrainingOnly(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("steps", torch.zeros(1))
        self.p = 0.5

    def forward(self, x):
        if self.training and self.p == 0.0:
            x = F.dropout(x, self.p, self.training)
        self.steps += 1
        return x, self.steps
