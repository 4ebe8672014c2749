"""A source file of an archive, cut into its definitions without being parsed.

Note [Source by need]
An archive may hold thousands of methods of which a program uses a few. So a file is cut where lines begin with `class`, `def` and,
inside a class, with two blanks and `def`, which is how the Python Printer writes; only what is asked for is parsed, and only what is
called is compiled. Places count from the beginning of the file.
"""

from __future__ import annotations

import re

from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree_views import ClassDef, Def
from torchscript_dialect.serialization.archive.debug_info import DebugInfo
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.utils.source_range import Source

_DEFINITION = re.compile(r"^(class|def) +([A-Za-z_]\w*)", re.MULTILINE)
_METHOD = re.compile(r"^  def +([A-Za-z_]\w*)", re.MULTILINE)
_HEAD = re.compile(r"(?:\s*(?:#[^\n]*|op_version_set *= *\d+|import [\w. ]+))*\s*")
_VERSION = re.compile(r"op_version_set *= *(\d+)")


class SourceFile:
    """The text of one record; definitions by name."""

    def __init__(self, text: str, record: str, debug: DebugInfo) -> None:
        """Cut a text; `debug` tells where its pieces came from.

        Raises:
            ArchiveError: it begins with something else than definitions, or has two of one name.
        """
        self.text = text
        self.record = record
        self._debug = debug
        found = list(_DEFINITION.finditer(text))
        head = text[: found[0].start()] if found else text
        if not _HEAD.fullmatch(head):
            raise ArchiveError("it begins with something else than definitions", record)
        version = _VERSION.search(head)
        self.version = None if version is None else int(version[1][:9])
        """The version of the operators that it was written for, where it says so itself."""
        ends = [match.start() for match in found[1:]] + [len(text)] * bool(found)
        self.spans: dict[str, tuple[int, int]] = {}
        for match, end in zip(found, ends, strict=True):
            if match[2] in self.spans:
                raise ArchiveError(f"it defines {match[2]} twice", record)
            self.spans[match[2]] = match.start(), end

    def is_class(self, name: str) -> bool:
        """Whether the definition of that name is a class."""
        return self.text.startswith("class", self.spans[name][0])

    def definition(self, name: str) -> Def | ClassDef:
        """The parsed definition."""
        return self._parsed("", *self.spans[name])

    def head_of_class(self, name: str) -> ClassDef:
        """A class without its methods."""
        start, end = self.spans[name]
        first = _METHOD.search(self.text, start, end)
        stop = end if first is None else first.start()
        if ":\n" in self.text[start:stop] and not self.text[start:stop].rstrip().endswith(":"):
            found = self._parsed("", start, stop)
        else:
            found = self._parsed("", start, stop, "  pass\n")
        if not isinstance(found, ClassDef):
            raise ArchiveError(f"{name} is no class", self.record)
        return found

    def methods_of_class(self, name: str) -> dict[str, tuple[int, int]]:
        """Where the methods of a class begin and end, by name.

        Raises:
            ArchiveError: two have one name.
        """
        start, end = self.spans[name]
        found = list(_METHOD.finditer(self.text, start, end))
        ends = [match.start() for match in found[1:]] + [end] * bool(found)
        spans: dict[str, tuple[int, int]] = {}
        for match, stop in zip(found, ends, strict=True):
            if match[1] in spans:
                raise ArchiveError(f"{name} has two methods {match[1]}", self.record)
            spans[match[1]] = match.start(), stop
        return spans

    def method(self, span: tuple[int, int]) -> Def:
        """The parsed method at a place."""
        tree = self._parsed("class _:\n", *span)
        methods = list(tree.body) if isinstance(tree, ClassDef) else []
        if len(methods) != 1 or not isinstance(methods[0], Def):
            raise ArchiveError("a class holds something else than methods", self.record)
        return methods[0]

    def _parsed(self, before: str, start: int, end: int, after: str = "") -> Def | ClassDef:
        line = self.text.count("\n", 0, start) + 1 - before.count("\n")
        source = Source(before + self.text[start:end] + after, self.record, line)
        moved = start - len(before)
        source.origin = lambda offset: self._debug.range_at(self._byte(moved + offset))
        definitions = parse(source, definitions_only=True, is_printed=True)
        if len(definitions) != 1:
            raise ArchiveError(f"line {line} is no definition", self.record)
        return definitions[0]

    def _byte(self, offset: int) -> int:
        """The number of bytes before a character."""
        return offset if self.text.isascii() else len(self.text[:offset].encode())
