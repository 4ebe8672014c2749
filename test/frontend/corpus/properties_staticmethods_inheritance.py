"""Properties, static and class methods, inheritance, constants of classes and modules."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



class Temperature:
    def __init__(self, celsius: float):
        self.celsius = celsius

    @property
    def fahrenheit(self) -> float:
        return self.celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value: float):
        self.celsius = (value - 32) * 5 / 9

    @property
    def kelvin(self) -> float:
        return self.celsius + 273.15


class Maths:
    def __init__(self, n: int):
        self.n = n

    @staticmethod
    def square(x: int) -> int:
        return x * x

    @staticmethod
    def cube(x: int) -> int:
        return x * x * x

    def run(self) -> int:
        return Maths.square(self.n) + Maths.cube(self.n)


@case(100.0)
@case(-40.0)
def property_getter(c: float):
    t = Temperature(c)
    return t.fahrenheit, t.kelvin


@case(212.0)
@case(0.0)
def property_setter(f: float):
    t = Temperature(1.0)
    t.fahrenheit = f
    return t.celsius, t.fahrenheit


@case(3)
@case(-2)
def static_methods(n: int):
    return Maths.square(n), Maths.cube(n)


@case(3)
@case(-2)
def static_methods_of_an_object(n: int):
    return Maths(n).run(), Maths.square(2)


@case(ramp(2))
@case(ramp(3))
class ModuleWithProperty(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    @property
    def doubled(self) -> float:
        return self.scale * 2

    def forward(self, x):
        return x * self.doubled


@case(ramp(2))
@case(ramp(3))
class ModuleWithPropertySetter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self._k = 2

    @property
    def k(self) -> int:
        return self._k + 1

    @k.setter
    def k(self, value: int):
        self._k = value

    def forward(self, x):
        self.k = 10
        return x * self.k


@case(ramp(2))
@case(ramp(3))
class ModuleWithStaticMethod(torch.nn.Module):
    def __init__(self):
        super().__init__()

    @staticmethod
    def helper(x, k: int):
        return x * k

    def forward(self, x):
        return self.helper(x, 3) + ModuleWithStaticMethod.helper(x, 2)


class Base(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2

    def helper(self, x):
        return x * self.k

    def forward(self, x):
        return self.helper(x)


@case(ramp(2))
@case(ramp(3))
class Derived(Base):
    def __init__(self):
        super().__init__()
        self.k = 5

    def helper(self, x):
        return x + self.k


@case(ramp(2))
@case(ramp(3))
class DerivedWithNothing(Base):
    pass


@case(ramp(2))
@case(ramp(3))
class DerivedForward(Base):
    def forward(self, x):
        return self.helper(x) - 1


@case(ramp(2))
@case(ramp(3))
class UnusedProperty(torch.nn.Module):
    __jit_unused_properties__ = ["bad"]

    def __init__(self):
        super().__init__()

    @property
    def bad(self):
        return [1, 'a']

    def forward(self, x):
        return x + 1
