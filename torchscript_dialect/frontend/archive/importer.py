"""From the source files of an archive to definitions in a unit, each when it is first asked for: Note [Source by need].

What a qualified name means is found by it alone: `__torch__.a.B` is `B` in `code/__torch__/a.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from torchscript_dialect.frontend.archive.class_head import read_head
from torchscript_dialect.frontend.archive.definitions import Definition
from torchscript_dialect.frontend.archive.resolver import ArchiveResolver
from torchscript_dialect.frontend.archive.source_file import SourceFile
from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.define.script_class import find_attributes, new_class
from torchscript_dialect.frontend.define.text_classes import declare_text_class
from torchscript_dialect.frontend.source.tree_views import ClassDef, Def
from torchscript_dialect.frontend.unit.annotations import qualified_name
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.debug_info import DebugInfo
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.utils.errors import FrontendError, InternalError

_FOLDER = "code/"
Compiled = Callable[[Function], None]
"""Hears of each function that has been compiled."""


class Importer:
    """The definitions of one archive, in a unit of their own."""

    def __init__(
        self,
        container: Container,
        constants: Sequence[Any],
        version: int,
        begin_check: Callable[[], None],
        compiled: Compiled,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """`texts` are the source files of an archive that has none, by the records that they would be."""
        self.unit = CompilationUnit()
        self._container = container
        self._constants = constants
        self._begin_check = begin_check
        self._texts = texts or {}
        self._compiled = compiled
        self._files: dict[str, SourceFile | None] = {}
        self._found: dict[str, Definition] = {}
        self._resolver = ArchiveResolver(self, version)
        self._prefixes = {
            prefix
            for name in self._records()
            for prefix in _prefixes(name.removeprefix(_FOLDER).removesuffix(".py"))
        }

    def find(self, qualified_name: str) -> Definition | None:
        """The definition of that qualified name, None where the archive has none.

        Raises:
            TorchScriptError: it is malformed.
        """
        found = self._found.get(qualified_name)
        if found is None:
            module, _, name = qualified_name.rpartition(".")
            file = self._file(module)
            if file is None or name not in file.spans:
                return None
            found = self._declare(file, name, qualified_name)
        return found

    def names(self) -> list[str]:
        """The qualified names of all definitions.

        Raises:
            ArchiveError: a source file is malformed.
        """
        found: list[str] = []
        for record in self._records():
            module = record.removeprefix(_FOLDER).removesuffix(".py").replace("/", ".")
            file = self._file(module)
            found += [] if file is None else [f"{module}.{name}" for name in file.spans]
        return found

    def _records(self) -> list[str]:
        """The source files."""
        found = [*self._container.records, *self._texts]
        return [name for name in found if name.startswith(_FOLDER) and name.endswith(".py")]

    def has_prefix(self, prefix: str) -> bool:
        return prefix in self._prefixes

    def constant(self, index: int) -> Any:
        if index >= len(self._constants):
            raise ArchiveError(
                f"the code names constant {index}, which is not there", "constants.pkl"
            )
        return self._constants[index]

    def class_of(self, qualified_name: str) -> ClassDefinition:
        """The class of that name.

        Raises:
            ArchiveError: there is none.
        """
        found = self.find(qualified_name)
        if not isinstance(found, ClassDefinition):
            raise ArchiveError(f"the archive has no source of the class {qualified_name}")
        return found

    def _resolver_of(self, file: SourceFile) -> ArchiveResolver:
        """The resolver for a file, which may say itself what version it was written for."""
        if file.version is None:
            return self._resolver
        return ArchiveResolver(self, file.version)

    def _file(self, module: str) -> SourceFile | None:
        if module not in self._files:
            record = f"{_FOLDER}{module.replace('.', '/')}.py"
            text = self._texts.get(record)
            if text is None and record in self._container:
                text = self._container.read_text(record)
            debug = DebugInfo(self._container, record)
            self._files[module] = None if text is None else SourceFile(text, record, debug)
        return self._files[module]

    def _declare(self, file: SourceFile, name: str, qualified: str) -> Definition:
        if not file.is_class(name):
            made = self.unit.declare(name, self._definer(file, file.spans[name], None), qualified)
            self._found[qualified] = made
            return made
        head = file.head_of_class(name)
        base = None if head.superclass is None else qualified_name(head.superclass)
        match base:
            case "NamedTuple" | "Enum" | "Interface" | "ModuleInterface":
                return self._declare_text_class(file, name, qualified, base)
            case None | "Module":
                return self._declare_class(file, head, qualified, base == "Module")
            case _:
                raise FrontendError(f"a class of an archive derives from {base}", head.range)

    def _declare_text_class(
        self, file: SourceFile, name: str, qualified: str, base: str
    ) -> Definition:
        tree = cast(ClassDef, file.definition(name))
        if base.endswith("Interface"):  # whose methods may name it
            declare_text_class(self.unit, tree, self._resolver, qualified)
            return self._found.setdefault(qualified, self.unit.interfaces[qualified])
        declare_text_class(self.unit, tree, self._resolver, qualified)
        tables: tuple[dict[str, Any], ...] = (self.unit.enums, self.unit.named_tuples)
        (found,) = (table[qualified] for table in tables if qualified in table)
        return self._found.setdefault(qualified, found)

    def _declare_class(
        self, file: SourceFile, head: ClassDef, qualified: str, is_module: bool
    ) -> ClassDefinition:
        definition = self._found[qualified] = new_class(self.unit, qualified)
        definition.is_module = is_module
        for name, span in file.methods_of_class(head.name.name).items():
            symbol = f"{qualified}.{name}"
            definer = self._definer(file, span, definition)
            definition.methods[name] = self.unit.declare(name, definer, symbol, symbol)
        read_head(definition, head, self.unit, self._resolver)
        if not (is_module or definition.attributes):  # PyTorch before 1.5 declared none
            find_attributes(definition)
        return definition

    def _definer(
        self, file: SourceFile, span: tuple[int, int], owner: ClassDefinition | None
    ) -> Callable[[Function], None]:
        def define(function: Function) -> None:
            self._begin_check()
            tree = file.definition(function.name) if owner is None else file.method(span)
            if not isinstance(tree, Def):
                raise ArchiveError(f"{function.name} is no function", file.record)
            if owner is not None and not len(tree.decl.params):
                raise FrontendError("methods must have a self argument", tree.range)
            self_type = None if owner is None else owner.type
            try:
                define_from_tree(function, self.unit, tree, self._resolver_of(file), {}, self_type)
            except InternalError as error:
                if isinstance(error.__cause__, RecursionError):
                    raise ArchiveError(
                        f"{function.name} is nested too deeply", file.record
                    ) from None
                raise
            self._compiled(function)

        return define


def _prefixes(path: str) -> list[str]:
    parts = path.split("/")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]
