"""What a compilation makes: functions in one module, and the classes that they use (PyTorch: jit/api/compilation_unit.h)."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.unit.definitions import (
    ClassDefinition,
    EnumDefinition,
    Function,
    InterfaceDefinition,
)
from torchscript_dialect.ir.module import new_module
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType, InterfaceType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.source_range import SourceRange


class CompilationUnit:
    """Functions and classes that may use one another. `module_op` holds all functions compiled so far."""

    def __init__(self) -> None:
        self.module_op = new_module()
        self.functions: dict[str, Function] = {}
        """By symbol, in the order in which they were declared."""
        self.classes: dict[str, ClassDefinition] = {}
        self.enums: dict[str, EnumDefinition] = {}
        self.interfaces: dict[str, InterfaceDefinition] = {}
        self.named_tuples: dict[str, tuple[TupleType, list[Any]]] = {}
        """The NamedTuples of source text, with the default values of their last fields."""
        self.texts: dict[str, str] = {}
        """The texts that were compiled, by file name: errors at run time show their lines."""
        self.adopted: dict[CompilationUnit, Any] = {}
        """What copies from each other unit: python/adoption.py."""
        self.module_types: dict[Any, ClassDefinition] = {}
        """Module types by what they are made of."""
        self.overloads: dict[int, list[Function]] = {}
        """The overloads of Python functions that have several, by id."""
        self.resolving: SourceRange | None = None
        """The place of the name that was last looked up, for whose sake a class may be compiled."""
        self.python_objects: dict[int, tuple[Any, Any]] = {}
        """What Python functions, classes and compiled modules of PyTorch's were made into, by id, with the object itself to
        keep it alive."""
        self.is_checked = False
        """Whether functions of it came as data: what their graphs claim is checked when they run."""

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
        function = Function(symbol, name, qualified_name or f"__torch__.{name}", definer)
        self.functions[symbol] = function
        return function

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
            return (known.is_module or not wanted.is_module) and all(
                name in known.methods and _serves(known.methods[name], schema)
                for name, schema in wanted.methods.items()
            )
        class_ = self.class_of(type_)
        if wanted.is_module and not class_.is_module:
            return False
        for name, schema in wanted.methods.items():
            method = class_.find_method(name)
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
