"""Interfaces of classes and of modules."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn



@torch.jit.interface
class Animal:
    def legs(self) -> int:
        pass

    def name(self, prefix: str) -> str:
        pass


@torch.jit.script
class Dog:
    def __init__(self, n: str):
        self.n = n

    def legs(self) -> int:
        return 4

    def name(self, prefix: str) -> str:
        return prefix + self.n


@torch.jit.script
class Bird:
    def __init__(self):
        self.k = 2

    def legs(self) -> int:
        return self.k

    def name(self, prefix: str) -> str:
        return prefix + "bird"


def describe(a: Animal) -> str:
    return a.name("a ") + str(a.legs())


@torch.jit.interface
class Layer(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Double(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class AddOne(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = 1

    def forward(self, x: Tensor) -> Tensor:
        return x + self.one


@case("rex")
@case("")
def object_as_an_interface(n: str):
    return describe(Dog(n)), describe(Bird())


@case(True)
@case(False)
def interface_variable(flag: bool):
    a: Optional[Animal] = None
    if flag:
        a = Bird()
    if a is not None:
        return a.legs()
    return 0


@case(1)
@case(2)
def list_of_interfaces(n: int):
    xs: List[Animal] = [Dog("a"), Bird()]
    total = n
    for x in xs:
        total += x.legs()
    return total


@case(ramp(2))
@case(ramp(3))
class SubmoduleAsAnInterface(nn.Module):
    layer: Layer

    def __init__(self):
        super().__init__()
        self.layer = Double()

    def forward(self, x):
        return self.layer.forward(x)


@case(ramp(2))
@case(ramp(3))
class TwoInterfaces(nn.Module):
    a: Layer
    b: Layer

    def __init__(self):
        super().__init__()
        self.a = Double()
        self.b = AddOne()

    def forward(self, x):
        return self.a.forward(self.b.forward(x))


@case(ramp(2))
@case(ramp(3))
class InterfaceOfAListElement(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Double(), AddOne()])

    def forward(self, x):
        for i in range(2):
            for layer in self.layers:
                x = layer(x)
        return x


@case(ramp(2), 1)
@case(ramp(3), 0)
class InterfaceByVariableIndex(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Double(), AddOne()])

    def forward(self, x, i: int):
        layer: Layer = self.layers[i]
        return layer.forward(x)
