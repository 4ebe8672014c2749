"""Python code from functions: what `f.code` shows and archives hold (PyTorch: serialization/python_print.cpp).

`print_function` writes one function; a `PythonPrinter` writes several functions and classes one after the other, and
collects the constants that code cannot hold (`CONSTANTS.c0`) and the classes and functions that it names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.func import FuncOp

from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.serialization.python_printer_inlining import TERMINATORS
from torchscript_dialect.serialization.python_printer_statements import FunctionBody, Output
from torchscript_dialect.serialization.python_printer_tables import (
    Annotations,
    ConstantEntry,
    Constants,
    Dependencies,
    TypeNamer,
    as_identifier,
    base_name,
    format_number,
    is_identifier,
)
from torchscript_dialect.serialization.source_marks import Ranges, SourceMarks
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.function_schema import NO_DEFAULT, Argument, FunctionSchema, quote
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.utils.errors import TorchScriptError


def print_function(
    function: FuncOp,
    *,
    name: str | None = None,
    schema: FunctionSchema | None = None,
    is_method: bool = False,
    class_resolver: TypeNamer | None = None,
) -> str:
    """The code of a function, ending with a newline.

    The schema gives the names, types and defaults of arguments; without one the graph's own are taken. A method's first
    argument has no annotation. `class_resolver` may rename classes, NamedTuples, enums and called functions; called functions
    are otherwise shown as `__torch__.name`.

    Raises:
        TorchScriptError: the function holds something that has no code, such as a loop with both a trip count and a condition.
    """
    printer = PythonPrinter(class_resolver=class_resolver)
    printer.print_function(function, name=name, schema=schema, is_method=is_method)
    return printer.text


@dataclass(frozen=True)
class Method:
    """A method or hook of a class that is to be printed."""

    name: str
    function: FuncOp
    schema: FunctionSchema | None = None


@dataclass(frozen=True)
class ClassSource:
    """What the definition of a class or module says. Names in `parameters` and `buffers` are attributes."""

    name: str
    """The qualified name, of which the last part is printed."""
    attributes: Mapping[str, TorchScriptType] = field(default_factory=dict[str, TorchScriptType])
    methods: Sequence[Method] = ()
    constants: Mapping[str, tuple[Any, TorchScriptType]] = field(
        default_factory=dict[str, tuple[Any, TorchScriptType]]
    )
    is_module: bool = False
    parameters: frozenset[str] = frozenset()
    buffers: frozenset[str] = frozenset()
    forward_pre_hooks: Sequence[Method] = ()
    forward_hooks: Sequence[Method] = ()


class PythonPrinter:
    """Collects the code of functions and classes.

    Printers that write the files of one archive share `constants`, `dependencies` and `marks`; each has its own numbering of names,
    which goes on from function to function.
    """

    def __init__(
        self,
        *,
        class_resolver: TypeNamer | None = None,
        constants: Constants | None = None,
        dependencies: Dependencies | None = None,
        marks: SourceMarks | None = None,
    ) -> None:
        self.annotations = Annotations(class_resolver)
        self.dependencies = Dependencies() if dependencies is None else dependencies
        self.constants = Constants(self.annotations) if constants is None else constants
        self._out = Output(self.annotations, self.constants, self.dependencies)
        self._out.marks = marks

    @property
    def text(self) -> str:
        """All code printed so far."""
        return self.marked[0]

    @property
    def marked(self) -> tuple[str, Ranges]:
        """All code printed so far, and with `marks` where its pieces came from."""
        marks = self._out.marks
        return ("".join(self._out.lines), []) if marks is None else marks.split(self._out.lines)

    @property
    def constant_table(self) -> Sequence[ConstantEntry]:
        """What `CONSTANTS.c0`, `CONSTANTS.c1`, ... stand for."""
        return self.constants.entries

    def print_function(
        self,
        function: FuncOp,
        *,
        name: str | None = None,
        schema: FunctionSchema | None = None,
        is_method: bool = False,
    ) -> None:
        """Write a function: see the module's `print_function`."""
        block = function.body.block
        schema = schema or graph_schema(function)
        if len(schema.arguments) != len(block.args):
            raise TorchScriptError(
                f"the schema {schema} has {len(schema.arguments)} arguments, but the graph of"
                f" {function.sym_name.data} has {len(block.args)}"
            )
        self._out.names.begin_function()
        self._out.location = None
        body = FunctionBody(self._out)
        texts: list[str] = []
        for argument, value in zip(schema.arguments, block.args, strict=True):
            is_annotated = bool(texts) or not is_method
            name_in_code = self._out.names.unique(as_identifier(argument.name))
            texts.append(name_in_code + self._rest_of(argument, is_annotated=is_annotated))
            body.define_argument(value, name_in_code, is_annotated=is_annotated)
        result = _result_type(schema)
        shown = function.sym_name.data if name is None else name
        shown = ".".join(map(as_identifier, shown.split(".")))
        arguments = ",\n    ".join(texts)
        self._out.line(f"def {shown}({arguments}) -> {self.annotations.of(result)}:")
        self.dependencies.add_named_in(result)
        body.print(block)

    def _rest_of(self, argument: Argument, *, is_annotated: bool) -> str:
        """What follows an argument's name in the header of a function."""
        self.dependencies.add_named_in(argument.type)
        text = f": {self.annotations.of(argument.type)}" if is_annotated else ""
        if argument.default is NO_DEFAULT:
            return text
        default = self.constants.default(argument.default, argument.type, argument.list_size)
        return f"{text}={default}"

    def print_class(self, source: ClassSource) -> None:
        """Write the definition of a class or module: attributes, constants, methods, hooks."""
        self._out.line(f"class {_last_part(source.name)}{'(Module)' if source.is_module else ''}:")
        with self._out.indented():
            if source.is_module:
                self._print_module_fields(source)
            for index, (name, type_) in enumerate(source.attributes.items()):
                self.dependencies.add_named_in(type_)
                annotation = self.annotations.of(type_)
                if is_identifier(name):
                    self._out.line(f"{name} : {annotation}")
                    continue
                if index == 0:
                    self._out.line("__annotations__ = []")
                self._out.line(f"__annotations__[{quote(name)}] = {annotation}")
            for name, (value, type_) in source.constants.items():
                literal = self.constants.default(value, type_, None)
                self._out.line(f"{name} : Final[{self.annotations.of(type_)}] = {literal}")
            for method in source.methods:
                self.print_function(method.function, name=method.name, schema=method.schema)
            printed: set[str] = set()
            for hook in (*source.forward_hooks, *source.forward_pre_hooks):
                if hook.name not in printed:
                    printed.add(hook.name)
                    self.print_function(hook.function, name=hook.name, schema=hook.schema)

    def _print_module_fields(self, source: ClassSource) -> None:
        fields: list[tuple[str, Iterable[str]]] = [
            ("__parameters__", (name for name in source.attributes if name in source.parameters)),
            ("__buffers__", (name for name in source.attributes if name in source.buffers)),
        ]
        if source.forward_pre_hooks:
            names = (hook.name for hook in source.forward_pre_hooks)
            fields.append(("__forward_pre_hooks__", names))
        if source.forward_hooks:
            fields.append(("__forward_hooks__", (hook.name for hook in source.forward_hooks)))
        for name, values in fields:
            items = "".join(f"{quote(value)}, " for value in values)
            self._out.line(f"{name} = [{items}]")

    def print_named_tuple(self, type_: TupleType) -> None:
        """Write the definition of a NamedTuple, whose name and fields the type holds."""
        self._out.line(f"class {_last_part(type_.annotation_str)}(NamedTuple):")
        with self._out.indented():
            for name, element in zip(type_.field_names, type_.elements, strict=True):
                self._out.line(f"{name} : {self.annotations.of(element)}")

    def print_interface(
        self, name: str, methods: Iterable[FunctionSchema], *, is_module: bool = False
    ) -> None:
        """Write the definition of an interface. Methods' first argument is `self`."""
        base = "ModuleInterface" if is_module else "Interface"
        self._out.line(f"class {_last_part(name)}({base}):")
        with self._out.indented():
            for method in methods:
                arguments = ["self"]
                for argument in method.arguments[1:]:
                    self.dependencies.add_named_in(argument.type)
                    arguments.append(f"{argument.name}: {self.annotations.of(argument.type)}")
                result = _result_type(method)
                self.dependencies.add_named_in(result)
                header = f"def {method.name}({', '.join(arguments)})"
                self._out.line(f"{header} -> {self.annotations.of(result)}:")
                self._out.line("  pass")

    def print_enum(self, name: str, members: Mapping[str, int | float | str]) -> None:
        """Write the definition of an enum. Texts are written between quotes as they are, as PyTorch does, unless that would end
        them.
        """
        self._out.line(f"class {_last_part(name)}(Enum):")
        with self._out.indented():
            for member, value in members.items():
                shown = _enum_text(value) if isinstance(value, str) else format_number(value)
                self._out.line(f"{member} = {shown}")


def _enum_text(value: str) -> str:
    ends = not value.isprintable() or '"' in value or "\\" in value
    return quote(value) if ends else f'"{value}"'


def graph_schema(function: FuncOp) -> FunctionSchema:
    """The schema that follows from a graph alone: names as the values have them, or `argument_0`, `argument_1`, ..."""
    block = function.body.block
    last = block.last_op
    results = () if last is None or last.name not in TERMINATORS else last.operands
    return FunctionSchema(
        function.sym_name.data,
        arguments=tuple(
            Argument(base_name(value) or f"argument_{index}", unshaped(type_of(value)))
            for index, value in enumerate(block.args)
        ),
        returns=tuple(Argument("", unshaped(type_of(value))) for value in results),
    )


def _result_type(schema: FunctionSchema) -> TorchScriptType:
    """The type of the one result; a tuple where a graph returns several, None's type where it returns none."""
    types = [result.type for result in schema.returns]
    if len(types) == 1:
        return types[0]
    return TupleType.get(types) if types else NONE


def _last_part(qualified_name: str) -> str:
    return qualified_name.rpartition(".")[2]
