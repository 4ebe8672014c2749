#!/usr/bin/env python3
"""Writes torchscript_dialect/ops/schemas.txt from PyTorch: the schemas of all operators that it registers.

    python tools/generate_schemas.py [--check]

PyTorch must be installed. Operators are sorted by name; the overloads of one stand in the order in which they are tried. With `--check`
nothing is written; exit status 1 if the file is not up to date.
"""

import sys
from importlib import import_module
from pathlib import Path

from generated_files import write_or_check

PATH = Path(__file__).parents[1] / "torchscript_dialect" / "ops" / "schemas.txt"

REGISTERING = ("torch", "torch._prims", "torch._inductor", "torch.ao.nn.quantized")
"""Modules of PyTorch that register operators when they are imported."""


def schemas() -> list[str]:
    """The texts of all schemas that PyTorch has, in the order of the file."""
    for name in REGISTERING:
        import_module(name)
    torch = sys.modules["torch"]
    names = {schema.name for schema in torch._C._jit_get_all_schemas()}
    of_operator = torch._C._jit_get_schemas_for_operator
    return [str(schema) for name in sorted(names) for schema in of_operator(name)]


def main() -> int:
    text = "".join(f"{schema}\n" for schema in schemas())
    return write_or_check(__doc__, {PATH: text})


if __name__ == "__main__":
    sys.exit(main())
