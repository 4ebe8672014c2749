"""Lists that are defaults, of fields and of parameters, are read; what writes to one is refused, as it would be kept from call to call."""

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
