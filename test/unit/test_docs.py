"""The examples of the documents print what the documents say (support/documents.py has the marks of the blocks)."""

import difflib
import re
from pathlib import Path

import pytest

from support.documents import matches, normalized, outputs

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = ("README.md", "docs/architecture.md", "docs/security.md")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_examples_print_what_is_shown(name: str, tmp_path: Path) -> None:
    wrong: list[str] = []
    results = outputs((ROOT / name).read_text(), tmp_path)
    assert results
    for block, actual in results:
        if not matches(block.text, actual):
            lines = normalized(block.text).split("\n"), normalized(actual).split("\n")
            diff = difflib.unified_diff(*lines, "shown", "printed", lineterm="")
            wrong.append("\n".join([f"{name}:{block.line}", *diff]))
    hint = "tools/regenerate_docs.py writes what is printed into the documents"
    assert not wrong, "\n\n".join([*wrong, hint])


def prose(name: str) -> str:
    """A document without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name: str) -> None:
    folder = (ROOT / name).parent
    targets = re.findall(r"\]\(([^)#:]+)\)", prose(name))
    assert [target for target in targets if not (folder / target).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_that_are_named_exist(name: str) -> None:
    """Paths in code spans: those of the checkout, or below one of its packages."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / name).read_text(), flags=re.MULTILINE | re.DOTALL)
    paths = {
        p for p in re.findall(r"`([\w.]+(?:/[\w.]+)+/?)`", text) if not p.startswith(("http", "~"))
    }
    places = (ROOT, ROOT / "torchscript_dialect", ROOT / "lowering")
    assert sorted(p for p in paths if not any((place / p).exists() for place in places)) == []


def test_matching_knows_elisions() -> None:
    assert matches("a\n...\nd\n", "a\nb\nc\nd")
    assert matches("a\n...\nd", "a\n\nd")
    assert matches("a \n", "a\n\n")
    assert not matches("a\n...\nd", "a\nb\nc")
    assert not matches("a\nd", "a\nb\nd")
    assert not matches("(a)", "a")


def test_files_that_the_page_of_tests_names_exist() -> None:
    text = (ROOT / "docs/testing.md").read_text()
    named = set(re.findall(r"`(test/[\w/]+\.\w+)`", text))
    assert len(named) > 100
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_tests_of_a_point_say_so() -> None:
    """The table of points in docs/testing.md, and the first lines of the tests that it names."""
    rows = re.findall(r"^\| (\d+)\. .*? \| (.*) \|$", (ROOT / "docs/testing.md").read_text(), re.M)
    named = {(int(point), file) for point, files in rows for file in re.findall(r"`(.*?)`", files)}
    marked = {
        (int(point), path.relative_to(ROOT).as_posix())
        for path in (ROOT / "test").rglob("test_*.py")
        for point in re.findall(r"^Point (\d+) of docs/testing.md\.$", path.read_text(), re.M)
    }
    assert named == marked
    assert {point for point, _ in named} == set(range(1, 11))
