#!/usr/bin/env python3
"""Writes torchscript_dialect/ops/operator_families.txt: Note [Families on demand] in ops/families.py.

    python tools/generate_operator_families.py [--check]

With `--check` nothing is written; exit status 1 if the file is not up to date.
"""

import sys
from importlib import import_module, reload
from pathlib import Path
from typing import Any

from generated_files import write_or_check

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.families import FAMILIES

PATH = Path(__file__).parents[1] / "torchscript_dialect" / "ops" / "operator_families.txt"


def importing() -> str:
    """The family whose import is under way, the innermost one."""
    frame = sys._getframe()
    while frame.f_code.co_name != "<module>":
        assert frame.f_back is not None
        frame = frame.f_back
    return frame.f_globals["__name__"].removeprefix("torchscript_dialect.ops.")


_IMPORTED = frozenset(sys.modules)
"""What the package imports by itself."""


def families_of_operators() -> dict[str, dict[str, None]]:
    """The families with a part in each operator, after all of them have been imported: none has two rules of a kind."""
    found: dict[str, dict[str, None]] = {}
    attach = registry.attach

    def recorded(qualified_name: str, **known: Any) -> registry.Rules:
        found.setdefault(qualified_name, {})[importing()] = None
        before = registry._rules.get(qualified_name)  # pyright: ignore[reportPrivateUsage]
        for key in known if before is not None else ():
            if known[key] is not None and getattr(before, key) not in (None, False):
                sys.exit(f"{qualified_name} has two rules for {key}")
        return attach(qualified_name, **known)

    registry.attach = recorded
    registry._rules.clear()  # pyright: ignore[reportPrivateUsage]
    for family in FAMILIES:
        name = f"torchscript_dialect.ops.{family}"
        if name in _IMPORTED:
            reload(sys.modules[name])
        else:
            import_module(name)
    registry.attach = attach
    return found


def bases_of_variants() -> dict[str, str]:
    """What operators without a kernel of their own are variants of; the functional ones have variants themselves."""
    from torchscript_dialect.ops.variants import variants_of

    runs = [name for name, rules in registry.declared() if rules.has_kernel]
    found: dict[str, str] = {}
    for writes in (True, False):
        bases = [base for base in [*runs, *found] if ("!" in registry.texts()[base]) == writes]
        for base in bases:
            for variant in variants_of(base):
                if variant.name not in runs:
                    found.setdefault(variant.name, base)
    return found


def main() -> int:
    origins = families_of_operators()
    for name, base in bases_of_variants().items():
        origins.setdefault(name, {})[base] = None
    text = "".join(f"{' '.join((name, *origins[name]))}\n" for name in sorted(origins))
    return write_or_check(__doc__, {PATH: text})


if __name__ == "__main__":
    sys.exit(main())
