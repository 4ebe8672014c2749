"""Modules whose attributes change between calls, beside the same modules of PyTorch's: Note [Module flags] in runtime/specialization/module_flags.py."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402
from support.amounts import IS_LONG  # noqa: E402

SEEDS = range(60 if IS_LONG else 6)
CALLS = 20


class Block(torch.nn.Module):
    """One of each kind of attribute that plans know."""

    def __init__(self):
        super().__init__()
        self.heads = 2
        self.dims = [0, 2, 1]
        self.mode = "relu"
        self.turns = False
        self.linear = torch.nn.Linear(4, 4)
        self.norm = torch.nn.LayerNorm(4)
        self.register_buffer("scale", torch.ones(1))
        self.bias = torch.nn.Parameter(torch.zeros(4))

    def forward(self, x):
        rows, steps, width = x.size()
        y = self.norm(x).view(rows, steps, self.heads, width // self.heads)
        y = y.transpose(1, 2).reshape(rows, steps, width)
        if self.turns:
            y = y.flip(1)
        y = self.linear(y) * self.scale
        if self.mode == "relu":
            y = torch.relu(y)
        elif self.mode == "tanh":
            y = torch.tanh(y)
        else:
            y = y[:, :, : self.heads].sum(-1, keepdim=True) + y
        if self.bias.dim() == 1:
            y = y + self.bias
        else:
            y = y * self.bias
        y += x
        return y.permute(self.dims).permute(self.dims)


class Blocks(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block()
        self.second = Block()
        self.depth = 2

    def forward(self, x):
        if self.depth > 0:
            x = self.first(x)
        if self.depth > 1:
            x = self.second(x)
        return x


def _change(rng: random.Random) -> Callable[[Any], Any]:
    """Something that is done to a module."""
    name = rng.choice(["first", "second"])

    def assign(attribute: str, value: Any) -> Callable[[Any], Any]:
        return lambda module: setattr(getattr(module, name), attribute, copy.deepcopy(value))

    size = rng.choice([(4,), (1, 4), (1, 1, 4)])
    requires, depth = rng.random() < 0.5, rng.randrange(3)
    return rng.choice(
        [
            assign("heads", rng.choice([1, 2, 4])),
            assign("dims", rng.choice([[0, 2, 1], [0, 1, 2], [1, 0, 2]])),
            assign("mode", rng.choice(["relu", "tanh", "sum"])),
            assign("turns", rng.random() < 0.5),
            assign("bias", torch.nn.Parameter(torch.randn(size))),
            lambda module: setattr(module, "depth", depth),
            lambda module: module.double(),
            lambda module: module.float(),
            lambda module: getattr(module, name).linear.weight.requires_grad_(requires),
        ]
    )


def _outcome(module: Any, x: Any) -> Any:
    """The result of a call, and the gradients of the parameters; or that it raised."""
    for parameter in module.parameters():
        parameter.grad = None
    try:
        result = module(x)
    except Exception:
        return None
    if result.requires_grad:
        result.square().sum().backward()
    grads = {name: one.grad for name, one in module.named_parameters()}
    return result, {name: None if one is None else _array(one) for name, one in grads.items()}


def _array(tensor: Any) -> np.ndarray:
    return tensor.detach().numpy()


@pytest.mark.parametrize("seed", SEEDS)
def test_changed_attributes_are_heeded(seed: int) -> None:
    rng = random.Random(seed)
    torch.manual_seed(seed)
    theirs = Blocks()
    ours = ts.script(copy.deepcopy(theirs))
    for _ in range(CALLS):
        if rng.random() < 0.6:
            change = _change(rng)
            change(theirs)
            change(ours)
        dtype = theirs.first.norm.weight.dtype if rng.random() < 0.9 else torch.float32
        x = torch.randn(2, 3, 4, dtype=dtype)
        with torch.set_grad_enabled(rng.random() < 0.7), ts.background_compilation(False):
            expected, found = _outcome(theirs, x), _outcome(ours, x.clone())
        assert (expected is None) == (found is None)
        if expected is None:
            continue
        assert str(expected[0].dtype) == str(found[0].dtype)
        assert expected[0].requires_grad == found[0].requires_grad
        np.testing.assert_allclose(_array(found[0]), _array(expected[0]), rtol=1e-4, atol=1e-5)
        for name, grad in expected[1].items():
            assert (grad is None) == (found[1][name] is None), name
            if grad is not None:
                np.testing.assert_allclose(found[1][name], grad, rtol=1e-3, atol=1e-4)
