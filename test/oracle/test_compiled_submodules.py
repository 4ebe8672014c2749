"""What is compiled already, by PyTorch or here, as a submodule of a module that is compiled: scripted, traced, loaded from an archive."""

import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import torchscript_dialect as ts
from support.canonical import canonical, without_mangling

X = torch.rand(2, 2)


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return torch.relu(self.layer(x))

    @torch.jit.export
    def scaled(self, x, n: int):
        return x * n


class Outer(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) + self.inner.scaled(x, 3)


class Listed(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = nn.ModuleList([inner, inner])

    def forward(self, x):
        for number, each in enumerate(self.inner):
            x = each(x) + number
        return x


def _archive(inner: Any) -> io.BytesIO:
    stream = io.BytesIO()
    torch.jit.save(inner, stream)
    stream.seek(0)
    return stream


def scripted(inner: nn.Module) -> Any:
    return torch.jit.script(inner)


def loaded(inner: nn.Module) -> Any:
    return torch.jit.load(_archive(torch.jit.script(inner)))


def loaded_trace(inner: nn.Module) -> Any:
    return torch.jit.load(_archive(torch.jit.trace(inner, X)))


def traced(inner: nn.Module) -> Any:
    return torch.jit.trace(inner, X)


WAYS = [scripted, loaded, loaded_trace, traced]
OURS: dict[Any, Callable[[nn.Module], Any]] = {
    scripted: ts.script,
    loaded: lambda inner: ts.load(_archive(torch.jit.script(inner))),
    loaded_trace: lambda inner: ts.load(_archive(torch.jit.trace(inner, X))),
    traced: lambda inner: ts.trace(inner, X),
}


def compare(ours: Any, theirs: Any, *, of_trace: bool = False) -> None:
    """Graphs, code, parameters and three calls; of a live trace PyTorch's inlined graph shows sizes too."""
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    assert without_mangling(ours.code) == without_mangling(theirs.code)
    if not of_trace:
        assert canonical(str(ours.inlined_graph)) == canonical(str(theirs.inlined_graph))
    assert [name for name, _ in ours.named_parameters()] == [
        n for n, _ in theirs.named_parameters()
    ]
    for _ in range(3):
        torch.testing.assert_close(torch.from_dlpack(ours(X).detach()), theirs(X).detach())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("outer", [Outer, Listed, nn.Sequential])
def test_of_pytorch(outer: Any, way: Any) -> None:
    """They were refused, or their Python class was compiled in the place of the trace."""
    inner = way(Inner())
    compare(ts.script(outer(inner)), torch.jit.script(outer(inner)), of_trace=way is traced)


@pytest.mark.parametrize("way", WAYS)
def test_of_ours_in_modules_of_pytorch(way: Any) -> None:
    inner = Inner()
    ours, theirs = ts.script(Outer(OURS[way](inner))), torch.jit.script(Outer(way(inner)))
    compare(ours, theirs, of_trace=way is traced)


@pytest.mark.parametrize("inner", [nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 2), nn.ReLU())])
def test_traces_of_modules_of_libraries(inner: nn.Module) -> None:
    """Their parameters were counted by number."""
    outer = nn.Sequential(traced(inner))
    ours = ts.script(outer)
    compare(ours, torch.jit.script(outer), of_trace=True)


def test_they_share_their_memory_with_pytorch() -> None:
    inner = loaded(Inner())
    ours = ts.script(Outer(inner))
    before = ours(X).tolist()
    with torch.no_grad():
        inner.layer.bias.fill_(100.0)
    assert ours(X).tolist() != before
    torch.testing.assert_close(torch.from_dlpack(ours(X).detach()), Outer(inner)(X).detach())


def test_what_is_loaded_or_traced_is_taken_over() -> None:
    """`ts.script` of it was an error, where `torch.jit.script` gives it back."""
    for way in (loaded, traced):
        theirs = way(Inner())
        torch.testing.assert_close(
            torch.from_dlpack(ts.script(theirs)(X).detach()), theirs(X).detach()
        )


def test_two_archives_of_the_same_attributes_are_two_types() -> None:
    """Types of modules are told apart by their Python class, which loaded ones have not."""

    class Other(Inner):
        def forward(self, x):
            return torch.tanh(self.layer(x))

    pair = [OURS[loaded](Inner()), OURS[loaded](Other())]

    class Both(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = pair

        def forward(self, x):
            return self.a(x), self.b(x)

    class Around(Both):
        def __init__(self) -> None:
            nn.Module.__init__(self)
            self.a, self.b = ts.script(Both()), pair[1]

    first, second = ts.script(Both())(X)
    assert first.tolist() == pair[0](X).tolist() and second.tolist() == pair[1](X).tolist()
    (first, second), third = ts.script(Around())(X)
    assert first.tolist() == pair[0](X).tolist()
    assert second.tolist() == third.tolist() == pair[1](X).tolist()
