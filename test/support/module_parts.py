"""Modules that `random_module_lives.py` makes trees of. It is loaded twice, with PyTorch as `torch` and with ours."""

# PyTorch's modules and ours: what they hold has no types that a checker knows.
# pyright: basic
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchscript_dialect import torch

WIDTH = 4


class Gate(torch.nn.Module):
    """Parameters that may be left out, a buffer that is written to, one that no state has, and a number."""

    def __init__(self, bias: bool):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))
        if bias:
            self.bias = torch.nn.Parameter(torch.zeros(4))
        else:
            self.register_parameter("bias", None)
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("hidden", torch.ones(4), persistent=False)
        self.mode = 0

    def forward(self, x):
        if self.training:
            self.count += 1
        y = torch.sigmoid(x * self.weight) * x * self.hidden
        if self.bias is not None:
            y = y + self.bias
        if self.mode == 1:
            y = torch.relu(y)
        return y


class Moving(torch.nn.Module):
    """A buffer that is replaced or written to, and one that counts."""

    def __init__(self, replaces: bool):
        super().__init__()
        self.register_buffer("mean", torch.zeros(4))
        self.register_buffer("steps", torch.tensor(0))
        self.replaces = replaces

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                new = self.mean * 0.9 + x.detach().mean(0) * 0.1
                if self.replaces:
                    self.mean = new.to(self.mean.dtype)
                else:
                    self.mean.copy_(new)
                self.steps.add_(1)
        return x - self.mean.to(x.dtype)


class Mixed(torch.nn.Module):
    """Results that are written to."""

    def __init__(self, bias: bool):
        super().__init__()
        self.a = torch.nn.Linear(4, 4, bias=False)
        self.b = torch.nn.Linear(4, 4, bias=bias)
        self.act = torch.nn.GELU()

    def forward(self, x):
        y = self.act(self.a(x))
        y += self.b(x)
        return y.mul_(0.5)


class Residual(torch.nn.Module):
    """A part behind another, beside nothing."""

    def __init__(self, inner, norm):
        super().__init__()
        self.inner = inner
        self.norm = norm
        self.scale = 0.5

    def forward(self, x):
        return x + self.inner(self.norm(x)) * self.scale


class Several(torch.nn.Module):
    """Parts beside each other."""

    def __init__(self, parts):
        super().__init__()
        self.parts = torch.nn.ModuleList(parts)

    def forward(self, x):
        total = torch.zeros_like(x)
        for part in self.parts:
            total = total + part(x)
        return total
