"""Pieces of source text and how messages show them (PyTorch: frontend/source_range.h).

Offsets count characters of `Source.text`, lines and columns are counted when they are asked for.
"""

from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from torchscript_dialect.utils.properties import cached_property

CONTEXT_LINES = 3
"""Lines that a message shows around the highlighted ones: this many less one before, and after."""

LONGEST_LINE, MOST_LINES = 400, 200
"""Characters of a line and highlighted lines that a message shows; where there are more, `...` stands for them."""


class OriginalRange(NamedTuple):
    """A piece of one line of a file; columns count bytes from 0."""

    text: str
    """The line, with its end."""
    filename: str
    line: int
    start: int
    end: int


class Source:
    """A text with the place it comes from.

    `filename` is None for text that was never in a file; `starting_line` is the number of its first
    line there. `origin` tells of text that a printer made where what stands at an offset came from, None where that is not known.
    """

    origin: Callable[[int], OriginalRange | None] | None = None

    def __init__(self, text: str, filename: str | None = None, starting_line: int = 1) -> None:
        self.text = text
        self.filename = filename
        self.starting_line = starting_line

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of the first character of each line."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return starts

    @cached_property
    def is_ascii(self) -> bool:
        return self.text.isascii()

    def line_and_column_of(self, offset: int) -> tuple[int, int]:
        """The number, in the file, of the line that holds `offset`, and the 0-based column of `offset` in UTF-8 bytes, which
        is what Python's `ast` and PyTorch count.
        """
        row = bisect_right(self.line_starts, offset) - 1
        start = self.line_starts[row]
        column = offset - start if self.is_ascii else len(self.text[start:offset].encode())
        return self.starting_line + row, column

    def offset_at(self, row: int, column: int) -> int:
        """The offset of a place given as Python's `ast` does, but with a 0-based `row`: `column`
        counts bytes.
        """
        start = self.line_starts[row]
        if self.is_ascii:
            return start + column
        end = self.line_starts[row + 1] if row + 1 < len(self.line_starts) else len(self.text)
        return start + len(self.text[start:end].encode()[:column].decode(errors="ignore"))

    def __repr__(self) -> str:
        return f"Source({self.filename or '<string>'}:{self.starting_line})"


class SourceRange:
    """The characters `start` to `end` (exclusive) of a source."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def filename(self) -> str | None:
        return self.source.filename

    @property
    def line(self) -> int:
        """The number of the line where the range begins, in the file; the first line is 1."""
        return self.source.line_and_column_of(self.start)[0]

    @property
    def col(self) -> int:
        """The column where the range begins, from 0, in UTF-8 bytes."""
        return self.source.line_and_column_of(self.start)[1]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def file_line_col(self) -> tuple[str, int, int] | None:
        """What a `# file:line:col` comment of a graph says; None where the text has no file."""
        if self.source.filename is None:
            return None
        return self.source.filename, *self.source.line_and_column_of(self.start)

    def merge(self, other: "SourceRange") -> "SourceRange":
        """The smallest range with both in it."""
        return SourceRange(self.source, min(self.start, other.start), max(self.end, other.end))

    def highlight(self) -> str:
        """The range in its lines, underlined with `~` and marked with `<--- HERE`; ends with a
        newline.
        """
        return self.with_context(CONTEXT_LINES, mark=True)

    def with_context(self, context: int, *, mark: bool = True, funcname: str = "") -> str:
        """The lines of the range with `context - 1` lines before and after, below a line that names
        the place.

        With `mark`, a line of `~` follows each line of the range. A range of the whole of a text
        without a file gives the bare text.
        """
        text = self.source.text
        if self.start > len(text):
            return ""
        if self.end - self.start == len(text) and self.source.filename is None:
            return text
        starts = self.source.line_starts
        stop = min(self.end, len(text))
        first = bisect_right(starts, self.start) - 1
        last = max(first, bisect_right(starts, stop) - 1)
        out: list[str] = []
        if self.source.filename is not None:
            place = f'  File "{self.source.filename}", line {self.line}'
            out.append(f"{place}, in {funcname}\n" if funcname else f"{place}\n")
        out += [self._line(row) for row in range(max(0, first - context + 1), first)]
        for row in range(first, min(last, first + MOST_LINES) + 1):
            out.append(self._line(row))
            if mark:
                out.append(self._marks(row, stop))
        if last > first + MOST_LINES:
            out.append("...\n")
        after = [self._line(row) for row in range(last + 1, min(len(starts), last + context))]
        if after and after[-1] == "\n":
            after.pop()
        out += after
        return "".join(out)

    def _shown(self, row: int) -> tuple[int, int]:
        """The offsets of what is shown of a line: all of it, or what is around the range."""
        begin, end = self.source.line_starts[row], self._end_of(row)
        if end - begin > LONGEST_LINE:
            middle = self.start if begin <= self.start < end else begin
            begin = max(begin, min(middle - LONGEST_LINE // 2, end - LONGEST_LINE))
            end = min(end, begin + LONGEST_LINE)
        return begin, end

    def _end_of(self, row: int) -> int:
        starts = self.source.line_starts
        return starts[row + 1] - 1 if row + 1 < len(starts) else len(self.source.text)

    def _line(self, row: int) -> str:
        starts = self.source.line_starts
        begin, end = self._shown(row)
        if begin == end and row + 1 == len(starts):
            return ""
        text = self.source.text
        before = "..." if begin > starts[row] else ""
        after = "" if end == len(text) or text[end] == "\n" else "..."
        return f"{before}{text[begin:end]}{after}\n"

    def _marks(self, row: int, stop: int) -> str:
        """The underline of one line, empty where no highlighted character is on it."""
        text = self.source.text
        begin, line_end = self._shown(row)
        end = min(stop, line_end)
        at = max(begin, self.start)
        while at < end and text[at] == " ":
            at += 1
        if at >= end:
            return ""
        indent = at - begin + (3 if begin > self.source.line_starts[row] else 0)
        is_last = not text[self._end_of(row) : stop].strip(" \n")
        return " " * indent + "~" * (end - at) + (" <--- HERE\n" if is_last else "\n")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SourceRange):
            return NotImplemented
        return self.source is other.source and self.start == other.start and self.end == other.end

    def __hash__(self) -> int:
        return hash((id(self.source), self.start, self.end))

    def __str__(self) -> str:
        return self.highlight()

    def __repr__(self) -> str:
        place = f"{self.source.filename or '<string>'}:{self.line}:{self.col}"
        return f"SourceRange({place}, {self.text!r})"
