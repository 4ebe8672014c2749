"""Modules that go through their own parts, hold anything under any name, and overload their methods."""

from typing import Dict, Final, List, NamedTuple, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn


class Double(nn.Module):
    def forward(self, x):
        return x * 2


class Shift(nn.Module):
    def __init__(self, by: float = 1.0):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x + self.by


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Double()
        self.second = nn.Sequential(Shift(2.0), Double())

    def forward(self, x):
        return self.second(self.first(x))


@case(ramp(2, 3))
@case(ramp(1))
class Children(Nested):
    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


@case(ramp(2, 3))
@case(ramp(1))
class NamedChildren(Nested):
    def forward(self, x):
        names: List[str] = []
        for name, layer in self.named_children():
            names.append(name)
            x = layer(x)
        return x, names


@case(ramp(2, 3))
@case(ramp(1))
class CountedChildren(Nested):
    def forward(self, x):
        for index, layer in enumerate(self.children()):
            x = layer(x) + index
        for index, (name, layer) in enumerate(self.named_children()):
            x = x + index * len(name)
        return x


@case(ramp(2, 3))
@case(ramp(1))
class Modules(Nested):
    def forward(self, x):
        count = 0
        for part in self.modules():
            count += 1
        return x + count


@case(ramp(2, 3))
@case(ramp(1))
class NamedModules(Nested):
    def forward(self, x):
        names: List[str] = []
        for name, part in self.named_modules():
            names.append(name)
        return x, names


@case(ramp(2, 3))
@case(ramp(1))
class PartsOfAPart(Nested):
    def forward(self, x):
        for layer in self.second.children():
            x = layer(x)
        for name, layer in self.second.named_children():
            x = layer(x) + len(name)
        return x


@case(ramp(2, 3))
@case(ramp(3))
class NamedBuffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("low", torch.zeros([3]) - 1)
        self.register_buffer("high", torch.ones([3]))

    def forward(self, x):
        names: List[str] = []
        for name, buffer in self.named_buffers():
            names.append(name)
            x = x + buffer
        return x, names


@case(ramp(2, 3))
@case(ramp(3))
class DenseBlock(nn.Module):
    """Each layer takes what all before it gave."""

    def __init__(self):
        super().__init__()
        self.first = Double()
        self.second = Shift()
        self.third = Double()

    def forward(self, x):
        features = [x]
        for name, layer in self.named_children():
            features.append(layer(torch.cat(features, 0)))
        return torch.cat(features, 0)


@case(ramp(2, 3))
@case(ramp(3))
class NamesOfScriptModules(nn.Module):
    """Attributes that are called like what compiled modules have."""

    def __init__(self):
        super().__init__()
        self.graph = 3
        self.code = "text"
        self._forward = 0.5
        self._hooks = [1, 2]
        self._definition = True
        self.schema = 4

    def forward(self, x):
        return x + self.graph + self._forward + self.schema, self.code, self._hooks, self._definition


@case(ramp(2, 3))
@case(ramp(3))
class MethodsOfScriptModules(nn.Module):
    """Methods that are called like what compiled modules have."""

    def graph(self, x):
        return x + 1

    def _forward(self, x):
        return x + 2

    def code(self, x, scale: float = 2.0):
        return x * scale

    def forward(self, x):
        return self.graph(x) + self._forward(x) + self.code(x)


class Pair(NamedTuple):
    number: int
    rest: Tuple[int, str]


@case(ramp(2, 3))
@case(ramp(3))
class TupleAttributes(nn.Module):
    """Of the NamedTuples that attributes hold, programs see plain tuples."""

    def __init__(self):
        super().__init__()
        self.pair = Pair(1, (2, "b"))
        self.pairs = [(1, 2.0), (3, 4.0)]
        self.by_name = {"a": (1, "x")}

    def forward(self, x):
        return x + self.pair[0] + self.pair[1][0], self.pairs[1], self.by_name["a"][1]


@case(ramp(2, 3))
@case(ramp(3))
class ListFromATuple(nn.Module):
    """A tuple in an attribute that is annotated as a list, as convolutions have it."""

    padding: List[int]
    scales: List[float]

    def __init__(self):
        super().__init__()
        self.padding = (1, 2)
        self.scales = (0.5, 1.5)

    def forward(self, x):
        return x + self.padding[0] * self.scales[1], len(self.padding), self.padding


@case(ramp(2, 3))
@case(ramp(3))
class OptionalParameter(nn.Module):
    """A parameter that may be missing, with its annotation."""

    bias: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones([3]) * 2)
        self.bias = nn.Parameter(torch.ones([3]))

    def forward(self, x):
        y = x * self.weight
        bias = self.bias
        return y if bias is None else y + bias


@case(ramp(2, 3))
@case(ramp(3))
class DtypeAttributes(nn.Module):
    def __init__(self):
        super().__init__()
        self.dtype = torch.float64
        self.device = torch.device("cpu")

    def forward(self, x):
        return x.to(self.dtype), x.to(self.device), self.dtype == torch.float64


def halved(x, by: float = 2.0):
    return x / by


@case(ramp(2, 3))
@case(ramp(3))
class FunctionAttributes(nn.Module):
    def __init__(self):
        super().__init__()
        self.activation = torch.tanh
        self.own = halved

    def forward(self, x):
        return self.activation(self.own(x)) + self.own(x, by=4.0)


@case(ramp(2, 3))
@case(ramp(3))
class ConstantsInASet(nn.Module):
    __constants__ = {"count", "names"}

    def __init__(self):
        super().__init__()
        self.count = 2
        self.names = ["a", "b"]

    def forward(self, x):
        total = 0
        for name in self.names:
            total += len(name) * self.count
        return x + total


@case(ramp(2, 3))
@case(ramp(3))
class AnnotationsOfTheNearestClass(ListFromATuple):
    """Its own annotations take the place of those of its base."""

    offset: Optional[int]

    def __init__(self):
        super().__init__()
        self.padding = [1, 2]
        self.scales = [0.5, 1.5]
        self.offset = None

    def forward(self, x):
        offset = self.offset
        return x + (self.padding[0] if offset is None else offset)


@case(3)
@case(-1)
class ClassMethods(nn.Module):
    """Their class is the module."""

    def __init__(self):
        super().__init__()
        self.count = 2

    @classmethod
    def shifted(cls, n: int) -> int:
        return n + 1

    @classmethod
    def scaled(cls, n: int, by: int = 3):
        return cls.shifted(n) * by

    @classmethod
    def counted(klass, n: int):
        return klass.count + n

    def forward(self, n: int):
        return self.scaled(n), self.scaled(n, by=2), self.counted(n)
