"""`torch.distributions` beside PyTorch's: all that test/samples/distributions.py asks, live."""

import importlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import torch.distributions

from samples import distributions
from torchscript_dialect import torch as stand_in

CASES = {
    "distributions": (distributions.DISTRIBUTIONS, distributions.facts),
    "divergences": (distributions.PAIRS, distributions.divergence),
    "errors": (distributions.WRONG, distributions.error),
    "gradients": (distributions.GRADIENTS, distributions.gradients),
}


@pytest.fixture(autouse=True)
def checked() -> Iterator[None]:
    """PyTorch checks arguments, which `torch.compile` in the same process turns off for good."""
    family = torch.distributions.Distribution
    before = family._validate_args
    family.set_default_validate_args(True)
    yield
    family.set_default_validate_args(before)


@pytest.mark.parametrize("kind", CASES)
def test_same_as_pytorch(kind: str) -> None:
    cases, ask = CASES[kind]
    found = [
        difference
        for name, case in cases.items()
        for difference in distributions.differences(
            _asked(ask, stand_in, case), _asked(ask, torch, case), name
        )
    ]
    assert found == []


def _asked(ask: Callable[[Any, str], Any], namespace: Any, case: str) -> Any:
    return json.loads(json.dumps(ask(namespace, case)))


def test_sets_are_shown_and_checked_alike() -> None:
    """Every set that needs no bound, on values of many kinds."""
    values = [[0.0, 1.0], [0.5, 0.5], [-1.0, 2.0], [3.0, float("nan")]]
    theirs: Any = importlib.import_module("torch.distributions.constraints")
    for name in theirs.__all__:
        wanted, given = (
            getattr(theirs, name),
            getattr(stand_in.distributions.constraints, name, None),
        )
        if given is None or not isinstance(wanted, theirs.Constraint) or name == "dependent":
            continue
        assert repr(given).lower() == repr(wanted).lower(), name
        assert (given.is_discrete, given.event_dim) == (wanted.is_discrete, wanted.event_dim), name
        for rows in (values, values[:2]):
            mine = given.check(stand_in.tensor(rows))
            assert mine.tolist() == wanted.check(torch.tensor(rows)).tolist(), (name, rows)


def test_tiny_rates_take_a_number_of_the_stream() -> None:
    """They took none, and what was drawn behind them was not PyTorch's."""
    found: list[Any] = []
    for t in (stand_in, torch):
        t.manual_seed(7)
        found.append([t.poisson(t.tensor([1e-20, 0.8, 0.0, 70.0])).tolist(), t.rand(1).item()])
    assert found[0] == found[1]
