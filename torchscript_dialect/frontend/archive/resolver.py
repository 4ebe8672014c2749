"""Names in the source of archives (PyTorch: serialization/import_source.cpp)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import StringAttr

from torchscript_dialect.frontend.archive.definitions import NUMBERS, Definitions, constant_number
from torchscript_dialect.frontend.archive.literals import value_of
from torchscript_dialect.frontend.archive.upgraders import ArchivedTorch
from torchscript_dialect.frontend.define.builtin_functions import builtin_functions
from torchscript_dialect.frontend.define.packed_classes import declare_packed_class
from torchscript_dialect.frontend.source.tree_views import Expr
from torchscript_dialect.frontend.sugared.builtin_module import BuiltinModule
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_builtins import (
    ClassValue,
    EnumClassValue,
    NamedTupleConstructor,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    FunctionValue,
    SimpleValue,
    SpecialFormValue,
    SugaredValue,
)
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import (
    ClassDefinition,
    EnumDefinition,
    Function,
    InterfaceDefinition,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import FOREIGN, ClassType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

_FORMS = {
    "annotate": "prim::annotate",
    "unchecked_cast": "prim::unchecked_cast",
    "uninitialized": "prim::Uninitialized",
    "fork": "prim::fork",
}


class ArchiveResolver(Resolver):
    """Knows what the Python Printer writes, and the definitions of one archive."""

    def __init__(self, definitions: Definitions, version: int) -> None:
        """`version` is that of the operators that the code was written for."""
        super().__init__(builtin_functions)
        self.definitions = definitions
        self.version = version

    def resolve_value(self, name: str, m: Context, range: SourceRange) -> SugaredValue | None:
        if name == "torch":
            return ArchivedTorch(self.version)
        if name == "ops":
            return BuiltinModule("", "ops")
        if name == "CONSTANTS":
            return ConstantsValue(self.definitions)
        if name == "__torch__":
            return NamespaceValue(self.definitions, name)
        if name in _FORMS:
            return SpecialFormValue(_FORMS[name])
        if name in NUMBERS:
            return SimpleValue(m.graph.constant(NUMBERS[name], range))
        return None

    def resolve_type(
        self, name: str, unit: CompilationUnit, range: SourceRange
    ) -> TorchScriptType | None:
        if not name.startswith("__torch__."):
            return None
        if name.startswith(FOREIGN):
            declare_packed_class(unit, name)
            return ClassType(StringAttr(name))
        found = self.definitions.find(name)
        if isinstance(found, tuple):
            return found[0]
        if found is None or isinstance(found, Function):
            raise FrontendError(f"the archive has no class {name}", range)
        return found.type

    def constant(self, expr: Expr, literal: Callable[[Expr], Any]) -> Any:
        return value_of(expr, self.definitions, literal)

    def has_generic(self, name: str) -> bool:
        return "." not in name


class ConstantsValue(SugaredValue):
    """`CONSTANTS`: values that source cannot hold."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions

    def kind(self) -> str:
        return "CONSTANTS"

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        number = constant_number(name, range)
        return SimpleValue(m.graph.constant(self.definitions.constant(number), range))


class NamespaceValue(SugaredValue):
    """The beginning of qualified names: `__torch__.torch.nn`."""

    def __init__(self, definitions: Definitions, name: str) -> None:
        self.definitions = definitions
        self.name = name

    def kind(self) -> str:
        return f"namespace {self.name}"

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        qualified = f"{self.name}.{name}"
        found = self.definitions.find(qualified)
        if found is None:
            if self.definitions.has_prefix(qualified):
                return NamespaceValue(self.definitions, qualified)
            raise FrontendError(f"the archive does not define {qualified}", range)
        match found:
            case Function():
                return FunctionValue(found)
            case EnumDefinition():
                return EnumClassValue(found.type, found)
            case ClassDefinition():
                return ClassValue(found)
            case tuple():
                return NamedTupleConstructor(*found)
            case InterfaceDefinition():
                raise FrontendError(f"{qualified} is an interface, and no value", range)
