"""Functions that leave for other compilers: their text, read by xDSL's own parser and run by its interpreter, gives what we give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.exported_functions import (
    FUNCTIONS,
    PROGRAMS,
    W,
    X,
    Y,
    Z,
    assert_same,
    function_of,
)
from support.upstream_interpreter import run_text
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_leaves_gives_our_results(name: str) -> None:
    expression, args = FUNCTIONS[name]
    f = function_of(expression, len(args))
    assert_same(run_text(str(ts.to_linalg(f, args)), *args), f(*args))


@pytest.mark.parametrize("name", PROGRAMS)
def test_control_flow_leaves(name: str) -> None:
    source, calls = PROGRAMS[name]
    f = ts.CompilationUnit(source).f
    text = str(ts.to_linalg(f, calls[0]))
    assert name in ("unrolled", "recurrent") or "scf." in text
    for args in calls:
        assert_same(run_text(text, *args), f(*args))


def test_a_graph_and_a_module_of_ops_leave() -> None:
    f = function_of("torch.tanh(x) * y", 2)
    text = str(ts.to_linalg(f, (X, Y)))
    assert str(ts.to_linalg(f.graph, (X, Y))) == text
    assert str(ts.to_linalg(f.graph.module_op, (X, Y))) == text


def test_numbers_are_computed_beside_tensors() -> None:
    source = (
        "def f(x, k: int, a: float):\n"
        "    b = (k * 3 - 1) * a\n"
        "    return x * b, k + k, b, k > 2, a == k\n"
    )
    f = ts.CompilationUnit(source).f
    args = (X, 3, 0.25)
    assert_same(run_text(str(ts.to_linalg(f, args)), *args), f(*args))


def test_chunks_leave() -> None:
    source = "def f(x):\n    a, b = torch.chunk(x, 2, 2)\n    return a * b\n"
    f = ts.CompilationUnit(source).f
    assert_same(run_text(str(ts.to_linalg(f, Z)), Z), f(Z))


def test_chunks_the_last_of_which_is_smaller_leave() -> None:
    source = "def f(x):\n    a, b = torch.chunk(x, 2, 1)\n    return torch.exp(a), b * 2\n"
    f = ts.CompilationUnit(source).f
    assert Z.shape[1] % 2 == 1
    assert_same(run_text(str(ts.to_linalg(f, Z)), Z), f(Z))


def test_numbers_are_arguments() -> None:
    source = "def f(x, k: int, a: float, b: bool):\n    return x * k + a, k, a, b\n"
    f = ts.CompilationUnit(source).f
    args = (X, 3, 0.25, True)
    assert_same(run_text(str(ts.to_linalg(f, args)), *args), f(*args))


@pytest.mark.parametrize(
    ("expression", "type_", "dynamic", "shape"),
    [
        ("torch.tanh(x) + x", "tensor<?x?x?xf32>", True, (5, 1, 2)),
        ("torch.softmax(x, 1).mean([0, 2])", "tensor<?x?x?xf32>", True, (3, 7, 2)),
        ("torch.mm(x.sum(0), x.sum(0).t())", "tensor<?x?x?xf32>", True, (3, 2, 7)),
        ("torch.cat([x, x * 2, y], 1)", "tensor<2x?x4xf32>", {"x": [1]}, (2, 5, 4)),
        ("x.flatten(1)", "tensor<?x3x4xf32>", {"x": [0]}, (5, 3, 4)),
        ("x.view(-1, 12)", "tensor<?x3x4xf32>", {"x": [0]}, (5, 3, 4)),
        ("x[:, 1:, 0].unsqueeze(1).expand(-1, 2, 2)", "tensor<?x3x4xf32>", {"x": [0]}, (5, 3, 4)),
        ("x.sum(1) / x.size(1) * (x.size(0) + 1)", "tensor<?x?x?xf32>", True, (3, 5, 2)),
        (
            "x.view(x.size(0), -1) + x.reshape(x.shape[0], 12)",
            "tensor<?x3x4xf32>",
            {"x": [0]},
            (5, 3, 4),
        ),
        ("x * torch.arange(x.size(1)).unsqueeze(1)", "tensor<2x?x4xf32>", {"x": [1]}, (2, 5, 4)),
        ("torch.zeros([x.size(0), 3, 1]) + x", "tensor<?x3x4xf32>", {"x": [0]}, (5, 3, 4)),
        (
            "torch.tril(x) + x.expand(2, x.size(0), 3, 4)",
            "tensor<?x3x4xf32>",
            {"x": [0]},
            (5, 3, 4),
        ),
        ("x.matmul(x.mT) + x.std(2, keepdim=True)", "tensor<?x?x4xf32>", {"x": [0, 1]}, (5, 2, 4)),
        ("torch.layer_norm(x, [4]).flip([0])", "tensor<?x?x4xf32>", {"x": [0, 1]}, (5, 2, 4)),
        ("x.flatten() + 1", "tensor<?x?x4xf32>", {"x": [0, 1]}, (5, 2, 4)),
        ("x.view(-1, 4).exp()", "tensor<2x?x4xf32>", {"x": [1]}, (2, 5, 4)),
        ("x.matmul(y[0].t()).tanh()", "tensor<?x?x4xf32>", {"x": [0, 1]}, (5, 2, 4)),
        (
            "torch.nn.functional.linear(x, y[1], y[0, 0, :3]).relu()",
            "tensor<?x3x4xf32>",
            {"x": [0]},
            (5, 3, 4),
        ),
        ("x.permute(2, 1, 0).contiguous()", "tensor<?x3x?xf32>", {"x": (0, 2)}, (5, 3, 2)),
    ],
)
def test_dynamic_sizes_may_be_others(
    expression: str, type_: str, dynamic: Any, shape: tuple[int, ...]
) -> None:
    f = function_of(expression, 2)
    text = str(ts.to_linalg(f, (Z, Z), dynamic=dynamic))
    assert f"@forward(%x: {type_}, " in text
    other = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    second = np.ones(shape, np.float32) if dynamic is True else Z
    for args in ((Z, Z), (other, second)):
        assert_same(run_text(text, *args), f(*args))


ATTENTION = """
def f(x, wq, wk, wv, wo):
    b, n, d, heads = x.size(0), x.size(1), x.size(2), 2
    q = torch.matmul(x, wq).view(b, n, heads, d // heads).transpose(1, 2)
    k = torch.matmul(x, wk).view(b, n, heads, d // heads).transpose(1, 2)
    v = torch.matmul(x, wv).view(b, n, heads, d // heads).transpose(1, 2)
    o = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return torch.nn.functional.layer_norm(
        x + torch.matmul(o.transpose(1, 2).reshape(b, n, d), wo), [d])
"""


def test_attention_leaves_for_any_batch_and_length() -> None:
    f = ts.CompilationUnit(ATTENTION).f
    weights = [np.sin(np.arange(16) + k).reshape(4, 4).astype(np.float32) for k in range(4)]
    text = str(ts.to_linalg(f, (Z, *weights), dynamic={"x": [0, 1]}))
    assert "@forward(%x: tensor<?x?x4xf32>, " in text
    for x in (Z, np.cos(np.arange(60, dtype=np.float32)).reshape(3, 5, 4)):
        assert_same(run_text(text, x, *weights), f(x, *weights))


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("x + y", r"dimension 1 of %x has to be 3"),
        (
            "torch.zeros([x.size(1) * 2])",
            r"aten::mul.* has no form|a size that is computed|sizes are not known",
        ),
        ("x.view(2, 3, 4)", r"dimension 1 of %x has to be 3"),
        ("x[:, 1]", r"dimension 1 of %x has to be 3"),
        ("x.squeeze()", r"dimension 1 of %x has to be 3"),
        ("x.flatten().view(4, 6)", r"has to be"),
        ("x.view(-1, 6)", r"dimension 1 of %x has to be 3"),
    ],
)
def test_a_size_that_the_program_needs_is_not_dynamic(expression: str, message: str) -> None:
    f = function_of(expression, 2)
    with pytest.raises(ts.TorchScriptError, match=message):
        ts.to_linalg(f, (Z, Z), dynamic={"x": [1]})


@pytest.mark.parametrize("dynamic", [{"z": [0]}, {"x": [2]}, {"x": [-1]}, {"x": [0]}])
def test_only_sizes_that_say_something_are_dynamic(dynamic: Any) -> None:
    f = function_of("x + 1", 1)
    with pytest.raises(ValueError, match="has no dynamic dimensions"):
        ts.to_linalg(f, np.ones((1, 3), np.float32), dynamic=dynamic)


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("torch.cumsum(x + 1, 0)", "aten::cumsum has no rule for linalg"),
        ("torch.sort(x)[0] + 1", "aten::sort has no rule for linalg"),
        ("torch.cumsum(x.sum(0), 0).sum()", "aten::cumsum"),
        ("x.add_(1)", "aten::add_"),
    ],
)
def test_what_cannot_leave_is_named_with_its_line(expression: str, named: str) -> None:
    f = function_of(expression, 2)
    with pytest.raises(ts.TorchScriptError, match=named) as caught:
        ts.to_linalg(f, (X, W))
    assert "line 2, in f" in str(caught.value)


class Scaled(torch.nn.Module):
    def __init__(self, weight: Any) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor(weight.tolist()))
        self.factor = 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.mm(x, self.weight) * self.factor


class Network(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Scaled(W)
        self.bias = torch.nn.Parameter(torch.ones(4) * 0.25)
        self.register_buffer("shift", torch.ones(4))
        self.steps = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.inner(x) + self.bias
        if self.training:
            y = y * 2
        return torch.relu(y) + self.shift

    @torch.jit.export
    def count(self, x: torch.Tensor) -> torch.Tensor:
        self.steps = self.steps + 1
        return x + self.steps


def test_the_weights_of_a_module_become_constants() -> None:
    module = ts.script(Network())
    text = str(ts.to_linalg(module, X))
    assert "@forward(%x: tensor<2x3xf32>) ->" in text
    assert_same(run_text(text, X), module(X).detach())


def test_the_weights_of_a_module_become_arguments() -> None:
    module = ts.script(Network())
    state = module.state_dict()
    text = str(ts.to_linalg(module, X, weights="arguments"))
    doubled = {name: as_tensor(2 * value.numpy()) for name, value in state.items()}
    for values in (state, doubled):
        for name, value in values.items():
            state[name].numpy()[...] = value.numpy()
        assert_same(run_text(text, X, *values.values()), module(X).detach())


def test_a_method_that_writes_to_its_module_is_named() -> None:
    module = ts.script(Network())
    with pytest.raises(ts.TorchScriptError, match="SetAttr needs the module itself") as caught:
        ts.to_linalg(module.count, X)
    assert "self.steps = self.steps + 1" in str(caught.value)


def test_weights_become_one_or_the_other() -> None:
    with pytest.raises(ValueError, match="not 'files'"):
        ts.to_linalg(ts.script(Network()), X, weights="files")  # pyright: ignore[reportArgumentType]


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match="not a str"):
        ts.to_linalg("graph()", X)  # pyright: ignore[reportArgumentType]
