"""Operators of strings, byte by byte: Note [Strings are bytes] (torch/csrc/jit/runtime/register_prim_ops.cpp).

Only ASCII has letters, digits and spaces. What Python does for bytes is mostly what PyTorch does; where it is not, the functions
here say so.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, AnyStr, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.values.lists import slice_of
from torchscript_dialect.utils.byte_strings import decoded, encoded, joined


def _to_bytes(value: Any) -> Any:
    return encoded(value) if isinstance(value, str) else value


def _to_text(value: Any) -> Any:
    if isinstance(value, bytes):
        return decoded(value)
    if isinstance(value, (list, tuple)):
        made: Any = cast(Any, value).__class__
        return made(map(_to_text, cast("list[Any]", value)))
    return value


def _of_bytes(
    names: str,
    of_ascii: Callable[..., Any] | bool = False,
    in_ascii: str = "",
    where: str = "",
    operands: int = 2,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Attach a function of bytes to operators of strings. `of_ascii` does the same for Python's strings where these are ASCII; True for
    a function that takes both. `in_ascii` is its expression of so many operands where the first one is ASCII, and more holds: `where`.
    """

    def attach(function: Callable[..., Any]) -> Callable[..., Any]:
        direct = function if of_ascii is True else of_ascii

        def apply(*args: Any) -> Any:
            try:
                if direct:
                    for arg in args:
                        if arg.__class__ is str and not arg.isascii():
                            break
                    else:
                        return direct(*args)
                return _to_text(function(*map(_to_bytes, args)))
            except (MemoryError, OverflowError):
                raise RuntimeError("std::bad_alloc: the text is too long") from None

        condition = f"{where} and {{0}}.isascii()" if where else "{0}.isascii()"
        given = ", ".join(f"{{{place}}}" for place in range(operands))
        text = f"({in_ascii} if {condition} else {{apply}}({given}))"
        inline = registry.Inline(text, {"apply": apply}) if in_ascii else None
        registry.implement(names, apply, inline=inline)
        return function

    return attach


def concatenated(a: str, b: str) -> str:
    """Two texts as one."""
    text = a + b
    return text if text.isascii() else joined((text,))


_both = "({0} + {1} if {0}.isascii() and {1}.isascii() else {concatenated}({0}, {1}))"
registry.implement(
    "add.str", concatenated, inline=registry.Inline(_both, {"concatenated": concatenated})
)
registry.implement(
    "len.str", lambda text: len(text) if text.isascii() else len(encoded(cast(str, text)))
)
for _name, _sign in (("eq", "=="), ("ne", "!=")):
    _inline = registry.Inline(f"({{0}} {_sign} {{1}})", {})
    registry.implement(f"{_name}.str", getattr(operator, _name), inline=_inline)
for _name in ("lt", "le", "gt", "ge"):
    _of_bytes(f"{_name}.str", True)(getattr(operator, _name))


@_of_bytes("__getitem__.str prim::StringIndex", True, in_ascii="{0}[{1}]")
def get_item(text: AnyStr, index: int) -> AnyStr:
    place = index + len(text) if index < 0 else index
    if not 0 <= place < len(text):
        raise IndexError("string index out of range")
    return text[place : place + 1]


@_of_bytes("slice.str", True)
def slice_(text: AnyStr, start: int | None, end: int | None, step: int) -> AnyStr:
    return text[slice_of(start, end, step)]


@_of_bytes("list")
def characters(text: bytes) -> list[bytes]:
    return [text[place : place + 1] for place in range(len(text))]


# Methods that are those of Python's bytes, and those of its strings that do the same where all is ASCII

for _name in (
    "isalnum isalpha isdigit islower isupper lower upper swapcase title capitalize"
    " strip lstrip rstrip"
).split():
    _of_bytes(_name, getattr(str, _name))(getattr(bytes, _name))
_of_bytes("isdecimal isnumeric", str.isdigit)(bytes.isdigit)
_of_bytes("isspace")(bytes.isspace)  # strings have more of them


@_of_bytes("isidentifier")
def isidentifier(text: bytes) -> bool:
    """Letters and digits, no digit first; PyTorch has no underscores here."""
    return text.isalnum() and not text[:1].isdigit()


@_of_bytes("isprintable")
def isprintable(text: bytes) -> bool:
    return all(0x20 <= byte < 0x7F for byte in text)


@_of_bytes("istitle")
def istitle(text: bytes) -> bool:
    return text.istitle()


@_of_bytes("expandtabs")
def expandtabs(text: bytes, size: int) -> bytes:
    """Columns are counted from the start of the text, across the ends of lines."""
    first, *parts = text.split(b"\t")
    result = first
    for part in parts:
        result += b" " * (size - len(result) % size if size > 0 else 0) + part
    return result


# Padding


def _fill(text: bytes, width: int, fill: bytes) -> bytes:
    """What is missing to a width."""
    if len(fill) != 1:
        raise RuntimeError("TypeError: The fill character must be exactly one character long")
    return fill * (width - len(text))


@_of_bytes("center")
def center(text: bytes, width: int, fill: bytes) -> bytes:
    """Where the padding is odd, the longer side is the left one for odd widths.

    Raises:
        RuntimeError: a negative width, with which PyTorch runs out of memory.
    """
    padding = _fill(text, width, fill)
    if width < 0:
        raise RuntimeError("std::bad_alloc: center() with a negative width")
    left = (len(padding) + width % 2) // 2
    return padding[:left] + text + padding[left:]


@_of_bytes("ljust")
def ljust(text: bytes, width: int, fill: bytes) -> bytes:
    return text + _fill(text, width, fill)


@_of_bytes("rjust")
def rjust(text: bytes, width: int, fill: bytes) -> bytes:
    return _fill(text, width, fill) + text


@_of_bytes("zfill")
def zfill(text: bytes, width: int) -> bytes:
    """Zeros in front, of a sign too."""
    return _fill(text, width, b"0") + text


# Search. A negative end counts from behind the last byte: -1, the default, is the end of the text.


def _range(text: AnyStr, start: int, end: int) -> tuple[int, int]:
    if start < 0:
        start = max(0, len(text) + start)
    if end < 0:
        end = max(0, len(text) + end + 1)
    return start, end


def _part(text: AnyStr, start: int, end: int) -> AnyStr:
    """IndexError for a start beyond the end of the text."""
    if start > len(text):
        raise IndexError(f"string index {start} is beyond the end of a string of {len(text)}")
    return text[start:end]


def _find(method: str) -> Callable[..., int]:
    def find(text: AnyStr, part: AnyStr, start: int, end: int) -> int:
        start, end = _range(text, start, end)
        searched = _part(text, start, end) if end > start else text[:0]
        place = getattr(searched, method)(part)
        return place if place < 0 else place + start

    return find


def _index(find: Callable[..., int]) -> Callable[..., int]:
    def index(*args: Any) -> int:
        place = find(*args)
        if place < 0:
            raise RuntimeError("ValueError: substring not found")
        return place

    return index


_IN_TEXT = "0 <= {2} <= len({0}) and ({3} == -1 or {3} > {2})"
_TO_END = "({1}, {2}, len({0}) if {3} == -1 else {3})"
for _name in ("find", "rfind"):
    _of_bytes(_name, True, f"{{0}}.{_name}{_TO_END}", _IN_TEXT, 4)(_find(_name))
_of_bytes("index.str", True)(_index(_find("find")))
_of_bytes("rindex", True)(_index(_find("rfind")))


@_of_bytes("count", True)
def count(text: AnyStr, part: AnyStr, start: int, end: int) -> int:
    """How often the part begins before the end, one behind the other."""
    if start > len(text):
        return 0
    start, end = _range(text, start, end)
    found, place = 0, text.find(part, start)
    while 0 <= place < end:
        found += 1
        place = text.find(part, place + max(len(part), 1))
    return found


def _compared(text: AnyStr, start: int, end: int) -> AnyStr:
    """What `startswith` and `endswith` look at: an end in front of the start is the end of the text."""
    start, end = _range(text, start, end)
    return _part(text, start, end if end >= start else len(text))


_WHOLE = "{2} == 0 and {3} == -1"


@_of_bytes("startswith", True, "{0}.startswith({1})", _WHOLE, 4)
def startswith(text: AnyStr, part: AnyStr, start: int, end: int) -> bool:
    return _compared(text, start, end).startswith(part)


@_of_bytes("endswith", True, "{0}.endswith({1})", _WHOLE, 4)
def endswith(text: AnyStr, part: AnyStr, start: int, end: int) -> bool:
    return _compared(text, start, end).endswith(part)


# Parts

_LINE_ENDS = b"\n\r\v\f\x1c\x1d\x1e\x85\xe2\x80\xa8\xa9"
"""The bytes of all ends of lines of Unicode, each by itself."""

_SPACES = re.compile(b"[ \t%b]" % re.escape(_LINE_ENDS))
_SPACES_OF_TEXTS = re.compile(_SPACES.pattern.decode("latin-1"))


@_of_bytes("replace", True)
def replace(text: AnyStr, old: AnyStr, new: AnyStr, most: int) -> AnyStr:
    """Nothing is found in front of the text again and again.

    Raises:
        RuntimeError: nothing is to be replaced without a limit, with which PyTorch runs out of memory.
    """
    if old:
        return text.replace(old, new, most if most >= 0 else -1)
    if most < 0:
        raise RuntimeError("std::bad_alloc: replace() of an empty string without a limit")
    return new * most + text


@_of_bytes("partition")
def partition(text: bytes, separator: bytes) -> tuple[bytes, bytes, bytes]:
    return text.partition(separator) if separator else (b"", b"", text)


@_of_bytes("rpartition")
def rpartition(text: bytes, separator: bytes) -> tuple[bytes, bytes, bytes]:
    """Where there is no separator, the text comes last."""
    return text.rpartition(separator) if separator else (text, b"", b"")


registry.implement("join", lambda text, values: joined((text.join(values),)))


@_of_bytes("split.str", True)
def split(text: AnyStr, separator: AnyStr | None, most: int) -> list[AnyStr]:
    """Without a separator the limit goes unheard."""
    if separator is None:
        spaces: Any = _SPACES if isinstance(text, bytes) else _SPACES_OF_TEXTS
        return [part for part in spaces.split(text) if part]
    if not separator:
        raise RuntimeError("ValueError: empty separator")
    parts: Any = text.split(separator, most if most >= 0 else -1)
    return parts


@_of_bytes("rsplit")
def rsplit(text: bytes, separator: bytes, most: int) -> list[bytes]:
    """An empty separator is found behind the text again and again.

    Raises:
        RuntimeError: it is, without a limit.
    """
    if separator:
        return text.rsplit(separator, most if most >= 0 else -1)
    if most < 0:
        raise RuntimeError("ValueError: empty separator")
    return [text, *[b""] * most]


@_of_bytes("splitlines")
def splitlines(text: bytes, keep_ends: bool) -> list[bytes]:
    """Every byte of an end of line ends one, and is an element of its own if it is kept."""
    lines: list[bytes] = []
    begin = 0
    for place, byte in enumerate(text):
        if byte in _LINE_ENDS:
            lines.append(text[begin:place])
            if keep_ends:
                lines.append(text[place : place + 1])
            begin = place + 1
    return [*lines, text[begin:]] if begin != len(text) else lines


# Characters and numbers


@_of_bytes("ord")
def ord_(text: bytes) -> int:
    if len(text) != 1:
        raise RuntimeError(f"String for ord() must be 1 character, found {len(text)}")
    return text[0]


@_of_bytes("chr")
def chr_(number: int) -> bytes:
    """The lowest byte of a number."""
    if not 0 <= number < 0x10FFFF:
        raise RuntimeError(f"chr() arg not in range(0x110000), found {number}")
    return bytes((number & 0xFF,))


registry.implement("hex", hex)
registry.implement("oct", oct)
registry.implement("bin", bin)
