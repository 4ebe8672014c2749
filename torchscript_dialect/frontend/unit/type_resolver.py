"""What names mean as types, and which builtin functions there are: what reads annotations needs no more of a resolver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from torchscript_dialect.frontend.source.tree_views import Expr
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

BuiltinLookup = Callable[[str], Sequence[Function]]


class TypeResolver:
    """Knows nothing but the builtin functions; the others extend it."""

    def __init__(self, functions: BuiltinLookup) -> None:
        self.builtin_functions = functions

    def resolve_type(
        self, name: str, unit: CompilationUnit, range: SourceRange
    ) -> TorchScriptType | None:
        """The type that a name, maybe with dots, means; None if it is none of the program's own."""
        return None

    def script_class(self, class_: type[Any], unit: CompilationUnit) -> ClassDefinition | None:
        """The definition of a Python class, None where Python is not looked at."""
        return None

    def constant(self, expr: Expr, literal: Callable[[Expr], Any]) -> Any:
        """The value of a parameter's default that is no literal; `literal` gives those of its parts.

        Raises:
            FrontendError: there is no such value.
        """
        raise FrontendError("Default values of parameters are literals", expr.range)

    def has_generic(self, name: str) -> bool:
        """Whether a name, maybe with dots, may be one of the generic types: whether what is before the dots holds them."""
        return name.rpartition(".")[0] in ("", "typing", "torch.jit", "torch.jit.annotations")

    def generic_of(self, name: str) -> str:
        """The generic type that a name, maybe with dots, is another name of: its last part, as far as is known."""
        return name.rpartition(".")[2]

    def names(self) -> Iterable[str]:
        """The names it knows, for suggestions."""
        return ()
