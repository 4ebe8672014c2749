"""`out` of other dtypes than the result: what PyTorch takes and refuses."""

import pytest

pytest.importorskip("torch")

from support.both_sides import disagreements

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
x.float_power_(2); i.float_power_(x); x.double().float_power_(2j); x.double().float_power_(i); to(lambda o: torch.float_power(x, i, out=o), 'float'); to(lambda o: torch.float_power(z, 2, out=o), 'double'); to(lambda o: torch.float_power(z, 2, out=o), 'cdouble')
torch.nonzero_static(i, size=1, out=torch.zeros(1, 1)); torch.nonzero_static(i, size=1, out=torch.zeros(1, 1, dtype=torch.long))
"""


@pytest.mark.parametrize("line", EXPRESSIONS.strip().splitlines())
def test_dtypes(line: str) -> None:
    assert disagreements(SETUP, line) == []
