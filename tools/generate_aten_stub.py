"""Writes aten.pyi and prim_operators.pyi: the op classes of all operators with rules, for type checkers and editors.

Run it after adding operators. With --check it writes nothing and fails where the file is not what it would write.
"""

from __future__ import annotations

import argparse
import keyword
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from xdsl.ir import Operation  # noqa: E402

from torchscript_dialect.dialects.operators import class_name  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402

DIALECTS = ROOT / "torchscript_dialect" / "dialects"

ATEN_HEAD = '''"""Made by tools/generate_aten_stub.py from the operator table."""

from collections.abc import Iterator

from xdsl.ir import Dialect, Operation, SSAValue

from torchscript_dialect.dialects.operators import OperatorOp

class AtenDialect(Dialect):
    @property
    def operations(self) -> Iterator[type[Operation]]: ...

Aten: AtenDialect

'''


PRIM_HEAD = '''"""Made by tools/generate_aten_stub.py from the operator table."""

from xdsl.ir import SSAValue

from torchscript_dialect.dialects.operators import OperatorOp

'''

STUBS = {
    "aten": (DIALECTS / "aten.pyi", ATEN_HEAD),
    "prim": (DIALECTS / "prim_operators.pyi", PRIM_HEAD),
}


def stub(namespace: str, head: str) -> str:
    """The text of a stub file."""
    classes: list[str] = []
    for qualified_name in sorted(name for name, _ in registry.attached()):
        if not qualified_name.startswith(f"{namespace}::"):
            continue
        operator = registry.find(qualified_name)
        assert operator is not None
        names = [
            argument.name
            for argument in operator.schema.arguments
            if not hasattr(Operation, argument.name) and not keyword.iskeyword(argument.name)
        ]
        body = "".join(
            f"    @property\n    def {name}({'this' if name == 'self' else 'self'}) -> SSAValue: ...\n"
            for name in names
        )
        classes.append(f"class {class_name(qualified_name)}(OperatorOp):\n{body or '    ...'}")
    return head + "\n".join(classes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    for namespace, (path, head) in STUBS.items():
        text = stub(namespace, head)
        if not arguments.check:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            print(
                f"{path.name} is not up to date: run tools/generate_aten_stub.py", file=sys.stderr
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
