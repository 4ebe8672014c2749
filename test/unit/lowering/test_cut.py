"""Large groups are cut, and equal groups share kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from lowering.backend import LLVM
from lowering.linalg.groups import CAPACITY, LARGE, cut
from support.native_calls import needs_native_calls
from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.lists import current
from torchscript_dialect.runtime.native.table import MAX_BUFFERS

TYPE = "Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)"


def program(lines: list[str], arguments: str = "x, y") -> Any:
    body = "".join(f"    {line}\n" for line in lines)
    return ts.CompilationUnit(f"def f({arguments}):\n{body}    return x\n").f


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many modules each call of the backend's `compile_all` compiled."""
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", "0")
    counts: list[int] = []
    real = LLVM.compile_all

    def counted(modules: Any, lists: Any) -> Any:
        counts.append(len(modules))
        return real(modules, lists)

    monkeypatch.setattr(LLVM, "compile_all", counted)
    return counts


def matrices(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.random.default_rng(0).random((2, *shape), np.float32)
    return x, y


def test_fifty_equal_layers_are_compiled_once(compiled: list[int]) -> None:
    layer = ["x = torch.tanh(x * y) + y", "x = torch.cumsum(x, 0)"]
    f, (x, y) = program(layer * 50), matrices(3, 4)
    expected = x
    for _ in range(50):
        expected = np.cumsum(np.tanh(expected * y) + y, 0, dtype=np.float32)
    for _ in range(3):
        np.testing.assert_allclose(f(x, y).numpy(), expected, rtol=1e-4)
    assert compiled == [1]


def test_layers_of_products_and_reductions_share_kernels(compiled: list[int]) -> None:
    layer = [
        "h = torch.layer_norm(x, [4])",
        "h = torch.tanh(torch.mm(h, w))",
        "x = x + torch.mm(h, w.t())",
    ]
    f, (x, w) = program(layer * 50, "x, w"), matrices(4, 4)
    with ts.optimized_execution(False):
        expected = f(x, w).numpy()
    for _ in range(3):
        np.testing.assert_allclose(f(x, w).numpy(), expected, rtol=1e-4, atol=1e-4)
    assert len(compiled) == 1 and compiled[0] <= 3


def test_names_do_not_keep_groups_apart(compiled: list[int]) -> None:
    lines = [
        "a = torch.tanh(x * y) + 0.25",
        "x = torch.cumsum(a, 0)",
        "other = torch.tanh(x * y) + 0.25",
    ]
    f, (x, y) = program([*lines, "x = torch.cumsum(other, 0)"]), matrices(3, 4)
    for _ in range(3):
        f(x, y)
    assert compiled == [1]


@needs_native_calls
def test_functions_share_kernels_while_they_live(compiled: list[int]) -> None:
    x, y = matrices(3, 4)
    functions = [
        program(["x = torch.tanh(x * y) + 0.75", "x = torch.cumsum(x, 0)"]) for _ in range(3)
    ]
    for f in functions:
        for _ in range(3):
            f(x, y)
    assert compiled == [1]


def test_a_long_program_is_a_few_kernels_and_computes_the_same(compiled: list[int]) -> None:
    step = ["x = x * y", "x = x + 0.5", "x = torch.relu(x)", "x = x - y", "x = torch.abs(x)"]
    f, (x, y) = program(step * 400), matrices(5, 7)
    expected = x
    for _ in range(400):
        expected = np.abs(np.maximum(expected * y + np.float32(0.5), 0) - y)
    for _ in range(3):
        np.testing.assert_allclose(f(x, y).numpy(), expected, rtol=1e-5)
    groups = [op for op in f.graph_for(x, y).function.walk() if is_group(op)]
    assert 2000 / CAPACITY <= len(groups) <= 2 * 2000 / CAPACITY
    assert sum(compiled) <= 3
    assert max(sum(isinstance(op, OperatorOp) for op in g.body.ops) for g in groups) < 2 * CAPACITY


def is_group(op: Any) -> bool:
    return isinstance(op, prim.TensorExprGroupOp)


def nodes_of(lines: list[str]) -> list[Any]:
    """The operators of a graph on the matrices %x and %y, whose results have its type."""
    body = "".join(f"  %{line}\n" for line in lines).replace("=", f": {TYPE} =")
    text = f"graph(%x : {TYPE}, %y : {TYPE}):\n  %one : int = prim::Constant[value=1]()\n{body}  return (%x)\n"
    return [op for op in parse_ir_text(text).walk() if isinstance(op, OperatorOp)]


def test_what_is_alive_side_by_side_stays_together() -> None:
    """Cutting it would send many values through memory, and gain nothing."""
    names = ["x", "y"]
    lines: list[str] = []
    for index in range(LARGE + 200):
        lines.append(f"v{index} = aten::mul(%{names[-1]}, %{names[-min(len(names), 20)]})")
        names.append(f"v{index}")
    assert len(cut(nodes_of(lines))) == 1
    chain = [f"v{i} = aten::mul(%{f'v{i - 1}' if i else 'x'}, %y)" for i in range(LARGE + 200)]
    assert len(cut(nodes_of(chain))) == 5
    assert len(cut(nodes_of(chain[:LARGE]))) == 1


def test_a_run_ends_where_a_product_begins() -> None:
    chain = [f"v{i} = aten::tanh(%{f'v{i - 1}' if i else 'x'})" for i in range(LARGE // 24)]
    product = f"p = aten::mm(%v{len(chain) - 1}, %y)"
    after = [line.replace("v", "w").replace("%x", "%p") for line in chain]
    assert len(cut(nodes_of([*chain, product, *after]))) == 1


def test_no_group_has_more_tensors_than_a_native_call(compiled: list[int]) -> None:
    """Each layer takes four tensors of its own and gives one: sixteen, few to compile, would have 82."""
    count = 16
    arguments = "x, " + ", ".join(f"a{i}, b{i}, c{i}, d{i}" for i in range(count))
    lines: list[str] = []
    for i in range(count):
        lines += [f"x = torch.tanh(x * a{i}) + b{i}", f"y{i} = x * c{i}", f"x = x * d{i}"]
    kept = ", ".join(f"y{i}" for i in range(count))
    body = "".join(f"    {line}\n" for line in lines)
    source = f"def f({arguments}):\n{body}    return x, {kept}\n"
    f: Any = ts.CompilationUnit(source).f
    given = np.random.default_rng(0).random((1 + 4 * count, 3, 4), np.float32)
    x, expected = given[0], list[np.ndarray]()
    for a, b, c, d in given[1:].reshape(count, 4, 3, 4):
        x = np.tanh(x * a) + b
        expected.append(x * c)
        x = x * d
    for _ in range(3):
        for one, other in zip(f(*given), [x, *expected], strict=True):
            np.testing.assert_allclose(one.numpy(), other, rtol=1e-5)
    groups = [op for op in f.graph_for(*given).function.walk() if is_group(op)]
    assert max(len(group.operands) + len(group.results) for group in groups) < MAX_BUFFERS
    assert (len(groups), compiled) == (2, [1])


def test_writes_stay_with_what_they_write_to() -> None:
    """Of a group with more tensors than a native call takes, too, of whose results others are parts."""
    names = [f"w{i}" for i in range(2 * MAX_BUFFERS)]
    lines: list[str] = []
    for i, name in enumerate(names):
        lines += [f"x = torch.relu(x * 2 + {name})", "x.mul_(0.5)"]
        if i % 5 == 0:
            lines += ["v = x[:, 1:]", "v.add_(1.0)"]
    f = program(lines, ", ".join(["x", *names]))
    given = [np.random.default_rng(i).random((3, 4), np.float32) for i in range(len(names) + 1)]
    with ts.fuser("none"):
        wanted = program(lines, ", ".join(["x", *names]))(*given).numpy()
    for _ in range(3):
        np.testing.assert_allclose(f(*given).numpy(), wanted, rtol=1e-5)
    groups = [op for op in f.graph_for(*given).function.walk() if is_group(op)]
    assert len(groups) > 1
    assert max(len(group.operands) + len(group.results) for group in groups) < MAX_BUFFERS


@needs_native_calls
def test_modules_are_compiled_together_each_with_its_own_outcome() -> None:
    text = "graph(%x : {0}):\n  %r : {0} = aten::{1}(%x)\n  return (%r)\n"
    names = ["tanh", "nonzero", "neg", "exp", "argsort"]
    modules = [parse_ir_text(text.format(TYPE, name)) for name in names]
    outcomes = LLVM.compile_all(modules, current())
    refused = [isinstance(one, NotCompilable) for one in outcomes]
    assert refused == [False, True, False, False, True]
    x = np.ones((2, 2), np.float32)
    for outcome, expected in zip(outcomes, (np.tanh(x), None, -x, np.exp(x), None), strict=True):
        if not isinstance(outcome, NotCompilable):
            call = outcome.bind([x])
            assert call is not None and expected is not None
            found: Any = outcome.launch(call)
            np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)


@needs_native_calls
def test_what_goes_wrong_in_the_other_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("in the thread")

    text = f"graph(%x : {TYPE}):\n  %r : {TYPE} = aten::tanh(%x)\n  return (%r)\n"
    monkeypatch.setattr("lowering.compiler.spec_of", broken)
    with pytest.raises(ZeroDivisionError, match="in the thread"):
        LLVM.compile_all([parse_ir_text(text), parse_ir_text(text)], current())
