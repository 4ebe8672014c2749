"""Writes aten.pyi and prim_operators.pyi: the op classes of all operators with rules, for type checkers and editors.

Run it after adding operators. With --check it writes nothing and fails where the file is not what it would write.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from generated_files import write_or_check  # noqa: E402

from torchscript_dialect.dialects.class_names import class_name, qualified_name_of  # noqa: E402
from torchscript_dialect.dialects.operators import operator_class  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402
from torchscript_dialect.ops.registry import Operator  # noqa: E402
from torchscript_dialect.types.function_schema import NO_DEFAULT  # noqa: E402

DIALECTS = ROOT / "torchscript_dialect" / "dialects"

ATEN_HEAD = '''"""Made by tools/generate_aten_stub.py from the operator table."""

from collections.abc import Iterator, Sequence
from typing import Any, Self, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Dialect, Operation, SSAValue

from torchscript_dialect.dialects.construction import Given
from torchscript_dialect.dialects.operators import OperatorOp

Types: TypeAlias = Sequence[Attribute] | None
Where: TypeAlias = LocationAttr | None

class AtenDialect(Dialect):
    @property
    def operations(self) -> Iterator[type[Operation]]: ...

Aten: AtenDialect

'''


PRIM_HEAD = '''"""Made by tools/generate_aten_stub.py from the operator table."""

from collections.abc import Sequence
from typing import Any, Self, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, SSAValue

from torchscript_dialect.dialects.construction import Given
from torchscript_dialect.dialects.operators import OperatorOp

Types: TypeAlias = Sequence[Attribute] | None
Where: TypeAlias = LocationAttr | None

'''

STUBS = {
    "aten": (DIALECTS / "aten.pyi", ATEN_HEAD),
    "prim": (DIALECTS / "prim_operators.pyi", PRIM_HEAD),
}


def class_text(operator: Operator) -> str:
    """The class of an operator: its schema, constructors, and the names of its operands."""
    schema = operator.schema
    names = operator_class(operator.qualified_name).NAMES
    values = "".join(f", {name}: Given" for name in names)
    rest = ", *operands: {}" if schema.is_vararg else ", *"
    lazy: list[str] = []  # the parameters of `of`, behind `*` as in the schema
    star = rest.format("Any")
    for name, argument in zip(names, schema.arguments, strict=True):
        if argument.kwarg_only and star:
            lazy.append(star)
            star = ""
        lazy.append(f", {name}: Any{'' if argument.default is NO_DEFAULT else ' = ...'}")
    others = "".join(lazy) + star
    lines = [
        f"class {class_name(operator.qualified_name)}(OperatorOp):",
        f"    {operator.text!r}",
        *(f"    {argument}: SSAValue" for argument in names),
        f"    def __init__(_this{values}{rest.format('Given')}, result_types: Types = ..., location: Where = ...) -> None: ...",
        "    @classmethod",
        f"    def of(cls, builder: Builder, /{others}, result_types: Types = ...) -> Self: ...",
    ]
    return "".join(f"{line}\n" for line in lines)


def stub(namespace: str, head: str) -> str:
    """The text of a stub file."""
    classes: list[str] = []
    for qualified_name in sorted(name for name, _ in registry.attached()):
        if not qualified_name.startswith(f"{namespace}::"):
            continue
        if qualified_name_of(namespace, class_name(qualified_name)) != qualified_name:
            continue  # another operator has the name
        operator = registry.find(qualified_name)
        assert operator is not None
        classes.append(class_text(operator))
    return head + "\n".join(classes)


def main() -> int:
    texts = {path: stub(namespace, head) for namespace, (path, head) in STUBS.items()}
    return write_or_check(__doc__, texts)


if __name__ == "__main__":
    sys.exit(main())
