# type: ignore
# ruff: noqa
"""Calls of functions and methods, classes, modules, enums, futures."""

from enum import Enum
from typing import Dict, Final, List, Optional, Tuple

import torch
from torch import nn


class Color(Enum):
    RED = 1
    GREEN = 2


class Mode(Enum):
    FAST = "fast"
    SLOW = "slow"


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.names: List[str] = []

    def add(self, n: int) -> int:
        self.count += n
        self.names.append(str(n))
        return self.count

    def __len__(self) -> int:
        return self.count


def helper(x: torch.Tensor, n: int = 2, flag: bool = True):
    if flag:
        return x * n
    return x


def pair(x: torch.Tensor):
    return x, x + 1


def nothing(x: int):
    print(x)


def a_helper_with_a_name_so_long_that_it_needs_a_line(x: torch.Tensor):
    return x + 1


def call(x: torch.Tensor):
    return helper(x)


def call_keywords(x: torch.Tensor):
    return helper(x, flag=False, n=5)


def call_twice(x: torch.Tensor):
    return helper(helper(x, 3), 4)


def call_unpack(x: torch.Tensor):
    a, b = pair(x)
    return a * b


def call_for_effect(x: int):
    nothing(x)
    nothing(x + 1)
    return x


def call_long_name(x: torch.Tensor):
    return a_helper_with_a_name_so_long_that_it_needs_a_line(
        x
    ) * a_helper_with_a_name_so_long_that_it_needs_a_line(x)


def call_functional(x: torch.Tensor, w: torch.Tensor):
    return nn.functional.relu(x), nn.functional.linear(x, w), nn.functional.softmax(x, dim=1)


def call_in_condition(x: torch.Tensor):
    if bool(helper(x).sum() > 0):
        return helper(x, 7)
    return x


def enum_compare(c: Color, x: int):
    if c == Color.RED:
        return x
    return c.value


def enum_parts(c: Mode):
    return c.name, c.value, Mode.FAST


def enum_list():
    return [Color.RED, Color.GREEN]


def object_make(n: int):
    c = Counter(n)
    c.add(2)
    return c.count, c.names


def object_argument(c: Counter, d: Dict[str, Counter]):
    d["a"] = c
    c.count = c.count + 1
    return c.add(c.count) + len(c)


def forked(x: torch.Tensor):
    f = torch.jit.fork(helper, x, 3)
    y = x + 1
    return torch.jit.wait(f) + y


def forked_list(x: List[torch.Tensor]):
    futures: List[torch.jit.Future[torch.Tensor]] = []
    for t in x:
        futures.append(torch.jit.fork(helper, t))
    return [torch.jit.wait(f) for f in futures]


def forked_twice(x: torch.Tensor):
    f = torch.jit.fork(helper, x.sin(), 3)
    g = torch.jit.fork(pair, x.cos() + x.sin() * 2 + x.tan() * 3 + x.exp() * 5)
    return torch.jit.wait(f), torch.jit.wait(g)


class Linear(nn.Module):
    scale: Final[float] = 0.5

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(2, 2))
        self.bias = nn.Parameter(torch.zeros(2))
        self.register_buffer("steps", torch.zeros(1))
        self.n = 3
        self.label = "x"
        self.optional: Optional[int] = None

    def forward(self, x: torch.Tensor, again: bool = False) -> torch.Tensor:
        self.steps += 1
        self.n = self.n + 1
        y = torch.nn.functional.linear(x, self.weight, self.bias) * self.scale
        if again:
            y = self.helper(y)
        return y

    def helper(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            return x * self.n
        return x


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
        self.list = nn.ModuleList([nn.Tanh(), nn.Sigmoid()])
        self.by_name = nn.ModuleDict({"a": nn.ReLU()})

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, int]:
        x = self.layers(self.first(x))
        for layer in self.list:
            x = layer(x)
        n = 0
        for name, layer in self.by_name.items():
            x = layer(x)
            n += len(name)
        return x, n


class State(nn.Module):
    last: Optional[torch.Tensor]
    table: Dict[str, int]

    def __init__(self):
        super().__init__()
        self.counter = Counter(3)
        self.table = {}
        self.last = None

    def forward(self, x: torch.Tensor, key: str) -> torch.Tensor:
        last = self.last
        self.last = x
        self.table[key] = self.counter.add(2)
        if last is not None:
            x = x + last
        return x

    @torch.jit.export
    def reset(self, n: int = 0) -> None:
        self.counter.count = n
        self.table.clear()


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(2, 3)
        self.rnn = nn.LSTM(2, 3)

    def forward(
        self, x: torch.Tensor, h: torch.Tensor, c: torch.Tensor
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        h, c = self.cell(x, (h, c))
        y, (h, c) = self.rnn(x)
        return y, h


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.norm = nn.BatchNorm2d(2)
        self.pool = nn.AvgPool2d(2)
        self.drop = nn.Dropout(0.25)
        self.embed = nn.Embedding(4, 3)

    def forward(self, x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        x = self.drop(self.pool(torch.relu(self.norm(self.conv(x)))))
        return torch.flatten(x, 1).sum() + self.embed(i).sum()
