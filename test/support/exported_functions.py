"""What the tests of exports export: expressions and programs of each family of operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts

X = np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3)
Y = np.array([0.5, 1.5, 3.0], np.float32)
W = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
Z = np.linspace(-3, 3, 24, dtype=np.float32).reshape(2, 3, 4)
D = X.astype(np.float64)
N = np.arange(-3, 3).reshape(2, 3)
M = X > 0
PLACES = np.array([2, 0, 1])
TABLE = np.array([[0, 2], [1, 1]])
WIDE = np.linspace(-1, 1, 20, dtype=np.float32).reshape(5, 4)
HEADS = np.sin(np.arange(64, dtype=np.float32)).reshape(2, 2, 4, 4)
IMAGE = np.sin(np.arange(75, dtype=np.float32)).reshape(1, 3, 5, 5)
KERNEL = np.cos(np.arange(54, dtype=np.float32)).reshape(2, 3, 3, 3)


FUNCTIONS: dict[str, tuple[str, tuple[Any, ...]]] = {
    # One operator, or none.
    "tanh": ("torch.tanh(x)", (X,)),
    "identity": ("x", (X,)),
    "several": ("(x, x + 1, 2, 0.5, True)", (X,)),
    "swapped": ("(y, x)", (X, Y)),
    "nested": ("((x, y), x * y)", (X, Y)),
    # Pointwise, of every dtype.
    "broadcast": ("torch.exp(x * y) + x", (X, Y)),
    "gelu": ("torch.nn.functional.gelu(x)", (X,)),
    "where": ("torch.where(x > 0, x, y)", (X, Y)),
    "double": ("x / (x * x + 1)", (D,)),
    "integers": ("x * x - 3", (N,)),
    "mixed": ("x + y", (N, X)),
    "bools": ("torch.logical_and(x, y > 1)", (M, Y)),
    "round": ("torch.floor(x) + torch.round(x)", (X,)),
    "clamp": ("torch.clamp(x, -1.0, 1.0)", (X,)),
    "transposed": ("x.t() + 1", (X,)),
    # Products.
    "mm": ("torch.mm(x, y)", (X, W)),
    "linear": ("torch.nn.functional.linear(x, y)", (X, np.ascontiguousarray(W.T))),
    "layer": ("torch.relu(x @ y)", (X, W)),
    # Reductions along any dimensions.
    "sum": ("x.sum()", (X,)),
    "sum_first": ("x.sum(0)", (X,)),
    "sum_middle": ("x.sum(1, keepdim=True)", (Z,)),
    "sum_two": ("x.sum([0, 2])", (Z,)),
    "mean_first": ("x.mean([0], keepdim=True) - x", (Z,)),
    "amax_first": ("torch.amax(x, [0])", (X,)),
    "prod_last": ("torch.prod(x, 1)", (N,)),
    "sum_of_bools": ("x.sum()", (M,)),
    "sum_scalar": ("x.sum().sum()", (X,)),
    "softmax_last": ("torch.softmax(x, -1)", (X,)),
    "softmax_first": ("torch.softmax(x, 0)", (X,)),
    "softmax_middle": ("torch.log_softmax(x, 1) * 2", (Z,)),
    # Views.
    "t": ("x.t()", (X,)),
    "transpose": ("x.transpose(0, 2)", (Z,)),
    "permute": ("x.permute(2, 0, 1)", (Z,)),
    "product_of_views": ("torch.mm(x.permute(1, 0), x)", (X,)),
    "reversed": ("x.T", (X,)),
    "matrix_transpose": ("x.mT", (Z,)),
    "unsqueeze": ("x.unsqueeze(1)", (X,)),
    "squeeze": ("x.sum(1, keepdim=True).squeeze()", (Z,)),
    "squeeze_one": ("x.unsqueeze(0).unsqueeze(0).squeeze(1)", (X,)),
    "expand": ("x.expand(4, 2, -1)", (X,)),
    "expand_ones": ("x.unsqueeze(1).expand(2, 5, 3)", (X,)),
    "expand_as": ("y.expand_as(x)", (X, Y)),
    "view": ("x.view(6, 4)", (Z,)),
    "view_rest": ("x.view(-1)", (Z,)),
    "view_cut": ("x.view(2, 2, 6)", (Z,)),
    "view_ones": ("x.view(1, 2, 1, 3, 1)", (X,)),
    "view_number": ("x.sum().view(1, 1)", (X,)),
    "view_one": ("x[:1, :1].view(()) + x.sum(0, keepdim=True).sum(1).view([])", (X,)),
    "reshape_of_transposed": ("x.t().reshape(6)", (X,)),
    "reshape_empty": ("x.reshape(0, 3)", (np.zeros((2, 0), np.float32),)),
    "flatten": ("x.flatten(1)", (Z,)),
    "unflatten": ("x.unflatten(2, (2, 2))", (Z,)),
    "copies": ("x.contiguous().clone().detach() + 1", (X,)),
    "cast": ("x.to(torch.float64) * 2", (X,)),
    "cat": ("torch.cat([x, x * 2], 1)", (X,)),
    "select": ("x.select(1, -1)", (Z,)),
    "index": ("x[1] + x[:, 0].sum()", (X,)),
    "slice": ("x[:, 1:] * x[:, :2]", (X,)),
    "slice_steps": ("x[..., ::3] + x[:, :, -2:]", (Z,)),
    "slice_nothing": ("x[2:]", (X,)),
    "narrow": ("x.narrow(2, -3, 2)", (Z,)),
    # Products of tensors of any ranks.
    "bmm": ("torch.bmm(x, x.mT)", (Z,)),
    "matmul_batch": ("x @ y", (Z, np.ones((4, 5), np.float32))),
    "matmul_vector": ("x @ y", (Z, np.arange(4, dtype=np.float32))),
    "matmul_vectors": ("y @ y + y @ x", (W, Y)),
    "matmul_broadcast": ("x.unsqueeze(1) @ x.mT", (Z,)),
    "matmul_integers": ("x @ x.t()", (N,)),
    "linear_batch": ("torch.nn.functional.linear(x, y, z)", (Z, WIDE, np.ones(5, np.float32))),
    "addmm": ("torch.addmm(z, x, y, beta=0.5)", (X, W, np.ones(4, np.float32))),
    "baddbmm": ("torch.baddbmm(x, x, x, alpha=2)", (np.ones((2, 3, 3), np.float32),)),
    "outer": (
        "torch.outer(x, x) + torch.dot(x, x) + torch.mv(y, x)",
        (Y, np.ones((3, 3), np.float32)),
    ),
    # What is made of others.
    "var": ("x.var(1) + x.var([0, 1], False)", (X,)),
    "std": ("x.std(0, keepdim=True), x.std()", (Z,)),
    "var_mean": ("torch.var_mean(x, 1)", (X,)),
    "norms": ("x.norm(), x.norm(1), torch.norm(x, 2, 1), torch.norm(x, 3.0, [0])", (X,)),
    "logsumexp": ("x.logsumexp(1), x.logsumexp([0], True)", (X,)),
    "argmax": (
        "x.argmax(), x.argmax(1), x.argmin(0, keepdim=True), x.max(1), x.min(), x.aminmax()",
        (X,),
    ),
    "all_any": ("x.all(), x.any(1), (x == x).all(0)", (M,)),
    "layer_norm": ("torch.nn.functional.layer_norm(x, [3], y, y)", (X, Y)),
    "layer_norm_two": ("torch.nn.functional.layer_norm(x, [3, 4])", (Z,)),
    "batch_norm": ("torch.batch_norm(x, y, y, y, y, False, 0.1, 1e-5, False)", (IMAGE, Y)),
    "group_norm": ("torch.nn.functional.group_norm(x, 2)", (IMAGE.repeat(2, 1),)),
    "rms_norm": ("torch.nn.functional.rms_norm(x, [3])", (X,)),
    "attention": ("torch.nn.functional.scaled_dot_product_attention(x, x, x)", (HEADS,)),
    "attention_causal": (
        "torch.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)",
        (HEADS,),
    ),
    "losses": ("torch.nn.functional.mse_loss(x, x * 2)", (X,)),
    "dropout": ("torch.nn.functional.dropout(x, 0.5, False)", (X,)),
    # Tensors from nothing.
    "zeros": ("torch.zeros([2, 3]) + x, torch.ones([2]), torch.full([2, 2], 3)", (X,)),
    "likes": ("torch.ones_like(x), torch.zeros_like(x), torch.full_like(x, 2.5)", (X,)),
    "new": ("x.new_zeros([2]), x.new_ones([1, 2]), x.new_full([2], 3)", (X,)),
    "ranges": (
        "torch.arange(5), torch.arange(0, 10, 3), torch.arange(0.0, 1.0, 0.25), torch.eye(3)",
        (X,),
    ),
    "literals": ("torch.tensor([1.0, 2.0, 3.0]) * x", (X,)),
    # Parts, chosen by numbers and by tensors.
    "stack": ("torch.stack([x, x * 2]), torch.stack([x, x * 2], -1)", (X,)),
    "split": ("torch.split(x, 2, 2), torch.split(x, [1, 3], 2), x.unbind(0), x.chunk(2, 1)", (Z,)),
    "repeat": ("x.repeat(2, 1, 2), x.repeat_interleave(2, 1), x.tile([2])", (X,)),
    "roll": ("x.roll(1, 1), x.roll([1, 2], [0, 1]), x.flip([1])", (X,)),
    "index_select": ("x.index_select(0, y), x.index_select(1, y)", (W, PLACES)),
    "index_tensor": ("x[y], x[:, y], x[y, y], x[-1, y]", (W, PLACES)),
    "gather": ("x.gather(1, y), torch.take(x, y)", (X, TABLE)),
    "embedding": ("torch.embedding(x, y)", (W, TABLE)),
    "masks": ("x.masked_fill(y, 0.5), x.tril(), x.triu(1), torch.where(y, x, 0)", (X, M)),
    "index_fill": ("x.index_fill(0, y, 1.0)", (W, np.array([1, -1]))),
    "one_hot": ("torch.nn.functional.one_hot(x, 4)", (PLACES,)),
    "pad": ("torch.nn.functional.pad(x, [1, 2, 0, 1], value=3.0)", (X,)),
    "pad_modes": (
        "torch.nn.functional.pad(x, [1, 2], 'reflect'), torch.nn.functional.pad(x, [2, 1], 'circular'),"
        " torch.nn.functional.pad(x, [2, 1], 'replicate')",
        (Z,),
    ),
    "broadcast_tensors": ("torch.broadcast_tensors(x, y)", (X, Y)),
    "movedim": ("x.movedim(0, 2), torch.pixel_shuffle(x.view(1, 4, 2, 3), 2)", (Z,)),
    # Windows.
    "conv2d": ("torch.conv2d(x, y, z, [2, 2], [1, 1])", (IMAGE, KERNEL, np.ones(2, np.float32))),
    "conv2d_dilated": ("torch.conv2d(x, y, None, [1, 1], 'same', [2, 1])", (IMAGE, KERNEL)),
    "conv2d_groups": ("torch.conv2d(x, y, groups=3)", (IMAGE, np.ones((6, 1, 3, 2), np.float32))),
    "conv_transpose2d": (
        "torch.conv_transpose2d(x, y, z, 2, 1, 1)",
        (IMAGE, np.ones((IMAGE.shape[1], 2, 3, 3), np.float32), np.ones(2, np.float32)),
    ),
    "conv1d": ("torch.conv1d(x, y)", (Z, np.ones((2, 3, 2), np.float32))),
    "conv_alone": ("torch.conv2d(x[0], y)", (IMAGE, KERNEL)),
    "max_pool2d": (
        "torch.max_pool2d(x, [2, 2]), torch.max_pool2d(x, [3, 3], [2, 2], [1, 1])",
        (IMAGE,),
    ),
    "avg_pool2d": ("torch.nn.functional.avg_pool2d(x, 2)", (IMAGE,)),
    "avg_pool2d_borders": (
        "torch.nn.functional.avg_pool2d(x, 3, 2, 1, True, False), torch.nn.functional.avg_pool2d(x, 3, 2, 1)",
        (IMAGE,),
    ),
    "adaptive_pool": ("torch.nn.functional.adaptive_avg_pool2d(x, [1, 5])", (IMAGE,)),
    # Ints and bools.
    "int_bits": ("x & 3, x | 4, x ^ 5, ~x, x << 2, x >> 1", (N,)),
    "int_division": (
        "x % 3, x // 2, x // -2, torch.fmod(x, 3), torch.div(x, 2, rounding_mode='trunc')",
        (N,),
    ),
    "int_functions": ("x ** 3, abs(x), -x, x.sign(), x.clamp(-1, 1), x / 2", (N,)),
    "casts": ("x.to(torch.int32), x.to(torch.bool), x.float(), x.double()", (N,)),
    "comparisons": ("x == 1, x >= y, torch.logical_not(x > 0), (x > 0) | (y > 0)", (N, X)),
    # Numbers.
    "numbers": ("x.numel(), len(x), x.size(), x.size(1), x.dim()", (X,)),
    "items": ("x.sum().item() * 2, float(x[0, 1]), int(x[0, 0]), bool((x > 0).any())", (X,)),
    "list": ("[x, x + 1]", (X,)),
}


PROGRAMS: dict[str, tuple[str, tuple[tuple[Any, ...], ...]]] = {
    "branch": (
        """
def f(x):
    if bool(x.sum() > 0):
        y = x + 1
    else:
        y = x * 2
    return y
""",
        ((X,), (X + 1,)),
    ),
    "returns": (
        """
def f(x):
    if x.sum() > 0:
        return x
    return x + 1
""",
        ((X,), (X + 1,)),
    ),
    "counted": (
        """
def f(x, n: int):
    for i in range(n):
        x = x * 0.5 + i
    return x
""",
        ((X, 3), (X, 0)),
    ),
    "nested": (
        """
def f(x, n: int):
    for i in range(n):
        for j in range(i):
            x = torch.relu(x) + j
    return x
""",
        ((X, 4), (X, 1)),
    ),
    "while": (
        """
def f(x):
    while float(x.sum()) < 20.0:
        x = x + 1
    return x
""",
        ((X,), (X + 30,)),
    ),
    "carried": (
        """
def f(x, n: int):
    i = 0
    a = 1.0
    ok = True
    while ok and i < n:
        i += 2
        a = a * 1.5
        ok = a < 3
    return x * a, i, a, ok
""",
        ((X, 5), (X, 0), (X, 50)),
    ),
    "breaks": (
        """
def f(x, n: int):
    for i in range(n):
        if i % 2 == 0:
            x = x + 1
        else:
            x = x - i
        if float(x.sum()) > 100:
            break
    return x
""",
        ((X, 5), (X, 40)),
    ),
    "steps": (
        """
def f(x, n: int):
    for i in range(2, n, 3):
        x = x + i
    return x, n // 2, n % 3, -n, n / 2, max(n, 3), abs(n), n > 3 and n < 20
""",
        ((X, 14), (X, -3)),
    ),
    "unrolled": (
        """
def f(x):
    parts = [x]
    for i in range(3):
        parts.append(parts[-1] * 2)
    total = 0
    for i in range(x.size(0)):
        total += int(x[i].sum())
    return torch.cat(parts, 1), total
""",
        ((X,), (X + 1,)),
    ),
    "in_place": (
        """
def f(x, n: int):
    y = torch.empty_like(x).fill_(2.0)
    y += x
    y.relu_()
    for i in range(n):
        y += i
    return y
""",
        ((X, 3), (X, 0)),
    ),
    "recurrent": (
        """
def f(x, w):
    state = torch.zeros([2, 3])
    for i in range(4):
        state = torch.tanh(x[:, :, i] + state @ w)
    return state
""",
        ((Z, np.ones((3, 3), np.float32)),),
    ),
}
"""Programs with control flow, and the calls for which they are run; the first one is what they are exported for."""


def function_of(expression: str, count: int) -> Any:
    names = "xyz"[:count]
    return ts.CompilationUnit(f"def f({', '.join(names)}):\n    return {expression}\n").f


def flat(value: Any) -> list[Any]:
    return [x for item in value for x in flat(item)] if isinstance(value, tuple | list) else [value]


def assert_same(given: list[Any], wanted: Any) -> None:
    expected = flat(wanted)
    assert len(given) == len(expected)
    for one, other in zip(given, expected, strict=True):
        if isinstance(other, ts.Tensor):
            assert one.dtype == other.numpy().dtype
            np.testing.assert_allclose(one, other.numpy(), rtol=1e-5, atol=1e-6)
            assert one.shape == other.numpy().shape
        else:
            assert one == pytest.approx(other, rel=1e-6)
            assert type(one) is type(other)
