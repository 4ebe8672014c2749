"""docs/passes.md is what tools/generate_pass_docs.py writes; making it runs the example of every pass."""

import difflib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import generate_pass_docs  # noqa: E402  # pyright: ignore[reportMissingImports]

PASSES = generate_pass_docs.passes()


def test_the_document_is_up_to_date() -> None:
    path = ROOT / "docs" / "passes.md"
    shown, made = path.read_text().splitlines(), generate_pass_docs.document().splitlines()
    diff = list(
        difflib.unified_diff(
            shown, made, "docs/passes.md", "tools/generate_pass_docs.py", lineterm=""
        )
    )
    assert not diff, "\n".join(diff)


@pytest.mark.parametrize("name", PASSES)
def test_the_example_of_a_pass_shows_a_change(name: str) -> None:
    before, after, _ = generate_pass_docs.example(PASSES[name])
    assert before != after


@pytest.mark.parametrize("name", PASSES)
def test_a_pass_that_no_pipeline_needs_says_so(name: str) -> None:
    says_so = "No pipeline" in (PASSES[name].__doc__ or "")
    assert says_so == (not generate_pass_docs.pipelines_with(PASSES[name]))
