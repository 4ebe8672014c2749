"""PyTorch's own graphs of the example programs, and those of the code goldens: text to ops to MLIR to ops to the same text."""

import json
from pathlib import Path

import pytest
from xdsl.dialects.func import FuncOp

from support.canonical import canonical
from torchscript_dialect.cli.mlir_text import MLIRParser
from torchscript_dialect.dialects.context import make_context
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.serialization.graph_printer import print_graph

GOLDEN = Path(__file__).parents[3] / "golden"


def graphs() -> dict[str, str]:
    """Every graph of the golden records by name."""
    found: dict[str, str] = {}
    for path in sorted((GOLDEN / "programs").glob("*.json")):
        record = json.loads(path.read_text())
        found |= {f"{path.stem}-{key}": record[key] for key in ("graph", "inlined_graph")}
    for path in sorted((GOLDEN / "code").glob("*.json")):
        records = json.loads(path.read_text())
        found |= {
            f"{path.stem}-{name}": record["graph"]
            for name, record in records.items()
            if isinstance(record, dict) and "graph" in record
        }
    return found


GRAPHS = graphs()


@pytest.mark.parametrize("name", GRAPHS)
def test_text_survives(name: str) -> None:
    module = parse_ir_text(GRAPHS[name])
    module.verify()
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    text = print_graph(function)
    assert canonical(text) == canonical(GRAPHS[name])
    again = MLIRParser(make_context(), str(module)).parse_module().body.block.first_op
    assert isinstance(again, FuncOp)
    assert canonical(print_graph(again, locations=False)) == canonical(
        print_graph(function, locations=False)
    )
