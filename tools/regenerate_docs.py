#!/usr/bin/env python3
"""Writes what their examples print into README.md and docs/architecture.md; read the diff.

Blocks in which a line `...` stands for others are only named, to be edited by hand.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support.documents import updated  # noqa: E402


def main() -> int:
    status = 0
    for name in ("README.md", "docs/architecture.md"):
        path = ROOT / name
        with tempfile.TemporaryDirectory() as folder:
            text, by_hand = updated(path.read_text(), Path(folder))
        path.write_text(text)
        for block in by_hand:
            status = 1
            print(f"{name}:{block.line}: edit by hand, there are lines left out")
    return status


if __name__ == "__main__":
    sys.exit(main())
