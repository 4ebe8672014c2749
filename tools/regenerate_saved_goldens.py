#!/usr/bin/env python3
"""Writes test/golden/saved/*.pt, what `torch.save` of PyTorch writes of tensors and plain data. Needs PyTorch.

python tools/regenerate_saved_goldens.py
"""

import sys
import warnings
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support import saved  # noqa: E402


def main() -> int:
    """One file for each value."""
    warnings.simplefilter("ignore")
    saved.FOLDER.mkdir(exist_ok=True)
    for name, value in saved.values(torch).items():
        torch.save(value, saved.FOLDER / f"{name}.pt")
    print(f"{len(saved.values(torch))} files in {saved.FOLDER.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
