"""What published modules keep as attributes: settings as named tuples, tables, functions, dtypes, objects, parts behind an interface."""

import math
from collections import OrderedDict
from enum import Enum
from typing import Any, Callable, Dict, Final, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class Window(NamedTuple):
    size: int
    hop: int


class Settings(NamedTuple):
    window: Window
    scale: float


class Mode(Enum):
    MEAN = "mean"
    TOTAL = "sum"


@case(ramp(8))
@case(ramp(12))
class NestedNamedTuples(nn.Module):
    def __init__(self):
        super().__init__()
        self.settings = Settings(Window(4, 2), 0.5)

    def forward(self, x):
        (size, hop), scale = self.settings
        return x.unfold(0, size, hop) * scale


@case(ramp(3))
@case(ramp(2))
class DictOfNamedTuples(nn.Module):
    windows: Dict[str, Window]

    def __init__(self):
        super().__init__()
        self.windows = {"short": Window(2, 1), "long": Window(4, 2)}

    def forward(self, x):
        total = 0
        for name, window in self.windows.items():
            total += window.size * len(name) + window.hop
        return x * total


@case(ramp(3), 1)
@case(ramp(2), 0)
class PolicyOfTuples(nn.Module):
    def __init__(self):
        super().__init__()
        self.policies = [
            (("Posterize", 0.4, 8), ("Rotate", 0.6, 9)),
            (("Invert", 0.2, None), ("Rotate", 0.6, 7)),
        ]

    def forward(self, x, index: int):
        for i, (name, chance, magnitude) in enumerate(self.policies[index]):
            x = x * chance
            if magnitude is not None:
                x = x + magnitude + len(name) + i
        return x


@case("a")
@case("b")
class TableOfOptionals(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = {"a": (1, None), "b": (2, 3)}

    def forward(self, key: str):
        first, second = self.sizes[key]
        return first if second is None else first + second


@case(ramp(3))
@case(ramp(2, 2))
class FunctionAsActivation(nn.Module):
    def __init__(self, activation: Callable[[Tensor], Tensor] = F.relu):
        super().__init__()
        self.activation = activation
        self.final = torch.tanh

    def forward(self, x):
        return self.final(self.activation(x) + 1)


@case(ramp(3))
@case(arr([1, 2], "int64"))
class DtypeAsAttribute(nn.Module):
    def __init__(self, dtype=torch.float64):
        super().__init__()
        self.dtype = dtype

    def forward(self, x):
        return x.to(self.dtype), torch.zeros(2, dtype=self.dtype)


class Coder:
    """An object that is not scripted by anyone."""

    def __init__(self, weights: Tuple[float, float], clip: float = math.log(8.0)):
        self.weights = weights
        self.clip = clip

    def decode(self, x: Tensor) -> Tensor:
        a, b = self.weights
        return (x / a).clamp(max=self.clip).exp() * b

    def __len__(self) -> int:
        return len(self.weights)


@case(ramp(3))
@case(ramp(4))
class ObjectAsAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.coder = Coder((0.5, 2.0))

    def forward(self, x):
        return self.coder.decode(x) + len(self.coder)


@case(ramp(3))
@case(ramp(4))
class ObjectsInAList(nn.Module):
    def __init__(self):
        super().__init__()
        self.coders = [Coder((0.5, 2.0)), Coder((1.0, 3.0), 0.1)]

    def forward(self, x):
        for coder in self.coders:
            x = coder.decode(x)
        return x


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


class Doubled(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x * 2


class Shifted(nn.Module):
    def __init__(self, by: float):
        super().__init__()
        self.by = by

    def forward(self, x: Tensor) -> Tensor:
        return x + self.by


class Holder(nn.Module):
    layer: Layer

    def __init__(self, layer: nn.Module):
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


@case(ramp(3))
@case(ramp(4))
class HoldersOfDifferentLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Holder(Doubled())
        self.second = Holder(Shifted(0.5))

    def forward(self, x: Tensor) -> Tensor:
        return self.second(self.first(x))


class Functional(nn.Module):
    """What a program has in the place of `Transform`."""

    def __init__(self, factor: int):
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


class Transform(nn.Module):
    def __init__(self, factor: int):
        super().__init__()
        self.factor = factor

    def __prepare_scriptable__(self):
        return Functional(self.factor)

    def forward(self, *inputs: Any) -> Any:
        return [each * self.factor for each in inputs]


@case(ramp(3))
@case(ramp(4))
class PreparedTransforms(nn.Module):
    def __init__(self):
        super().__init__()
        self.transforms = nn.ModuleList([Transform(2), Transform(3)])

    def forward(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x


@case(ramp(3))
@case(ramp(4))
class SetOfConstants(nn.Module):
    __constants__ = {"scale", "names"}

    def __init__(self):
        super().__init__()
        self.scale = 3
        self.names = ("a", "b")

    def forward(self, x):
        if self.scale > 2:
            return x * self.scale + len(self.names)
        return x


@case(ramp(3))
@case(ramp(4))
class EnumAsAttribute(nn.Module):
    def __init__(self, mode: Mode = Mode.MEAN):
        super().__init__()
        self.mode = mode

    def forward(self, x):
        if self.mode == Mode.MEAN:
            return x.mean(), self.mode.value
        return x.sum(), self.mode.name


@case(ramp(3))
@case(ramp(4))
class FinalFlag(nn.Module):
    fused: Final[bool]
    limit: Final[int] = 3

    def __init__(self):
        super().__init__()
        self.fused = False

    def forward(self, x):
        if self.fused:
            return torch.no_such_operator(x)
        return x.clamp(max=self.limit)


@case(ramp(2, 3))
@case(ramp(4, 3))
class OptionalBuffer(nn.Module):
    mask: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.register_buffer("mask", None, persistent=False)
        self.register_buffer("scale", torch.tensor([1.0, 2.0, 3.0]))

    def forward(self, x):
        mask = self.mask
        if mask is not None:
            x = x.masked_fill(mask, 0.0)
        self.mask = x > 0
        return x * self.scale


@case(ramp(2, 3))
@case(ramp(4, 3))
class MeanAsTuple(nn.Module):
    def __init__(self, mean=(0.5, 0.25, 0.125), std=(0.5, 0.5, 2.0)):
        super().__init__()
        self.mean = mean
        self.std = list(std)

    def forward(self, x):
        mean = torch.as_tensor(self.mean, dtype=x.dtype)
        std = torch.as_tensor(self.std, dtype=x.dtype, device=x.device)
        return (x - mean) / std, torch.as_tensor(2), torch.as_tensor(x) is x, torch.as_tensor(0.5)


@case(ramp(2, 3))
@case(ramp(4, 3))
class ResultsInOrder(nn.Module):
    def forward(self, x):
        out = OrderedDict()
        out["out"] = x * 2
        out["aux"] = x + 1
        return out


@case(ramp(2))
@case(ramp(3))
class KeptByAProperty(nn.Module):
    """PyTorch asks for all properties before it looks at attributes: what one keeps has its type then."""

    def __init__(self):
        super().__init__()
        self._rate = None
        self.weight = nn.Parameter(torch.ones(1))

    def _find(self):
        try:
            self._rate = float(next(self.parameters()).sum())
        except StopIteration:
            pass

    @property
    def rate(self) -> float:
        if self._rate is None:
            self._find()
        return self._rate

    def forward(self, x):
        return x * self.rate
