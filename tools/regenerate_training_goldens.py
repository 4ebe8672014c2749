"""Write test/golden/training.json: the losses of the training loops of test/training in PyTorch. Needs PyTorch."""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support import training  # noqa: E402


def main() -> None:
    lines = [
        f"{json.dumps(name)}: {json.dumps([float(f'{one:.7g}') for one in training.losses(name, 'torch')])}"
        for name in training.names()
    ]
    training.GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} programs")


if __name__ == "__main__":
    main()
