"""Every rewrite pattern fires in a lit test, which is that of its family, and local rewrites have no other form."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from xdsl.pattern_rewriter import RewritePattern

from torchscript_dialect import patterns
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.frontend.ssa.canonicalize_modified_loops import COUNT_TRIPS
from torchscript_dialect.frontend.ssa.first_names import FIRST_NAMES
from torchscript_dialect.ir.pattern_driver import apply_patterns
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.transforms._pass import functions

TESTS = Path(__file__).parents[2] / "patterns"
ROOT = Path(patterns.__path__[0]).parent


def modules() -> list[str]:
    return [found.name for found in pkgutil.iter_modules(patterns.__path__)]


def classes(module: str) -> dict[str, type[RewritePattern]]:
    """The patterns that a file of the package defines."""
    home = importlib.import_module(f"{patterns.__name__}.{module}")
    return {
        name: class_
        for name, class_ in vars(home).items()
        if inspect.isclass(class_)
        and issubclass(class_, RewritePattern)
        and class_.__module__ == home.__name__
        and not inspect.isabstract(class_)
    }


@cache
def rewrites(path: Path) -> Counter[str]:
    """What a lit test's pipeline rewrites in its graphs."""
    text = path.read_text()
    found = re.search(r"^# RUN: ts-opt %s -p (\S+) ", text)
    assert found, f"{path.name} does not say what it runs"
    pipeline = PassPipeline(found.group(1))
    pipeline.apply(parse_ir_text(text))
    return sum((row.rewrites for row in pipeline.timings), Counter[str]())


ALL = [(module, name) for module in modules() for name in classes(module)]


@pytest.mark.parametrize(("module", "name"), ALL, ids=[name for _, name in ALL])
def test_a_lit_test_of_the_family_names_the_pattern_and_it_fires(module: str, name: str) -> None:
    tests = sorted(TESTS.glob(f"{module}*.ts"))
    assert any(re.search(rf"^# .*\b{name}\b", path.read_text(), re.M) for path in tests)
    assert any(rewrites(path)[name] for path in tests)


FRONTEND = {
    "normalize_ops.ts": FIRST_NAMES,
    "canonicalize_modified_loops.ts": COUNT_TRIPS,
}


@pytest.mark.parametrize("test", FRONTEND)
def test_patterns_of_the_frontend_fire(test: str) -> None:
    text = (TESTS.parent / "frontend" / "passes" / test).read_text()
    fired = Counter[str]()
    for function in functions(parse_ir_text(text)):
        apply_patterns(function, FRONTEND[test], rewrites=fired)
    names = {type(pattern).__name__ for pattern in FRONTEND[test].patterns}
    assert names == set(fired)
    assert all(name in text for name in names)


def test_every_pattern_of_the_package_is_tested_here() -> None:
    """Those of the frontend stand beside what runs them, as layers want it; closures and composites have tests of their own."""
    found = set[str]()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and any(
                ast.unparse(base).endswith("Pattern") for base in node.bases
            ):
                found.add(node.name)
    known = {name for _, name in ALL} | {"LiftClosure", "DecomposeComposite"}
    for patterns_of_file in FRONTEND.values():
        known |= {type(pattern).__name__ for pattern in patterns_of_file.patterns}
    assert found - {"RootedPattern", "ListPattern", "ShapePattern", "TensorPattern"} == known


@pytest.mark.parametrize(("module", "name"), ALL, ids=[name for _, name in ALL])
def test_a_pattern_shows_an_example(module: str, name: str) -> None:
    assert "->" in (classes(module)[name].__doc__ or "")


def test_patterns_are_found() -> None:
    assert len(ALL) > 30
