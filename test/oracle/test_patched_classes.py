"""Classes as libraries write them: with methods that come after they were compiled, which are Python's alone, and with comparisons."""

import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in


def distance(a: float, b: float) -> float:
    return b - a


def pieces(self, *counts, kind=print):
    return [each for each in counts if each is not ...]


@pytest.mark.parametrize("script", [torch.jit.script, stand_in.jit.script])
def test_methods_that_came_later_are_not_compiled(script) -> None:
    class Interval:
        low: float

        def __init__(self, low: float, high: float):
            self.low = low
            self.high = high

        @property
        def width(self) -> float:
            return distance(self.low, self.high)

        def middle(self) -> float:
            return self.low + self.width / 2

    script(Interval)
    Interval.pieces = pieces  # pyright: ignore
    Interval.middle = pieces  # pyright: ignore

    def middle_of(low: float, high: float) -> float:
        return Interval(low, high).middle()

    assert ts.script(middle_of)(1.0, 4.0) == 2.5


class Money:
    cents: int

    def __init__(self, cents: int):
        self.cents = cents

    def is_like(self, other: int) -> bool:
        return isinstance(other, self.__class__)


def compared(cents: int) -> tuple[bool, bool]:
    money = Money(cents)
    return money.is_like(cents), isinstance(money, money.__class__)


def test_the_class_of_an_object_is_no_type_of_a_program() -> None:
    """Python would say True of the second."""
    torch.jit.script(Money)
    theirs: tuple[bool, bool] = torch.jit.script(compared)(3)
    assert ts.script(compared)(3) == theirs == (False, False)
