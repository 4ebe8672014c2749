#!/usr/bin/env python3
"""Writes test/golden/special_values.json: PyTorch's results at the edges of what numbers are. Needs PyTorch.

    python tools/regenerate_special_goldens.py

What is stored of an operator, by dtype, is in test/samples/special_values.py.
"""

import json
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import special_values, torch_side  # noqa: E402

TARGET = ROOT / "test" / "golden" / "special_values.json"


def main() -> int:
    """One line for each operator, so that differences read well."""
    warnings.simplefilter("ignore")
    lines: list[str] = []
    for operator in special_values.operators():
        found = {
            case: special_values.packed(torch_side.run(operator, lambda args=args: args)[0])
            for case, args in special_values.cases(operator)
        }
        lines.append(f"{json.dumps(operator.qualified_name)}: {json.dumps(found)}")
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} operators in {TARGET.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
