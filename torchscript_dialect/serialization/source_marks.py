"""Where the pieces of printed code came from: marks in the text while it is printed, and places of bytes when it is done.

Note [Marks]
Code is put together from the inside out, so that nobody knows at which byte an expression will stand. While it is printed for an
archive, an expression stands between a mark that numbers its place and one that ends it. No printed code holds such bytes: texts
have them as escapes.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable

from xdsl.ir import Attribute

from torchscript_dialect.dialects.places import printed_place, source_place
from torchscript_dialect.utils.source_range import OriginalRange

_END = "\x02"
_MARK = re.compile(r"(\x00\d+\x01|\x02)")
_TOKEN = re.compile(r"[\w.]*")


Ranges = list[tuple[int, OriginalRange | None]]
"""From which byte on a text came from where."""


class SourceMarks:
    """The places that marks number."""

    def __init__(self) -> None:
        self._ranges: list[OriginalRange | None] = []
        self._numbers: dict[OriginalRange | None, int] = {}

    def around(self, location: Attribute | None, text: str) -> str:
        """A text with marks that say where it came from."""
        range = None if location is None else original_range(location)
        number = self._numbers.setdefault(range, len(self._ranges))
        if number == len(self._ranges):
            self._ranges.append(range)
        return f"\x00{number}\x01{text}{_END}"

    def split(self, lines: Iterable[str]) -> tuple[str, Ranges]:
        """The text of marked lines, and where its pieces came from."""
        pieces: list[str] = []
        ranges: Ranges = []
        offset, around = 0, list[OriginalRange | None]()
        for line in lines:
            for piece in _MARK.split(line):
                if piece == _END:
                    around.pop()
                elif piece[:1] == "\x00":
                    around.append(self._ranges[int(piece[1:-1])])
                elif piece:
                    now = around[-1] if around else None
                    if (ranges[-1][1] if ranges else None) != now:
                        ranges.append((offset, now))
                    pieces.append(piece)
                    offset += len(piece) if piece.isascii() else len(piece.encode())
        return "".join(pieces), ranges


def shown_length(text: str) -> int:
    """The length of a text without its marks."""
    return len(_MARK.sub("", text)) if _END in text else len(text)


def original_range(location: Attribute) -> OriginalRange | None:
    """Where an op was written; None where that is not known, or only as a place in text that a printer made."""
    printed = printed_place(location)
    if printed is not None:
        return printed.original
    place = source_place(location)
    if place is None:
        return None
    filename, line, column = place.filename.data, place.line.data, place.column.data
    text = linecache.getline(filename, line)
    token = _TOKEN.match(text.encode()[column:].decode(errors="ignore"))
    length = max(1, len(token[0].encode())) if token is not None else 1
    return OriginalRange(text, filename, line, column, column + length)
