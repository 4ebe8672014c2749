"""Write test/golden/optimizers.json: what PyTorch's optimizers and schedules do in test/support/optimizers.py, and the losses of the
examples that train. Needs PyTorch.
"""

import json
import sys
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support.loader import load_module  # noqa: E402
from support.optimizers import EXAMPLES, record  # noqa: E402


def main() -> None:
    records = record(torch)
    records["losses"] = {
        name: load_module(name, "torch").train(**options) for name, options in EXAMPLES.items()
    }
    path = ROOT / "test" / "golden" / "optimizers.json"
    parts = [
        f"{json.dumps(kind)}: {{\n"
        + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items())
        + "\n}"
        for kind, entries in records.items()
    ]
    path.write_text("{" + ",\n".join(parts) + "}\n")
    print(path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
