"""Loaded modules that keep state between calls, whose sizes change after runs have observed them."""

from __future__ import annotations

import io

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.torch import Tensor


class Recurrent(torch.nn.Module):
    """As published voice detectors: a state of another batch is thrown away."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((3, 3), 0.25), requires_grad=False)
        self.state = torch.zeros(0)
        self.last_batch = 0

    def forward(self, x: Tensor) -> Tensor:
        if self.last_batch != x.size(0):
            self.state = torch.zeros([x.size(0), 3])
        state = torch.tanh(x @ self.weight + self.state) * 0.5
        self.state = state
        self.last_batch = x.size(0)
        return torch.cat([state.sum(1), torch.full([1], float(self.state.numel()))])


class Held(torch.nn.Module):
    """Reads what earlier calls left before it writes."""

    def __init__(self) -> None:
        super().__init__()
        self.mean = torch.zeros(1)

    def forward(self, x: Tensor) -> Tensor:
        found = self.mean * 2 + self.mean
        self.mean = x.sum(0) + x.numel()
        return found * 1.5 - found


def loaded(module: ts.ScriptModule) -> ts.ScriptModule:
    stream = io.BytesIO()
    ts.save(module, stream)
    stream.seek(0)
    return ts.load(stream)


@pytest.mark.parametrize("of", [Recurrent, Held])
def test_sizes_of_state_change(of: type[torch.nn.Module]) -> None:
    """Types that runs observed of attributes are no claims that later calls have to keep to."""
    module, reference = loaded(ts.script(of())), of()
    random = np.random.default_rng(3)
    with ts.background_compilation(False):
        for batch in (1, 4, 1, 2, 4):
            for _ in range(6):
                x = torch.tensor(random.standard_normal((batch, 3)).astype(np.float32))
                expected = reference.forward(x).numpy()
                np.testing.assert_allclose(module(x).numpy(), expected, rtol=1e-6, atol=1e-6)


class Counted(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("shift", torch.ones(2))
        self.count = 3

    @torch.jit.export
    def __getstate__(self):
        return (self.shift, self.count, self.training)

    @torch.jit.export
    def __setstate__(self, state):
        self.shift = state[0] + 10
        self.count = state[1] + 1
        self.training = state[2]

    def forward(self, x):
        return x + self.shift, self.count


def test_a_state_without_a_type_is_that_which_getstate_gives() -> None:
    """It was a tensor."""
    buffer = io.BytesIO()
    ts.save(ts.script(Counted().eval()), buffer)
    loaded = ts.load(io.BytesIO(buffer.getvalue()))
    shifted, count = loaded(torch.zeros(2))
    assert [shifted.tolist(), count, loaded.training] == [[11, 11], 4, False]


def test_setstate_needs_getstate() -> None:
    class Half(torch.nn.Module):
        @torch.jit.export
        def __setstate__(self, state):
            self.training = state

    with pytest.raises(ts.TorchScriptError, match="`__setstate__` defined but not `__getstate__`"):
        ts.script(Half())
