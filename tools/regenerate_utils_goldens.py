#!/usr/bin/env python3
"""Writes test/golden/utils.json: what the programs of test/samples/data_utils.py give under PyTorch, which must be installed."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples.data_utils import PROGRAMS  # noqa: E402


def results() -> dict[str, Any]:
    """The result of each program by its name."""
    torch = importlib.import_module("torch")
    for part in ("data", "checkpoint", "dlpack", "_pytree"):
        importlib.import_module(f"torch.utils.{part}")
    found: dict[str, Any] = {}
    for program in PROGRAMS:
        torch.manual_seed(11)
        found[program.__name__] = json.loads(json.dumps(program(torch)))
    return found


def main() -> int:
    lines = [f" {json.dumps(name)}: {json.dumps(result)}" for name, result in results().items()]
    (ROOT / "test" / "golden" / "utils.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
