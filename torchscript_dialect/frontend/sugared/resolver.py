"""What names mean that a function does not define itself (PyTorch: torch/csrc/jit/frontend/resolver.h).

`Resolver` is what the emitter asks; `NativeResolver` serves source text without Python objects.
`python_resolver.PythonResolver` serves live functions.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from torchscript_dialect.frontend.sugared.sugared_builtins import (
    ClassValue,
    EnumClassValue,
    NamedTupleConstructor,
    PythonExceptionValue,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    BuiltinFunction,
    FunctionValue,
    SimpleValue,
    SpecialFormValue,
    SugaredValue,
)
from torchscript_dialect.frontend.unit.compilation_unit import (
    ClassDefinition,
    CompilationUnit,
    Function,
)
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType, InterfaceType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

if TYPE_CHECKING:
    from torchscript_dialect.frontend.ir_emitter.emitter import Emitter

BuiltinLookup = Callable[[str], Sequence[Function]]

SPECIAL_TORCH_NAMES = {
    "annotate": "prim::annotate",
    "isinstance": "prim::isinstance",
    "unchecked_cast": "prim::unchecked_cast",
    "uninitialized": "prim::Uninitialized",
    "fork": "prim::fork",
    "_fork": "prim::fork",
}
"""Functions below `torch` and `torch.jit` that are special forms."""

LAYOUTS = {"strided": 0, "sparse_coo": 1, "sparse_csr": 2, "sparse_csc": 3}
MEMORY_FORMATS = {
    "contiguous_format": 0,
    "preserve_format": 1,
    "channels_last": 2,
    "channels_last_3d": 3,
}

_PYTHON_TYPES = ("bool", "float", "int")
"""Dtypes whose names Python has taken."""


class Resolver:
    """Knows nothing but the builtin functions; the others extend it."""

    def __init__(self, functions: BuiltinLookup) -> None:
        self.builtin_functions = functions

    def resolve_value(self, name: str, m: Emitter, range: SourceRange) -> SugaredValue | None:
        """What a name means as a value, None if nothing."""
        return None

    def resolve_type(
        self, name: str, unit: CompilationUnit, range: SourceRange
    ) -> TorchScriptType | None:
        """The type that a name, maybe with dots, means; None if it is none of the program's own."""
        return None

    def script_class(self, class_: type[Any], unit: CompilationUnit) -> ClassDefinition | None:
        """The definition of a Python class, None where Python is not looked at."""
        return None

    def names(self) -> Iterable[str]:
        """The names it knows, for suggestions."""
        return ()


class NativeResolver(Resolver):
    """For source text: `torch`, `math`, and the functions and classes of the unit."""

    def __init__(
        self, unit: CompilationUnit, functions: BuiltinLookup, outer: Resolver | None = None
    ) -> None:
        super().__init__(functions)
        self.unit = unit
        self.outer = outer
        """Asked first for what the unit does not define: the Python names around the text."""

    def resolve_value(self, name: str, m: Emitter, range: SourceRange) -> SugaredValue | None:
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

    def names(self) -> Iterable[str]:
        return (*self.unit.functions, "torch", "math")


class BuiltinModule(SugaredValue):
    """A namespace of operators: `torch` in source text (PyTorch: struct BuiltinModule)."""

    def __init__(self, namespace: str, name: str = "torch") -> None:
        self.namespace = namespace
        self.name = name

    def kind(self) -> str:
        return "builtin module"

    def attr(self, range: SourceRange, m: Emitter, name: str) -> SugaredValue:
        if self.name == "ops" and not self.namespace:
            return BuiltinModule(name, "ops")
        if self.name == "math" and isinstance(constant := getattr(math, name, None), float):
            return SimpleValue(m.graph.constant(constant, range))
        if self.name == "torch" and (found := torch_constant(name)) is not None:
            return SimpleValue(m.graph.constant(found, range))
        if self.name == "torch" and name == "ops":
            return BuiltinModule("", "ops")
        if self.name == "torch" and name in ("jit", "nn", "functional"):
            return BuiltinModule(self.namespace)
        if self.name == "torch" and name in SPECIAL_TORCH_NAMES:
            return SpecialFormValue(SPECIAL_TORCH_NAMES[name])
        qualified = f"{self.namespace}::{name}"
        if not registry.lookup(qualified) and not m.builtin_functions(qualified):
            raise FrontendError(f"{self.name} has no attribute '{name}'", range)
        return BuiltinFunction(qualified)


def torch_constant(name: str) -> int | float | None:
    """The number that `torch.<name>` is in graphs: a dtype, a layout, a memory format, pi and such."""
    if name in LAYOUTS:
        return LAYOUTS[name]
    if name in MEMORY_FORMATS:
        return MEMORY_FORMATS[name]
    if name in ("pi", "e", "inf", "nan", "tau"):
        return getattr(math, name)
    known: Any = getattr(dtypes, f"{name}_" if name in _PYTHON_TYPES else name, None)
    is_named_so = isinstance(known, dtypes.dtype) and not name.endswith("_")
    return known.scalar_type if is_named_so else None
