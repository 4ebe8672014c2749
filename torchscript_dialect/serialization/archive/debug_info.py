"""The records `code/*.py.debug_pkl` of an archive: where in the original source each piece of its code came from (PyTorch:
serialization/source_range_serialization.cpp).

Note [Places of archived code]
A place in the code of an archive stands for one in a file of its author's, which graphs and messages show instead. The record with
these places is read when somebody asks for the first of them, since programs that work ask for none. One that is damaged tells no
places: what asks is mostly a message about something else, which must not be lost.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, cast

from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_globals import only_numbers
from torchscript_dialect.serialization.archive.pickle_machine import read_pickle
from torchscript_dialect.serialization.archive.pickler import PickleWriter
from torchscript_dialect.serialization.archive.storage_writer import StoredTensors
from torchscript_dialect.types.core import INT
from torchscript_dialect.utils.properties import cached_property
from torchscript_dialect.utils.source_range import OriginalRange

_WITH_TEXTS = "FORMAT_WITH_STRING_TABLE"
MAX_TEXT = 1 << 24
"""The most bytes of an original text that a place is looked for in."""


class DebugInfo:
    """The places of one source file of an archive."""

    def __init__(self, container: Container, record: str) -> None:
        self._container = container
        self._record = f"{record}.debug_pkl"
        self._texts: tuple[str, ...] | None = None
        """The texts that ranges name by number, where they do."""

    def range_at(self, offset: int) -> OriginalRange | None:
        """Where what stands at a byte of the file was written; None where the archive does not tell."""
        starts, ranges = self._table
        found = bisect_right(starts, offset) - 1
        if found < 0:
            return None
        try:
            return self._range(ranges[found])
        except (IndexError, TypeError):
            return None

    @cached_property
    def _table(self) -> tuple[list[int], list[Any]]:
        """Where pieces of the code begin, in order, and the pickled range of each."""
        try:
            return self._read()
        except (ArchiveError, IndexError, TypeError, ValueError):
            return [], []

    def _read(self) -> tuple[list[int], list[Any]]:
        if self._record not in self._container:
            return [], []
        data = self._container.read(self._record)
        root: Any = read_pickle(data, self._record, only_numbers, _no_storage)
        pieces = cast(
            "tuple[Any, ...]", root
        )  # before PyTorch 1.11 each range had a text of its own
        if root[:1] == (_WITH_TEXTS,):
            _, texts, pieces = root
            self._texts = tuple(str(text) for text in texts)
        found = [(int(piece[0]), piece[1]) for piece in pieces]
        found.sort(key=lambda piece: piece[0])
        return [start for start, _ in found], [range for _, range in found]

    def _range(self, range: Any) -> OriginalRange | None:
        """The place of a pickled range: its text, file and first line, and where in the text it begins and ends. Of one in several
        lines it is the first.
        """
        match range, self._texts:
            case ((str(text), str(filename), int(line)), int(start), int(end)), None:
                texts = iter([text])
            case ((numbers, int(file), int(line)), int(start), int(end)), tuple(known):
                texts = (known[number] for number in cast("list[int]", numbers))
                filename = known[file]
            case _:
                return None
        if not filename or not filename.isprintable() or not 0 <= start <= MAX_TEXT:
            return None
        for text in texts:
            encoded = text.encode()
            before = encoded[:start]
            if len(encoded) > start:
                first = before.rfind(b"\n") + 1
                last = encoded.find(b"\n", start) + 1 or len(encoded)
                shown = encoded[first:last].decode(errors="replace")
                column, stop = start - first, min(end, last) - first
                return OriginalRange(shown, filename, line + before.count(b"\n"), column, stop)
            start -= len(encoded)
            end -= len(encoded)
            line += before.count(b"\n")
        return None


def debug_pickle(ranges: Sequence[tuple[int, OriginalRange | None]]) -> bytes:
    """The record of a file from whose bytes on its pieces came from somewhere."""
    texts: dict[str, int] = {"": 0}
    for _, each in ranges:
        if each is not None:
            for text in (each.text, each.filename):
                texts.setdefault(text, len(texts))
    out = PickleWriter(StoredTensors())

    def source(each: OriginalRange | None) -> None:
        lines = [] if each is None else [texts[each.text]]
        out.list_of(lines, out.integer, INT, "List[int]")
        out.integer(0 if each is None else texts[each.filename])
        out.integer(0 if each is None else each.line)
        out.close_tuple(3)

    def piece(at: tuple[int, OriginalRange | None]) -> None:
        offset, each = at
        out.integer(offset)
        if not out.get(("range", each)):
            source(each)
            out.integer(0 if each is None else each.start)
            out.integer(0 if each is None else each.end)
            out.close_tuple(3)
            out.remember(("range", each))
        out.integer(0)
        out.close_tuple(3)

    out.text(_WITH_TEXTS)
    out.tuple_of(texts, out.text)
    out.tuple_of(ranges, piece)
    out.close_tuple(3)
    return out.bytes()


def _no_storage(_: Any) -> Any:
    raise ArchiveError("it holds a tensor")
