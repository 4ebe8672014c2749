"""Annotations and values of the attributes of modules."""

from typing import Callable, ClassVar, Final, Literal, Optional, Sequence

from examples._torch import torch

nn = torch.nn
Module = nn.Module


class AttributeOfTextInt(Module):
    count: "int"

    def __init__(self):
        super().__init__()
        self.count = 3

    def forward(self, n: int):
        return n + self.count


class AttributeOfTextOptional(Module):
    mask: "Optional[torch.Tensor]"

    def __init__(self):
        super().__init__()
        self.mask = None

    def forward(self, n: int):
        return n


class ParameterOfText(Module):
    weight: "nn.Parameter"

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, n: int):
        return n


class BufferOfText(Module):
    mean: "torch.Tensor"

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.ones(1))

    def forward(self, n: int):
        return n


class SubmoduleOfText(Module):
    inner: "nn.ReLU"

    def __init__(self):
        super().__init__()
        self.inner = nn.ReLU()

    def forward(self, n: int):
        return n


class ConstantOfText(Module):
    limit: "Final[int]"

    def __init__(self):
        super().__init__()
        self.limit = 3

    def forward(self, n: int):
        return n + self.limit


class SubmoduleByAnyClass(Module):
    k: Module

    def __init__(self):
        super().__init__()
        self.k = nn.ReLU()

    def forward(self, n: int):
        return n


class OptionalSubmodule(Module):
    k: Optional[Module]

    def __init__(self):
        super().__init__()
        self.k = None

    def forward(self, n: int):
        return n


class NoCallable(Module):
    k: Callable

    def __init__(self):
        super().__init__()
        self.k = None

    def forward(self, n: int):
        return n


class NoCallableOfInts(Module):
    k: Callable[[int], int]

    def __init__(self):
        super().__init__()
        self.k = None

    def forward(self, n: int):
        return n


class OptionalCallable(Module):
    k: Optional[Callable]

    def __init__(self):
        super().__init__()
        self.k = None

    def forward(self, n: int):
        return n


class SequenceOfInts(Module):
    k: Sequence[int]

    def __init__(self):
        super().__init__()
        self.k = [1]

    def forward(self, n: int):
        return n


class PlainDict(Module):
    k: dict

    def __init__(self):
        super().__init__()
        self.k = {}

    def forward(self, n: int):
        return n


class LiteralText(Module):
    k: Literal["a", "b"]

    def __init__(self):
        super().__init__()
        self.k = "a"

    def forward(self, n: int):
        return n


class ClassVariable(Module):
    k: ClassVar[int]

    def __init__(self):
        super().__init__()
        self.k = 3

    def forward(self, n: int):
        return n


class AnyObject(Module):
    k: object

    def __init__(self):
        super().__init__()
        self.k = 3

    def forward(self, n: int):
        return n


class NumberForTensor(Module):
    k: torch.Tensor

    def __init__(self):
        super().__init__()
        self.k = 3

    def forward(self, n: int):
        return n


def _holding(value):
    """A module whose attribute has a value that has no type."""

    class Holds(Module):
        def __init__(self):
            super().__init__()
            self.held = value

        def forward(self):
            return self.held

    return Holds


HoldsNothing = _holding([])
HoldsNoEntries = _holding({})
HoldsIntAndStr = _holding([1, "a"])
HoldsKeysOfTwoTypes = _holding({"a": 1, 2: 3})
HoldsValuesOfTwoTypes = _holding({"a": 1, "b": "c"})
HoldsAnObject = _holding([object()])
HoldsAnObjectInATuple = _holding((1, object()))
HoldsEmptyLists = _holding([[], [1]])
HoldsASet = _holding({1, 2})
HoldsALayer = _holding({"a": [torch.nn.Linear(1, 1)]})
