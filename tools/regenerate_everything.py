#!/usr/bin/env python3
"""Writes test/golden/frontend/everything.json from PyTorch: graphs, code, schemas and results of the one large program.

    python tools/regenerate_everything.py

PyTorch must be installed.
"""

import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test"), str(ROOT / "tools")]

from regenerate_corpus import describe, describe_calls, to_text  # noqa: E402

from support import corpus  # noqa: E402


def main() -> int:
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    programs = corpus.load("everything", "torch", corpus.EVERYTHING.parent)
    records = {name: describe(program) for name, program in programs.items()}
    for name, program in programs.items():
        records[name]["calls"] = describe_calls(program)
        for one in records[name]["calls"]:
            print(f"{name}: {str(one)[:200]}")
    corpus.EVERYTHING_GOLDEN.write_text(to_text(records))
    return 0


if __name__ == "__main__":
    sys.exit(main())
