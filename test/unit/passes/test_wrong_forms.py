"""Every pass and target on IR of every form: it works, or says in words that this is nothing for it.

Every third pair of pass and form, and every eleventh of xDSL's passes; TORCHSCRIPT_DIALECT_LONG_TESTS=1 takes all.

Point 7 of docs/testing.md.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from support.amounts import IS_LONG
from support.kinds_of_ir import kinds, misfit
from torchscript_dialect.cli.ts_opt import TSOptMain, main
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir.verification import VerificationError
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.passes.table import all_names
from torchscript_dialect.utils.errors import PassError, TorchScriptError

PASSES = sorted(all_names())


def some_kinds(name: str) -> dict[str, ModuleOp]:
    """The modules that a pass or target is tried on; others for each."""
    every = 1 if IS_LONG else 3 if name.startswith("ts-") else 11
    start = PASSES.index(name) if name in PASSES else len(name)
    return dict([*kinds().items()][start % every :: every])


def test_there_are_forms_of_every_stage() -> None:
    forms = kinds()
    assert len(forms) > 50
    held = {op.name.partition(".")[0] for module in forms.values() for op in module.walk()}
    stages = (
        "aten prim func linalg tensor memref scf arith math kernel vector llvm gpu nvvm".split()
    )
    assert {*stages} <= held


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_works_or_says_that_it_does_not(name: str) -> None:
    found = {kind: misfit(name, module) for kind, module in some_kinds(name).items()}
    assert not {kind: what for kind, what in found.items() if what is not None}


@pytest.mark.parametrize("name", ["empty", "graph: typed", "export", "cpu: ts-convert-to-llvm"])
@pytest.mark.parametrize("one", ["apply-eqsat-pdl", "apply-eqsat-pdl-interp", "apply-pdl-interp"])
def test_passes_over_patterns_say_what_they_need(one: str, name: str) -> None:
    with pytest.raises(PassError, match=f"^{one}, which needs .*pdl.* cannot work on this: "):
        PassPipeline(one).apply(kinds()[name].clone())


def test_an_error_names_the_operation_and_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.mlir"
    file.write_text("""
func.func @f(%a : f32) -> f64 {
  %0 = arith.extf %a : f32 to f64 loc("model.py":3:4)
  func.return %0 : f64
}
""")
    assert main([str(file), "-p", "convert-arith-to-riscv"]) == 1
    message = (
        "convert-arith-to-riscv cannot work on arith.extf: ExtF is not supported (at model.py:3:4)"
    )
    assert capsys.readouterr().err == f"ts-opt: error: {message}\n"


def driver_of_tool() -> TSOptMain:
    return TSOptMain([os.devnull])


@pytest.mark.filterwarnings("ignore:Expected all top-level operations")
@pytest.mark.parametrize("name", sorted(driver_of_tool().available_targets))
def test_a_target_prints_or_says_what_it_cannot_print(name: str) -> None:
    driver = driver_of_tool()
    driver.ctx.get_dialect("builtin")  # whose resources are printed
    driver.args.target = name
    for kind, module in some_kinds(name).items():
        try:
            driver.output_resulting_program(module.clone())
        except TorchScriptError as error:
            text = str(error)
            assert "internal error" not in text and text.count("\n") < 12, f"{kind}: {text}"


INTRINSIC = """
llvm.func @{0}() -> i32
llvm.func @f() -> i32 {{
  %0 = llvm.call @{0}() : () -> i32
  llvm.return %0 : i32
}}
"""
WIDE = """
llvm.func @f(%a : {0}, %b : {0}) -> {0} {{
  %0 = llvm.mul %a, %b : {0}
  llvm.return %0 : {0}
}}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (INTRINSIC.format("llvm.nvvm.read.ptx.sreg.tid.x"), "no code is made for 'llvm.nvvm.read"),
        (WIDE.format("i20000"), "no LLVM type for i20000"),
        (WIDE.format("vector<1000000xi32>"), "no LLVM type for vector<1000000xi32>"),
    ],
)
def test_llvm_gets_nothing_that_would_end_the_process(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(text)
    assert main([str(file), "-t", "asm"]) == 1
    assert message in capsys.readouterr().err


def test_code_of_a_device_is_no_assembly_for_a_cpu() -> None:
    driver = driver_of_tool()
    driver.args.target = "asm"
    with pytest.raises(TorchScriptError, match="is for a GPU"):
        driver.output_resulting_program(kinds()["gpu: ts-convert-to-llvm"].clone())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ts-bufferize", "cpu: ts-bufferize"),
        ("ts-bufferize", "gpu: ts-collapse-loops"),
        ("ts-linalg-to-loops", "cpu: ts-linalg-to-loops"),
        ("ts-linalg-to-loops", "cpu: ts-fuse-elementwise"),
        ("ts-plan-memory", "cpu: ts-plan-memory"),
        ("ts-plan-memory", "cpu: ts-linalg-to-loops"),
        ("ts-convert-to-ssa", "graph: numbers"),
        ("ts-convert-torch-to-linalg", "graph: pointwise"),
        ("ts-map-to-gpu", "cpu: ts-outline-matmul"),
        ("ts-map-to-gpu", "gpu: ts-map-to-gpu"),
        ("ts-outline-math", "gpu: ts-vectorize-accesses"),
        ("ts-outline-matmul", "cpu: ts-outline-matmul"),
    ],
)
def test_what_was_an_internal_error_or_invalid_ir(name: str, kind: str) -> None:
    assert misfit(name, kinds()[kind]) is None


def test_malformed_ir_is_told_as_what_it_is() -> None:
    """xDSL's `canonicalize` comes to patterns of ours, which stumble over a constant of two kinds."""
    text = 'graph(%n : int):\n  %a : int = prim::Constant[name="f"]()\n  %b : int = aten::add(%a, %n)\n  return (%b)\n'
    with pytest.raises(VerificationError, match="prim::Constant"):
        PassPipeline("canonicalize").apply(parse_ir_text(text))
