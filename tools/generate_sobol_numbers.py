#!/usr/bin/env python3
"""Writes torchscript_dialect/ops/random/sobol_numbers.txt: the polynomials and first numbers of Sobol sequences. Needs PyTorch.

    python tools/generate_sobol_numbers.py [--check]

The numbers are those of Joe and Kuo, which PyTorch holds; they are read out of its states. With `--check` nothing is written; exit
status 1 if the file is not up to date.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import torch  # noqa: E402
from generated_files import write_or_check  # noqa: E402

from torchscript_dialect.ops.random.sobol import BITS, continued, following  # noqa: E402

PATH = ROOT / "torchscript_dialect" / "ops" / "random" / "sobol_numbers.txt"
DIMENSIONS = 1024


def _line(numbers: list[int]) -> str:
    """The polynomial whose recurrence gives all numbers from the first, and these: `polynomial first second ...`."""
    for polynomial in range(3, 1 << 19, 2):
        degree = polynomial.bit_length() - 1
        first = numbers[:degree]
        is_next = following(polynomial, first) == numbers[degree]
        if is_next and continued(polynomial, first) == numbers:
            return " ".join(map(str, (polynomial, *first)))
    raise AssertionError("no polynomial gives these numbers")


def main() -> int:
    state = torch.zeros(DIMENSIONS, BITS, dtype=torch.int64)
    torch.ops.aten._sobol_engine_initialize_state_(state, DIMENSIONS)
    rows = (state >> torch.arange(BITS - 1, -1, -1)).tolist()
    return write_or_check(__doc__, {PATH: "".join(f"{_line(row)}\n" for row in rows[1:])})


if __name__ == "__main__":
    sys.exit(main())
