"""Generators of random numbers that programs make: one for all calls, as PyTorch makes it when it compiles."""

import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import torchscript_dialect as ts
from support.canonical import canonical, without_mangling


def goes_on(n: int):
    g = torch.Generator(device="cpu")
    return torch.rand([n], generator=g)


def in_a_loop(n: int):
    found: list[Tensor] = []
    for _ in range(n):
        g = torch.Generator()
        found.append(torch.randn([2], generator=g))
    return torch.stack(found)


def seeded(n: int):
    g = torch.Generator(device="cpu").manual_seed(n)
    h = torch.Generator(device="cpu")
    h.manual_seed(n + 1)
    drawn = torch.rand([n], generator=g) + torch.rand([n], generator=h)
    return drawn, torch.randperm(n, generator=g), g.initial_seed()


def values(result: Any) -> Any:
    if isinstance(result, (torch.Tensor, ts.Tensor)):
        return result.tolist()
    return list(map(values, result)) if isinstance(result, tuple) else result


def agree(ours: Any, theirs: Any) -> None:
    for n in (2, 3, 3, 4):
        assert values(ours(n)) == values(theirs(n))


@pytest.mark.parametrize("function", [goes_on, in_a_loop, seeded])
def test_generators_are_constants(function: Callable[..., Any]) -> None:
    theirs, ours = torch.jit.script(function), ts.script(function)
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    assert without_mangling(ours.code) == without_mangling(str(theirs.code))
    assert canonical(str(ts.parse_ir(str(theirs.graph)))) == canonical(str(theirs.graph))
    file, of_ours = io.BytesIO(), io.BytesIO()
    torch.jit.save(theirs, file)
    ts.save(ours, of_ours)
    agree(ours, theirs)
    for one in (file, of_ours):
        loaded = []
        for load in (ts.load, torch.jit.load):
            one.seek(0)
            loaded.append(load(one))
        agree(*loaded)


def test_generators_in_text() -> None:
    graph = ts.parse_ir("""
graph():
  %size : int = prim::Constant[value=2]()
  %none : NoneType = prim::Constant()
  %g : Generator = prim::Constant[value=torch.Generator(device="cpu", seed=7)]()
  %sizes : int[] = prim::ListConstruct(%size)
  %x : Tensor = aten::rand(%sizes, %g, %none, %none, %none, %none)
  return (%x)
""")
    g = torch.Generator().manual_seed(7)
    for _ in range(2):
        assert ts.run_graph(graph).tolist() == torch.rand(2, generator=g).tolist()
    for wrong in ('device="gpu", seed=7', 'device="cpu", seed="7"', 'device="cpu"'):
        with pytest.raises(ts.TorchScriptError):
            ts.parse_ir(str(graph).replace('device="cpu", seed=7', wrong))


def test_both_draw_from_one_stream_in_turn() -> None:
    """Few numbers are read where they wait in PyTorch's generator; more make it compute the next ones."""

    def drawn(first: Any) -> list[Any]:
        torch.manual_seed(5)
        found: list[Any] = []
        for count in (1, 3, 300, 16, 310, 1, 624, 2, 1000, 622, 1, 1, 7):
            found.append(first.rand(count).tolist())
            found.append(torch.randn(count % 5).tolist() + first.randn(count % 3).tolist())
            found.append(first.randint(0, 1 << 20, (count,)).tolist())
        return found

    assert drawn(ts.torch) == drawn(torch)
