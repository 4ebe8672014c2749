#!/usr/bin/env python3
"""Writes test/golden/names.json: the public names of PyTorch's namespaces. Needs PyTorch.

python tools/regenerate_name_goldens.py
"""

import json
import sys
import types
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support import public_names  # noqa: E402


def is_of_pytorch(value: Any) -> bool:
    """Whether a namespace has a name of its own, and not from another package that it imports."""
    if isinstance(value, types.ModuleType):
        return value.__name__.partition(".")[0] == "torch" and value.__name__ != "torch"
    home = getattr(value, "__module__", None)
    return home is None or home.partition(".")[0] not in (
        "typing",
        "collections",
        "functools",
        "_frozen_importlib",
    )


def main() -> int:
    """One line for each namespace."""
    warnings.simplefilter("ignore")
    import_module("torch.distributions")
    lines: list[str] = []
    for place in public_names.PLACES:
        owner = public_names.owner(import_module("torch"), place)
        found = [
            name
            for name in dir(owner)
            if not name.startswith("_") and is_of_pytorch(getattr(owner, name, None))
        ]
        lines.append(f"{json.dumps(place)}: {json.dumps(' '.join(found))}")
    public_names.GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} namespaces in {public_names.GOLDEN.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
