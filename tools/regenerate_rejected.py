#!/usr/bin/env python3
"""Writes test/golden/frontend/rejected.json from PyTorch: what it says of the programs in test/frontend/rejected.

    python tools/regenerate_rejected.py

PyTorch must be installed. A program that PyTorch accepts is an error: it does not belong there. With a Python newer than 3.11 it
writes what differs from older ones to a file of its own.
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
    areas = {area: described(area) for area in rejected.areas()}
    found = {area: {name: one for name, one in of.items() if one} for area, of in areas.items()}
    version = max((one for one in rejected.NEWER if one <= sys.version_info[:2]), default=None)
    if version is None:
        write(rejected.GOLDEN, found)
    else:
        older = rejected.golden((version[0], version[1] - 1))
        write(rejected.NEWER[version], {area: changed(older[area], found[area]) for area in found})
    print(f"{sum(map(len, found.values()))} programs")
    accepted = [f"{area}.{name}" for area, of in areas.items() for name in of if not of[name]]
    for name in accepted:
        print(f"PyTorch accepts {name}", file=sys.stderr)
    return int(bool(accepted))


def described(area: str) -> dict[str, rejected.Record | None]:
    programs = rejected.load(area, "torch")
    return {name: rejected.describe(program) for name, program in programs.items()}


def changed(
    older: dict[str, rejected.Record], newer: dict[str, rejected.Record]
) -> dict[str, rejected.Record]:
    return {name: record for name, record in newer.items() if older.get(name) != record}


def write(path: Path, areas: dict[str, dict[str, rejected.Record]]) -> None:
    """A line a program; no area that has none."""
    parts: list[str] = []
    for area, records in areas.items():
        lines = [f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in records.items()]
        if lines:
            parts.append(f" {json.dumps(area)}: {{\n" + ",\n".join(lines) + "\n }")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    sys.exit(main())
