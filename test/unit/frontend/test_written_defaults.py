"""Default values of parameters and fields are of the types of these. Lists are read; what writes to one is refused, as it would be
kept from call to call.
"""

from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest

import torchscript_dialect as ts

TEXT = """
class Plan(NamedTuple):
    steps: int
    rates: List[int] = [1, 2]

def reads(n: int):
    return Plan(n).rates, len(Plan(n).rates)

def writes(n: int):
    plan = Plan(n)
    plan.rates.append(n)
    return plan.rates

def appends(n: int, to: List[int]):
    to.append(n)
    return to

def writes_to_given(n: int):
    return Plan(n, [n]).rates + appends(n, [0])

def writes_in_a_call(n: int):
    return appends(n, Plan(n).rates)
"""
HEAD, *FUNCTIONS = TEXT.split("\ndef ")


def unit(*names: str) -> ts.CompilationUnit:
    wanted = [f for f in FUNCTIONS if f.partition("(")[0] in names]
    return ts.CompilationUnit(HEAD + "".join(f"\ndef {f}" for f in wanted))


def test_defaults_are_read() -> None:
    made = unit("reads", "appends", "writes_to_given")
    for _ in range(3):
        assert made.reads(3) == ([1, 2], 2)
        assert made.writes_to_given(4) == [4, 0, 4]


@pytest.mark.parametrize(("names", "line"), [(["writes"], 8), (["appends", "writes_in_a_call"], 7)])
def test_writing_is_refused(names: list[str], line: int) -> None:
    with pytest.raises(ts.TorchScriptError, match=f"a default value.*string>:{line}:4"):
        unit(*names)


def flag(y: bool = 1):  # pyright: ignore[reportArgumentType]
    return y


def count(y: int = True):
    return y


def ratio(y: float = np.float32(0.5)):  # pyright: ignore[reportArgumentType]
    return y


def pair(y: tuple[int, float] = (1, 2)):
    return y


def steps(y: list[float] = (1, True)):  # pyright: ignore[reportArgumentType]
    return y


@pytest.mark.parametrize(
    ("function", "schema", "value"),
    [
        (flag, "flag(bool y=True) -> bool", True),
        (count, "count(int y=1) -> int", 1),
        (ratio, "ratio(float y=0.5) -> float", 0.5),
        (pair, "pair((int, float) y=(1, 2.)) -> ((int, float))", (1, 2.0)),
        (steps, "steps(float[] y=[1., 1.]) -> float[]", [1.0, 1.0]),
    ],
)
def test_a_default_is_of_its_parameters_type(function: Any, schema: str, value: Any) -> None:
    made = ts.script(function)
    assert str(made.schema) == schema
    assert repr(made()) == repr(value)


@pytest.mark.parametrize(
    ("type_", "default"),
    [
        ("List[int]", "[1.5]"),
        ("Tuple[int, float]", "(1.5, 2)"),
        ("Tuple[int, float]", "(1, 2.0, 3)"),
        ("Union[int, str]", "1.5"),
        ("Union[float, str]", "1"),
    ],
)
def test_a_default_of_another_type_is_refused(type_: str, default: str) -> None:
    with pytest.raises(ts.TorchScriptError, match="Expected a default value of type"):
        ts.CompilationUnit(f"def f(x, y: {type_} = {default}):\n    return y\n")


class Rates(NamedTuple):
    steps: int
    rate: float = 1
    is_even: bool = False


def all_rates(n: int):
    return Rates(n, 2.0), Rates(n, rate=0.5, is_even=True)


def usual_rate(n: int):
    return Rates(n)


def test_a_field_of_another_type_is_refused_where_its_default_is_used() -> None:
    assert ts.script(all_rates)(3) == ((3, 2.0, False), (3, 0.5, True))
    message = r"Expected a value of type 'float' for argument 'rate' but instead found type 'int'"
    with pytest.raises(ts.TorchScriptError, match=message):
        ts.script(usual_rate)


class Color(Enum):
    RED = 1


def of_color(c: Color = 1):  # pyright: ignore[reportArgumentType]
    return c


def test_a_number_is_no_member_of_an_enum() -> None:
    with pytest.raises(ts.TorchScriptError, match="Expected a default value of type"):
        ts.script(of_color)
