"""Modules: what they lack, how they are called, what their methods do."""

from typing import Dict, Final, List, Tuple

from examples._torch import torch

nn = torch.nn
Module = nn.Module


class MissingAttribute(Module):
    def forward(self, x):
        return x + self.weight


class MissingMethod(Module):
    def forward(self, x):
        return self.helper(x)


class NearAttribute(Module):
    def __init__(self):
        super().__init__()
        self.weight = 3

    def forward(self, x):
        return x + self.wieght


class NearMethod(Module):
    def normalize(self, x):
        return x

    def forward(self, x):
        return self.normalise(x)


class EmptyListAttribute(Module):
    def __init__(self):
        super().__init__()
        self.items = []

    def forward(self, x):
        return x + len(self.items)


class EmptyDictAttribute(Module):
    def __init__(self):
        super().__init__()
        self.items = {}

    def forward(self, x):
        return x + len(self.items)


class MixedListAttribute(Module):
    def __init__(self):
        super().__init__()
        self.items = [1, "a"]

    def forward(self, x):
        return x + self.items[0]


class ObjectAttribute(Module):
    def __init__(self):
        super().__init__()
        self.thing = object()

    def forward(self, x):
        return x + self.thing


class SetAttribute(Module):
    def __init__(self):
        super().__init__()
        self.seen = {1, 2}

    def forward(self, x):
        return x + len(self.seen)


class LambdaAttribute(Module):
    def __init__(self):
        super().__init__()
        self.f = lambda x: x + no_such_name  # noqa: F821

    def forward(self, x):
        return self.f(x)


class NoneAttribute(Module):
    def __init__(self):
        super().__init__()
        self.bias = None

    def forward(self, x):
        return x + self.bias


class AssignWrongType(Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x):
        self.count = "text"
        return x


class AssignNewAttribute(Module):
    def forward(self, x):
        self.last = x
        return x


class AssignNearAttribute(Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x):
        self.cuont = 1
        return x


class AssignConstant(Module):
    __constants__ = ["size"]

    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, x):
        self.size = 4
        return x


class AssignSubmodule(Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        self.inner = x
        return x


class AssignAnnotated(Module):
    def __init__(self):
        super().__init__()
        self.count = 0

    def forward(self, x):
        self.count: int = 1
        return x


class AnnotationWrong(Module):
    items: List[str]

    def __init__(self):
        super().__init__()
        self.items = [1, 2]

    def forward(self, x):
        return len(self.items) + no_such_thing  # noqa: F821


class ForwardTooFew(Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        return self.inner()


class ForwardTooMany(Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        return self.inner(x, x)


class ForwardWrongType(Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, s: str):
        return self.inner(s)


class MethodWrongType(Module):
    def helper(self, n: int):
        return n

    def forward(self, x):
        return self.helper("a")


class MethodTooMany(Module):
    def helper(self, n: int):
        return n

    def forward(self, x):
        return self.helper(1, 2)


class IndexModuleListVariable(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU()])

    def forward(self, x, n: int):
        return self.layers[n](x)


class IndexModuleListOutOfRange(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x):
        return self.layers[3](x)


class IndexModuleDictVariable(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"a": nn.Linear(2, 2)})

    def forward(self, x, s: str):
        return self.layers[s](x)


class IndexModuleDictMissing(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"a": nn.Linear(2, 2)})

    def forward(self, x):
        return self.layers["b"](x)


class IterateModule(Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        for layer in self.inner:
            x = layer(x)
        return x


class LenOfModule(Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        return len(self.inner)


class CallModuleList(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x):
        return self.layers(x)


class BreakInUnrolledLoop(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            break
        return x


class ContinueInUnrolledLoop(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x, n: int):
        for layer in self.layers:
            if n > 1:
                continue
            x = layer(x)
        return x


class ModuleAsValue(Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        return x + self.inner


class MethodAsValue(Module):
    def helper(self, n: int):
        return n

    def forward(self, x):
        return self.helper


class RecursiveMethod(Module):
    def forward(self, x):
        return self.forward(x)


class ForwardVarargs(Module):
    def forward(self, *xs):
        return xs[0]


class ExportBroken(Module):
    def forward(self, x):
        return x

    @torch.jit.export
    def other(self, x):
        return x + not_there  # noqa: F821


class PropertyBroken(Module):
    @property
    def size(self):
        return not_there  # noqa: F821

    def forward(self, x):
        return x + self.size


class PropertyReadOnly(Module):
    @property
    def size(self) -> int:
        return 3

    def forward(self, x):
        self.size = 4
        return x


class StaticWrongArgument(Module):
    @staticmethod
    def double(n: int) -> int:
        return n * 2

    def forward(self, x):
        return self.double("a")


class NewModuleInForward(Module):
    def forward(self, x):
        layer = nn.Linear(2, 2)
        return layer(x)


class ParameterInForward(Module):
    def forward(self, x):
        return nn.Parameter(x)


class TypeMismatchInForward(Module):
    def forward(self, x) -> Tuple[int, int]:
        return x


class LoopOverNamed(Module):
    def forward(self, x):
        for name, p in self.named_parameters_of():
            x = x + p
        return x


class DictAttributeKey(Module):
    def __init__(self):
        super().__init__()
        self.table: Dict[str, int] = {"a": 1}

    def forward(self, x):
        return x + self.table[1]


class SuperCall(Module):
    def forward(self, x):
        return super().forward(x)


_GLOBAL = nn.ReLU()
_WEIGHT = torch.ones(2)


class GlobalTensor(Module):
    def forward(self, x):
        return x + _WEIGHT


class HasNoForward(Module):
    def __init__(self):
        super().__init__()
        self.inner = _NoForward()

    def forward(self, x):
        return self.inner(x)


class _NoForward(Module):
    def other(self, x):
        return x


class SetsFinal(Module):
    count: Final[int] = 3

    def forward(self, n: int):
        self.count = n
        return n


class SetsConstant(Module):
    __constants__ = ["count"]

    def __init__(self):
        super().__init__()
        self.count = 3

    def forward(self, n: int):
        self.count = n
        return n


class ClassMethodMakesItself(Module):
    @classmethod
    def again(cls, n: int) -> int:
        return cls(n)

    def forward(self, n: int) -> int:
        return self.again(n)


SUGGESTIONS = {
    "NearAttribute": "weight",
    "NearMethod": "normalize",
    "AssignNearAttribute": "count",
}


class _List(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.ReLU(), nn.ReLU()])


class ListFromTheEndTooFar(_List):
    def forward(self, x):
        return self.parts[-4](x)
