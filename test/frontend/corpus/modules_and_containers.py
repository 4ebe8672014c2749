"""Modules: parameters, buffers, attributes, constants, submodules, containers."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn



class Scale(nn.Module):
    def __init__(self, by: float = 2.0):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x * self.by


class Shift(nn.Module):
    def __init__(self, by: int = 1):
        super().__init__()
        self.by = by

    def forward(self, x):
        return x + self.by

    def back(self, x):
        return x - self.by


@case(ramp(2, 3))
@case(ramp(1, 3))
class Parameters(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones([3]) * 2)
        self.bias = nn.Parameter(torch.zeros([3]) + 0.5)

    def forward(self, x):
        return x * self.weight + self.bias


@case(ramp(3))
@case(ramp(1))
class Buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros([1]))
        self.register_buffer("missing", None)

    def forward(self, x):
        self.total = self.total + x.sum()
        self.total += 1
        return self.total


@case(ramp(3))
@case(ramp(1))
class MutableAttributes(nn.Module):
    last: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.calls = 0
        self.last = None
        self.log = [0]
        self.table = {"m": 1}

    def forward(self, x):
        self.calls += 1
        self.log.append(self.calls)
        self.table["n"] = x.numel()
        last = self.last
        self.last = x
        if last is not None:
            return last, self.calls, self.log, self.table
        return x * 0, self.calls, self.log, self.table


@case(ramp(2))
@case(ramp(3))
class AttributeTypes(nn.Module):
    def __init__(self):
        super().__init__()
        self.i = 1
        self.f = 0.5
        self.b = True
        self.s = "s"
        self.t = (1, "a")
        self.xs = [1, 2]
        self.d = {"k": 1.5}

    def forward(self, x):
        return x * self.i + self.f, self.b, self.s, self.t[1], self.xs[0], self.d["k"]


@case(ramp(2))
@case(ramp(3))
class Constants(nn.Module):
    __constants__ = ["n", "name", "sizes"]

    def __init__(self):
        super().__init__()
        self.n = 3
        self.name = "c"
        self.sizes = (1, 2)

    def forward(self, x):
        for i in range(self.n):
            x = x + i
        if self.name == "c":
            x = x * self.sizes[1]
        return x


@case(ramp(2))
@case(ramp(3))
class FinalConstants(nn.Module):
    n: torch.jit.Final[int]
    flag: torch.jit.Final[bool]

    def __init__(self):
        super().__init__()
        self.n = 3
        self.flag = False

    def forward(self, x):
        if self.flag:
            return x.not_a_method()
        return x * self.n


@case(ramp(2))
@case(ramp(3))
class AnnotatedAttributes(nn.Module):
    scale: float
    xs: List[int]
    maybe: Optional[int]

    def __init__(self):
        super().__init__()
        self.scale = 2
        self.xs = []
        self.maybe = None

    def forward(self, x):
        self.xs.append(1)
        m = self.maybe
        if m is not None:
            x = x + m
        return x * self.scale, len(self.xs)


@case(ramp(2))
@case(ramp(3))
class Submodules(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale(3.0)
        self.shift = Shift(2)

    def forward(self, x):
        return self.shift(self.scale(x)) + self.shift.back(x) + self.scale.by


@case(ramp(2))
@case(ramp(3))
class SharedType(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Scale(3.0)
        self.b = Scale(5.0)

    def forward(self, x):
        return self.a(x) + self.b(x)


@case(ramp(2))
@case(ramp(3))
class SharedInstance(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Shift(3)
        self.b = self.a

    def forward(self, x):
        return self.a(x) + self.b(x)


@case(ramp(2))
@case(ramp(3))
class InSequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Scale(2.0), Shift(1), Scale(0.5))

    def forward(self, x):
        return self.layers(x)


@case(ramp(2))
@case(ramp(3))
class SequenceOver(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Scale(2.0), Shift(1))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x, len(self.layers)


@case(ramp(2))
@case(ramp(3))
class ModuleListOver(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Scale(2.0), Shift(1), Scale(0.5)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@case(ramp(2))
@case(ramp(3))
class ModuleListEnumerated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Scale(2.0), Shift(1)])

    def forward(self, x):
        out: List[Tensor] = []
        for i, layer in enumerate(self.layers):
            out.append(layer(x) + i)
        return out


@case(ramp(2))
@case(ramp(3))
class ModuleListZipped(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.ModuleList([Scale(2.0), Scale(3.0)])
        self.b = nn.ModuleList([Shift(1), Shift(2)])

    def forward(self, x):
        for f, g in zip(self.a, self.b):
            x = g(f(x))
        return x


@case(ramp(2))
@case(ramp(3))
class ModuleListIndexed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Scale(2.0), Shift(1), Shift(5)])

    def forward(self, x):
        return self.layers[0](x) + self.layers[-1](x) + len(self.layers)


@case(ramp(2))
@case(ramp(3))
class ModuleDictItems(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"a": Scale(2.0), "b": Shift(1)})

    def forward(self, x):
        names: List[str] = []
        for name, layer in self.layers.items():
            names.append(name)
            x = layer(x)
        for layer in self.layers.values():
            x = layer(x)
        for name in self.layers.keys():
            names.append(name)
        return x, names


@case(ramp(2))
@case(ramp(3))
class ModuleDictIndexed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"a": Scale(2.0), "b": Shift(1)})

    def forward(self, x):
        return self.layers["a"](x) + self.layers["b"](x), "a" in self.layers, len(self.layers)


@case(ramp(2))
@case(ramp(3))
class ModuleListComprehension(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Scale(2.0), Shift(1)])

    def forward(self, x):
        return [layer(x) for layer in self.layers]


@case(ramp(2))
@case(ramp(3))
class EmptyModuleList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@case(ramp(2))
@case(ramp(3))
class OptionalSubmodule(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Scale(2.0)
        self.b = None

    def forward(self, x):
        if self.b is not None:
            x = self.b(x)
        if self.a is not None:
            x = self.a(x)
        return x


@case(ramp(2))
@case(ramp(3))
class Methods(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 3

    def helper(self, x, n: int = 2):
        return x * n + self.k

    def forward(self, x):
        return self.helper(x) + self.helper(x, n=5)


@case(ramp(2))
@case(ramp(3), method="extra")
class ExportedMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 3

    @torch.jit.export
    def extra(self, x):
        return x * self.k

    def forward(self, x):
        return x + self.k


@case(ramp(2))
@case(ramp(3))
class Training(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        if self.training:
            return x * 2
        return x


@case(ramp(2, 4))
@case(ramp(1, 4))
class LinearAndActivation(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)
        with torch.no_grad():
            self.linear.weight.fill_(0.5)
            self.linear.bias.fill_(0.25)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.linear(x))


@case(ramp(2))
@case(ramp(3))
class FunctionAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.activation = torch.relu

    def forward(self, x):
        return self.activation(x)


def free_function(x):
    return x + 100


@case(ramp(2))
@case(ramp(3))
class ScriptedFunctionAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = free_function

    def forward(self, x):
        return self.f(x) + free_function(x)


@case(ramp(2))
@case(ramp(3))
class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Submodules()

    def forward(self, x):
        return self.inner(x) + self.inner.scale(x) + self.inner.shift.by


@case(ramp(2))
@case(ramp(3), method="helper")
class UnusedMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 1

    @torch.jit.unused
    def bad(self, x):
        return [i for i in x if i > 0]

    @torch.jit.export
    def helper(self, x):
        return x

    def forward(self, x):
        if self.k > 5:
            return self.bad(x)
        return x + 1


@case(ramp(2))
@case(ramp(3))
class HasAttr(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2

    def forward(self, x):
        if hasattr(self, "k"):
            x = x * self.k
        if hasattr(self, "missing"):
            x = self.missing(x)
        return x


@case(ramp(2))
@case(ramp(3))
class GetAttr(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2

    def forward(self, x):
        return x * getattr(self, "k") + getattr(self, "z", 5)


@case(ramp(2))
@case(ramp(3))
class ModuleStateInALoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = Shift(1)
        self.count = 0

    def forward(self, x):
        for i in range(3):
            x = self.shift(x)
            self.count += i
            self.shift.by += 1
        return x, self.count


@case(ramp(2))
@case(ramp(3))
class ReturnsANamedTuple(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.max(x, 0)[0], (x, [x])


@case(ramp(2), 3)
@case(ramp(3))
class ForwardWithDefaults(nn.Module):
    def forward(self, x, k: int = 2) -> Tensor:
        return x * k


class _ByName(nn.Module):
    def forward(self, x):
        return {"x": x}


@case(ramp(2))
@case(ramp(3))
class SequentialOfTypes(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.ReLU(), _ByName())

    def forward(self, x):
        return self.layers(x)
