#!/usr/bin/env python3
"""Writes test/golden/special_expressions.json: PyTorch's results of test/samples/special_expressions.py. Needs PyTorch.

python tools/regenerate_special_expression_goldens.py
"""

import importlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import special_expressions  # noqa: E402


def main() -> int:
    """One line for each expression, so that differences read well."""
    torch = importlib.import_module("torch")
    found = {
        each: special_expressions.result(torch, each) for each in special_expressions.expressions()
    }
    lines = [f"{json.dumps(name)}: {json.dumps(result)}" for name, result in found.items()]
    (ROOT / "test" / "golden" / "special_expressions.json").write_text(
        "{\n" + ",\n".join(lines) + "\n}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
