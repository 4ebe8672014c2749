"""Text that no parser takes: lines go, then words and characters of lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeAlias

from torchscript_dialect.reducer.search import Edit, Maker, chunks

Lines: TypeAlias = list[list[str]]
"""The words of each line; what stands between words are words, too."""

_WORD = re.compile(r"\s+|[%@]?[\w.:]+|.", re.DOTALL)


class PlainText:
    """Any text."""

    def read(self, text: str) -> Lines:
        """The words of a text."""
        return [_WORD.findall(line) for line in text.splitlines(keepends=True)]

    def write(self, program: Any) -> str:
        """Its text."""
        return "".join(word for line in program for word in line)

    def copy(self, program: Any) -> Lines:
        """A copy."""
        return [list(line) for line in program]

    def size(self, program: Any) -> tuple[int, ...]:
        """Lines, then words, then characters."""
        words = [word for line in program for word in line]
        return len(program), len(words), sum(map(len, words))

    @property
    def makers(self) -> Sequence[Maker]:
        """Long parts first."""
        return (_drop_lines, _drop_words, _shorten)


def _drop_lines(program: Lines) -> list[Edit]:
    return [partial(_cut, program, *chunk) for chunk in chunks(len(program))]


def _drop_words(program: Lines) -> list[Edit]:
    return [partial(_cut, line, *chunk) for line in program for chunk in chunks(len(line))]


def _shorten(program: Lines) -> list[Edit]:
    """Leave the first character of a word."""
    return [
        partial(_set, line, place, word[0])
        for line in program
        for place, word in enumerate(line)
        if len(word) > 1
    ]


def _cut(parts: list[Any], begin: int, end: int) -> None:
    del parts[begin:end]


def _set(line: list[str], place: int, word: str) -> None:
    line[place] = word
