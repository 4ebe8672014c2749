"""Plans of methods are specialized by the `training` flags that they read, and changing one is heeded in the next call."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest

import torchscript_dialect as ts
import torchscript_dialect.torch as torch
from torchscript_dialect.runtime.specialization.module_flags import flags_read
from torchscript_dialect.torch import nn

X = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


class Inner(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            return x + 100.0
        return torch.relu(x * 2.0 + 1.0)


class Outer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = Inner()
        self.second = Inner()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.second(self.first(x))
        if self.training:
            y = y - 1.0
        return y


class Writes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.inner(x)
        self.inner.training = not self.inner.training
        return y + self.inner(x)


def expected(x: np.ndarray, first: bool, second: bool, outer: bool) -> np.ndarray:
    for flag in (first, second):
        x = x + 100 if flag else np.maximum(x * 2 + 1, 0)
    return x - 1 if outer else x


def test_every_change_of_a_flag_is_heeded() -> None:
    module = ts.script(Outer())
    for _ in range(4):
        for first, second, outer in ((1, 1, 1), (0, 0, 0), (0, 1, 0), (1, 0, 1), (0, 0, 0)):
            module.first.train(bool(first))
            module.second.train(bool(second))
            module.training = bool(outer)
            wanted = expected(X, bool(first), bool(second), bool(outer))
            np.testing.assert_array_equal(module(X).array, wanted)


def test_graphs_have_no_branch_on_a_flag() -> None:
    module = ts.script(Outer()).eval()
    for _ in range(4):
        module(X)
    graph = module.graph_for(X)
    assert not graph.findAllNodes("prim::GetAttr")
    assert len(graph.findAllNodes("prim::If")) == 1  # of the check before the group
    module.train()
    module(X)
    said = repr(module.get_debug_state())
    assert ", in evaluation" in said
    assert ", in training" in said


def test_a_program_that_writes_flags_reads_them() -> None:
    module = ts.script(Writes())
    assert module.graph_for(X).findAllNodes("prim::SetAttr")
    wanted = [X + 100 + np.maximum(X * 2 + 1, 0)] * 4
    for want in wanted:
        np.testing.assert_array_equal(module(X).array, want)
    module.inner.eval()
    np.testing.assert_array_equal(module(X).array, wanted[0])


def test_statistics_move_in_training_and_stay_in_evaluation() -> None:
    module = ts.script(nn.Sequential(nn.BatchNorm1d(3), nn.ReLU()))
    norm = getattr(module, "0")
    for _ in range(3):
        module.train()
        for _ in range(3):
            before = norm.running_mean.array.copy()
            module(X)
            assert (norm.running_mean.array != before).all()
        module.eval()
        mean, var = norm.running_mean.array, norm.running_var.array
        column = (1, 3, 1)
        wanted = (X - mean.reshape(column)) / np.sqrt(var.reshape(column) + 1e-5)
        for _ in range(4):
            before = norm.running_mean.array.copy()
            np.testing.assert_allclose(module(X).array, np.maximum(wanted, 0), rtol=1e-4, atol=1e-5)
            np.testing.assert_array_equal(norm.running_mean.array, before)


def test_dropout_in_evaluation_is_nothing() -> None:
    module = ts.script(nn.Sequential(Inner(), nn.Dropout(0.5))).eval()
    for _ in range(5):
        np.testing.assert_array_equal(module(X).array, np.maximum(X * 2 + 1, 0))
    module.train()
    dropped = module(X).array
    assert (dropped == 0).any()
    assert set(np.unique(dropped / (X + 100))) <= {0.0, 2.0}
    module.eval()
    np.testing.assert_array_equal(module(X).array, np.maximum(X * 2 + 1, 0))


def test_modules_of_one_type_have_flags_of_their_own() -> None:
    training, evaluating = ts.script(Outer()), ts.script(Outer()).eval()
    for _ in range(5):
        np.testing.assert_array_equal(training(X).array, expected(X, True, True, True))
        np.testing.assert_array_equal(evaluating(X).array, expected(X, False, False, False))


def test_loaded_modules(tmp_path: Path) -> None:
    ts.script(Outer()).save(tmp_path / "m.pt")
    module = ts.load(tmp_path / "m.pt")
    for flag in (True, False, True):
        module.train(flag)
        for _ in range(4):
            np.testing.assert_array_equal(module(X).array, expected(X, flag, flag, flag))


def test_gradients_with_flags() -> None:
    module = ts.script(Outer())
    for flag, slope in ((True, 1.0), (False, 4.0), (True, 1.0)):
        module.train(flag)
        for _ in range(4):
            x = torch.from_numpy(X.copy()).requires_grad_()
            module(x).sum().backward()
            np.testing.assert_array_equal(x.grad.array, np.full_like(X, slope))


class Optionals(nn.Module):
    def __init__(self, has_bias: bool) -> None:
        super().__init__()
        self.weight = torch.arange(6.0).reshape(3, 1, 2) - 2.5
        bias = torch.tensor([1.0, -200.0, 3.0]) if has_bias else None
        self.bias = torch.jit.Attribute(bias, torch.Tensor | None)
        self.cache = torch.jit.Attribute(None, torch.Tensor | None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.conv1d(x, self.weight, self.bias, groups=3))

    @torch.jit.export
    def remembers(self, x: torch.Tensor) -> torch.Tensor:
        cache = self.cache
        self.cache = x if cache is None else cache + x
        cache = self.cache
        assert cache is not None
        return cache * 2 + 1


def convolved(module: Any) -> np.ndarray:
    """What the filters make of X, without a bias."""
    weight = module.weight.array
    return X[..., :-1] * weight[:, :, 0] + X[..., 1:] * weight[:, :, 1]


@pytest.mark.parametrize("has_bias", [False, True])
def test_optional_tensors_are_there_or_not(has_bias: bool) -> None:
    module = ts.script(Optionals(has_bias)).eval()
    with torch.no_grad():
        for _ in range(5):
            found = module(X).array
        graph = module.graph_for(X)
        assert len(graph.findAllNodes("prim::TypeCheck")) == 1
        bias = module.bias
        wanted = convolved(module) + (0 if bias is None else bias.array[:, None])
        np.testing.assert_allclose(found, np.maximum(wanted, 0), rtol=1e-5, atol=1e-6)


def test_an_optional_tensor_that_comes_and_goes() -> None:
    module = ts.script(Optionals(False)).eval()
    bias = torch.tensor([1.0, 2.0, 3.0])
    with torch.no_grad():
        before = module(X).array
        for value in (bias, None, bias, None):
            module.bias = value
            for _ in range(4):
                found = module(X).array
            moved = 0 if value is None else bias.array[:, None]
            np.testing.assert_allclose(
                found, np.maximum(convolved(module) + moved, 0), rtol=1e-5, atol=1e-6
            )
    np.testing.assert_array_equal(before, np.maximum(convolved(module), 0))


def test_an_optional_tensor_that_the_program_writes_is_read() -> None:
    module = ts.script(Optionals(False))
    for number in range(1, 6):
        np.testing.assert_array_equal(module.remembers(X).array, number * X * 2 + 1)


def test_what_is_unknown_is_read() -> None:
    assert not flags_read("f", lambda name: None)


@pytest.mark.parametrize("name", ["training", "other"])
def test_a_function_of_an_object_is_not_specialized(name: str) -> None:
    unit = ts.CompilationUnit(f"""
class C:
    def __init__(self, flag: bool):
        self.{name} = flag

def f(x, flag: bool):
    c = C(flag)
    y = x + 1
    if c.{name}:
        y = y * 2
    c.{name} = not c.{name}
    if c.{name}:
        y = y * 3
    return y
""")
    for _ in range(4):
        np.testing.assert_array_equal(unit.f(X, True).array, (X + 1) * 2)
        np.testing.assert_array_equal(unit.f(X, False).array, (X + 1) * 3)


class Attributes(nn.Module):
    """Attributes of all kinds that plans know."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 2
        self.order = [1, 0]
        self.shape = (2, -1)
        self.mode = "add"
        self.bound = torch.jit.Attribute(None, Optional[int])  # noqa: UP045 - a type of programs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x.permute(self.order)
        if self.mode == "add":
            y = y + self.count
        else:
            y = y * self.count
        bound = self.bound
        if bound is not None:
            y = y.clamp(max=bound)
        return torch.relu(y.contiguous().view(self.shape) - 1.0)


def of_attributes(x: np.ndarray, module: Any) -> np.ndarray:
    y = x.transpose(module.order)
    y = y + module.count if module.mode == "add" else y * module.count
    y = y if module.bound is None else np.minimum(y, module.bound)
    return np.maximum(y.reshape(module.shape) - 1, 0)


def test_attributes_that_are_read_are_constants_of_plans_and_their_changes_are_heeded() -> None:
    module = ts.script(Attributes())
    x = X[0]
    for _ in range(4):
        module(x)
    assert not module.graph_for(x).findAllNodes("prim::GetAttr")
    for name, value in (
        ("count", 3),
        ("order", [0, 1]),
        ("shape", (-1, 6)),
        ("mode", "mul"),
        ("bound", 4),
        ("bound", None),
        ("count", 0),
    ):
        setattr(module, name, value)
        for _ in range(3):
            np.testing.assert_array_equal(module(x).array, of_attributes(x, module))


def test_an_attribute_of_many_values_is_read_when_the_program_runs() -> None:
    module = ts.script(Attributes())
    for count in (*range(20), 1, 7):
        module.count = count
        np.testing.assert_array_equal(module(X[0]).array, of_attributes(X[0], module))
    assert len(module.forward._executor.plans) == 1
    assert len(module.graph_for(X[0]).findAllNodes("prim::GetAttr")) == 1


class Lists(nn.Module):
    """A list that is written to where only it is known, and one that is given away."""

    def __init__(self) -> None:
        super().__init__()
        self.grown = [1]
        self.given = [2]

    def forward(self, x: torch.Tensor):
        self.grown.append(len(self.grown))
        return x.sum(dim=[0]) + self.grown[-1] + len(self.grown), self.given


def test_lists_that_are_written_to_or_given_away_are_no_constants() -> None:
    module = ts.script(Lists())
    length, given = 1, [2]
    for call in range(10):
        result, out = module(X[0])
        length += 1
        np.testing.assert_array_equal(result.array, X[0].sum(0) + length - 1 + length)
        assert list(out) == given
        if call % 3 == 0:
            given = [*given, call]
            module.given = given


class Appending(nn.Module):
    """A list that is written to where it is read once, or by a method that it is given to, and asked for its length where it is read
    again.
    """

    def __init__(self, in_call: bool) -> None:
        super().__init__()
        self.grown = [3]
        self.in_call = in_call

    def add(self, items: list[int]) -> None:
        items.append(4)

    def forward(self, x: torch.Tensor):
        if self.in_call:
            self.add(self.grown)
        else:
            self.grown.append(4)
        return x * 2.0, len(self.grown)


@pytest.mark.parametrize("in_call", [False, True])
def test_a_list_that_is_written_to_is_no_constant_elsewhere(in_call: bool) -> None:
    module = ts.script(Appending(in_call))
    assert [module(X)[1] for _ in range(6)] == [2, 3, 4, 5, 6, 7]
    for _ in range(6):
        module.grown = [3]
        assert module(X)[1] == 2


class Checks(nn.Module):
    """What functional interpolation and normalization ask of their inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3, 4, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.matmul(x, self.weight)
        if y.dim() != 3:
            raise ValueError("three dimensions are wanted")
        y = torch.cat([part * 1.0 for part in y.unbind(0)], 0)
        if y.dim() == 3:
            y = y.sum(0)
        elif y.dim() == 2:
            y = y * 2.0
        return torch.relu(y)


def test_branches_on_dimensions_are_decided_by_those_of_parameters() -> None:
    module = ts.script(Checks())
    x = np.ones((3, 2, 4), np.float32)
    for _ in range(4):
        np.testing.assert_array_equal(module(x).array, np.full((6, 1), 8, np.float32))
    with torch.no_grad():
        graph = module.graph_for(x)
    assert not any(node.findNode("prim::RaiseException") for node in graph.findAllNodes("prim::If"))
    module.weight = nn.Parameter(torch.ones(4))
    for _ in range(2):
        with pytest.raises(Exception, match="three dimensions are wanted"):
            module(x)
    module.weight = nn.Parameter(torch.ones(3, 4, 1, dtype=torch.float64))
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"dtype|Double|Float|double|float"):
            module(x)


class Reshapes(nn.Module):
    """A buffer that the program gives other dimensions."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("rows", torch.arange(6.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.rows.unsqueeze_(0)
        if self.rows.dim() == 2:
            x = x + 1.0
        return torch.relu(x * float(self.rows.dim()))


def test_nothing_is_known_of_tensors_whose_shape_the_program_changes() -> None:
    module = ts.script(Reshapes())
    x = np.ones(2, np.float32)
    for call in range(6):
        dim = call + 2
        expected = (x + 1 if dim == 2 else x) * dim
        np.testing.assert_array_equal(module(x).array, expected)


def test_plans_keep_no_parameters_alive() -> None:
    module = ts.script(Checks())
    for _ in range(3):
        module(np.ones((3, 2, 4), np.float32))
    array = weakref.ref(module.weight.array)
    module.weight = nn.Parameter(torch.zeros(3, 4, 1))
    gc.collect()
    assert array() is None


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 2.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.scale > 1.0:
            x = x + 1
        return x / self.scale


def test_floats_decide_branches() -> None:
    module = ts.script(Scaled())
    for _ in range(4):
        np.testing.assert_array_equal(module(X).array, (X + 1) / 2)
    graph = module.graph_for(X)
    assert not graph.findAllNodes("prim::GetAttr")
    assert len(graph.findAllNodes("prim::If")) == 1  # of the check before the group


@pytest.mark.parametrize("last", [0.0, -0.0, float("nan"), float("inf"), 1])
def test_floats_that_are_equal_need_not_be_the_same(last: float) -> None:
    """Zeros have signs, and NaN has a plan of its own like other numbers; so has an int in a float's place."""
    module = ts.script(Scaled())
    with np.errstate(all="ignore"):
        for value in (0.0, last, 2.0, last):
            module.scale = value
            wanted = (X + 1 if value > 1 else X) / np.float32(value)
            for _ in range(4):
                np.testing.assert_array_equal(module(X).array, wanted)


def test_a_float_of_each_step_is_read() -> None:
    module = ts.script(Scaled())
    for step in range(2, 20):
        module.scale = float(step)
        for _ in range(3):
            np.testing.assert_array_equal(module(X).array, (X + 1) / np.float32(step))
    assert len(module.get_debug_state().execution_plans) <= 6
