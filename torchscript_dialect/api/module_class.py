"""Module types with their compiled methods, which all modules of a type share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir.changes import Listener
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.interpreter.interpreter import callees_of
from torchscript_dialect.runtime.kernels.kernels import CarriedKernel
from torchscript_dialect.runtime.values.exchange import Exchange
from torchscript_dialect.serialization.python_printer_tables import TypeNamer
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.utils.properties import cached_property


class Program:
    """A unit whose modules are in Python's hands, once it has what it adopts from others."""

    def __init__(
        self, unit: CompilationUnit, namer: TypeNamer, own_lists: PassLists | None = None
    ) -> None:
        self.unit = unit
        self.namer = namer
        self.own_lists = own_lists
        self.is_checked = unit.is_checked
        self.resolve = callees_of(unit.module_op, is_checked=unit.is_checked, define=self._define)
        self.exchange = Exchange(unit, self.resolve)
        self._classes: dict[int, ModuleClass] = {}
        self.carried: list[CarriedKernel] = []
        """The kernels that came with the archive."""
        self.concrete_type: Listener | None = None
        """What shares the type of the outermost module: Note [Concrete types] in concrete_types.py."""
        self.check_data: Callable[[], None] = _no_check
        """Called before the tensors of modules are handed out: those of an archive may be damaged."""

    def executors(self) -> list[GraphExecutor]:
        """The executors of the methods that have been run."""
        methods = [m for class_ in self._classes.values() for m in class_.methods()]
        return [method.executor for method in methods if "executor" in vars(method)]

    def _define(self, symbol: str) -> None:
        if symbol in self.unit.functions:
            self.unit.functions[symbol].ensure_defined()

    def class_of(self, definition: ClassDefinition) -> ModuleClass:
        """The module type that a definition is."""
        found = self._classes.get(id(definition))
        if found is None:
            found = self._classes[id(definition)] = ModuleClass(self, definition)
        return found


def _no_check() -> None:
    pass


class ModuleClass:
    """A module type: its definition, and its methods as far as they were asked for."""

    def __init__(self, program: Program, definition: ClassDefinition) -> None:
        self.program = program
        self.definition = definition
        self._methods: dict[Function, CompiledMethod] = {}

    @property
    def name(self) -> str:
        """The name of the Python class that the type was made from, or of the class in the archive."""
        class_ = self.definition.python_class
        return self.definition.type.base_name if class_ is object else class_.__name__

    def methods(self) -> list[CompiledMethod]:
        """The methods that were asked for."""
        return list(self._methods.values())

    def compiled(self, function: Function) -> CompiledMethod:
        """What runs a method or hook."""
        found = self._methods.get(function)
        if found is None:
            found = self._methods[function] = CompiledMethod(self.program, function)
        return found


class CompiledMethod:
    """A method of a module type, compiled when something of it is first asked for."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program = program
        self.function = function

    @cached_property
    def executor(self) -> GraphExecutor:
        program = self.program
        return GraphExecutor(
            self.function.op,
            own_lists=program.own_lists,
            is_checked=program.is_checked,
            resolve=program.resolve,
        )

    @cached_property
    def give(self) -> Callable[[Any], Any] | None:
        """What makes of a result what Python gets."""
        return self.program.exchange.giver(self.function.schema.returns[0].type)


def namer(unit: CompilationUnit) -> TypeNamer:
    """What code calls the functions of a unit."""

    def name(type_: TorchScriptType) -> str | None:
        if not isinstance(type_, FunctionType):
            return None
        function = unit.functions.get(type_.qualified_name.data)
        return None if function is None else function.qualified_name

    return name
