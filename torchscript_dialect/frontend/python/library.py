"""What `torch` means in source text: operators, and what is written in Python beside them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from torchscript_dialect.frontend.define.builtin_functions import builtin_functions
from torchscript_dialect.frontend.python.resolver import script_class, to_sugared_value
from torchscript_dialect.frontend.sugared.builtin_module import BuiltinModule
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_value import SugaredValue
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

IN_PYTHON = frozenset({"cdist", "norm", "stft", "tensordot", "unique_consecutive"})
"""Functions of `torch` that are written in Python over operators of the same name, and take their arguments in another way."""


class LibraryResolver(Resolver):
    """For source text: knows `torch`. With `of_operators` the text is an operator's own, to which operators come first."""

    def __init__(self, of_operators: bool = False) -> None:
        super().__init__(builtin_functions)
        self._of_operators = of_operators

    def resolve_value(self, name: str, m: Context, range: SourceRange) -> SugaredValue | None:
        return LibraryValue(self._of_operators) if name == "torch" else None

    def script_class(self, class_: type[Any], unit: CompilationUnit) -> ClassDefinition | None:
        return script_class(class_, unit)


class LibraryValue(BuiltinModule):
    """`torch` in source text. What is no operator, `torch.no_grad` and all below `torch.nn`, is the stand-in's, and so are IN_PYTHON
    outside of the texts of operators.
    """

    def __init__(self, of_operators: bool = False) -> None:
        super().__init__("aten")
        self._of_operators = of_operators

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        if self._of_operators or name not in IN_PYTHON:
            try:
                return super().attr(range, m, name)
            except FrontendError:
                if not hasattr(_stand_in(), name):
                    raise
        return to_sugared_value(getattr(_stand_in(), name), m, range, is_constant=True)


def _stand_in() -> ModuleType:
    """The stand-in for PyTorch's namespace; imported by name, as its layer is above this one."""
    return importlib.import_module("torchscript_dialect.torch")
