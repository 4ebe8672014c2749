"""The product's passes keep what programs do: those of the corpus, and the kernels of random functions of tensors.

A sample; TORCHSCRIPT_DIALECT_LONG_TESTS=1 takes the whole corpus (six minutes) and 200 functions.

Point 8 of docs/testing.md.
"""

from functools import cache
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp

import torchscript_dialect as ts
from support import corpus
from support.amounts import IS_LONG
from support.random_tensor_arguments import LARGEST, Arguments, variants
from support.random_tensor_programs import program
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.graph import standing_alone
from torchscript_dialect.passes.pass_pipeline import PassPipeline

EVERY = 1 if IS_LONG else 40
PASSES = (
    "inlining,ts-canonicalize-ops,ts-peephole,ts-constant-propagation,ts-constant-pooling,ts-common-subexpression-elimination,"
    "ts-loop-unrolling,ts-lower-simple-tuples,canonicalize,cse,dce,ts-dead-code-elimination"
)
SMALL = 400
"""Elements of the largest tensor of a kernel that is interpreted."""


@cache
def programs(area: str) -> dict[str, corpus.Program]:
    return corpus.load(area, "ours")


@pytest.mark.filterwarnings("ignore::UserWarning")  # the programs' own
@pytest.mark.parametrize(("area", "name"), [*corpus.names_of_goldens()][::EVERY])
def test_passes_keep_what_the_corpus_does(area: str, name: str) -> None:
    try:
        scripted: Any = ts.script(programs(area)[name].make())
    except ts.TorchScriptError:
        pytest.skip("the program is rejected")
    module = scripted.graph.module_op.clone()
    PassPipeline(PASSES).run(module, verify_equiv=True)


def groups(seed: int) -> list[ModuleOp]:
    """The groups of a random function of tensors, each as a function that is all of a module."""
    made = program(seed)
    compiled = ts.CompilationUnit(made.text).main
    found: list[ModuleOp] = []
    for arguments in filter(_is_small, variants(made)[:2]):
        try:
            graph = compiled.graph_for(*arguments.make())
        except RuntimeError:
            continue
        ops = list(graph.module_op.walk())
        found += [
            standing_alone(op.body).module_op.clone()
            for op in ops
            if isinstance(op, prim.TensorExprGroupOp)
        ]
    return found


def _is_small(arguments: Arguments) -> bool:
    return max((view.extent for view in arguments.views), default=LARGEST) <= SMALL


@pytest.mark.parametrize("first", range(0, 200 if IS_LONG else 16, 4))
def test_lowering_keeps_what_kernels_compute(first: int) -> None:
    for seed in range(first, first + 4):
        for module in groups(seed):
            PassPipeline("ts-convert-torch-to-linalg,linalg-to-llvm").run(module, verify_equiv=True)
