"""Views, operators in place and factories in groups: values, strides and who shares memory with whom are as in PyTorch.

Every program is called until its kernel runs, then with other sizes, which may be 0 or 1, and other layouts.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.tensor.conversion import as_tensor

torch = pytest.importorskip("torch")

Shapes = tuple[tuple[int, ...], ...]
Program = tuple[Any, ...]
"""Statements, and the shapes of `x` and `z`."""

VIEWS = [
    ("y = (x+1).t(); return torch.tanh(y)*2", (3, 4)),
    ("y = x[1:]; return torch.tanh(y)*y", (3, 4)),
    ("y = x[:, 1:]; return torch.tanh(y)*y", (3, 4)),
    ("y = x[1]; return torch.tanh(y)*y", (3, 4)),
    ("y = (x*2)[1:]; return torch.tanh(y)*y", (3, 4)),
    ("y = (x*2)[:, 1]; return torch.tanh(y)*y", (3, 4)),
    ("y = (x*2)[::2]; return torch.tanh(y)*y", (3, 4)),
    ("y = x.transpose(0,1).contiguous(); return torch.tanh(y)*y", (3, 4)),
    ("y = (x*2).transpose(0,1); return (torch.tanh(y)*y).contiguous()", (3, 4)),
    ("y = x.view(-1); return torch.tanh(y)*y", (3, 4)),
    ("y = (x*2).view(-1); return torch.tanh(y)*y", (3, 4)),
    ("y = (x*2).reshape(2,6); return torch.tanh(y)*y", (3, 4)),
    ("y = (x*2).flatten(); return torch.tanh(y)*y", (3, 4)),
    ("return x[:,0].unsqueeze(1)*torch.tanh(x)+1", (3, 4)),
    ("return x.unsqueeze(1)*torch.tanh(z)+1", (3, 4), (3, 1, 4)),
    ("return x.squeeze(1)*torch.tanh(x)+1", (3, 1)),
    ("return (z.expand(3,4)*torch.tanh(x)+1)", (3, 4), (4,)),
    ("return (z.expand_as(x)*torch.tanh(x)+1)", (3, 4), (4,)),
    ("return torch.tanh(z+1).expand_as(x)*x", (3, 4), (4,)),
    ("a,b = x.chunk(2,1); return torch.tanh(a)*b", (3, 4)),
    ("a,b = x.split(2,1); return torch.tanh(a)*b", (3, 4)),
    ("a,b = x.unbind(0); return torch.tanh(a)*b", (2, 4)),
    ("y=torch.cat([torch.tanh(x)*2, z+1],1); return y*2+1", (2, 4), (2, 3)),
    ("y=torch.stack([torch.tanh(x)*2, z+1],1); return y*2+1", (2, 4), (2, 4)),
    ("return (x.permute(0,2,1)*z+1).sum(-1)", (2, 4, 3), (2, 3, 4)),
    ("return (x*2).permute(2,0,1)*torch.tanh(z)", (2, 4, 3), (3, 2, 4)),
    ("return x.to(torch.float64)*2+1", (2, 4)),
    ("return x.float()*2+1", (2, 4)),
    ("return x.clone()*2+1", (2, 4)),
    ("return x.detach()*2+1", (2, 4)),
    ("return torch.tanh(x[...,None])*x.unsqueeze(1)", (2, 4)),
    ("return torch.tanh(x[None])*x[:,:,None].sum(-1)", (2, 4)),
    ("return (x*2+1).T.matmul(z)", (2, 4), (2, 3)),
    ("return torch.narrow(x,1,1,2)*2+1", (2, 4)),
    ("return x.repeat(2,1)*2+1", (2, 4)),
    ("return x.flip(1)*2+1", (2, 4)),
    ("return torch.tril(x*2)+1", (4, 4)),
    ("return (torch.tanh(x)*2).sum(-1,keepdim=True).expand(4,4)*x+1", (4, 4)),
    ("y = x[1:-1]; return torch.tanh(y)*y", (5, 4)),
    ("y = x[:100]; return torch.tanh(y)*y", (5, 4)),
    ("y = x[-2]; return torch.tanh(y)*y", (5, 4)),
    ("y = x[:, -3:]; return torch.tanh(y)*y", (5, 4)),
    ("y = x[1:, ::3]; return torch.tanh(y)*y", (5, 7)),
    ("y = x.view(2,-1); return torch.tanh(y)*y", (4, 3)),
    ("y = x.view(-1, 3); return torch.tanh(y)*y", (4, 3)),
    ("y = x.view(-1, 6); return torch.tanh(y)*y", (4, 3)),
    ("y = x.view(x.size(0), -1); return torch.tanh(y)*y", (4, 3, 2)),
    ("y = x.view(x.size(0), 1, -1); return torch.tanh(y)*y", (4, 3, 2)),
    ("y = x.reshape(-1, x.size(-1)); return torch.tanh(y)*y", (4, 3, 2)),
    ("y = x.transpose(1,2).reshape(x.size(0), -1); return torch.tanh(y)*y", (4, 3, 2)),
    ("y = x.flatten(1); return torch.tanh(y)*y", (4, 3, 2)),
    ("y = x.flatten(0,1); return torch.tanh(y)*y", (1, 1, 2)),
    ("y = x.unflatten(1,(2,-1)); return torch.tanh(y)*y", (3, 4)),
    ("y = x.unflatten(1,(2,-1)); return torch.tanh(y.transpose(1,2).contiguous())*2", (3, 4)),
    ("a = x.reshape(2,3,2,2).transpose(1,2).reshape(4,6)*2; return a+1", (6, 4)),
    ("y=torch.tanh(x); v=y[1:]; w=v*2; return y, v, w", (3, 4)),
    ("y=torch.tanh(x)*2; return y.view(-1)", (3, 4)),
    ("y=torch.tanh(x)*2; return y.t()", (3, 4)),
    ("y=torch.tanh(x)*2; return y, y.t().contiguous()", (3, 4)),
    ("return x.contiguous(), torch.tanh(x)*2", (3, 4)),
    ("y=x.contiguous(); return y, torch.tanh(y)*2", (3, 4)),
    ("y=x.clone(); return y, torch.tanh(y)*2", (3, 4)),
    ("v=x[1]; return v, torch.tanh(v)*2", (3, 4)),
    ("n = x.size(0); return x*n+x.numel()", (3, 4)),
    ("return torch.softmax(x.view(2,-1)*2, -1)", (3, 4)),
    ("return (x.view(-1,2)*2).sum(0)", (3, 4)),
    ("return (x.transpose(0,1)*2).mean(1)", (3, 4)),
    ("q=x[0]; return torch.relu(q.view(2,-1)+1)*q.view(2,-1)", (3, 4)),
    ("return x[0,0]*2+x", (3, 4)),
    ("return torch.relu(x[:,None]*z[None]+1)", (3, 4), (3, 4)),
    ("return x.expand(2, x.size(0), x.size(1))*2+1", (3, 4)),
    ("return z.expand(x.size(0), -1)*2+x", (3, 4), (1, 4)),
    ("y = torch.cat([torch.tanh(x)*2, z+1], 1); return y*2+1", (2, 4), (2, 3)),
    ("a = x[:, :2]; b = x[:, 2:]; return x*2 + torch.cat([-b, a], -1)*x", (3, 4)),
    ("return torch.cat([x*2, x+1, x], 0)*2", (3, 4)),
    ("return torch.cat([x.t()*2, z], 0)*2", (3, 4), (2, 3)),
    ("y = x*2; l = [y, x]; y.add_(1); return torch.cat(l)*2", (3, 4)),
    ("y = x*2; l = [y, x]; c = torch.cat(l)*2; return l[0], c", (3, 4)),
    ("y = torch.cat([x[0], x[1]*2])*2; return y.view(2, -1), y", (3, 4)),
    ("return torch.cat([x*1, z*1])+1", (4,), (3,)),
]

IN_PLACE = [
    ("v = x.expand([2, 3, 4]).reshape(-1); x.fill_(0); return torch.relu(v)*2+1", (3, 4)),
    ("v = x.t().reshape(-1); x.mul_(2); return torch.relu(v)*2+1", (3, 4)),
    ("return torch.empty_like(x).fill_(2.0)+torch.tanh(x)", (3, 4)),
    ("y=torch.tanh(x); y.add_(1); y.mul_(x); return y", (3, 4)),
    ("x.add_(1); x.mul_(x); return torch.tanh(x)", (3, 4)),
    ("y=torch.zeros_like(x); y+=x; y*=torch.tanh(x); return y", (3, 4)),
    ("y=torch.relu_(x*2); return torch.tanh(y)", (2, 4)),
    ("return torch.tanh(x).clamp_(0,1).mul_(2)", (3, 4)),
    ("v=x[1]; w = torch.tanh(v)*2; x.add_(1); return w+v, v*w", (3, 4)),
    ("y=torch.tanh(x); z=y.add_(1); return y, z, y*2", (3, 4)),
    ("y=torch.tanh(x); v=y[1]; y.add_(1); return y, v*2", (3, 4)),
    ("y=torch.tanh(x); v=y[1]*2; y.add_(1); return y, v", (3, 4)),
    ("y=torch.tanh(x); y.add_(z); return y*2", (3, 4), (4,)),
    ("y=torch.tanh(z); y.add_(x); return y*2", (3, 4), (1, 4)),
    ("y=torch.tanh(x)+1; y[0].add_(2); return y*2", (3, 4)),
    ("y=torch.tanh(x)+1; y.copy_(z); return y*2, y", (3, 4), (4,)),
    ("y=torch.tanh(x)+1; y.zero_(); y+=x; return y*2, y", (3, 4)),
    ("y=torch.tanh(x)+1; y.fill_(2.5); y*=z; return y*2, y", (3, 4), (3, 1)),
    ("y=torch.empty_like(x); y.fill_(2.5); y*=z; return y*2, y", (3, 4), (3, 1)),
    ("y=torch.tanh(x)*2; w=y.view(-1); y.mul_(2); return w+1, y", (3, 4)),
    ("y=torch.tanh(x)*2; y.mul_(y.t()); return y", (4, 4)),
    ("y=torch.tanh(x)*2; y.mul_(y); return y+y", (4, 4)),
    ("y=torch.tanh(x); y.masked_fill_(x>0, 0.5); return y*x", (3, 4)),
    ("y=x*2; y.relu_(); x.mul_(2); y.add_(x); return y, x", (3, 4)),
    ("x.relu_(); y=x*2; y.add_(x); return y, x", (3, 4)),
    ("y=x*2; l=[y]; y.add_(1); y.mul_(3); return l[0]+y", (3, 4)),
    ("y=x*2; a=y; a+=1; a*=3; return a, y", (3, 4)),
    ("y=(x*2).t(); y.add_(1); y.mul_(3); return y", (3, 4)),
    ("y=x*2; y.add_(torch.ones_like(x, dtype=torch.float64)); return y*2", (3, 4)),
    ("y=torch.tanh(x); u = y[1:]; y.sigmoid_(); w = y[1:]*2; return w, u", (3, 4)),
]

FACTORIES = [
    ("return torch.zeros_like(x)+torch.tanh(x)", (3, 4)),
    ("return torch.zeros([3,4])+torch.tanh(x)", (3, 4)),
    ("return torch.zeros(x.shape)+torch.tanh(x)", (3, 4)),
    ("return torch.zeros(x.size(0), 4)+torch.tanh(x)", (3, 4)),
    ("return torch.zeros_like(x)", (3, 4)),
    ("y=torch.zeros_like(x); y[0]=x[1]; return y+torch.tanh(x)", (3, 4)),
    ("return torch.tanh(x).masked_fill(x>0, 0.5)*2", (2, 4)),
    ("return torch.where(x>0, x, torch.zeros_like(x))*2", (2, 4)),
    ("return torch.arange(4)*torch.tanh(x)+1", (2, 4)),
    ("return x.new_zeros(x.shape)+torch.tanh(x)", (4, 4)),
    ("return torch.full_like(x, 2.)*x, torch.ones_like(x[0])+x", (3, 4)),
    ("return x.new_ones((x.size(0), x.size(1)))+torch.tanh(x)", (3, 4)),
    ("return torch.full((x.size(1), 3), 2.0)*2+x.size(0)", (3, 4)),
    ("n = x.size(0)*2; return torch.ones(n, 3)*2+torch.zeros(n, 3)", (3, 4)),
    ("return torch.zeros(x.numel())*2+x.reshape(x.numel())", (3, 4)),
    ("y=torch.tanh(x).masked_fill(z>0, -float('inf')); return torch.softmax(y, -1)", (3, 4), (4,)),
]


def other_sizes(shapes: Shapes) -> Iterator[Shapes]:
    yield tuple(tuple(2 * size if size > 1 else size for size in shape) for shape in shapes)
    yield tuple(tuple(size + 1 if size > 1 else size for size in shape) for shape in shapes)
    for size in (0, 1):
        yield tuple((size, *shape[1:]) for shape in shapes)
        yield tuple((*shape[:-1], size) for shape in shapes)


def contiguous(array: np.ndarray) -> np.ndarray:
    return array


def stepped(array: np.ndarray) -> np.ndarray:
    wide = np.zeros(tuple(2 * size for size in array.shape), array.dtype)
    part = wide[tuple(slice(0, 2 * size, 2) for size in array.shape)]
    part[...] = array
    return part


def turned(array: np.ndarray) -> np.ndarray:
    return np.asfortranarray(array)


def outcome(f: Any, arguments: Sequence[Any]) -> Any:
    try:
        result = f(*arguments)
    except (RuntimeError, IndexError, ValueError):
        return "raises"
    return result if isinstance(result, tuple) else (result,)


def strides(array: np.ndarray) -> list[int]:
    """Those that say where elements are."""
    if not array.size:
        return []
    pairs = zip(array.shape, array.strides, strict=True)
    return [stride for size, stride in pairs if size > 1]


def sharing(arrays: Sequence[np.ndarray]) -> list[tuple[int, int]]:
    pairs = itertools.combinations(enumerate(arrays), 2)
    return [(i, j) for (i, a), (j, b) in pairs if np.may_share_memory(a, b)]


def check(program: Program) -> None:
    text, *shapes = program
    names = ", ".join("xz"[: len(shapes)])
    source = f"def f({names}):\n" + "".join(f"    {one}\n" for one in text.split("; "))
    scope: dict[str, Any] = {"torch": torch}
    exec(source, scope)
    compiled = ts.CompilationUnit(source)["f"]
    same = tuple(shapes)
    calls = [(same, contiguous)] * 4 + [(one, contiguous) for one in other_sizes(same)]
    calls += [(same, stepped)] * 4 + [(same, turned)] * 4 + [(same, contiguous)]
    for sizes, layout in calls:
        rng = np.random.default_rng(7)
        given = [layout(rng.standard_normal(size).astype(np.float32)) for size in sizes]
        wanted_of = [layout(array.copy()) for array in given]
        expected = outcome(scope["f"], [torch.from_numpy(array) for array in wanted_of])
        made = outcome(compiled, [as_tensor(array) for array in given])
        if isinstance(made, str) or isinstance(expected, str):
            assert made == expected, sizes
            continue
        ours = [*map(np.asarray, made), *given]
        theirs = [*(tensor.numpy() for tensor in expected), *wanted_of]
        for one, other in zip(ours, theirs, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            assert strides(one) == strides(other), sizes
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
        assert sharing(ours) == sharing(theirs), sizes


@pytest.mark.parametrize("program", VIEWS, ids=lambda program: program[0])
def test_views(program: Program) -> None:
    check(program)


@pytest.mark.parametrize("program", IN_PLACE, ids=lambda program: program[0])
def test_in_place(program: Program) -> None:
    check(program)


@pytest.mark.parametrize("program", FACTORIES, ids=lambda program: program[0])
def test_factories(program: Program) -> None:
    check(program)
