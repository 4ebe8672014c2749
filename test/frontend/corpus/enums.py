"""Enum."""
from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


class Mode(Enum):
    FAST = "fast"
    SLOW = "slow"


class Level(Enum):
    LOW = 0.5
    HIGH = 1.5


@case(Color.RED)
@case(Color.BLUE)
def value_and_name(c: Color):
    return c.value, c.name


@case(Color.RED)
@case(Color.BLUE)
def comparison(c: Color):
    return c == Color.RED, c != Color.GREEN, c is Color.RED if False else True


@case(Color.RED)
@case(Color.GREEN)
@case(Color.BLUE)
def dispatch(c: Color):
    if c == Color.RED:
        return "r"
    elif c == Color.GREEN:
        return "g"
    else:
        return "b"


@case(1)
@case(-1)
def enum_result(x: int):
    if x > 0:
        return Color.RED
    return Color.BLUE


@case(Mode.FAST)
@case(Mode.SLOW)
def string_values(m: Mode):
    return m.value + "!", m == Mode.FAST, Mode.SLOW.value


@case(Level.LOW)
@case(Level.HIGH)
def float_values(m: Level):
    return m.value * 2, m.name


@case(1)
@case(2)
def members_are_constants(x: int):
    return Color.RED.value + x, Color.GREEN.name


@case(1)
@case(2)
def iteration(x: int):
    names: List[str] = []
    total = x
    for c in Color:
        names.append(c.name)
        total += c.value
    return names, total


@case([Color.RED, Color.BLUE])
@case([])
def list_of_enums(cs: List[Color]):
    n = 0
    for c in cs:
        if c == Color.BLUE:
            n += 1
    return n


@case(Color.RED)
@case(Color.GREEN)
def dict_of_enum_values(c: Color):
    d: Dict[str, Color] = {"a": Color.RED, "b": c}
    return d["b"] == c, d


@case(None)
@case(Color.RED)
def optional_enum(c: Optional[Color]):
    if c is None:
        c = Color.GREEN
    return c.name


@case(Color.RED, Mode.FAST)
@case(Color.BLUE, Mode.SLOW)
def two_enums(c: Color, m: Mode):
    return c == Color.RED and m == Mode.FAST


@case(ramp(2))
@case(ramp(3))
class ModuleWithEnum(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.color = Color.GREEN

    def forward(self, x):
        if self.color == Color.GREEN:
            return x * 2
        return x


@case(True)
@case(False)
def enum_variable(flag: bool):
    c = Color.RED
    if flag:
        c = Color.GREEN
    return c.value


@case(3)
@case(0)
def all_members_twice(n: int):
    """Each loop has a list of its own."""
    for color in Color:
        n += color.value
    for color in Color:
        n -= 2 * color.value
    return n
