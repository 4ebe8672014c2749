"""docs/lowering.md is what tools/generate_lowering_docs.py writes; making it runs every step, and the program."""

import difflib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import generate_lowering_docs  # noqa: E402  # pyright: ignore[reportMissingImports]


def test_the_document_is_up_to_date() -> None:
    shown = (ROOT / "docs" / "lowering.md").read_text().splitlines()
    made = generate_lowering_docs.document().splitlines()
    names = "docs/lowering.md", "tools/generate_lowering_docs.py"
    diff = list(difflib.unified_diff(shown, made, *names, lineterm=""))
    assert not diff, "\n".join([*diff, "python tools/generate_lowering_docs.py writes it anew"])


def test_the_program_computes_what_numpy_does() -> None:
    assert "WRONG" not in generate_lowering_docs.run()
