#!/usr/bin/env python3
"""Prints which slots of its declaration each operator fills.

    python tools/operator_table.py [PREFIX ...]

One line for an operator: K kernel, S shape rule, B scalar body, D decomposition, L lowering, G gradient, E effects that the schema
does not tell. A small letter is a slot that follows from others: of the operator that it is a variant of, of its body or of its
decomposition. A dot is an empty slot. The last line counts.
"""

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from torchscript_dialect.ops import registry  # noqa: E402
from torchscript_dialect.ops.registry import Operator  # noqa: E402

SLOTS = "KSBDLGE"


def slots(operator: Operator) -> str:
    """The letters of an operator, see above."""
    rules = operator.rules
    own = {
        "K": rules.kernel is not None,
        "S": rules.shape is not None,
        "B": rules.pointwise is not None,
        "D": rules.decompose is not None,
        "L": rules.lower is not None,
        "G": rules.grad is not None,
        "E": rules.effects is not None,
    }
    derived = {
        "K": rules.derive_kernel is not None,
        "S": rules.derive_shape is not None,
        "L": operator.lower is not None or rules.decompose is not None,
    }
    return "".join(
        letter if own.get(letter) else letter.lower() if derived.get(letter) else "."
        for letter in SLOTS
    )


def main() -> None:
    prefixes = tuple(sys.argv[1:])
    counts = Counter[str]()
    total = 0
    for name in registry.names():
        for operator in registry.lookup(name):
            if prefixes and not operator.qualified_name.startswith(prefixes):
                continue
            filled = slots(operator)
            total += 1
            counts.update(letter.upper() for letter in filled if letter != ".")
            print(f"{filled}  {operator.text}")
    print(" ".join(f"{letter} {counts[letter]}" for letter in SLOTS), f"of {total}")


if __name__ == "__main__":
    main()
