"""`ts.check` and `ts.explain`: what cannot run, and how what runs is run."""

from collections.abc import Iterator

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.ops import registry


@pytest.fixture
def without_kernel() -> Iterator[None]:
    """An operator that nothing runs, `test::nothing`."""
    registry.register("test::nothing(Tensor x) -> Tensor")
    yield
    registry.unregister("test::nothing")


def fine(x, y):
    return torch.tanh(x * y) + 1


def with_sort(x, y):
    z = torch.tanh(x + y) * 2
    s = torch.sort(z, 1)[0]
    return torch.exp(s - 1) * s


def helper(x):
    return torch.ops.test.nothing(x)


def missing(x):
    if x.dim() > 9:
        return helper(x)
    return torch.ops.test.nothing(x) + torch.ops.test.nothing(x + 1)


def no_program(x):
    return x.no_method()


def test_nothing_is_missing() -> None:
    assert ts.check(fine) == []
    assert ts.check(ts.script(fine)) == []


@pytest.mark.usefixtures("without_kernel")
def test_each_place_of_a_missing_operator_is_told_with_its_line() -> None:
    problems = ts.check(missing)
    assert len(problems) == 3
    assert {problem.what for problem in problems} == {
        "operator test::nothing(Tensor x) -> Tensor has no kernel"
    }
    assert {problem.line for problem in problems} == {
        "return torch.ops.test.nothing(x)",
        "return torch.ops.test.nothing(x) + torch.ops.test.nothing(x + 1)",
    }
    assert all(problem.place.partition(":")[0].endswith("test_check.py") for problem in problems)


@pytest.mark.usefixtures("without_kernel")
def test_a_module_is_checked_with_its_submodules() -> None:
    class Inner(torch.nn.Module):
        def forward(self, x):
            return torch.ops.test.nothing(x)

    class Outer(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x)

    (problem,) = ts.check(Outer())
    assert problem.line == "return torch.ops.test.nothing(x)"


def test_what_is_no_program_is_one_problem() -> None:
    (problem,) = ts.check(no_program)
    assert "no_method" in str(problem)


@pytest.mark.usefixtures("without_kernel")
def test_explain_tells_what_cannot_run() -> None:
    assert "cannot run: " in ts.explain(ts.script(missing))


@needs_native_calls
def test_explain_tells_the_stages_of_a_whole_kernel() -> None:
    f = ts.script(fine)
    x = np.ones((2, 3), np.float32)
    assert "no specialization yet" in ts.explain(f)
    f(x, x)
    f(x, x)
    assert "native: the whole function, aten::mul, aten::tanh, aten::add" in ts.explain(f)


@needs_native_calls
def test_explain_tells_groups_and_what_is_between() -> None:
    f = ts.script(with_sort)
    x = np.ones((2, 3), np.float32)
    for _ in range(2):
        f(x, x)
    text = ts.explain(f)
    assert "group 0, native: aten::add, aten::tanh, aten::mul" in text
    assert "group 1, native: aten::sub, aten::exp, aten::mul" in text
    assert text.count("interpreted: ") == 1
    assert "llvm has no code for it" in text


def test_explain_tells_once_what_repeats() -> None:
    source = "def f(x):\n    for _ in range(3):\n        x = x.sort(0)[0]\n    return x\n"
    f = ts.CompilationUnit(source).f
    for _ in range(4):
        f(np.ones((2, 2), np.float32))
    (line,) = [one for one in ts.explain(f).splitlines() if "aten::sort" in one]
    assert line.endswith("(3 times)")


def test_explain_of_unoptimized_execution() -> None:
    with ts.optimized_execution(False):
        assert "optimization is off" in ts.explain(ts.script(fine))


def test_explain_takes_what_was_compiled() -> None:
    with pytest.raises(TypeError, match=r"what ts\.script gave"):
        ts.explain(fine)
