"""Interfaces."""

from examples._torch import torch


class _Point:
    def __init__(self, x: int, y: int):
        self.x = x
        self.y = y


class _Square:
    def __init__(self, side: int):
        self.side = side

    def area(self, scale: str) -> int:
        return self.side


@torch.jit.interface
class _Shape:
    def area(self, x: int) -> int:
        pass


def interface_unknown_method(s: _Shape):
    return s.volume(1)


def interface_wrong_argument(s: _Shape):
    return s.area("a")


def interface_construct():
    return _Shape()


def interface_not_implemented():
    s: _Shape = _Point(1, 2)
    return s.area(1)


def interface_other_signature():
    s: _Shape = _Square(1)
    return s.area(1)


def interface_near_method(s: _Shape):
    return s.aera(1)


def interface_attribute(s: _Shape):
    return s.side


SUGGESTIONS = {"interface_near_method": "area"}
