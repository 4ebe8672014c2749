"""What may take the place of a submodule of a compiled module: modules of its type alone."""

import io
from collections.abc import Callable
from typing import Any, Final

import pytest
import torch
from torch import nn

import torchscript_dialect as ts


class Scale(nn.Module):
    factor: Final[int]

    def __init__(self, factor: int, name: str | None = None) -> None:
        super().__init__()
        self.factor = factor
        self.name = name

    def forward(self, x):
        return x * self.factor


class Holder(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


def linear(*sizes: int, bias: bool = True) -> nn.Module:
    made = nn.Linear(*sizes, bias=bias)
    for parameter in made.parameters():
        nn.init.constant_(parameter, 0.5)
    return made


SYSTEMS: list[Any] = [torch.jit, ts]

CASES: dict[str, tuple[Callable[[], nn.Module], Callable[[], nn.Module]]] = {
    "same": (lambda: Scale(2), lambda: Scale(2)),
    "constant": (lambda: Scale(2), lambda: Scale(3)),
    "type of an attribute": (lambda: Scale(2), lambda: Scale(2, "two")),
    "value of an attribute": (lambda: Scale(2, "a"), lambda: Scale(2, "b")),
    "class": (lambda: Scale(2), nn.ReLU),
    "parameters": (lambda: linear(2, 2), lambda: linear(2, 2)),
    "no bias": (lambda: linear(2, 2), lambda: linear(2, 2, bias=False)),
    "sizes": (lambda: linear(2, 2), lambda: linear(2, 5)),
    "items": (lambda: nn.Sequential(Scale(2)), lambda: nn.Sequential(Scale(2))),
    "more items": (lambda: nn.Sequential(Scale(2)), lambda: nn.Sequential(Scale(2), Scale(2))),
}


def tried(holder: Any, taken: Any) -> Any:
    """The result after another module took the place, or that it was refused."""
    x = torch.tensor([1.0, -2.0])
    holder(x)
    try:
        holder.inner = taken
    except RuntimeError as error:
        assert "for field 'inner', but found" in str(error)
        return "refused"
    return holder(x).detach().tolist()


@pytest.mark.parametrize("name", CASES)
def test_types_decide_what_takes_the_place(name: str) -> None:
    held, taken = CASES[name]
    found = [
        tried(system.script(Holder(held())), system.script(Holder(taken())).inner)
        for system in SYSTEMS
    ]
    assert found[0] == found[1]
    assert (found[1] == "refused") == (
        name not in ("same", "value of an attribute", "parameters", "items")
    )


@pytest.mark.parametrize("system", SYSTEMS, ids=["torch.jit", "ours"])
def test_modules_of_archives_have_types_of_their_own(system: Any) -> None:
    def loaded(factor: int) -> Any:
        stream = io.BytesIO()
        system.save(system.script(Holder(Scale(factor))), stream)
        stream.seek(0)
        return system.load(stream)

    first = loaded(2)
    assert tried(first, loaded(2).inner) == "refused"
    assert tried(first, loaded(3).inner) == "refused"
    assert tried(first, system.script(Scale(2))) == "refused"
    assert tried(system.script(Holder(Scale(2))), first.inner) == "refused"
    assert tried(first, first.inner) == [2.0, -4.0]
