"""What stands between the stages of lowering: legal operations, text that a plain xdsl-opt reads, and whatever xDSL's own passes make of it.

A sample of random groups; TORCHSCRIPT_DIALECT_LONG_TESTS=1 takes 300.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lowering.interpreter.kernels import Program
from lowering.pipelines import LINALG_TO_LLVM, SCALARS_TO_LLVM
from lowering.stages import LEGAL_AFTER, LEGAL_IN_SCALAR_LOOPS_AFTER, illegal
from lowering.universe import PIPELINES
from support.amounts import IS_LONG
from torchscript_dialect.equivalence.kernels import Kernel, from_text
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from unit.equivalence.test_corpus import groups
from unit.lowering.test_text import SEPARATOR, xdsl_opt

INPUTS = Path(__file__).parents[2] / "lowering" / "linalg" / "Inputs"
GROUPS = 300 if IS_LONG else 10
BATCHES = GROUPS // 10
STAGES = ("ts-convert-torch-to-linalg", *LINALG_TO_LLVM)
BETWEEN = "canonicalize,cse,licm"


def random_groups(batch: int) -> list[ModuleOp]:
    """Groups of random functions of tensors, of which there are as many in every batch."""
    found: list[ModuleOp] = []
    seed = 1000 * batch
    while len(found) < GROUPS // BATCHES:
        found += groups(seed)
        seed += 1
    return found[: GROUPS // BATCHES]


def examples(batch: int) -> list[ModuleOp]:
    """The examples of the lit tests in a batch of their own, and random groups."""
    if batch == BATCHES:
        return [parse_ir_text(path.read_text()) for path in sorted(INPUTS.glob("*.ts"))]
    return random_groups(batch)


def lowered(kernel: ModuleOp, stages: list[str]) -> ModuleOp:
    """What a kernel becomes; every stage holds legal operations only, also after passes of xDSL's."""
    module, stage = kernel.clone(), STAGES[0]

    def after(one: ModulePass, module: ModuleOp) -> None:
        nonlocal stage
        stage = one.name if one.name in LEGAL_AFTER else stage
        assert illegal(module, stage) == [], stage

    PassPipeline(stages).run(module, verify_each=True, after=after)
    assert stage == STAGES[-1]
    return module


def results(module: ModuleOp, kernels: list[Kernel]) -> list[Any]:
    """What machine code gives for the examples of kernels."""
    program = Program(module)
    return [
        program.call(kernel.name, kernel.binding, example.values)
        for kernel in kernels
        for example in kernel.examples
    ]


@pytest.mark.parametrize("batch", range(BATCHES + 1))
def test_every_stage_is_legal_and_passes_of_xdsl_between_change_no_result(batch: int) -> None:
    passes = PIPELINES["linalg-to-llvm"]()
    between = [one for stage in passes for one in (*BETWEEN.split(","), stage)]
    compared = 0
    for module in examples(batch):
        PassPipeline(STAGES[0]).run(module)
        kernels = from_text(module, {})
        plain = results(lowered(module, list(passes)), kernels)
        others = results(lowered(module, between), kernels)
        for arrays, same in zip(plain, others, strict=True):
            for one, other in zip(arrays, same, strict=True):
                np.testing.assert_array_equal(one, other)
                compared += 1
    assert compared


def test_the_table_has_every_stage_and_says_what_is_not_legal() -> None:
    assert tuple(LEGAL_AFTER) == STAGES
    (module, *_) = examples(BATCHES)
    PassPipeline(STAGES[0]).run(module)
    assert "kernel.signature" in illegal(module, "ts-outline-kernel")
    assert "tensor.empty" in illegal(module, "ts-convert-to-llvm")


def test_every_stage_of_a_loop_over_numbers_is_legal() -> None:
    path = Path(__file__).parents[2] / "lowering" / "scf" / "convert_scalars_to_scf.ts"
    stages = list[str]()

    def after(one: ModulePass, module: ModuleOp) -> None:
        stages.append(one.name)
        assert illegal(module, one.name, LEGAL_IN_SCALAR_LOOPS_AFTER) == []

    passes = ("ts-convert-scalars-to-scf", *SCALARS_TO_LLVM)
    PassPipeline(passes).run(parse_ir_text(path.read_text()), verify_each=True, after=after)
    assert tuple(stages) == tuple(LEGAL_IN_SCALAR_LOOPS_AFTER) == passes


@pytest.mark.parametrize("batch", range(BATCHES if IS_LONG else 1))
def test_plain_xdsl_opt_reads_what_random_groups_become(batch: int) -> None:
    texts: list[str] = []

    def after(one: ModulePass, module: ModuleOp) -> None:
        texts.append(str(module))

    for module in random_groups(batch)[: None if IS_LONG else 4]:
        PassPipeline(STAGES).run(module, after=after)
    printed = xdsl_opt(SEPARATOR.join(f"{text}\n" for text in texts)).split(SEPARATOR)
    assert [text.strip() for text in printed] == [text.strip() for text in texts]
