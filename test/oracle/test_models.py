"""The models of test/models against torch.jit: the same graphs and code, the same results of three calls, and the same gradients.

Kernels are compiled for a part of them; TORCHSCRIPT_DIALECT_LONG_TESTS=1 does it for all.
"""

import json
from contextlib import nullcontext
from functools import cache
from types import ModuleType
from typing import Any

import pytest
import torch

import torchscript_dialect as ts
from support import models
from support.amounts import IS_LONG
from support.canonical import canonical, without_mangling

NATIVE = ("conformer", "pointer_network", "resnet", "wavenet")
TRAINED = ("hifigan", "recommender", "sequence_tagger", "translation", "unet", "wavenet")
every_model = pytest.mark.parametrize("name", models.names())
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # the programs' own


@cache
def load(name: str) -> ModuleType:
    """The file of a model, once in a process: torch.jit takes classes of the same name for the same."""
    return models.load(name, "torch")


@cache
def theirs(name: str) -> Any:
    return torch.jit.script(models.make(load(name)))


def results(module: Any, name: str) -> list[Any]:
    calls = load(name).CALLS
    with torch.no_grad():
        return [models.summary(module(*models.convert(call, torch.from_numpy))) for call in calls]


@every_model
def test_graph_and_code(name: str) -> None:
    ours = ts.script(models.make(load(name)))
    assert canonical(str(ours.graph)) == canonical(str(theirs(name).graph))
    assert without_mangling(ours.code) == without_mangling(theirs(name).code)


@every_model
def test_three_calls(name: str) -> None:
    ours = ts.script(models.make(load(name)))
    with nullcontext() if IS_LONG or name in NATIVE else ts.fuser("none"):
        given = results(ours, name)
    golden = json.loads(models.GOLDEN.read_text())[name]
    for number, (got, want) in enumerate(zip(given, results(theirs(name), name), strict=True)):
        assert models.difference(got, want) is None, f"call {number}"
        assert models.difference(golden[number], want) is None, f"the golden file, call {number}"


UNTRAINABLE = ("densenet", "gpt", "pointer_network")
"""Models that torch.jit does not take a second step of: it raises, or goes back through a cache of the first."""
WITHOUT_GRADIENT = 1e-4
"""Gradients below that, beside the largest of the model, are what rounding leaves of zeros."""


def gradients(module: Any, run: Any, arguments: tuple[Any, ...]) -> dict[str, torch.Tensor]:
    """The gradients of the parameters of a module that `run` runs, where there are any, of a sum of all results with weights of their own."""
    for parameter in module.parameters():
        parameter.grad = None
    torch.manual_seed(0)
    results = [one for one in models.leaves(run(*arguments)) if isinstance(one, torch.Tensor)]
    sums = [
        (one.abs().flatten() * torch.linspace(0.5, 1.5, one.numel())).sum()
        for one in results
        if one.requires_grad
    ]
    if sums:
        torch.stack(sums).sum().backward()
    return {n: p.grad.clone() for n, p in module.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("name", sorted({*models.names()} - {*UNTRAINABLE}))
def test_gradients(name: str) -> None:
    """Of the first calls, which are interpreted, and of some models those that are compiled; no gradient is lost."""
    module = load(name)
    made = [models.make(module) for _ in range(2)]
    for one in made:
        for parameter in one.parameters():
            parameter.requires_grad_(True)
    theirs, ours = torch.jit.script(made[0]), ts.script(made[1])
    is_compiled = IS_LONG or name in TRAINED
    with ts.background_compilation(False), nullcontext() if is_compiled else ts.fuser("none"):
        for number in (0, 1, 0, 1, 0)[: None if is_compiled else 3]:
            call = module.CALLS[number % len(module.CALLS)]
            wanted = gradients(made[0], theirs, models.convert(call, torch.from_numpy))
            got = gradients(made[1], ours, models.convert(call, torch.from_numpy))
            assert got.keys() == wanted.keys()
            sizes = [
                one[torch.isfinite(one)].abs().max().item()
                for one in wanted.values()
                if torch.isfinite(one).any()
            ]
            largest = max(sizes, default=0.0)
            for parameter, gradient in wanted.items():
                numbers = torch.isfinite(gradient)
                assert torch.equal(numbers, torch.isfinite(got[parameter]))
                gradient, found = gradient[numbers], got[parameter][numbers]
                if not len(gradient):
                    continue
                scale = max(gradient.abs().max().item(), WITHOUT_GRADIENT * largest)
                away = (found - gradient).abs().max().item()
                assert away <= 1e-3 * scale, f"call {number}, {parameter}"
