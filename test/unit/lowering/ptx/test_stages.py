"""What stands between the stages of the way to a GPU: legal operations, and text that a plain xdsl-opt reads."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from lowering.pipelines import LINALG_TO_PTX
from lowering.ptx.emit import emit
from lowering.stages import LEGAL_AFTER, LEGAL_ON_GPU_AFTER, illegal
from support.amounts import IS_LONG
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from unit.lowering.test_stages import STAGES, random_groups
from unit.lowering.test_text import SEPARATOR, xdsl_opt

PASSES = (STAGES[0], *(one.partition("{")[0] for one in LINALG_TO_PTX))
PRODUCT = """graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %y : Float(4, 5, strides=[5, 1], requires_grad=0, device=cpu)):
  %1 : Tensor = aten::mm(%x, %y)
  %2 : Tensor = aten::exp(%1)
  return (%2)
"""
HALVES = """graph(%x : Half(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %y : Half(4, 5, strides=[5, 1], requires_grad=0, device=cpu)):
  %1 : Tensor = aten::mm(%x, %y)
  return (%1)
"""
TABLE = {name: LEGAL_ON_GPU_AFTER.get(name, LEGAL_AFTER.get(name, frozenset())) for name in PASSES}


def on_gpu(batch: int) -> list[ModuleOp]:
    """Random groups in the form of linalg, a product of matrices with what follows it, and one on tensor cores."""
    modules = random_groups(batch)[: None if IS_LONG else 5]
    for module in modules:
        PassPipeline(STAGES[0]).run(module)
    alone = [m for m in modules if not any(op.name == "linalg.matmul" for op in m.walk())]
    product, halves = parse_ir_text(PRODUCT), parse_ir_text(HALVES)
    PassPipeline(f"ts-propagate-shapes,{STAGES[0]}").run(product)
    PassPipeline(f"ts-attach-gpu-target{{sm=80}},ts-propagate-shapes,{STAGES[0]}").run(halves)
    return [product, halves, *alone]


@pytest.mark.parametrize("between", ["", "canonicalize,cse,"])
def test_every_stage_is_legal_and_gives_ptx(between: str) -> None:
    made = 0

    def after(one: ModulePass, module: ModuleOp) -> None:
        if one.name in TABLE:
            assert illegal(module, one.name, TABLE) == [], one.name

    for module in on_gpu(0):
        PassPipeline(between + f",{between}".join(LINALG_TO_PTX)).run(
            module, verify_each=True, after=after
        )
        assert ".visible .entry" in emit(module, 80)
        made += 1
    assert made > (5 if IS_LONG else 3)


def test_plain_xdsl_opt_reads_every_stage() -> None:
    texts: list[str] = []

    def after(one: ModulePass, module: ModuleOp) -> None:
        texts.append(str(module))

    for module in on_gpu(1)[: 3 if IS_LONG else 2]:
        PassPipeline(LINALG_TO_PTX).run(module, after=after)
    printed = xdsl_opt(SEPARATOR.join(f"{text}\n" for text in texts)).split(SEPARATOR)
    assert [text.strip() for text in printed] == [text.strip() for text in texts]
