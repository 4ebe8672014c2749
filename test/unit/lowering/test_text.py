"""What ts-opt prints at any stage parses again, to the same text."""

from pathlib import Path

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError

from lowering.pipelines import LINALG_TO_LLVM
from lowering.universe import READABLE_DIALECTS
from lowering.upstream_ops import VectorCmpfOp, VectorSelectOp
from torchscript_dialect.cli.mlir_text import MLIRParser
from torchscript_dialect.cli.ts_opt import main
from torchscript_dialect.dialects.context import OpenContext, make_context

INPUTS = Path(__file__).parents[2] / "lowering" / "linalg" / "Inputs"
STAGES = ("ts-convert-torch-to-linalg", *LINALG_TO_LLVM)


def ts_opt(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    status = main(args)
    out, err = capsys.readouterr()
    assert (status, err) == (0, "")
    return out


@pytest.mark.parametrize("name", sorted(path.stem for path in INPUTS.glob("*.ts")))
def test_every_stage_prints_what_it_reads(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each stage works from the text of the one before, so that nothing survives but what the text says."""
    at_once = ts_opt(capsys, "-p", ",".join(STAGES), str(INPUTS / f"{name}.ts"))
    current = INPUTS / f"{name}.ts"
    for stage in STAGES:
        text = ts_opt(capsys, "-p", stage, str(current))
        current = tmp_path / f"{stage}.mlir"
        current.write_text(text)
        assert ts_opt(capsys, str(current)) == text, stage
        assert ts_opt(capsys, "--print-op-generic", str(current)), stage
    assert current.read_text() == at_once


def context() -> OpenContext:
    made = make_context()
    for name, factory in READABLE_DIALECTS.items():
        made.register_dialect(name, factory)
    return made


def parse(text: str) -> list[Operation]:
    head = (
        "func.func @f(%c: i1, %x: f32, %v: vector<4xf32>, %w: vector<4xi1>, %i: vector<4xi32>) {\n"
    )
    module = MLIRParser(context(), f"{head}{text}\nfunc.return }}").parse_module()
    module.verify()
    return list(next(iter(module.body.ops)).regions[0].block.ops)[:-1]


@pytest.mark.parametrize(
    ("text", "class_"),
    [
        ("%0 = arith.select %c, %x, %x : f32", arith.SelectOp),
        ("%0 = arith.select %c, %v, %v : vector<4xf32>", VectorSelectOp),
        ("%0 = arith.select %w, %v, %v : vector<4xi1>, vector<4xf32>", VectorSelectOp),
        ("%0 = arith.cmpf olt, %x, %x : f32", arith.CmpfOp),
        ("%0 = arith.cmpf olt, %v, %v : vector<4xf32>", VectorCmpfOp),
        ('%0 = "arith.cmpf"(%x, %x) <{predicate = 4 : i64}> : (f32, f32) -> i1', arith.CmpfOp),
        (
            '%0 = "arith.cmpf"(%v, %v) <{predicate = 4 : i64}> : (vector<4xf32>, vector<4xf32>) -> vector<4xi1>',
            VectorCmpfOp,
        ),
    ],
)
def test_readers_make_the_class_for_the_type(text: str, class_: type) -> None:
    (op,) = parse(text)
    assert type(op) is class_


def test_unknown_predicates_are_refused() -> None:
    with pytest.raises(ParseError, match=r"'lt' is no predicate of arith\.cmpf"):
        parse("%0 = arith.cmpf lt, %x, %x : f32")


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
