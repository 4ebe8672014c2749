#!/usr/bin/env python3
"""Writes torchscript_dialect/ops/later_operators.txt: Note [Two loads] in ops/families.py.

    python tools/generate_later_operators.py [--check]

With `--check` nothing is written; exit status 1 if the file is not up to date.
"""

import sys
from copy import copy
from pathlib import Path

from generated_files import write_or_check

PATH = Path(__file__).parents[1] / "torchscript_dialect" / "ops" / "later_operators.txt"


def later_operators() -> list[str]:
    """The operators whose rules change when all families are loaded."""
    from torchscript_dialect.ops import registry

    registry.load_first_families()
    first = {name: copy(rules) for name, rules in registry.declared()}
    registry.load_families()
    return sorted(name for name, rules in registry.declared() if first.get(name) != rules)


def main() -> int:
    text = "".join(f"{name}\n" for name in later_operators())
    return write_or_check(__doc__, {PATH: text})


if __name__ == "__main__":
    sys.exit(main())
