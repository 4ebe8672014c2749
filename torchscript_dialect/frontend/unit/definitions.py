"""What a program declares: functions, classes, interfaces and enums.

A function is compiled when it is first needed, so functions may be defined in any order; a call back into one that is
being compiled is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from xdsl.dialects.func import FuncOp

from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType, EnumType, InterfaceType


class RecursiveCallError(Exception):
    """A function is needed to compile itself."""


class Function:
    """A function or method. `symbol` names it in the module, `name` is what graphs show."""

    def __init__(
        self,
        symbol: str,
        name: str,
        qualified_name: str,
        definer: Callable[[Function], None],
    ) -> None:
        self.symbol = symbol
        self.name = name
        self.qualified_name = qualified_name
        self.func_op: FuncOp | None = None
        self.argument_names: tuple[str, ...] = ()
        self._schema: FunctionSchema | None = None
        self._definer: Callable[[Function], None] | None = definer
        self._is_running = False
        self.declared_schema: FunctionSchema | None = None
        """The schema, where it is known before the function is compiled."""
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
    constant_types: dict[str, TorchScriptType] = field(default_factory=dict[str, TorchScriptType])
    """The declared types of constants, where their values do not tell."""
    parameters: set[str] = field(default_factory=set[str])
    buffers: set[str] = field(default_factory=set[str])
    pre_hooks: list[Function] = field(default_factory=list[Function])
    hooks: list[Function] = field(default_factory=list[Function])
    """What is called before and after `forward` where a module is called."""
    is_module: bool = False
    is_being_initialized: bool = False
    """While `__init__` is compiled, assignments make attributes."""
    python_class: type[Any] = object
    """The Python class that it was made from."""

    def find_method(self, name: str) -> Function | None:
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
    is_text: bool = False
    """Whether it came as source text, where no Python class belongs to it."""

    def member(self, name: str) -> EnumMember:
        """The member of that name as a runtime value."""
        return EnumMember(self.type.qualified_name.data, name, self.members[name])

    def all(self) -> list[EnumMember]:
        """The members, in order."""
        return [self.member(name) for name in self.members]
