"""xDSL's canonicalize, cse and dce before, between and after our passes leave results as they are.

A sample of all programs is run here, and all of them where TORCHSCRIPT_DIALECT_LONG_TESTS is set.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import torchscript_dialect as ts
from support import corpus, product
from support.agreement import to_argument, to_numpy
from support.amounts import IS_LONG
from support.programs import PROGRAMS
from support.random_graphs import PASSES, Program, only_function, run
from support.records import call_difference
from torchscript_dialect.backend import NotCompilable, get_backend
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes import lists
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.transforms.pipelines import PIPELINES

XDSL = ("canonicalize", "cse", "dce")


def between(passes: tuple[str, ...], first: int = 0) -> tuple[str, ...]:
    """The passes with one of xDSL's, in turn, before, between and after them."""
    mixed: list[str] = []
    for index, name in enumerate((*passes, "")):
        mixed += [XDSL[(first + index) % len(XDSL)], name]
    return tuple(mixed[:-1])


@pytest.mark.parametrize("seed", range(200 if IS_LONG else 20))
def test_random_programs_do_the_same(seed: int) -> None:
    text = Program(seed).text
    ours = random.Random(seed).sample(PASSES, k=5)
    passes = between((*ours, "ts-fuse-tensorexprs"), first=seed)
    for condition, trips in ((True, 3), (False, 0)):
        before, after = parse_ir_text(text), parse_ir_text(text)
        PassPipeline(",".join(passes)).apply(after)
        after.verify()
        old, new = only_function(before), only_function(after)
        expected, actual = run(old, condition, trips), run(new, condition, trips)
        same = actual[0] == expected[0] and np.array_equal(
            np.array(actual[1:]), np.array(expected[1:]), equal_nan=True
        )
        assert same, f"{passes}\n{text}\n{print_graph(new)}"


@pytest.fixture(params=range(3 if IS_LONG else 1))
def in_all_pipelines(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """All that compiles a function runs xDSL's passes between ours; groups are run node by node, which is what they mean."""

    def interpreted(modules: Sequence[ModuleOp], lists: PassLists) -> list[NotCompilable]:
        return [NotCompilable("groups are interpreted here") for _ in modules]

    monkeypatch.setattr(get_backend("llvm"), "compile_all", interpreted)
    mixed = {name: between(passes, first=request.param) for name, passes in PIPELINES.items()}
    mixed["guards"] = PIPELINES["guards"]
    runs, before = ts.set_num_profiled_runs(0), lists.current()
    lists.set_current(PassLists(mixed))
    yield
    lists.set_current(before)
    ts.set_num_profiled_runs(runs)


@pytest.mark.usefixtures("in_all_pipelines")
@pytest.mark.parametrize("name", [*PROGRAMS][:: 1 if IS_LONG else 2])
def test_examples_give_the_same(name: str) -> None:
    program, lists_in_force = PROGRAMS[name], lists.current()
    dtype = np.dtype("float32")
    for case in program.cases:
        with ts.optimized_execution(False):
            expected = product.run(product.script(program), case, dtype, product.as_tensors)
        scripted = product.script(program)
        for _ in range(2):
            actual = product.run(scripted, case, dtype, product.as_tensors)
            assert call_difference(actual, expected, 8 * program.scale) is None
    assert lists.current() is lists_in_force


SAMPLE = list(corpus.names_of_goldens())
if not IS_LONG:
    # What an interface's variable index gives is of a type that the schema, which says Any, does not tell: it did not verify.
    always = ("interfaces", "InterfaceByVariableIndex")
    SAMPLE = [always, *random.Random(7).sample(SAMPLE, k=16)]


@pytest.mark.filterwarnings("ignore::UserWarning")  # the programs' own
@pytest.mark.usefixtures("in_all_pipelines")
@pytest.mark.parametrize(("area", "name"), [pytest.param(*p, id=".".join(p)) for p in SAMPLE])
def test_programs_of_the_corpus_give_the_same(area: str, name: str) -> None:
    if name in corpus.known_differences().get(area, {}):
        pytest.skip("differs from PyTorch in any case")
    program, golden = corpus.load(area, "ours")[name], corpus.golden(area)[name]
    for one, expected in zip(program.cases, golden["calls"], strict=True):
        for _ in range(2):
            callee = ts.script(program.make())
            if isinstance(callee, ts.ScriptModule):
                callee = getattr(callee, one.method)
            actual = corpus.call(callee, one, to_argument, to_numpy)
            assert corpus.call_difference(actual, expected) is None
