"""What ts-opt prints at any stage is read, verified and printed alike by a plain xdsl-opt, which knows the plugin by its entry point."""

import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError, VerifyException

from lowering.dialects import arith_ext
from lowering.pipelines import LINALG_TO_LLVM
from lowering.universe import LOWERING_UNIVERSE
from torchscript_dialect.cli.mlir_text import MLIRParser
from torchscript_dialect.cli.ts_opt import main
from torchscript_dialect.dialects.context import OpenContext, make_context

INPUTS = Path(__file__).parents[2] / "lowering" / "linalg" / "Inputs"
STAGES = ("ts-convert-torch-to-linalg", *LINALG_TO_LLVM)
SEPARATOR = "// -----\n"


def ts_opt(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    status = main(args)
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    return out


def xdsl_opt(text: str) -> str:
    """What xDSL's own driver prints of modules, in a process of its own."""
    command = [sys.executable, "-m", "xdsl.tools.xdsl_opt", "--split-input-file"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("name", sorted(path.stem for path in INPUTS.glob("*.ts")))
def test_plain_xdsl_opt_prints_every_stage_as_it_reads_it(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each stage works from the text of the one before, so that nothing survives but what the text says."""
    at_once = ts_opt(capsys, "-p", ",".join(STAGES), str(INPUTS / f"{name}.ts"))
    current = INPUTS / f"{name}.ts"
    texts: list[str] = []
    for stage in STAGES:
        texts.append(ts_opt(capsys, "-p", stage, str(current)))
        current = tmp_path / f"{stage}.mlir"
        current.write_text(texts[-1])
    assert texts[-1] == at_once
    printed = xdsl_opt(SEPARATOR.join(texts)).split(SEPARATOR)
    for stage, text, again in zip(STAGES, texts, printed, strict=True):
        assert again.strip() == text.strip(), stage


def context() -> OpenContext:
    made = make_context()
    made.register_dialect("arith", lambda: arith.Arith)
    for name, factory in LOWERING_UNIVERSE.all_dialects.items():
        made.register_dialect(name, factory)
    return made


HEAD = "func.func @f(%v: vector<4xf32>, %w: vector<4xi1>, %i: vector<4xi32>, %u: vector<2xf32>) {\n"


def parse(text: str) -> Operation:
    module = MLIRParser(context(), f"{HEAD}{text}\nfunc.return }}").parse_module()
    module.verify()
    first = next(iter(module.body.ops)).regions[0].block.first_op
    assert first is not None
    return first


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        ("%0 = arith_ext.select %w, %v, %v : vector<4xi1>, vector<4xf32>", arith_ext.SelectOp),
        ("%0 = arith_ext.cmpf olt, %v, %v : vector<4xf32>", arith_ext.CmpfOp),
        ("%0 = arith_ext.cmpi slt, %i, %i {note} : vector<4xi32>", arith_ext.CmpiOp),
        ("%0 = arith_ext.sitofp %i : vector<4xi32> to vector<4xf32>", arith_ext.SIToFPOp),
        (
            '%0 = "arith_ext.cmpf"(%v, %v) <{predicate = 4 : i64}> : (vector<4xf32>, vector<4xf32>) -> vector<4xi1>',
            arith_ext.CmpfOp,
        ),
    ],
)
def test_forms_on_vectors_read(text: str, class_: type) -> None:
    op = parse(text)
    assert type(op) is class_
    assert str(op) == text or "<{" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%0 = arith_ext.sitofp %i : vector<4xi32> to vector<2xf32>", "differ in lanes"),
        (
            '%0 = "arith_ext.cmpi"(%i, %i) <{predicate = 10 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi1>',
            "is no predicate",
        ),
        (
            '%0 = "arith_ext.select"(%w, %u, %u) : (vector<4xi1>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>',
            "differ in lanes",
        ),
    ],
)
def test_forms_on_vectors_are_verified(text: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        parse(text)


def test_unknown_predicates_are_refused() -> None:
    with pytest.raises(ParseError, match=r"'lt' is no predicate of arith_ext\.cmpf"):
        parse("%0 = arith_ext.cmpf lt, %v, %v : vector<4xf32>")


@pytest.mark.parametrize(
    ("literal", "number"),
    [
        ("dense<0x4B400000> : vector<4xf32>", 12582912.0),
        ("dense<0x7FF0000000000000> : vector<4xf64>", float("inf")),
        ("dense<0x3C00> : vector<4xf16>", 1.0),
        ("dense<0x10> : vector<4xi32>", 16),
        ("dense<[0x3F800000, 0x3F800000]> : vector<2xf32>", 1.0),
    ],
)
def test_hexadecimal_elements_are_bits_of_floats(literal: str, number: float) -> None:
    attribute = MLIRParser(context(), literal).parse_attribute()
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    assert set(attribute.get_values()) == {number}


def test_hexadecimal_elements_must_fit() -> None:
    with pytest.raises(ParseError, match="a f32 has 32 bits"):
        MLIRParser(context(), "dense<0x14B400000> : vector<4xf32>").parse_attribute()
