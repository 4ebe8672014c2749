"""What composed programs share: the functions, classes and constants that published code has around its own."""

PREAMBLE = '''
import enum
import math
from dataclasses import dataclass
from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor, nn

LIMIT = 7
SCALE: float = 0.5
NUMBERS = [1, 2]
LABEL = "label"


class Mode(enum.Enum):
    A = 1
    B = 2


class Pair(NamedTuple):
    a: int
    b: int = 4


class Cell(NamedTuple):
    value: Tensor
    tag: str


class Counter:
    """Has the magic methods that programs may call."""

    def __init__(self, count: int):
        self.count = count
        self.seen: List[int] = []

    def bump(self, by: int = 1) -> int:
        self.count += by
        self.seen.append(by)
        return self.count

    @staticmethod
    def start(at: int) -> int:
        return at * 2

    @property
    def twice(self) -> int:
        return self.count * 2

    def __len__(self) -> int:
        return self.count

    def __contains__(self, value: int) -> bool:
        return value in self.seen

    def __getitem__(self, index: int) -> int:
        return self.count + index

    def __setitem__(self, index: int, value: int) -> None:
        self.count = index + value

    def __call__(self, value: int) -> int:
        return self.count * value

    def __add__(self, other: int) -> int:
        return self.count + other

    def __eq__(self, other: "Counter") -> bool:
        return self.count == other.count

    def __lt__(self, other: "Counter") -> bool:
        return self.count < other.count


class Region:
    def __init__(self, by: int):
        self.by = by

    def __enter__(self) -> int:
        self.by += 1
        return self.by

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        self.by -= 1


@torch.jit.script
@dataclass
class Span:
    begin: int
    end: int = 9

    def length(self) -> int:
        return self.end - self.begin


class OddError(ValueError):
    pass


def double(x: Tensor) -> Tensor:
    """Twice the tensor."""
    return x * 2


def add3(a: int, b: int, c: int = 1) -> int:
    return a + b + c


def keyed(a: int, *, b: int) -> int:
    return a * b


def keyed_default(a: int, *, b: int = 3) -> int:
    return a * b


def maybe(value: Optional[int], default: int = 5) -> int:
    if value is None:
        return default
    return value


def halves(n: int) -> Tuple[int, int]:
    return n // 2, n - n // 2


@torch.jit._overload
def over(a: int) -> int: ...


@torch.jit._overload
def over(a: str) -> str: ...


def over(a):
    return a + a


@torch.jit.ignore
def ignored(n: int) -> int:
    return n + 40


@torch.jit.unused
def unused(n: int) -> int:
    return [*range(n)].index(n)


@torch.jit.script_if_tracing
def traced(x):
    return x + 1


def python_only(n: int):
    return {i: j for i in range(n) for j in range(i)}


def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


@torch.jit.interface
class Step(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.base_count = 2

    def helper(self, n: int) -> int:
        """Adds what the base counts."""
        return n + self.base_count

    def named(self, n: int) -> int:
        return n * 100

    def stretch(self, x: Tensor, by: float = 2.0) -> Tensor:
        return x * by


class Shift(nn.Module):
    by: Final[int]

    def __init__(self, by: int):
        super().__init__()
        self.by = by

    def forward(self, x: Tensor) -> Tensor:
        return x + self.by


class Whole(Base):
    const: Final[int] = 3
    sizes: Final[Tuple[int, int]]
    notes: Dict[str, int]
    cached: Optional[Tensor]
    __constants__ = ["label"]

    def __init__(self):
        super().__init__()
        self.k = 2
        self.label = "whole"
        self.sizes = (3, 5)
        self.numbers = [1, 2, 3]
        self.notes = {"q": 1}
        self.mode = Mode.B
        self.pair = Pair(1)
        self.cached = None
        self.opt: Optional[nn.Module] = None
        self.layers = nn.ModuleList([Shift(1), nn.ReLU(), Shift(2)])
        self.table = nn.ModuleDict({"a": Shift(3), "b": nn.Tanh()})
        self.seq = nn.Sequential(Shift(1), nn.Identity())
        self.step: Step = Shift(4)
        self.plist = nn.ParameterList([nn.Parameter(torch.ones(3)) for _ in range(2)])
        self.w = nn.Parameter(torch.full((3,), 0.5))
        self.register_buffer("buf", torch.zeros(3))
        self.fn = double

    @property
    def prop(self) -> int:
        return self.k * 10

    @prop.setter
    def prop(self, value: int) -> None:
        self.k = value

    def named(self, n: int) -> int:
        return n * 2

    def over_base(self, n: int) -> int:
        return self.helper(n) + self.named(n)

    @staticmethod
    def static(n: int) -> int:
        return n + 8

    @classmethod
    def cls(cls, n: int) -> int:
        return n

    @torch.jit.export
    def exported(self, n: int, by: int = 2) -> int:
        return n * by + self.k

    @torch.jit.unused
    def unused_method(self, n: int) -> int:
        return [*range(n)].index(n)

    @torch.jit.ignore
    def ignored_method(self, n: int) -> int:
        return n + 3
'''
