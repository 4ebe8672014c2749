#!/usr/bin/env python3
"""Writes test/golden/frontend/rejected.json from PyTorch: what it says of the programs in test/frontend/rejected.

    python tools/regenerate_rejected.py

PyTorch must be installed. A program that PyTorch accepts is an error: it does not belong there.
"""

import json
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support import rejected  # noqa: E402


def main() -> int:
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    accepted: list[str] = []
    parts: list[str] = []
    total = 0
    for area in rejected.areas():
        records: list[str] = []
        for name, program in rejected.load(area, "torch").items():
            record = rejected.describe(program)
            if record is None:
                accepted.append(f"{area}.{name}")
            else:
                records.append(f"  {json.dumps(name)}: {json.dumps(record)}")
        parts.append(f" {json.dumps(area)}: {{\n" + ",\n".join(records) + "\n }")
        total += len(records)
    rejected.GOLDEN.write_text("{\n" + ",\n".join(parts) + "\n}\n")
    print(f"{total} programs")
    for name in accepted:
        print(f"PyTorch accepts {name}", file=sys.stderr)
    return int(bool(accepted))


if __name__ == "__main__":
    sys.exit(main())
