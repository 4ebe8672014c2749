"""Programs for test/unit/frontend/test_emitter_graphs.py: tensors. Each becomes the graph, or the error, that PyTorch makes."""

import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor


def none_in_index(x):
    return x[:, None]


def computed_index(x, i: int):
    return x[i+1]


def index_assignment(x):
    x[0] = 1
    x[x > 0] += 1
    a = torch.jit.annotate(Optional[int], None)
    b = torch.jit.annotate(List[int], [])
    return [i for i in range(3)], {k: 1 for k in b}, a


def named_tuple_result(x):
    return torch.max(x, 0)


def lists_as_sizes(a: List[int]):
    b = torch.jit.annotate(Optional[int], None)
    x = torch.zeros(1, 2)
    y = x.view(1, 2)
    z = x.shape[0]
    w = x.float()
    u = torch.zeros([2], dtype=torch.float32)
    return b, x, y, z, w, u


def properties(x):
    for i in range(2, 5):
        x = x + i
    return x.T, x.is_cuda, x.ndim


def tuples_as_lists(x):
    return x.mean((1, 2)), x.permute(1, 0), torch.cat((x, x))


def dtypes_and_devices(x):
    return torch.ones(2, dtype=torch.float64, device="cpu"), torch.device("cuda:0"), torch.float32


def multidimensional_indexing(x):
    return x[..., 1], x[None, 1:2, ..., 0], x[[0,1]], x[:, torch.tensor([1])], x[1:3, x > 0]


def max_with_indices(x):
    a, b = torch.max(x, dim=0)
    c = torch.max(x, 0).values
    return a, b, c


def in_place_slices(x):
    y = torch.zeros_like(x)
    y[0, :] = x[1]
    y[..., 1] += 2
    y[x > 0] = 1.5
    y[0:2] *= 2
    return y


def factories(x: int):
    def_ = 1
    if x > 0:
        raise RuntimeError
    if x > 1:
        raise NotImplementedError("a", x)
    return torch.tensor([1.0, 2]), torch.tensor(x), torch.rand(2, 3), torch.arange(x), torch.empty(2, dtype=torch.int64)


def lists_of_tensors(x, y):
    return torch.cat([x, y], dim=1), torch.stack((x, y)), torch.einsum("ij,jk->ik", x, y), torch.where(x > 0, x, y)


def shapes(x):
    b, c = x.shape
    s = x.size()
    n = x.numel()
    return x.reshape(b * c), x.view([b, c]), x.sum(dim=[0]), x.sum(0), x.transpose(0, 1), x.expand(b, -1), x.to(torch.float64), x.item(), n, s[0]


def loop_over_tensor(x):
    for row in x:
        print(row)
    return x


def views(x):
    y = x.new_zeros(2, 3)
    z = x.unsqueeze(0).squeeze(-1).permute(0, 2, 1).contiguous().flatten(1)
    return y, z, x.max(dim=1)[0], x.topk(2), x.sort(dim=0), x.split(2), x.chunk(2, dim=0)[1]


def append_and_stack(x: Tensor, n: int):
    out = []
    for i in range(n):
        out.append(x[i])
    y = torch.stack(out)
    z = torch.jit.annotate(List[Tensor], [])
    for t in y.unbind(0):
        z += [t]
    return y, z


def reductions(x: Tensor):
    return x.any(), x.all(), torch.any(x > 1), x.min(), x.argmax(1), x.mean(0, True), x.std(), x.var(1), x.prod(), x.cumsum(0), x.clamp(0, 1), x.clamp_(min=0), x.pow(2), x.sqrt().exp().log(), x.eq(1), x.logical_not()


def enumerate_tensor(x: Tensor):
    v = torch.zeros([])
    for i, t in enumerate(x):
        for j in range(t.size(0)):
            if bool(t[j] > 0):
                v += t[j]
    return v


def all_kinds_of_index(x: Tensor):
    return x[0][1], x[0, 1], x[:, 0:2], x[1:], x[:-1, ::2], x[None], x[..., None], x[x], x[x, 0], x[[0]], x[0:1, [1, 2]], x[True] if False else x


def unknown_name(x):
    return undefined_thing(x)


def unknown_keyword(x, y: int):
    return torch.add(x, y, foo=3)


def too_many_arguments(x):
    return x.size(0, 1, 2)


def missing_argument(x: int):
    return torch.add(x)
