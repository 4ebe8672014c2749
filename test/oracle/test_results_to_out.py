"""`out` of other dtypes and sizes than the result: what PyTorch takes, refuses and warns of."""

import warnings

import pytest

pytest.importorskip("torch")

import torch

from support.both_sides import disagreements
from torchscript_dialect import torch as stand_in

SETUP = """
x, i, z = torch.tensor([3.0, -2.0]), torch.tensor([3, 0]), torch.tensor([3 + 4j, -1j])

def to(f, *names):
    outs = tuple(torch.zeros(2, dtype=getattr(torch, name)) for name in names)
    return f(outs[0] if len(outs) == 1 else outs)
"""

EXPRESSIONS = """
to(lambda o: torch.abs(z, out=o), 'float'); to(lambda o: torch.abs(z, out=o), 'cfloat'); to(lambda o: torch.abs(z, out=o), 'double')
to(lambda o: torch.abs(z, out=o), 'half'); to(lambda o: torch.abs(z, out=o), 'cdouble'); to(lambda o: torch.abs(z, out=o), 'long'); to(lambda o: torch.abs(x, out=o), 'double')
to(lambda o: torch.isposinf(x, out=o), 'float'); to(lambda o: torch.isneginf(i, out=o), 'bool'); to(lambda o: torch.heaviside(x, x, out=o), 'cfloat')
to(lambda o: torch.frexp(x, out=o), 'float', 'int'); to(lambda o: torch.frexp(x, out=o), 'double', 'int'); to(lambda o: torch.frexp(x, out=o), 'float', 'long')
to(lambda o: torch.float_power(x, 2, out=o), 'double'); to(lambda o: torch.float_power(x, 2, out=o), 'float'); to(lambda o: torch.float_power(2, x, out=o), 'long')
to(lambda o: torch.float_power(x, i, out=o), 'float'); to(lambda o: torch.float_power(z, 2, out=o), 'double'); to(lambda o: torch.float_power(z, 2, out=o), 'cdouble')
torch.nonzero_static(i, size=1, out=torch.zeros(1, 1)); torch.nonzero_static(i, size=1, out=torch.zeros(1, 1, dtype=torch.long))
"""


@pytest.mark.parametrize("line", EXPRESSIONS.strip().splitlines())
def test_dtypes(line: str) -> None:
    assert disagreements(SETUP, line) == []


CALLS = """
torch.add(x, x, out=torch.ones(3)); torch.add(x, x, out=torch.ones(0)); torch.add(x, x, out=torch.ones(2)); torch.mm(m, m, out=torch.ones(5))
torch.sum(m, 0, out=torch.ones(3)); torch.cat([x, x], out=torch.ones(2)); torch.max(m, 0, out=(torch.ones(3), i.clone())); torch.ones(3, out=x.clone())
torch.linspace(0, 1, 3, out=x.clone()); torch.eye(3, out=x.clone()); torch.sort(x, out=(torch.ones(3), i.new_ones(4))); torch.where(x > 0, x, x, out=torch.ones(1))
"""


@pytest.mark.parametrize("call", CALLS.replace("\n", ";").strip(";").split(";"))
def test_sizes(call: str) -> None:
    told: list[list[str]] = []
    for namespace in (torch, stand_in):
        names = {"torch": namespace}
        exec("x, i, m = torch.ones(2), torch.tensor([1, 2]), torch.ones(2, 2)", names)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            eval(call.strip(), names)
        told.append([str(each.message).partition(" (Triggered")[0] for each in caught])
    assert told[1] == told[0]
