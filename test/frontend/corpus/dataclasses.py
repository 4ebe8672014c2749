"""Dataclasses."""
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@torch.jit.script
@dataclass
class Point:
    x: float
    y: float
    norm: Optional[Tensor] = None

    def __post_init__(self):
        self.norm = torch.tensor(self.x * self.x + self.y * self.y)

    def total(self) -> float:
        return self.x + self.y


@torch.jit.script
@dataclass
class Defaults:
    a: int
    b: int = 2
    c: str = "c"


@torch.jit.script
@dataclass(order=True)
class Version:
    major: int
    minor: int


@torch.jit.script
@dataclass
class WithList:
    items: List[int]
    name: str = "n"

    def add(self, x: int):
        self.items.append(x)


@case(1.0, 2.0)
@case(0.0, -1.0)
def construction(x: float, y: float):
    p = Point(x, y)
    return p.x, p.total()


@case(1.0, 2.0)
@case(3.0, 4.0)
def post_init(x: float, y: float):
    p = Point(x, y)
    n = p.norm
    assert n is not None
    return n


@case(1)
@case(5)
def defaults(a: int):
    d = Defaults(a)
    e = Defaults(a, c="z", b=7)
    return d.a, d.b, d.c, e.b, e.c


@case(1)
@case(2)
def equality(a: int):
    return Defaults(a) == Defaults(1), Defaults(a) == Defaults(a, 3)


@case(1, 2)
@case(2, 0)
def ordering(a: int, b: int):
    v = Version(a, b)
    w = Version(1, 5)
    return v < w, v > w, v <= w, v >= w, v == w


@case([1])
@case([])
def list_field(xs: List[int]):
    w = WithList(xs)
    w.add(9)
    return w.items, w.name


@case(1)
@case(2)
def field_assignment(a: int):
    d = Defaults(a)
    d.b = 50
    d.c += "q"
    return d.a + d.b, d.c
