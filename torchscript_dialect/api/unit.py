"""`ts.CompilationUnit`: TorchScript source text, no Python objects needed."""

from __future__ import annotations

from torchscript_dialect.api.clean_up import clean_up
from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.module_class import namer
from torchscript_dialect.api.script import finish
from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit as FrontendUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.utils.collection import without_collection


def _is_of_text(function: Function) -> bool:
    return function.qualified_name == f"__torch__.{function.name}"


class CompilationUnit:
    """The functions of a TorchScript text, which may call each other: `unit.name`, `unit["name"]`."""

    def __init__(self, source: str = "", filename: str = "<string>") -> None:
        """Compile a text; `filename` is what messages and places in graphs show for it.

        Raises:
            TorchScriptError: the text is no TorchScript program.
        """
        self._unit = FrontendUnit()
        self._functions: dict[str, ScriptFunction] = {}
        if not isinstance(source, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"source text is a str, not {type(source).__name__}")
        if source:
            self.define(source, filename)

    def define(
        self, source: str, filename: str = "<string>", *, definitions_only: bool = True
    ) -> None:
        """Add the functions of another text, which may call those that are there. Unless it has `definitions_only`, and imports, what
        else it holds is passed over, as it is in a file of Python's.

        Raises:
            TorchScriptError: the text is no TorchScript program.
        """
        with without_collection():
            compile_source(source, filename, self._unit, definitions_only=definitions_only)
            clean_up(self._unit)

    @property
    def function_names(self) -> list[str]:
        """The names of the functions in the order of the text, without those of libraries that they call."""
        return [one.name for one in self._unit.functions.values() if _is_of_text(one)]

    def _name_in_text(self, type_: TorchScriptType) -> str | None:
        """What code calls a function: one of the text has no more than its name."""
        if isinstance(type_, FunctionType):
            function = self._unit.functions.get(type_.qualified_name.data)
            if function is not None and _is_of_text(function):
                return function.name
        return namer(self._unit)(type_)

    def __getitem__(self, name: str) -> ScriptFunction:
        if name not in self._functions:
            function = self._unit.find(name)
            if function is None:
                known = ", ".join(self.function_names) or "none"
                raise KeyError(f"the unit has no function '{name}'; it has {known}")
            self._functions[name] = finish(self._unit, function, names=self._name_in_text)
        return self._functions[name]

    def __getattr__(self, name: str) -> ScriptFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None
