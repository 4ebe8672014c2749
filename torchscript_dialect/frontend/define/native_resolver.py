"""Names of source text, where Python is not looked at."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterable
from typing import Any

from torchscript_dialect.frontend.sugared.builtin_module import BuiltinModule
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_builtins import (
    ClassValue,
    EnumClassValue,
    NamedTupleConstructor,
    PythonExceptionValue,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    FunctionValue,
    SimpleValue,
    SpecialFormValue,
    SugaredValue,
)
from torchscript_dialect.frontend.sugared.torch_names import SPECIAL_TORCH_NAMES
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition
from torchscript_dialect.frontend.unit.type_resolver import BuiltinLookup
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType, InterfaceType
from torchscript_dialect.utils.source_range import SourceRange


class NativeResolver(Resolver):
    """For source text: `torch`, `math`, and the functions and classes of the unit."""

    def __init__(
        self, unit: CompilationUnit, functions: BuiltinLookup, outer: Resolver | None = None
    ) -> None:
        super().__init__(functions)
        self.unit = unit
        self.outer = outer
        """Asked first for what the unit does not define: the Python names around the text."""

    def resolve_value(self, name: str, m: Context, range: SourceRange) -> SugaredValue | None:
        function = self.unit.find(name)
        if function is not None:
            return FunctionValue(function)
        class_ = self.unit.classes.get(name) or self.unit.classes.get(f"__torch__.{name}")
        if class_ is not None:
            return ClassValue(class_)
        for qualified in (name, f"__torch__.{name}"):
            if qualified in self.unit.enums:
                return EnumClassValue(self.unit.enums[qualified].type, self.unit.enums[qualified])
            if qualified in self.unit.named_tuples:
                return NamedTupleConstructor(*self.unit.named_tuples[qualified])
        if (
            self.outer is not None
            and (found := self.outer.resolve_value(name, m, range)) is not None
        ):
            return found
        if name == "torch":
            return BuiltinModule("aten")
        exception = getattr(builtins, name, None)
        if isinstance(exception, type) and issubclass(exception, BaseException):
            return PythonExceptionValue(exception)
        if name in ("math", "ops"):
            return BuiltinModule("aten" if name == "math" else "", name)
        if name in ("inf", "nan"):
            return SimpleValue(m.graph.constant(getattr(math, name), range))
        if name in SPECIAL_TORCH_NAMES:
            return SpecialFormValue(SPECIAL_TORCH_NAMES[name])
        return None

    def resolve_type(
        self, name: str, unit: CompilationUnit, range: SourceRange
    ) -> TorchScriptType | None:
        for qualified in (name, f"__torch__.{name}"):
            if qualified in unit.classes:
                return ClassType(qualified)
            if qualified in unit.enums:
                return unit.enums[qualified].type
            if qualified in unit.named_tuples:
                return unit.named_tuples[qualified][0]
            if qualified in unit.interfaces:
                return InterfaceType(qualified)
        return None if self.outer is None else self.outer.resolve_type(name, unit, range)

    def script_class(self, class_: type[Any], unit: CompilationUnit) -> ClassDefinition | None:
        return None if self.outer is None else self.outer.script_class(class_, unit)

    def names(self) -> Iterable[str]:
        return (*self.unit.functions, "torch", "math")
