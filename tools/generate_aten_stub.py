"""Writes torchscript_dialect/dialects/aten.pyi: the op classes of all operators with rules, for type checkers and editors.

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

STUB = ROOT / "torchscript_dialect" / "dialects" / "aten.pyi"

HEAD = '''"""Made by tools/generate_aten_stub.py from the operator table."""

from collections.abc import Iterator

from xdsl.ir import Dialect, Operation, SSAValue

from torchscript_dialect.dialects.operators import OperatorOp

class AtenDialect(Dialect):
    @property
    def operations(self) -> Iterator[type[Operation]]: ...

Aten: AtenDialect

'''


def stub() -> str:
    """The text of the stub file."""
    classes: list[str] = []
    for qualified_name in sorted(name for name, _ in registry.attached()):
        if not qualified_name.startswith("aten::"):
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
    return HEAD + "\n".join(classes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    arguments = parser.parse_args()
    text = stub()
    if arguments.check:
        current = STUB.read_text("utf-8") if STUB.exists() else ""
        if current != text:
            print(
                f"{STUB.name} is not up to date: run tools/generate_aten_stub.py", file=sys.stderr
            )
            return 1
        return 0
    STUB.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
