"""Passes keep what programs do: random programs with views, writes, lists and branches run the same before and after."""

import numpy as np
import pytest

from support.random_graphs import PASSES, Program, only_function, run
from torchscript_dialect.frontend.ir_text import parse_ir_text
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


@pytest.mark.parametrize("seed", [*range(42), 95])
def test_programs_do_the_same(seed: int) -> None:
    text = Program(seed).text
    for passes in PIPELINES:
        for condition, trips in ((True, 3), (False, 0)):
            before, after = parse_ir_text(text), parse_ir_text(text)
            PassPipeline(passes).run(after)
            after.verify()
            old, new = only_function(before), only_function(after)
            expected, actual = run(old, condition, trips), run(new, condition, trips)
            same = actual[0] == expected[0] and np.array_equal(
                np.array(actual[1:]), np.array(expected[1:]), equal_nan=True
            )
            assert same, f"{passes}\n{text}\n{print_graph(new)}"
