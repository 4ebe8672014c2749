"""The source files of an archive: the classes and functions of a program, a file for each prefix of their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from torchscript_dialect.api.archive_data import ordered_attributes
from torchscript_dialect.api.module_class import Program
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.frontend.python.attribute_types import infer_type
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.serialization.archive.debug_info import debug_pickle
from torchscript_dialect.serialization.archive.versions import OLDEST_WRITTEN, WRITTEN_FROM
from torchscript_dialect.serialization.python_printer import ClassSource, Method, PythonPrinter
from torchscript_dialect.serialization.python_printer_tables import (
    Annotations,
    ConstantEntry,
    Constants,
    Dependencies,
)
from torchscript_dialect.serialization.source_marks import SourceMarks
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import (
    FOREIGN,
    ClassType,
    EnumType,
    FunctionType,
    InterfaceType,
)
from torchscript_dialect.utils.errors import TorchScriptError


class ArchiveCode:
    """Prints what types name, and what that names in its turn."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._unit = program.unit
        self.annotations = Annotations(program.namer)
        self._constants = Constants(self.annotations)
        self._dependencies = Dependencies(self._members)
        self._marks = SourceMarks()
        self._printed = 0
        self._printers: dict[str, PythonPrinter] = {}
        self.version = OLDEST_WRITTEN
        """The oldest version of the operators that the code can be read with."""

    @property
    def files(self) -> dict[str, str]:
        """The texts by their paths below `code/`."""
        return {_path(prefix): printer.text for prefix, printer in self._printers.items()}

    @property
    def records(self) -> dict[str, bytes]:
        """The texts, and where their pieces came from, by their paths below `code/`."""
        found: dict[str, bytes] = {}
        for prefix, printer in self._printers.items():
            text, ranges = printer.marked
            path = _path(prefix)
            found[path] = text.encode()
            if any(range is not None for _, range in ranges):
                found[f"{path}.debug_pkl"] = debug_pickle(ranges)
        return found

    @property
    def constants(self) -> Sequence[ConstantEntry]:
        """What `CONSTANTS.c0`, `CONSTANTS.c1`, ... stand for."""
        return self._constants.entries

    def print(self, types: Iterable[TorchScriptType]) -> None:
        """Print named types and all that they need.

        Raises:
            TorchScriptError: something has no source form.
        """
        waiting = self._dependencies.types
        for type_ in types:
            self._dependencies.add(type_)
            while self._printed < len(waiting):  # grows meanwhile
                self._printed += 1
                self._print(waiting[self._printed - 1])

    def _members(self, type_: ClassType) -> Iterable[TorchScriptType]:
        definition = self._unit.classes.get(type_.qualified_name.data)
        return () if definition is None else ordered_attributes(definition).values()

    def _printer(self, name: str) -> PythonPrinter:
        prefix = name.rpartition(".")[0]
        found = self._printers.get(prefix)
        if found is None:
            found = self._printers[prefix] = PythonPrinter(
                class_resolver=self._program.namer,
                constants=self._constants,
                dependencies=self._dependencies,
                marks=self._marks,
            )
        return found

    def _print(self, type_: TorchScriptType) -> None:
        name = self.annotations.of(type_)
        if name.startswith(FOREIGN):
            return  # PyTorch's own
        printer = self._printer(name)
        match type_:
            case FunctionType():
                function = self._unit.functions[type_.qualified_name.data]
                self._note(function)
                printer.print_function(function.op, name=_last(name), schema=function.schema)
            case EnumType():
                printer.print_enum(name, self._unit.enums[type_.qualified_name.data].members)
            case InterfaceType():
                interface = self._unit.interfaces[type_.qualified_name.data]
                printer.print_interface(
                    name, interface.methods.values(), is_module=interface.is_module
                )
            case TupleType():
                printer.print_named_tuple(type_)
            case ClassType():
                definition = self._unit.class_of(type_)
                printer.print_class(self._source(definition, name))
            case _:
                raise TorchScriptError(f"the type {name} has no source")

    def _source(self, definition: ClassDefinition, name: str) -> ClassSource:
        hooks = {*definition.pre_hooks, *definition.hooks}
        return ClassSource(
            name,
            attributes=ordered_attributes(definition),
            methods=[self._method(m) for m in definition.methods.values() if m not in hooks],
            constants=self._constants_of(definition),
            is_module=definition.is_module,
            parameters=frozenset(definition.parameters),
            buffers=frozenset(definition.buffers),
            forward_pre_hooks=[self._method(hook) for hook in definition.pre_hooks],
            forward_hooks=[self._method(hook) for hook in definition.hooks],
        )

    def _constants_of(self, definition: ClassDefinition) -> dict[str, tuple[Any, TorchScriptType]]:
        found: dict[str, tuple[Any, TorchScriptType]] = {}
        for name, value in definition.constants.items():
            type_ = definition.constant_types.get(name) or infer_type(value, self._unit)
            if type_ is not None:
                found[name] = value, type_
        return found

    def _method(self, function: Function) -> Method:
        self._note(function)
        return Method(function.name, function.op, function.schema)

    def _note(self, function: Function) -> None:
        """Raise the version to that of the newest operator; refuse what has no source."""
        for op in function.op.walk():
            if isinstance(op, OperatorOp) and op.OPERATOR is not None:
                since = WRITTEN_FROM.get(op.OPERATOR.qualified_name)
                self.version = max(self.version, since or 0)
            elif isinstance(op, prim.PythonOp):
                raise TorchScriptError(
                    f"{function.qualified_name} calls a Python function, which archives cannot hold"
                )


def _path(prefix: str) -> str:
    return f"{prefix.replace('.', '/')}.py"


def _last(name: str) -> str:
    return name.rpartition(".")[2]
