"""`torch.ops`: the overloads of every operator, beside PyTorch's."""

from types import FunctionType
from typing import Any

import pytest

from support.canonical import canonical
from torchscript_dialect import torch as stand_in
from torchscript_dialect.ops import registry

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("namespace", ["aten", "prims", "quantized"])
def test_overloads_of_every_operator(namespace: str) -> None:
    theirs, ours = getattr(torch.ops, namespace), getattr(stand_in.ops, namespace)
    names = {name.partition(".")[0] for name in registry.texts()}
    known = [name.partition("::")[2] for name in sorted(names) if name.startswith(f"{namespace}::")]
    seen = 0
    for name in known:
        try:
            packet = getattr(theirs, name)
        except AttributeError:  # TorchScript's alone
            continue
        seen += 1
        assert getattr(ours, name).overloads() == packet.overloads()
        for called in packet.overloads():
            one, other = getattr(packet, called), getattr(getattr(ours, name), called)
            assert (str(other), other.name()) == (str(one), one.name())
            assert str(other._schema) == str(one._schema)
    assert seen > 100


def norm_along(x):
    return torch.norm(x, dim=-1), torch.norm(x, 2, -1), torch.norm(x, p="fro", dim=1)


def norm_over(x):
    return torch.norm(x), torch.norm(x, dim=[0, 1]), torch.norm(x, p=1), torch.norm(x, 3.0, [1])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("function", [norm_along, norm_over])
def test_overloads_of_norm_have_the_same_defaults(function: Any) -> None:
    """The order is named where it is left out."""
    mine = FunctionType(function.__code__, {"torch": stand_in}, function.__name__)
    ours, theirs = stand_in.jit.script(mine), torch.jit.script(function)
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
