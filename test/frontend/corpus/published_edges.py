"""Forms at the edge of the language that a survey of published packages met."""

import enum
import functools
from typing import Optional

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn


@functools.cache
def is_version(operation: str, version: str):
    return torch.ones(1)


@functools.cache
def scale_of(name: str, by: int = 2) -> int:
    return len(name) * by


@case(ramp(2, 3))
@case(ramp(3))
def cached_python_functions(x):
    """A wrapped function is no function: it is called in Python, by what its annotations say."""
    if x.dim() == 1 and is_version("<", "2.0"):
        return x + 1
    return x * scale_of("abc", 3)


@case(ramp(2, 3))
@case(ramp(3))
@case(ramp(2, 2, 2))
def returns_on_some_paths(x):
    if x.dim() == 1:
        return x * 2
    if x.dim() == 2:
        return x + 1


@case(4)
@case(-1)
def number_or_nothing(n: int):
    if n > 0:
        return n


@case(ramp(4, 4, 2), 2)
@case(ramp(6, 6, 2), 3)
def blocks_by_slice_objects(x, half: int):
    made = torch.zeros(2 * half, 2 * half)
    made[..., slice(0, 2 * half, 2), slice(1, 2 * half, 2)] = x[:half, :half, 0]
    made[slice(1, 2 * half, 2), slice(0, 2 * half, 2)] = -x[slice(half), slice(0, half), 1]
    return made, made[slice(1, half * 2), 1 : 2 * half]


class Block(nn.Module):
    def forward(self, x):
        x = torch.cat(x, dim=1) if isinstance(x, tuple) else x
        return x * 2


@case(ramp(2, 3))
@case(ramp(3))
class TupleOrTensor(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)


class InPython(nn.Module):
    @torch.jit.ignore
    def forward(self, x: Tensor) -> Tensor:
        batch = [part for part in x]
        return torch.stack([*reversed(batch)])


@case(ramp(2, 3))
@case(ramp(3))
class PartWhoseForwardIsIgnored(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = InPython()

    def forward(self, x):
        return self.part(x) + 1


@case(ramp(2, 3))
@case(ramp(3))
class PropertyWithAClassesName(nn.Module):
    """`__name__` of a class is its name, whatever properties its objects have."""

    def __init__(self):
        super().__init__()
        self._name: Optional[str] = None

    @property
    def __name__(self):
        return self.__class__.__name__.lower()

    def forward(self, x):
        return x + 1


class Kind(enum.Enum):
    NEAR = "near"
    FAR = "far"
    ROTATED = "rotated"


@case(ramp(3), "far")
@case(ramp(2, 2), "near")
def members_mentioned_more_than_once(x, name: str):
    """Each mention of a member is an object of its own."""
    kind = Kind.FAR if name == Kind.FAR.value else Kind.NEAR
    if kind == Kind.NEAR or kind == Kind.ROTATED:
        x = x + 1
    if kind == Kind.FAR or kind == Kind.ROTATED:
        x = x * 2
    return x, kind is Kind.NEAR, kind != Kind.FAR


@case(ramp(3))
@case(ramp(2, 2))
def checked_asynchronously(x):
    """What only checks is dead code."""
    torch._assert_async((x > 1e6).any())
    torch._assert_async(x.isfinite().all(), "not finite")
    return x + 1


@case(ramp(3))
@case(ramp(2, 2))
class Heads(nn.Module):
    """The classes of submodules are asked for; a class is known once a module of it was compiled."""

    def __init__(self):
        super().__init__()
        self.drop_path = nn.Identity()
        self.heads = nn.ModuleList([nn.ReLU(), nn.Identity()])

    def forward(self, x):
        x = self.drop_path(x)
        if isinstance(self.heads[0], nn.Identity):
            return x
        if isinstance(self.heads[1], (nn.Identity, nn.ReLU)):
            x = x + 2
        for head in self.heads:
            if isinstance(head, nn.Identity):
                x = x * 3
            else:
                x = head(x)
        return x


class Split(nn.Module):
    """Chooses its `forward` when it is made."""

    def __init__(self, way: str):
        super().__init__()
        self.forward = self.forward_slicing if way == "slicing" else self.forward_cat

    def forward_slicing(self, x):
        x = x.clone()
        x[:1] = x[:1] * 2
        return x

    def forward_cat(self, x):
        first, others = x[:1], x[1:]
        return torch.cat((first * 3, others))


@case(ramp(3))
@case(ramp(2, 2))
class ForwardThatWasAssigned(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Split("slicing")

    def forward(self, x):
        return self.one(x)


@case(ramp(3))
@case(ramp(2, 2))
class OwnForwardThatWasAssigned(nn.Module):
    def __init__(self):
        super().__init__()
        self.forward = self.forward_cat

    def forward_cat(self, x):
        return torch.cat((x, x))


@case(ramp(3))
@case(ramp(2, 2))
class StringsOfSeveralLines(nn.Module):
    """The function's indentation is taken off all lines of its text."""

    def forward(self, x):
        shown = """first
            second
        third
    fourth"""
        return x, shown, f"a \
            b {x.dim()}", "one \
        two"


activation = nn.ReLU()


@case(ramp(3))
@case(-ramp(2, 2))
def module_that_is_a_global(x):
    """A module that is no part of another is called in Python."""
    return activation(x) + 1


@case(arr([1, 2]))
@case(arr([1, 2], "int64"))
def conversions_by_type(x):
    return x.type(torch.float64), x.type(dtype=torch.int), x.type(torch.float16, copy=True), x.type("cpu").dtype


@case("x", arr([1.0]))
@case("n", arr([1], "int64"))
def told_the_type(name: str, x):
    if not torch.is_floating_point(x):
        raise TypeError("`{}` is no tensor of floats but {}".format(name, x.type().dim()))
    return x.type().dtype, x.type(None).dtype
