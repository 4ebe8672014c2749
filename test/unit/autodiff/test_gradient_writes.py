"""Memory that begins to require a gradient by what is written to it: Note [Writes of gradients] in analysis/gradient_writes.py."""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

CALLS = 7

PROGRAMS = {
    "result_is_not_used": "out = torch.zeros(3, 2)\n    out.index_add_(0, at, w)",
    "result_is_used": "out = torch.zeros(3, 2)\n    out = out.index_add_(0, at, w)",
    "at_indices": "out = torch.zeros(3, 2)\n    out[at] = w",
    "seen_by_a_view": "base = torch.zeros(2, 2)\n    out = base[0]\n    base += w",
    "through_a_view": "out = torch.zeros(2, 2)\n    v = out[0]\n    v.copy_(w[0])",
    "in_a_loop": "out = torch.zeros(2, 2)\n    for i in range(2):\n        out[i] = w[i] * 2",
    "and_then_elsewhere": "out = torch.zeros(2, 2)\n    out.copy_(w)\n    out = out.masked_fill(out > 3.0, 0.0)",
    "to_an_argument": "out = buffer\n    out.mul_(0.5).add_(w)",
    "to_one_of_a_list": "outs = [torch.zeros(2, 2), torch.zeros(2, 2)]\n    outs[1].copy_(w)\n    out = outs[1]",
    "to_what_a_graph_took": "x = w * 2\n    out = x.mul_(torch.relu6(x + 3.0) / 6.0)",
    "of_numbers_alone": "out = torch.zeros(2, 2)\n    out.fill_(3.0)\n    out = out * w",
    "of_a_filled_list": "parts: List[torch.Tensor] = []\n    for i in range(at.size(0)):\n        parts.append(w[i] * 2)\n    out = torch.stack(parts)",
    "of_a_list": "parts = [w[0], w[1] * 2]\n    out = torch.stack(parts).flatten(1)\n    for i in range(at.size(0)):\n        out = out.clamp(max=1.5)",
    "of_the_first_operand": "out = torch.index_add(torch.zeros(3, 2), 0, at, w)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_gradients_go_through_writes(name: str) -> None:
    """A compiled function has the gradients of an interpreted one, and knows that its result requires one."""
    text = f"def f(w, at, buffer):\n    {PROGRAMS[name]}\n    return torch.tanh(out / 3 + 1) * 2\n"
    gradients: list[np.ndarray] = []
    for is_optimized in (False, True):
        with ts.optimized_execution(is_optimized), ts.background_compilation(False):
            f = ts.CompilationUnit(text).f
            for _ in range(CALLS):
                w = torch.tensor([[0.5, -1.0], [2.0, 0.25]], requires_grad=True)
                result = f(w, torch.tensor([0, 1]), torch.ones(2, 2))
                assert result.requires_grad
                result.sum().backward()
                assert w.grad is not None
                gradients.append(w.grad.numpy())
    for gradient in gradients[1:]:
        np.testing.assert_allclose(gradient, gradients[0], rtol=1e-5)


class Frozen(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(3, 3)
        self.scale = torch.nn.Parameter(torch.ones(3))
        self.last = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scale = torch.sigmoid(self.scale * 2 + 1).tanh()
        return torch.tanh(self.last(torch.relu(self.first(x))) * scale + 1)


def test_parameters_are_thawed() -> None:
    """What runs observed of parameters that required no gradients is not true for ever."""
    model = ts.script(Frozen())
    frozen = [*model.first.parameters(), model.scale]
    for parameter in frozen:
        parameter.requires_grad_(False)
    x = torch.ones(2, 3)
    with ts.background_compilation(False):
        for _ in range(CALLS):
            model(x).sum().backward()
        assert all(parameter.grad is None for parameter in frozen)
        for parameter in frozen:
            parameter.requires_grad_(True)
        model(x).sum().backward()
        assert all(parameter.grad is not None for parameter in frozen)
