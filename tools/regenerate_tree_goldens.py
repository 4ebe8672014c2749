#!/usr/bin/env python3
"""Writes test/golden/trees/<function>.txt from PyTorch: the syntax tree, the range of each part.

    python tools/regenerate_tree_goldens.py

PyTorch must be installed. The functions are those of test/golden/trees/programs.py. A file is the
tree as PyTorch prints it, a line `---`, and lines `start end View`, where the offsets count the
characters of the function's text.
"""

import importlib
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "test" / "golden" / "trees"
VIEWS = (
    "Apply Assert Assign Attribute AugAssign BinOp Break Const Continue Delete DictComp DictLiteral"
    " Dots ExprStmt For Ident If ListComp ListLiteral Pass Raise Return Select SliceExpr Starred"
    " StringLiteral Subscript TernaryIf TupleLiteral UnaryOp Var While With WithItem"
).split()


def recording(view: str, create: Callable[..., Any], made: list[Any]) -> Callable[..., Any]:
    """`create`, with what it makes kept in `made`."""

    def record(*args: Any) -> Any:
        tree = create(*args)
        made.append((tree.range().start, tree.range().end, view))
        return tree

    return record


def main() -> int:
    try:
        from torch.jit import frontend
    except ImportError as error:
        print(f"PyTorch is needed to ask it: {error}", file=sys.stderr)
        return 1
    sys.path.insert(0, str(FOLDER))
    programs = importlib.import_module("programs")
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    made: list[Any] = []
    for view in VIEWS:
        setattr(frontend, view, recording(view, getattr(frontend, view), made))
    for name, function in vars(programs).items():
        if isinstance(function, FunctionType):
            made.clear()
            tree = str(frontend.get_jit_def(function, name)).strip()
            lines = [f"{start} {end} {view}" for start, end, view in sorted(set(made))]
            text = "\n".join([tree, "---", *lines])
            (FOLDER / f"{name}.txt").write_text(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
