#!/usr/bin/env python3
"""Writes test/golden/distributions.json: what PyTorch, which must be installed, gives for test/samples/distributions.py.

python tools/regenerate_distribution_goldens.py
"""

import importlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import distributions  # noqa: E402

TARGET = ROOT / "test" / "golden" / "distributions.json"


def main() -> int:
    """One line for each case."""
    torch = importlib.import_module("torch")
    importlib.import_module("torch.distributions")
    parts: list[str] = []
    for kind, found in distributions.everything(torch).items():
        lines = [f" {json.dumps(name)}: {json.dumps(result)}" for name, result in found.items()]
        parts.append(f"{json.dumps(kind)}: {{\n" + ",\n".join(lines) + "\n}")
    TARGET.write_text("{\n" + ",\n".join(parts) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
