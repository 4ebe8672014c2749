"""Enums: members as constants, attributes, comparison, containers, iteration."""
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case

Tensor = torch.Tensor


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Name(Enum):
    FIRST = "first"
    SECOND = "second"


class Weight(Enum):
    LIGHT = 0.5
    HEAVY = 2.0


@case(Color.RED)
@case(Color.BLUE)
def enum_argument(c: Color) -> int:
    return c.value


@case(Color.RED)
@case(Color.GREEN)
def enum_name(c: Color) -> str:
    return c.name


@case(1)
@case(2)
def enum_constant_returned(n: int) -> Color:
    if n == 1:
        return Color.RED
    return Color.GREEN


@case(Color.RED)
@case(Color.GREEN)
def enum_compared(c: Color) -> bool:
    return c == Color.RED


@case(Color.RED, Color.RED)
@case(Color.RED, Color.GREEN)
def enum_not_equal(a: Color, b: Color) -> bool:
    return a != b


@case(Color.RED, Color.RED)
@case(Color.RED, Color.GREEN)
def enum_is(a: Color, b: Color) -> bool:
    return a is b


@case(Color.RED, Color.RED)
@case(Color.RED, Color.GREEN)
def enum_is_not(a: Color, b: Color) -> bool:
    return a is not b


@case(Name.FIRST)
@case(Name.SECOND)
def enum_of_strings(n: Name) -> Tuple[str, str]:
    return n.name, n.value


@case(Weight.LIGHT, 2.0)
@case(Weight.HEAVY, 2.0)
def enum_of_floats(w: Weight, x: float) -> float:
    return w.value * x


@case()
@case()
def enum_iterated():
    total = 0
    for c in Color:
        total += c.value
    return total


@case()
@case()
def enum_iterated_in_comprehension() -> List[int]:
    return [c.value for c in Color]


@case()
@case()
def enum_members_listed() -> List[Color]:
    return [c for c in Color]


@case([Color.RED, Color.GREEN])
@case([Color.BLUE])
def enum_list(cs: List[Color]) -> int:
    return sum([c.value for c in cs])


@case(None)
@case(Color.GREEN)
def enum_optional(c: Optional[Color]) -> int:
    if c is None:
        return 0
    return c.value


@case(arr([1.0, 2.0]), Color.GREEN)
@case(arr([1.0, 2.0]), Color.RED)
def enum_chooses(x: Tensor, c: Color) -> Tensor:
    if c == Color.RED:
        return x + c.value
    elif c == Color.GREEN:
        return x * 2
    else:
        return x


@case(arr([1.0]))
@case(arr([2.0]))
class EnumAttribute(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.color = Color.GREEN

    def forward(self, x):
        return x * self.color.value


class Pair(NamedTuple):
    x: int
    y: float = 2.0


@case(Pair(1, 3.0))
@case(Pair(4))
def named_tuple_default_in_type(p: Pair) -> float:
    return p.x * p.y


@case(3)
@case(4)
def named_tuple_made_with_default(n: int) -> Pair:
    return Pair(n)


class Options(NamedTuple):
    scale: float
    name: str = "n"
    sizes: Tuple[int, int] = (1, 2)
    maybe: Optional[int] = None
    flag: bool = True


@case(1.0)
@case(2.0)
def named_tuple_many_defaults(s: float) -> Options:
    o = Options(s)
    return o


@case(1.0)
@case(2.0)
def named_tuple_keywords(s: float) -> Tuple[float, str, bool]:
    o = Options(name="x", scale=s, flag=False)
    return o.scale, o.name, o.flag


@case([Pair(1, 2.0)])
@case([Pair(1, 2.0), Pair(2)])
def named_tuple_list(ps: List[Pair]) -> float:
    total = 0.0
    for p in ps:
        total += p.y
    return total


_CHOSEN = Color.GREEN
_NAMES = Name


@case(1)
@case(3)
def global_member(n: int) -> Tuple[int, str, bool]:
    return _CHOSEN.value + n, _CHOSEN.name, _CHOSEN == Color.GREEN


@case(Color.GREEN)
@case(Color.BLUE)
def argument_against_global_member(c: Color) -> Tuple[bool, Color]:
    return c == _CHOSEN, _CHOSEN


@case(Name.FIRST)
@case(Name.SECOND)
def member_of_an_alias(n: Name) -> Tuple[bool, str]:
    return n != _NAMES.SECOND, _NAMES.FIRST.value
