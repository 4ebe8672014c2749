"""Compiled functions under `no_grad` record what somebody could see, and nothing else: Note [History under no_grad]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.analysis.history import History
from torchscript_dialect.ir.edit import nested_ops

CALLS = 6
"""After so many of them a function is compiled, by what its runs observed."""


def recorded(text: str) -> list[str]:
    """The operators of a graph that are recorded."""
    block = ts.parse_ir(text).function.body.block
    history = History(block)
    kinds = [getattr(op, "KIND", None) for op in nested_ops(block) if history.is_needed_by(op)]
    return [kind for kind in kinds if kind is not None]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%y : Tensor = aten::relu(%x)", []),
        ("%v : Tensor = aten::t(%x)\n  %y : Tensor = aten::relu(%v)", []),
        ("%y : Tensor = aten::t(%x)", ["aten::t"]),
        ("%v : Tensor = aten::relu_(%x)\n  %y : Tensor = aten::abs(%v)", ["aten::relu_", "aten::abs"]),
        ("%v : Tensor = aten::abs(%x)\n  %y : Tensor = aten::relu_(%v)", []),
        ("%b : bool = prim::requires_grad(%x)\n  %y : Tensor = aten::abs(%x)", ["prim::requires_grad", "aten::abs"]),
        ("%a : Tensor = aten::abs(%x)\n  %b : bool = prim::requires_grad(%a)\n  %y : Tensor = aten::abs(%x)", []),
        ("%l : Tensor[] = prim::ListConstruct(%x, %x)\n  %a : Tensor, %y : Tensor = prim::ListUnpack(%l)",
         ["prim::ListConstruct", "prim::ListUnpack"]),
        ("%a : Tensor = aten::abs(%x)\n  %l : Tensor[] = prim::ListConstruct(%a, %a)\n"
         "  %b : Tensor, %c : Tensor = prim::ListUnpack(%l)\n  %y : Tensor = aten::t(%b)", []),
    ],
)  # fmt: skip
def test_nodes_that_are_recorded(body: str, expected: list[str]) -> None:
    found = recorded(f"graph(%x : Tensor):\n  {body}\n  return (%y)\n")
    assert found == expected


def test_two_names_of_one_memory() -> None:
    """A result and a view of it; handed out alone, neither would matter."""
    made = "graph(%x : Tensor):\n  %y : Tensor = aten::abs(%x)\n  %z : Tensor = aten::t(%y)\n"
    assert recorded(f"{made}  return (%z)\n") == []
    assert recorded(f"{made}  return (%y, %z)\n") == ["aten::t"]
    together = "  %p : (Tensor, Tensor) = prim::TupleConstruct(%y, %z)\n  return (%p)\n"
    assert recorded(made + together) == ["aten::t", "prim::TupleConstruct"]


def test_what_is_not_known_needs_all() -> None:
    text = (
        "graph(%x : Tensor, %w : Tensor):\n  %a : Tensor = my::unheard_of(%x)\n  %b : Tensor = aten::abs(%w)\n"
        "  %y : Tensor = aten::mul(%a, %b)\n  return (%y)\n"
    )
    assert recorded(text) == ["my::unheard_of", "aten::mul"]


class Cell(torch.nn.Module):
    """Reads weights, and keeps a state and a view of its memory."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)
        self.state = torch.zeros(1, 3)
        self.part = torch.zeros(0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        joined = torch.cat([torch.tanh(self.fc(x)), self.state])
        self.part = joined[:, 1:]
        self.state = joined.sum(0, keepdim=True)
        return torch.relu(joined.t().contiguous())


def test_a_model_with_weights_that_require_gradients() -> None:
    """Nothing of it is recorded; its results are those of an interpreted one."""
    cell = Cell()
    state = cell.state_dict()
    compiled, plain = ts.script(cell), ts.script(Cell())
    plain.load_state_dict(state)
    x = torch.tensor([[0.5, -1.0, 2.0]])
    with torch.no_grad(), ts.optimized_execution(False):
        wanted = [(plain(x).numpy(), plain.part.numpy()) for _ in range(CALLS)]
    with torch.no_grad(), ts.background_compilation(False):
        for result, part in wanted:
            got = compiled(x)
            np.testing.assert_allclose(got.numpy(), result, rtol=1e-6)
            np.testing.assert_allclose(compiled.part.numpy(), part, rtol=1e-6)
    assert not got.requires_grad and not compiled.part.requires_grad
    compiled(x).sum().backward()
    assert compiled.fc.weight.grad is not None


def transposed(w: torch.Tensor) -> torch.Tensor:
    return w.t()


def written(w: torch.Tensor) -> torch.Tensor:
    w.mul_(2)
    return w * 1


def identical(w: torch.Tensor) -> bool:
    return w is w


def asked(w: torch.Tensor) -> list[bool]:
    return [w.requires_grad, (w * 2).requires_grad, torch.is_grad_enabled()]


def same(w: torch.Tensor) -> torch.Tensor:
    return w


def of_list(ws: list[torch.Tensor]) -> torch.Tensor:
    return torch.cat(ws) * 2


def of_dict(ws: dict[str, torch.Tensor]) -> torch.Tensor:
    total = torch.zeros(2)
    for w in ws.values():
        total = total + w
    return total


def of_tuple(ws: tuple[torch.Tensor, tuple[int, torch.Tensor]]) -> torch.Tensor:
    return ws[0] * ws[1][0] + ws[1][1]


def handed_back(ws: list[torch.Tensor]) -> list[torch.Tensor]:
    ws[0].add(1)
    return ws


def leaf() -> torch.Tensor:
    return torch.tensor([1.0, 2.0], requires_grad=True)


def seen(result: Any) -> Any:
    """What a user sees of a result."""
    if isinstance(result, torch.Tensor):
        return result.detach().numpy().tolist(), result.requires_grad, result._is_view()
    return list(map(seen, result)) if isinstance(result, list) else result


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (transposed, lambda: (torch.tensor([[1.0, 2.0]], requires_grad=True),)),
        (written, lambda: (leaf(),)),
        (identical, lambda: (leaf(),)),
        (asked, lambda: (leaf(),)),
        (same, lambda: (leaf(),)),
        (of_list, lambda: ([leaf(), torch.zeros(1), leaf()],)),
        (of_dict, lambda: ({"a": leaf(), "b": torch.zeros(2)},)),
        (of_tuple, lambda: ((leaf(), (3, leaf())),)),
        (handed_back, lambda: ([leaf()],)),
    ],
)
def test_nobody_sees_a_difference(
    function: Callable[..., Any], arguments: Callable[[], Any]
) -> None:
    """Compiled calls give what eager ones give, history and all."""
    compiled = ts.script(function)
    with ts.background_compilation(False):
        for _ in range(CALLS):
            given, other = arguments(), arguments()
            with torch.no_grad():
                assert seen(compiled(*given)) == seen(function(*other))


def test_what_is_handed_out_is_the_tensor_itself() -> None:
    compiled = ts.script(handed_back)
    weight = leaf()
    with torch.no_grad(), ts.background_compilation(False):
        for _ in range(CALLS):
            assert compiled([weight])[0] is weight


def test_writes_are_counted() -> None:
    """A weight that a compiled function wrote to under `no_grad` is noticed by the way back."""
    compiled = ts.script(written)
    with ts.background_compilation(False):
        for _ in range(CALLS):
            weight = leaf()
            kept = weight * weight
            with torch.no_grad():
                compiled(weight)
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                kept.sum().backward()


def test_views_of_weights_keep_their_objection() -> None:
    """A view that was made under `no_grad` must not be written to where gradients are wanted."""
    compiled = ts.script(transposed)
    weight = torch.tensor([[1.0, 2.0]], requires_grad=True)
    with torch.no_grad(), ts.background_compilation(False):
        for _ in range(CALLS):
            view = compiled(weight)
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        view.add_(1)


class Words(torch.nn.Module):
    """An embedding has code that turns gradients off where it has a largest norm."""

    def __init__(self) -> None:
        super().__init__()
        self.words = torch.nn.Embedding(5, 3)
        self.fc = torch.nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.fc(self.words(x))).sum(-1)


def test_what_is_folded_away_turns_nothing() -> None:
    """An embedding is differentiated with what is around it, and runs in kernels under `no_grad`."""
    model = ts.script(Words())
    x = torch.tensor([1, 3])
    with ts.background_compilation(False):
        for _ in range(CALLS):
            loss = model(x).sum()
        assert "prim::DifferentiableGraph" in str(model.graph_for(x))
        loss.backward()
        with torch.no_grad():
            for _ in range(CALLS):
                model(x)
            assert "prim::TensorExprGroup" in str(model.graph_for(x))
    assert model.words.weight.grad is not None


def turning(w: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        y = w * 2
    return y * w


def test_what_turns_gradients_is_shown_as_it_is() -> None:
    compiled = ts.script(turning)
    with ts.background_compilation(False):
        for _ in range(CALLS):
            weight = leaf()
            compiled(weight).sum().backward()
            assert weight.grad is not None and weight.grad.tolist() == [2.0, 4.0]
        assert "prim::Enter" in str(compiled.graph_for(leaf()))
