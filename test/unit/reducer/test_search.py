"""Programs get as small as they can be, and stay valid and interesting on the way.

Point 9 of docs/testing.md.
"""

import ast
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support.random_graphs import Program
from support.random_programs import source
from torchscript_dialect.cli.ts_reduce import form_of, main
from torchscript_dialect.reducer import Search, SourceText, reduce_text

SOURCE = """
import torch

class Unused:
    def __init__(self, x: int):
        self.x = x

def helper(x: int, unused: int = 5) -> int:
    for i in range(10):
        x = x * 3 + i
    return x

def f(a: int, b: int, s: str) -> int:
    y = helper(a, 7)
    if b > 7:
        y = y + 1
        z = [1, 2, 3, y // (b - 9), 4]
        y = len(z)
    print(s, y)
    return y
"""


def test_source_is_reduced_to_what_is_interesting() -> None:
    assert reduce_text(SourceText(), SOURCE, lambda text: "//" in text) == "def f():\n    0 // 0\n"
    calls = reduce_text(SourceText(), SOURCE, lambda text: "= helper(" in text)
    assert calls == "def f():\n    y = helper()\n"


def test_what_is_tested_is_valid_and_gets_smaller() -> None:
    tested: list[str] = []
    sizes: list[tuple[int, ...]] = []
    form = SourceText()

    def is_interesting(text: str) -> bool:
        tested.append(text)
        ast.parse(text)
        return "sorted" in text

    text = next(text for seed in range(50) if "sorted" in (text := source(seed)))
    found = Search(
        form, text, is_interesting, found=lambda one: sizes.append(form.size(form.read(one)))
    ).run()
    assert len(tested) == len(set(tested)) > 10
    assert all(a > b for a, b in pairwise(sizes[1:]))
    assert len(found.splitlines()) == 2


@pytest.mark.parametrize(("suffix", "name"), [(".ts", "aten::mm("), (".mlir", "aten.mm(")])
def test_graphs_are_reduced(suffix: str, name: str) -> None:
    """What is tested is verified: it can be read again."""
    graph, mlir = form_of(Path("x.ts")), form_of(Path("x.mlir"))
    text = next(t for seed in range(99) if "aten::mm" in (t := Program(seed).text) and "Loop" in t)
    form = graph
    if suffix == ".mlir":
        form, text = mlir, mlir.write(graph.read(text))

    def is_interesting(text: str) -> bool:
        form.read(text).verify()
        return name in text

    found = reduce_text(form, text, is_interesting)
    assert found.count("=") == 1
    assert len(found.splitlines()) <= 6


def test_a_loop_stays_where_it_is_interesting() -> None:
    form = form_of(Path("x.ts"))
    text = next(t for seed in range(99) if "Loop" in (t := Program(seed).text) and "If" in t)

    def is_interesting(text: str) -> bool:
        ops = [op.name for op in form.read(text).walk()]
        return "prim.Loop" in ops and "aten.tanh_" in ops

    text = next(t for seed in range(99) if is_interesting(t := Program(seed).text))
    found = reduce_text(form, text, is_interesting)
    assert found.count("prim::Loop") == found.count("aten::tanh_") == 1
    assert found.count(" = ") <= 5


def test_time_ends_the_search() -> None:
    assert (
        reduce_text(SourceText(), SOURCE, lambda _: True, seconds=0)
        == ast.unparse(ast.parse(SOURCE)) + "\n"
    )


def run(folder: Path, test: str, *options: str) -> tuple[int, Path]:
    path, out = folder / "p.py", folder / "out.py"
    path.write_text("def f(x):\n    y = x + 1\n    return y\n")
    return main([test, str(path), "-o", str(out), *options]), out


def test_status_zero_is_interesting(tmp_path: Path) -> None:
    status, out = run(tmp_path, "grep -q return")
    assert (status, out.read_text()) == (0, "def f():\n    return 0\n")


def test_scripts_for_mlir_reduce_say_it_with_other_statuses(tmp_path: Path) -> None:
    script = tmp_path / "test.sh"
    script.write_text('if grep -q return "$1"; then exit 1; else exit 0; fi\n')
    status, out = run(tmp_path, f"sh {script}", "--mlir-reduce")
    assert (status, out.read_text()) == (0, "def f():\n    return 0\n")


def test_a_program_that_is_not_interesting_is_told(tmp_path: Path, capsys: Any) -> None:
    status, out = run(tmp_path, "grep -q nothing")
    assert status == 1 and not out.exists()
    assert "does not find the program interesting as it is" in capsys.readouterr().err


def test_text_that_is_no_program_is_reduced_as_text(tmp_path: Path, capsys: Any) -> None:
    path, out = tmp_path / "p.mlir", tmp_path / "out.mlir"
    path.write_text("func.func @f() {\n  %0 = prim.Constant( {value = 1 : i64}\n  return\n")
    assert main(["grep -q value", str(path), "-o", str(out)]) == 0
    assert out.read_text() == "value"
    assert "is reduced as text, for " in capsys.readouterr().err
