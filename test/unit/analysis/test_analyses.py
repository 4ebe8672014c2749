"""What passes know of functions is computed once, and again after a change that makes it untrue."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime.executor import graph_executor
from torchscript_dialect.runtime.specialization.specialized_copy import specialized_copy
from torchscript_dialect.transforms._pass import FunctionPass
from torchscript_dialect.transforms.constant_propagation import ConstantPropagation
from torchscript_dialect.transforms.peephole import Peephole
from torchscript_dialect.transforms.propagate_shapes import PropagateShapes


def function(text: str) -> FuncOp:
    return functions_of(parse_ir_text(text))[0]


def size_of(function: FuncOp) -> int:
    return len(list(function.walk()))


TEXT = "graph(%x : Tensor):\n  %y : Tensor = aten::neg(%x)\n  return (%x)\n"


def test_an_analysis_is_computed_once() -> None:
    analyses, f, g = Analyses(), function(TEXT), function(TEXT)
    assert analyses.aliases(f) is analyses.aliases(f)
    assert analyses.aliases(f) is not analyses.aliases(g)
    assert analyses.of(size_of, f) == 3


def test_what_is_not_preserved_is_forgotten() -> None:
    analyses, f, g = Analyses(), function(TEXT), function(TEXT)
    of_f, of_g = analyses.aliases(f), analyses.aliases(g)
    analyses.of(size_of, f)
    analyses.invalidate(f, [size_of])
    assert analyses.aliases(f) is not of_f
    assert analyses.aliases(g) is of_g
    analyses.invalidate()
    assert analyses.aliases(g) is not of_g


WRITTEN = """graph(%x : Float(4, strides=[1], requires_grad=0, device=cpu)):
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %n : int = aten::add(%one, %two)
  %y : Tensor = aten::neg(%x)
  %dead : Tensor = aten::exp(%y)
  %z : Tensor = aten::add_(%y, %x, %n)
  %w : Tensor = aten::mul(%z, %x)
  return (%w)
"""
SEQUENCE = (
    "ts-lower-simple-tuples ts-constant-propagation ts-constant-pooling"
    " ts-common-subexpression-elimination ts-dead-code-elimination ts-propagate-shapes ts-fuse-tensorexprs"
).split()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[FuncOp]:
    """The functions whose aliases are computed, one entry each time."""
    found: list[FuncOp] = []
    compute = AliasDb.__init__

    def count(self: AliasDb, function: FuncOp) -> None:
        found.append(function)
        compute(self, function)

    monkeypatch.setattr(AliasDb, "__init__", count)
    return found


def test_writers_folding_and_dead_code_need_aliases_once(made: list[FuncOp]) -> None:
    PassPipeline(SEQUENCE).run(function(WRITTEN))
    assert len(made) == 1


def test_aliases_are_computed_again_when_a_dead_writer_is_gone(made: list[FuncOp]) -> None:
    dead = "  %c : Tensor = aten::cos(%x)\n  %s : Tensor = aten::sin_(%c)\n  return"
    PassPipeline(SEQUENCE).run(function(WRITTEN.replace("  return", dead)))
    assert len(made) == 2


def pure(x):
    return torch.tanh(x) * x + 1


def writes(x):
    y = torch.tanh(x)
    y.add_(x)
    z = y * 2 + 1
    return z + torch.tanh(z)


def computes_twice(x):
    return torch.tanh(x) * 2 + torch.tanh(x) * 2


def unrolls(x):
    for i in range(3):
        x = torch.tanh(x) + i
    return x


def appends(x, n: int):
    out = []
    for i in range(n):
        out.append(torch.tanh(x) * i)
    return torch.stack(out)


@pytest.mark.parametrize(
    ("program", "times"), [(pure, 0), (unrolls, 0), (computes_twice, 1), (writes, 1), (appends, 1)]
)
def test_a_plan_computes_aliases_once_at_most(
    program: Callable[..., Any], times: int, made: list[FuncOp]
) -> None:
    scripted = ts.script(program)
    made.clear()
    scripted.graph_for(np.ones((2, 3), np.float32), *([3] if program is appends else []))
    assert len(made) == times


SIMPLE = "graph(%x : Tensor):\n  %y : Tensor = aten::neg(%x)\n  return (%y)\n"


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passes that look at a function, one entry each time."""
    found: list[str] = []
    for pass_ in (Peephole, ConstantPropagation, PropagateShapes):
        run = pass_.run

        def count(self: FunctionPass, function: FuncOp, analyses: Analyses, run: Any = run) -> bool:
            found.append(self.name.removeprefix("ts-"))
            return run(self, function, analyses)

        monkeypatch.setattr(pass_, "run", count)
    return found


def test_a_pass_that_would_change_nothing_is_not_run_again(ran: list[str]) -> None:
    PassPipeline("ts-peephole,ts-constant-propagation,ts-constant-pooling,ts-peephole").run(
        function(SIMPLE)
    )
    assert ran == ["peephole", "constant-propagation"]


def test_a_pass_is_run_again_after_a_change_and_with_other_options(ran: list[str]) -> None:
    dead = SIMPLE.replace("return", "%z : Tensor = aten::exp(%x)\n  return")
    PassPipeline("ts-peephole,ts-dead-code-elimination,ts-peephole").run(function(dead))
    PassPipeline("ts-peephole,ts-peephole{disable_shape_peepholes=true}").run(function(SIMPLE))
    assert ran == ["peephole"] * 4


MOVED = """graph(%x : Tensor):
  %y : Tensor = aten::neg(%x)
  %n : int = prim::Constant[value=1]()
  %z : Tensor = aten::add(%y, %y, %n)
  return (%z)
"""
EQUAL = MOVED.replace(
    "return (%z)",
    "%m : int = prim::Constant[value=1]()\n  %w : Tensor = aten::add(%z, %y, %m)\n  return (%w)",
)


@pytest.mark.parametrize(("text", "times"), [(MOVED, 1), (EQUAL, 2)])
def test_what_is_settled_does_not_ask_where_constants_stand(
    text: str, times: int, ran: list[str]
) -> None:
    assert PassPipeline("ts-peephole,ts-constant-pooling,ts-peephole").run(function(text))
    assert ran == ["peephole"] * times


def test_a_pass_of_a_user_may_change_what_it_does_not_tell(ran: list[str]) -> None:
    def claims_nothing(graph: ts.Graph) -> bool:
        node = graph.findNode("aten::neg")
        assert node is not None
        node.output().setDebugName("other")
        return False

    PassPipeline(["ts-peephole", claims_nothing, "ts-peephole"]).run(function(SIMPLE))
    assert ran == ["peephole", "peephole"]


def test_a_plan_whose_types_are_observed_is_simplified_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copies: list[str] = []

    def counted(function: FuncOp, *args: Any, **options: Any) -> FuncOp:
        copies.append(function.sym_name.data)
        return specialized_copy(function, *args, **options)

    monkeypatch.setattr(graph_executor, "specialized_copy", counted)

    def observed(x, sizes: list[int]):
        z = (x * 2).view(sizes)
        return torch.tanh(z) * z + 1

    f, x = ts.script(observed), np.ones((2, 3), np.float32)
    for _ in range(3):
        result = f(x, [3, 2])
    (plan,) = f.get_debug_state().execution_plans.values()
    assert plan.is_observed and copies == ["observed"]
    np.testing.assert_allclose(result, (np.tanh(2 * x) * 2 * x + 1).reshape(3, 2), rtol=1e-6)
