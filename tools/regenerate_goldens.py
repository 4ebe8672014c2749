#!/usr/bin/env python3
"""Writes test/golden/programs/<program>.json from PyTorch: graphs, source, schema, results.

    python tools/regenerate_goldens.py [PROGRAM ...]

PyTorch must be installed. Read the difference before keeping it: what PyTorch did is the
expectation, but only for inputs that the cases intend.
"""

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support.programs import PROGRAMS  # noqa: E402


def to_text(golden: dict[str, Any]) -> str:
    """JSON with one call a line, so that a difference shows which calls changed."""
    calls = golden["calls"]
    head = json.dumps({**golden, "calls": {}}, indent=1).removesuffix("{}\n}")
    lines = [f"  {json.dumps(name)}: {json.dumps(call)}" for name, call in calls.items()]
    return head + "{\n" + ",\n".join(lines) + "\n }\n}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of: {', '.join(PROGRAMS)}")
    names = parser.parse_args().programs or list(PROGRAMS)
    if unknown := set(names) - set(PROGRAMS):
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    warnings.simplefilter("ignore")  # torch.jit.script announces its retirement
    try:
        from support import oracle
    except ImportError as error:
        parser.exit(1, f"PyTorch is needed to regenerate the golden files: {error}\n")
    folder = ROOT / "test" / "golden" / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = folder / f"{name}.json"
        golden = oracle.describe(PROGRAMS[name])
        path.write_text(to_text(golden))
        failing = sum("error" in call for call in golden["calls"].values())
        print(f"{path.relative_to(ROOT)}: {len(golden['calls'])} calls, {failing} of them errors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
