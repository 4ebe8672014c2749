"""Classes that get methods after they were compiled: those are Python's alone, as where a library adds operators for users."""

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

    def middle_of(low: float, high: float) -> float:
        return Interval(low, high).middle()

    assert ts.script(middle_of)(1.0, 4.0) == 2.5
