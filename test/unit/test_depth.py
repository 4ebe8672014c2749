"""Programs nest as deep as memory goes in every text, or one error says where they nest too deep.

Point 4 of docs/testing.md.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.cli import ts_opt

DEPTH = 300


def source(depth: int) -> str:
    loops = "".join(" " * (i + 1) + f"for i{i} in range(n):\n" for i in range(depth))
    return f"def f(x, n: int):\n{loops}{' ' * (depth + 1)}x = x + 1\n return x\n"


def test_deep_graphs_run_and_can_be_read_again() -> None:
    """`run_graph` once raised a bare RecursionError."""
    graph = ts.CompilationUnit(source(DEPTH)).f.graph
    again = ts.parse_ir(str(graph))
    assert str(again) == str(graph)
    assert ts.run_graph(again, np.zeros(1, "float32"), 1).tolist() == [1.0]


def test_the_driver_takes_deep_programs_through_all_texts(tmp_path: Path) -> None:
    python, mlir, graph, last = (
        tmp_path / name for name in ("f.py", "f.mlir", "f.ts", "again.mlir")
    )
    python.write_text(source(DEPTH))
    assert ts_opt.main([str(python), "-o", str(mlir)]) == 0
    assert ts_opt.main([str(mlir), "-t", "torchscript", "-o", str(graph)]) == 0
    assert ts_opt.main([str(graph), "-o", str(last)]) == 0
    assert last.read_text().count("prim.Loop(") == DEPTH


FAR_TOO_DEEP = 30_000
TEXTS = {
    "constants.ts": "graph(%x : int):\n  %y : int = prim::Constant[value="
    + "[" * FAR_TOO_DEEP
    + "1"
    + "]" * FAR_TOO_DEEP
    + "]()\n  return (%x)\n",
    "lists.mlir": "func.func @f() attributes {a = "
    + "[" * FAR_TOO_DEEP
    + "1"
    + "]" * FAR_TOO_DEEP
    + "} { func.return }\n",
    "types.mlir": f"func.func @f(%x: {'tuple<' * FAR_TOO_DEEP}i32{'>' * FAR_TOO_DEEP}) {{ func.return }}\n",
    "modules.mlir": "builtin.module {\n" * FAR_TOO_DEEP + "}\n" * FAR_TOO_DEEP,
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_nests_too_deep_is_told_with_its_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_text(TEXTS[name])
    assert ts_opt.main([str(path)]) == 1
    message = capsys.readouterr().err
    assert name in message and "nested too deep" in message
