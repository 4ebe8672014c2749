"""The Python printer against the golden files: the code that PyTorch printed for the same graphs."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.serialization.python_printer import print_function
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import FunctionType

GOLDEN = Path(__file__).parent.parent.parent / "golden" / "code"
TOPICS = sorted(path.stem for path in GOLDEN.glob("*.json"))


@cache
def golden(topic: str) -> dict[str, Any]:
    return json.loads((GOLDEN / f"{topic}.json").read_text())


RECORDS = [(topic, name) for topic in TOPICS for name in golden(topic)]


def function_of(graph: str) -> FuncOp:
    function = parse_ir_text(graph).body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def test_the_golden_files_are_there() -> None:
    assert len(RECORDS) > 200


@pytest.mark.parametrize(("topic", "name"), RECORDS)
def test_code(topic: str, name: str) -> None:
    record = golden(topic)[name]

    def resolve(type_: TorchScriptType) -> str | None:
        key = type_.qualified_name.data if isinstance(type_, FunctionType) else type_.repr_str
        return record["names"].get(key)

    code = print_function(
        function_of(record["graph"]),
        name=record["name"],
        schema=FunctionSchema.parse(record["schema"]),
        is_method=record["is_method"],
        class_resolver=resolve,
    )
    assert code == record["code"]
