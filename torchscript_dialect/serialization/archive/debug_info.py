"""The records `code/*.py.debug_pkl` of an archive: where in the original source each piece of its code came from (PyTorch:
serialization/source_range_serialization.cpp).

Note [Places of archived code]
A place in the code of an archive stands for one in a file of its author's, which graphs and messages show instead. The record with
these places is read when somebody asks for the first of them, since programs that work ask for none. One that is damaged tells no
places: what asks is mostly a message about something else, which must not be lost.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, cast

from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_globals import only_numbers
from torchscript_dialect.serialization.archive.pickle_machine import read_pickle
from torchscript_dialect.utils.properties import cached_property

_WITH_TEXTS = "FORMAT_WITH_STRING_TABLE"
MAX_TEXT = 1 << 24
"""The most bytes of an original text that a place is looked for in."""
Place = tuple[str, int, int]
"""A file, the number of a line, and a column in UTF-8 bytes, from 0."""


class DebugInfo:
    """The places of one source file of an archive."""

    def __init__(self, container: Container, record: str) -> None:
        self._container = container
        self._record = f"{record}.debug_pkl"
        self._texts: tuple[str, ...] | None = None
        """The texts that ranges name by number, where they do."""

    def place_at(self, offset: int) -> Place | None:
        """Where what stands at a byte of the file was written; None where the archive does not tell."""
        starts, ranges = self._table
        found = bisect_right(starts, offset) - 1
        if found < 0:
            return None
        try:
            return self._place(ranges[found])
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

    def _place(self, range: Any) -> Place | None:
        """The place of a pickled range: its text, file and first line, and where in the text it begins and ends."""
        match range, self._texts:
            case ((str(text), str(filename), int(line)), int(start), int()), None:
                texts = iter([text])
            case ((numbers, int(file), int(line)), int(start), int()), tuple(known):
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
                return filename, line + before.count(b"\n"), start - before.rfind(b"\n") - 1
            start -= len(encoded)
            line += before.count(b"\n")
        return None


def _no_storage(_: Any) -> Any:
    raise ArchiveError("it holds a tensor")
