"""Strings of programs: bytes, that Python's strings hold.

Note [Strings are bytes]
A TorchScript string is what PyTorch's is, a `std::string` of UTF-8: `len`, indices, slices and `ord` count bytes, and a program
may take characters apart. At run time it is a Python `str`; a byte that belongs to no whole character is one of U+DC80 to U+DCFF
in it, as with Python's error handler `surrogateescape`. There is one such `str` for every string of bytes, so that `==` and
hashes hold: what puts texts together calls `joined`. Arguments and results of functions, constants and what is printed have
whole characters only: for others PyTorch raises UnicodeDecodeError where a string leaves the program, and we a RuntimeError.
"""

from __future__ import annotations

from collections.abc import Iterable

from torchscript_dialect.utils.errors import ParseError, TorchScriptError
from torchscript_dialect.utils.source_range import Source, SourceRange


def encoded(text: str) -> bytes:
    """The bytes of a program's string."""
    return text.encode("utf-8", "surrogateescape")


def decoded(data: bytes) -> str:
    """The program's string of these bytes."""
    return data.decode("utf-8", "surrogateescape")


def joined(parts: Iterable[str]) -> str:
    """The parts one after the other; halves of characters that meet become characters."""
    text = "".join(parts)
    return text if text.isascii() else decoded(encoded(text))


def is_whole(text: str) -> bool:
    """Whether the string holds whole characters only, and so may enter and leave programs."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def require_characters(source: Source) -> None:
    """That a program's text is one that UTF-8 has.

    Raises:
        ParseError: it has half a character, with the place.
    """
    if not is_whole(source.text):
        at = next(i for i, char in enumerate(source.text) if not is_whole(char))
        place = SourceRange(source, at, at + 1)
        raise ParseError("half a character, which no UTF-8 text has", place)


def require_whole(text: str) -> str:
    """The string.

    Raises:
        TorchScriptError: it holds bytes that are no characters, which PyTorch cannot hand to Python either.
    """
    if is_whole(text):
        return text
    raise TorchScriptError(f"the text is no UTF-8 and cannot leave the program: {encoded(text)!r}")
