"""Passes keep what programs do: random programs with views, writes, lists and branches run the same before and after."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.amounts import IS_LONG
from support.random_graphs import PASSES, Program, only_function, run
from support.reduced import report
from torchscript_dialect.cli.ts_reduce import form_of
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir import Graph
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.serialization.graph_printer import print_graph

XDSL = ("canonicalize", "cse", "dce")
PIPELINES = (
    *((name,) for name in (*PASSES, *XDSL)),
    PASSES,
    (*XDSL, *(name for one in PASSES for name in (one, *XDSL))),
    ("ts-propagate-shapes", "ts-peephole", "ts-dead-code-elimination"),
    ("ts-propagate-shapes", "ts-fuse-tensorexprs"),
    (*PASSES, "ts-fuse-tensorexprs", "ts-dead-code-elimination"),
)


@pytest.mark.parametrize("seed", [*range(200 if IS_LONG else 14), 95])
def test_programs_do_the_same(seed: int) -> None:
    text = Program(seed).text
    for passes in PIPELINES:
        if difference(text, passes):
            found = report(form_of(Path("x.ts")), text, partial(difference, passes=passes))
            pytest.fail(f"{passes}: {found}", pytrace=False)


def difference(text: str, passes: tuple[Any, ...]) -> str | None:
    """What passes change of what a program does."""
    for condition, trips in ((True, 3), (False, 0)):
        before, after = parse_ir_text(text), parse_ir_text(text)
        PassPipeline(passes).run(after)
        after.verify()
        old, new = only_function(before), only_function(after)
        expected, actual = run(old, condition, trips), run(new, condition, trips)
        if actual[0] != expected[0]:
            return f"memory is shared otherwise:\n{print_graph(new)}"
        if not np.array_equal(np.array(actual[1:]), np.array(expected[1:]), equal_nan=True):
            return f"numbers differ:\n{print_graph(new)}"
    return None


def test_a_difference_is_shown_reduced() -> None:
    """A pass that takes out what writes: all that is left is one such node."""

    def wrong(graph: Graph) -> None:
        for node in graph.findAllNodes("aten::mul_"):
            node.output().replaceAllUsesWith(node.inputsAt(0))
            node.destroy()

    text = next(text for seed in range(99) if difference(text := Program(seed).text, (wrong,)))
    found = report(form_of(Path("x.ts")), text, partial(difference, passes=(wrong,)))
    reduced = found.partition("Reduced in")[2].partition("numbers differ")[0]
    assert reduced.count("aten::mul_") == 1
    assert reduced.count(" = ") <= 3
