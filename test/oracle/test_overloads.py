"""`torch.ops`: the overloads of every operator, beside PyTorch's."""

import pytest

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
