"""What a compilation makes: functions in one module, and the classes that they use (PyTorch: jit/api/compilation_unit.h).

A function is compiled when it is first needed, so functions may be defined in any order; a call back into one that is
being compiled is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType, EnumType, InterfaceType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.source_range import SourceRange


class RecursiveCallError(Exception):
    """A function is needed to compile itself."""


class Function:
    """A function or method. `symbol` names it in the module, `name` is what graphs show."""

    def __init__(
        self,
        unit: CompilationUnit,
        symbol: str,
        name: str,
        qualified_name: str,
        definer: Callable[[Function], None],
    ) -> None:
        self.unit = unit
        self.symbol = symbol
        self.name = name
        self.qualified_name = qualified_name
        self.func_op: FuncOp | None = None
        self.argument_names: tuple[str, ...] = ()
        self._schema: FunctionSchema | None = None
        self._definer: Callable[[Function], None] | None = definer
        self._is_running = False
        self.is_clean = False
        """Whether its graph has been through the passes that make it what users see."""

    def ensure_defined(self) -> Function:
        """Compile the function unless it is.

        Raises:
            RecursiveCallError: it is being compiled.
            TorchScriptError: its source is wrong.
        """
        if self._is_running:
            raise RecursiveCallError(self.name)
        if self._definer is not None:
            self._is_running = True
            try:
                self._definer(self)
            finally:
                self._is_running = False
            self._definer = None
        return self

    def ensure_begun(self) -> Function:
        """Compile the function unless it is, or is being compiled."""
        return self if self._is_running else self.ensure_defined()

    @property
    def is_running(self) -> bool:
        """Whether it is being compiled."""
        return self._is_running

    def set_schema(self, schema: FunctionSchema) -> None:
        self._schema = schema

    @property
    def schema(self) -> FunctionSchema:
        """The schema; compiles the function, which may have to tell what it returns."""
        self.ensure_defined()
        assert self._schema is not None
        return self._schema

    @property
    def op(self) -> FuncOp:
        """The function in the module."""
        self.ensure_defined()
        assert self.func_op is not None
        return self.func_op


def _mangled(name: str, taken: Container[str]) -> str:
    head, _, tail = name.rpartition(".")
    qualified, count = name, -1
    while qualified in taken:
        count += 1
        qualified = f"{head}.___torch_mangle_{count}.{tail}"
    return qualified


def _serves(method: FunctionSchema, wanted: FunctionSchema) -> bool:
    """Whether a method can be called as the interface says: same names, arguments as general, result as special."""
    given, asked = method.arguments[1:], wanted.arguments[1:]
    return (
        [argument.name for argument in given] == [argument.name for argument in asked]
        and all(is_subtype(a.type, g.type) for g, a in zip(given, asked, strict=True))
        and is_subtype(method.returns[0].type, wanted.returns[0].type)
    )


@dataclass
class ClassDefinition:
    """A script class or a module: what its attributes and methods are."""

    type: ClassType
    attributes: dict[str, TorchScriptType] = field(default_factory=dict[str, TorchScriptType])
    methods: dict[str, Function] = field(default_factory=dict[str, Function])
    static_methods: dict[str, Function] = field(default_factory=dict[str, Function])
    properties: dict[str, tuple[Function, Function | None]] = field(
        default_factory=dict[str, tuple[Function, "Function | None"]]
    )
    constants: dict[str, Any] = field(default_factory=dict[str, Any])
    parameters: set[str] = field(default_factory=set[str])
    buffers: set[str] = field(default_factory=set[str])
    is_module: bool = False
    is_being_initialized: bool = False
    """While `__init__` is compiled, assignments make attributes."""
    python_class: type[Any] = object
    """The Python class that it was made from."""

    def find_method(self, name: str, unit: CompilationUnit) -> Function | None:
        """The method of that name, declared if need be."""
        return self.methods.get(name)


@dataclass
class InterfaceDefinition:
    """The signatures of an interface's methods, by name."""

    type: InterfaceType
    is_module: bool = False
    methods: dict[str, FunctionSchema] = field(default_factory=dict[str, FunctionSchema])


@dataclass
class EnumDefinition:
    """The members of an enum, by name, in order."""

    type: EnumType
    members: dict[str, Any]
    value_type: TorchScriptType
    python_class: type[Enum] | None = None

    def member(self, name: str) -> EnumMember:
        """The member of that name as a runtime value."""
        return EnumMember(self.type.qualified_name.data, name, self.members[name])

    def all(self) -> list[EnumMember]:
        """The members, in order."""
        return [self.member(name) for name in self.members]


class CompilationUnit:
    """Functions and classes that may use one another. `module_op` holds all functions compiled so far."""

    def __init__(self) -> None:
        self.module_op = ModuleOp([])
        self.functions: dict[str, Function] = {}
        """By symbol, in the order in which they were declared."""
        self.classes: dict[str, ClassDefinition] = {}
        self.enums: dict[str, EnumDefinition] = {}
        self.interfaces: dict[str, InterfaceDefinition] = {}
        self.named_tuples: dict[str, tuple[TupleType, list[Any]]] = {}
        """The NamedTuples of source text, with the default values of their last fields."""
        self.adopted: dict[CompilationUnit, Any] = {}
        """What has been copied from other units: adoption.py."""
        self.module_types: dict[Any, ClassDefinition] = {}
        """Module types by what they are made of."""
        self.overloads: dict[int, list[Function]] = {}
        """The overloads of Python functions that have several, by id."""
        self.resolving: SourceRange | None = None
        """The place of the name that was last looked up, for whose sake a class may be compiled."""
        self.python_objects: dict[int, tuple[Any, Any]] = {}
        """What Python functions and classes were made into, by id, with the object itself to keep it alive."""

    def free_symbol(self, name: str) -> str:
        """The name, with a number where a function has it already."""
        symbol, count = name, 0
        while symbol in self.functions:
            count += 1
            symbol = f"{name}_{count}"
        return symbol

    def free_qualified_name(self, name: str) -> str:
        """The name of a class, mangled as PyTorch does where another class has it."""
        return _mangled(name, self.classes)

    def free_function_name(self, name: str) -> str:
        """The qualified name of a function, mangled as PyTorch does where another function has it."""
        return _mangled(name, {function.qualified_name for function in self.functions.values()})

    def declare(
        self,
        name: str,
        definer: Callable[[Function], None],
        qualified_name: str | None = None,
        symbol: str | None = None,
    ) -> Function:
        """A new function, compiled by `definer` when it is needed."""
        symbol = self.free_symbol(symbol or name)
        function = Function(self, symbol, name, qualified_name or f"__torch__.{name}", definer)
        self.functions[symbol] = function
        return function

    def adopt(self, function: Function) -> Function:
        """The function, or this unit's copy of it where it is another unit's."""
        if function.unit is self:
            return function
        from torchscript_dialect.frontend.python.adoption import adopt_function

        return adopt_function(self, function)

    def adopt_class(self, definition: ClassDefinition, source: CompilationUnit) -> Any:
        """A class or module type of another unit, copied into this one."""
        from torchscript_dialect.frontend.python.adoption import adopt_class

        return adopt_class(self, definition, source)

    def add_op(self, func_op: FuncOp) -> None:
        """Put a finished function into the module."""
        self.module_op.body.block.add_op(func_op)

    def class_of(self, type_: ClassType) -> ClassDefinition:
        """The definition of a class.

        Raises:
            TorchScriptError: the class is not defined in this unit.
        """
        definition = self.classes.get(type_.qualified_name.data)
        if definition is None:
            raise TorchScriptError(f"the class {type_.qualified_name.data} is not defined")
        return definition

    def implements(self, type_: ClassType | InterfaceType, interface: InterfaceType) -> bool:
        """Whether objects of a type have the methods of an interface."""
        wanted = self.interfaces.get(interface.qualified_name.data)
        if wanted is None:
            return False
        if isinstance(type_, InterfaceType):
            known = self.interfaces[type_.qualified_name.data]
            return (wanted.is_module or not known.is_module) and all(
                name in known.methods and _serves(known.methods[name], schema)
                for name, schema in wanted.methods.items()
            )
        class_ = self.class_of(type_)
        if class_.is_module and not wanted.is_module:
            return False
        for name, schema in wanted.methods.items():
            method = class_.find_method(name, self)
            if method is None or not (method.is_running or _serves(method.schema, schema)):
                return False
        return True

    def find(self, name: str) -> Function | None:
        """The first function of that name or symbol, None where there is none."""
        if (function := self.functions.get(name)) is not None:
            return function
        return next((f for f in self.functions.values() if f.name == name), None)

    def compile_all(self) -> CompilationUnit:
        """Compile whatever is declared and not compiled yet."""
        for function in list(self.functions.values()):
            function.ensure_defined()
        return self
