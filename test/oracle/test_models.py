"""The models of test/models against torch.jit: the same graphs and code, and the same results of three calls.

Kernels are compiled for a part of them; TORCHSCRIPT_DIALECT_LONG_TESTS=1 does it for all.
"""

import json
import os
from contextlib import nullcontext
from functools import cache
from typing import Any

import pytest
import torch

import torchscript_dialect as ts
from support import models
from support.canonical import canonical, without_mangling

IS_LONG = os.environ.get("TORCHSCRIPT_DIALECT_LONG_TESTS") == "1"
NATIVE = ("conformer", "pointer_network", "resnet", "wavenet")
every_model = pytest.mark.parametrize("name", models.names())
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # the programs' own


@cache
def theirs(name: str) -> Any:
    return torch.jit.script(models.make(models.load(name, "torch")))


def results(module: Any, name: str) -> list[Any]:
    calls = models.load(name, "torch").CALLS
    with torch.no_grad():
        return [models.summary(module(*models.convert(call, torch.from_numpy))) for call in calls]


@every_model
def test_graph_and_code(name: str) -> None:
    ours = ts.script(models.make(models.load(name, "torch")))
    assert canonical(str(ours.graph)) == canonical(str(theirs(name).graph))
    assert without_mangling(ours.code) == without_mangling(theirs(name).code)


@every_model
def test_three_calls(name: str) -> None:
    ours = ts.script(models.make(models.load(name, "torch")))
    with nullcontext() if IS_LONG or name in NATIVE else ts.fuser("none"):
        given = results(ours, name)
    golden = json.loads(models.GOLDEN.read_text())[name]
    for number, (got, want) in enumerate(zip(given, results(theirs(name), name), strict=True)):
        assert models.difference(got, want) is None, f"call {number}"
        assert models.difference(golden[number], want) is None, f"the golden file, call {number}"
