"""Gradients of compiled functions: graphs that were differentiated give what eager operators on the tape give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.amounts import IS_LONG
from support.gradient_check import check_gradients
from support.loader import load_module
from torchscript_dialect import torch

_numbers = np.random.default_rng(0)


def a(*sizes: int) -> Any:
    return _numbers.standard_normal(sizes).astype(np.float32)


def pos(*sizes: int) -> Any:
    return (np.abs(_numbers.standard_normal(sizes)) + 0.5).astype(np.float32)


lstm = load_module("lstm_cell_s", "ours").LSTMCellS
iou = load_module("ratio_iou", "ours").ratio_iou


def mlp(x, w1, b1, w2, b2):
    h = torch.relu(torch.nn.functional.linear(x, w1, b1))
    y = torch.nn.functional.linear(h, w2, b2)
    return (y * y).mean()


def soft(x, w):
    return torch.softmax(x * w, 1), torch.log_softmax(x + w, 0)


def bcast(x, y, z):
    return (x + y) * z - y / (z * z + 1.0), (x * z).exp()


def cats(x, y):
    return torch.cat([x * 2.0, torch.tanh(y), x], 1), torch.stack([x, x * x], 0)


def splits(x):
    p, q = torch.split(x * x, 2, 1)
    return p.exp() + q, q


def sums(x):
    return (x.sum(1) * x.mean(1)).exp(), (x * x).sum([0, 1]), x.sum(0, keepdim=True) * x


def classes(x, places):
    functional = torch.nn.functional
    smooth = functional.cross_entropy(x, places, label_smoothing=0.1, reduction="sum")
    each = functional.nll_loss(torch.log_softmax(x, 1), places, reduction="none")
    return functional.cross_entropy(x * x, places), smooth, each


def chances(x, y):
    return torch.nn.functional.cross_entropy(x, y.softmax(1), label_smoothing=0.1)


def places(*sizes: int) -> Any:
    return _numbers.integers(0, 4, sizes)


def views(x):
    y = (x * x).view([-1])
    z = y.view([x.size(0), -1]).transpose(0, 1)
    return z.contiguous() * 2.0, z[0] + z[1]


def wheres(x, y):
    return torch.where(x > y, x * x, y.exp()), torch.clamp(x, -0.5, 0.5) * y, x.abs().pow(2.0)


def branch(x, y):
    z = x * y
    if bool(z.sum() > 0):
        w = torch.tanh(z) * x
    else:
        w = torch.exp(-z * z)
    return (w * z).sum()


def loop(x, y):
    h = x
    for _i in range(5):
        h = torch.tanh(h * y + x)
    return h


def loop2(x, n: int):
    h = x
    for _i in range(n):
        h = torch.tanh(h * x + 0.5)
        h = h * h
    return h


def inplace(x, y):
    z = x * y
    z += x
    z.mul_(y)
    return z * torch.tanh(z)


def detached(x, y):
    m = (x * y).detach()
    return (x - m) * y * m.exp()


def same(x):
    y = x * x * x
    return y, y * y


def unused(x, y):
    return x.exp() * 2.0, y.tanh() + 1.0


def norm(x, w, b):
    m = x.mean(-1, keepdim=True)
    v = ((x - m) * (x - m)).mean(-1, keepdim=True)
    return (x - m) * torch.rsqrt(v + 1e-5) * w + b


def lnorm(x, w, b):
    return torch.nn.functional.layer_norm(x, [x.size(-1)], w, b, 1e-5)


def gelu(x, y):
    return torch.nn.functional.gelu(x) * torch.nn.functional.silu(y) + torch.nn.functional.elu(x)


def attn(q, k, v):
    s = torch.matmul(q, k.transpose(1, 2)) / 2.0
    return torch.matmul(torch.softmax(s, -1), v)


def idx(x, y):
    return x[0] * y[:, 1:] + x[1:2].sum(), (x.unsqueeze(0) * 2.0).squeeze(0).exp()


def ints(x, k):
    return x * k + torch.tanh(x) * (k > 1)


def returned(x, y):
    return x, x.view([-1]), x * y * y


def mixed(x, y):
    return (x.to(torch.float64) * y.to(torch.float64)).exp().sum(), (x * 2.0).tanh()


def addmm(b, x, w):
    return torch.addmm(b, x, w, beta=0.5, alpha=2.0).relu()


def listed(x, y):
    xs = [x * y, (x * y) + 1.0]
    return [one * 2.0 for one in xs]


PROGRAMS: dict[str, tuple[Callable[..., Any], list[list[Any]]]] = {
    "lstm": (
        lstm,
        [
            [a(3, 5), a(3, 4), a(3, 4), a(16, 5), a(16, 4), a(16), a(16)],
            [a(1, 5), a(1, 4), a(1, 4), a(16, 5), a(16, 4), a(16), a(16)],
            [a(6, 5), a(6, 4), a(6, 4), a(16, 5), a(16, 4), a(16), a(16)],
        ],
    ),
    "iou": (iou, [[pos(4, 7) for _ in range(8)], [pos(3, 2) for _ in range(8)]]),
    "mlp": (
        mlp,
        [[a(4, 3), a(5, 3), a(5), a(2, 5), a(2)], [a(7, 3), a(5, 3), a(5), a(2, 5), a(2)]],
    ),
    "soft": (soft, [[a(4, 3), a(4, 3)], [a(2, 6), a(6)]]),
    "bcast": (
        bcast,
        [
            [a(4, 3), a(3), a(4, 1)],
            [a(4, 3), a(4, 3), a(1, 3)],
            [a(2, 1, 3), a(4, 1), a(3)],
            [a(3), a(2, 3), a(1)],
        ],
    ),
    "cats": (cats, [[a(3, 2), a(3, 4)], [a(5, 2), a(5, 1)]]),
    "classes": (classes, [[a(3, 4), places(3)], [a(2, 4, 3, 1), places(2, 3, 1)]]),
    "chances": (chances, [[a(3, 4), a(3, 4)], [a(2, 4, 3), a(2, 4, 3)]]),
    "splits": (splits, [[a(3, 4)], [a(2, 4)]]),
    "sums": (sums, [[a(3, 4) * 0.3], [a(5, 2) * 0.3]]),
    "views": (views, [[a(3, 4)], [a(2, 6)]]),
    "wheres": (wheres, [[a(3, 4), a(3, 4)], [a(3, 4), a(4)]]),
    "branch": (branch, [[a(3, 4), a(3, 4)], [pos(3, 4), pos(3, 4)], [-pos(3, 4), pos(3, 4)]]),
    "loop": (loop, [[a(3, 4), a(4)], [a(2, 4), a(2, 4)]]),
    "loop2": (loop2, [[a(3, 4), 3], [a(3, 4), 6]]),
    "inplace": (inplace, [[a(3, 4), a(3, 4)], [a(2, 2), a(2, 2)]]),
    "detached": (detached, [[a(3, 4), a(3, 4)]]),
    "same": (same, [[a(3, 4)]]),
    "unused": (unused, [[a(3, 4), a(2)]]),
    "norm": (norm, [[a(3, 4), a(4), a(4)], [a(5, 8), a(8), a(8)]]),
    "lnorm": (lnorm, [[a(3, 4), a(4), a(4)], [a(5, 8), a(8), a(8)]]),
    "gelu": (gelu, [[a(3, 4), a(3, 4)]]),
    "attn": (attn, [[a(2, 3, 4), a(2, 3, 4), a(2, 3, 4)], [a(1, 5, 4), a(1, 5, 4), a(1, 5, 4)]]),
    "idx": (idx, [[a(3, 4), a(4, 5)]]),
    "ints": (ints, [[a(3, 4), np.arange(4)]]),
    "returned": (returned, [[a(3, 4), a(3, 4)]]),
    "mixed": (mixed, [[a(3, 4), a(3, 4)]]),
    "listed": (listed, [[a(3), a(3)]]),
    "addmm": (addmm, [[a(4), a(3, 5), a(5, 4)], [a(3, 4), a(3, 5), a(5, 4)]]),
}
TAPE_ALONE = ("lnorm",)
"""Programs of which the differentiator takes nothing yet."""


SHORT = "lstm listed bcast branch loop inplace unused norm".split()


@pytest.mark.parametrize("name", PROGRAMS if IS_LONG else SHORT)
def test_all_ways_give_the_same_gradients(name: str) -> None:
    function, samples = PROGRAMS[name]
    check_gradients(function, samples, differentiated=name not in TAPE_ALONE)
