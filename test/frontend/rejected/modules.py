"""Modules."""

from typing import (
    Callable,
    ClassVar,
    Dict,
    Final,
    List,
    Literal,
    Optional,
    Sequence,
    Tuple,
)

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


class _List(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.ReLU(), nn.ReLU()])


class ListFromTheEndTooFar(_List):
    def forward(self, x):
        return self.parts[-4](x)
