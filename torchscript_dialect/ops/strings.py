"""Operators of strings, and the conversion of values to text."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops import registry


def as_text(value: Any) -> str:
    """`str(value)` and `print(value)` in TorchScript; strings have no quotes, inside containers neither."""
    match value:
        case bool() | None:
            return str(value)
        case float():
            return _float_text(value)
        case complex():
            imaginary = _float_text(value.imag)
            return f"{_float_text(value.real)}{'' if imaginary[0] == '-' else '+'}{imaginary}j"
        case str():
            return value
        case list():
            items = cast("list[Any]", value)
            return f"[{', '.join(map(as_text, items))}]"
        case tuple():
            elements = cast("tuple[Any, ...]", value)
            inside = ", ".join(map(as_text, elements))
            return f"({inside},)" if len(elements) == 1 else f"({inside})"
        case dict():
            table = cast("dict[Any, Any]", value)
            return "{" + ", ".join(f"{as_text(k)}: {as_text(v)}" for k, v in table.items()) + "}"
        case _:
            return str(value)


def _float_text(value: float) -> str:
    """A float with 17 significant digits, a whole number with a point at its end."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value == int(value) and abs(value) < 2**63:
        return f"{int(value)}."
    return f"{value:.17g}"


registry.implement("str", as_text)
registry.implement("add.str", lambda a, b: a + b)
registry.implement("len.str", lambda text: len(text.encode()))


@registry.kernel("__getitem__.str prim::StringIndex")
def get_item(text: str, index: int) -> str:
    place = index + len(text) if index < 0 else index
    if not 0 <= place < len(text):
        raise IndexError("string index out of range")
    return text[place]


@registry.kernel("slice.str")
def slice_(text: str, start: int | None, end: int | None, step: int) -> str:
    return text[start:end:step]


@registry.kernel("format")
def format_(text: str, *values: Any) -> str:
    """Each `{}` replaced by the next value."""
    parts = text.split("{}")
    if len(parts) - 1 > len(values):
        raise RuntimeError(f"Too few arguments for format string: {text}")
    if len(parts) - 1 < len(values):
        raise RuntimeError(f"Too many arguments for format string: {text}")
    result = parts[0]
    for value, part in zip(values, parts[1:]):
        result += as_text(value) + part
    return result


_CONVERSION = re.compile(r"%(.)")


@registry.kernel("percentFormat")
def percent_format(text: str, *values: Any) -> str:
    """`text % values`: `%d`, `%i`, `%e`, `%E`, `%f`, `%F`, `%c`, `%s` and `%%`. One tuple gives all values.

    Raises:
        RuntimeError: another specifier, or a value that it does not take.
    """
    rest: list[Any] = list(values)
    if len(rest) == 1 and isinstance(rest[0], tuple):
        rest = list(cast("tuple[Any, ...]", rest[0]))

    def replace(match: re.Match[str]) -> str:
        kind = match[1]
        if kind == "%":
            return "%"
        if not rest:
            raise RuntimeError("Too few arguments for format string")
        value = rest.pop(0)
        if kind == "s":
            return as_text(value)
        if kind == "c" and isinstance(value, (int, str)):
            return chr(value) if isinstance(value, int) else value
        if kind not in "dieEfF":
            raise RuntimeError(
                f"The specifier %{kind} is not supported in TorchScript format strings"
            )
        if not isinstance(value, (int, float)):
            raise RuntimeError(
                f"%{kind} requires a number for formatting, but got {as_text(value)}"
            )
        return f"%{kind}" % (int(value) if kind in "di" else float(np.float32(value)))

    result = _CONVERSION.sub(replace, text)
    if rest:
        raise RuntimeError("Too many arguments for format string")
    return result


# Methods that are Python's

_METHODS = (
    "capitalize expandtabs isalnum isalpha isdecimal isdigit isidentifier islower isnumeric "
    "isprintable isspace istitle isupper lower lstrip rstrip strip swapcase title upper"
)


def _method(name: str) -> Callable[..., Any]:
    return getattr(str, name)


for _name in _METHODS.split():
    registry.implement(_name, _method(_name))


def _padded(name: str) -> None:
    @registry.kernel(name)
    def _(text: str, width: int, fill: str) -> str:
        if len(fill) != 1:
            raise RuntimeError("TypeError: The fill character must be exactly one character long")
        if name == "center":
            missing = max(width - len(text), 0)
            left = (missing + 1) // 2 if len(text) % 2 == 0 else missing // 2
            return fill * left + text + fill * (missing - left)
        return getattr(text, name)(width, fill)


for _name in ("center", "ljust", "rjust"):
    _padded(_name)


@registry.kernel("zfill")
def zfill(text: str, width: int) -> str:
    return "0" * max(width - len(text), 0) + text


def _end(end: int) -> int:
    """The default end, -1, means the end of the text."""
    return sys.maxsize if end == -1 else end


def _check_start(text: str, start: int) -> None:
    if start > len(text):
        raise IndexError(f"string index {start} is beyond the end of a string of {len(text)}")


@registry.kernel("find")
def find(text: str, part: str, start: int, end: int) -> int:
    _check_start(text, start)
    return text.find(part, start, _end(end))


@registry.kernel("rfind")
def rfind(text: str, part: str, start: int, end: int) -> int:
    _check_start(text, start)
    return text.rfind(part, start, _end(end))


registry.implement("count", lambda text, part, start, end: text.count(part, start, _end(end)))
registry.implement(
    "startswith", lambda text, part, start, end: text.startswith(part, start, _end(end))
)
registry.implement("endswith", lambda text, part, start, end: text.endswith(part, start, _end(end)))


def _place(name: str) -> Callable[[str, str, int, int], int]:
    def find(text: str, part: str, start: int, end: int) -> int:
        place: int = getattr(text, name)(part, start, _end(end))
        if place < 0:
            raise RuntimeError("ValueError: substring not found")
        return place

    return find


registry.implement("index.str", _place("find"))
registry.implement("rindex", _place("rfind"))
registry.implement("replace", lambda text, old, new, most: text.replace(old, new, most))
registry.implement("partition", lambda text, separator: text.partition(separator))
registry.implement("rpartition", lambda text, separator: text.rpartition(separator))
registry.implement("join", lambda text, values: text.join(values))


def _split(text: str, separator: str | None, most: int) -> list[str]:
    if separator == "":
        raise RuntimeError("ValueError: empty separator")
    return text.split(separator, most)


registry.implement("split.str", _split)
registry.implement("rsplit", lambda text, separator, most: text.rsplit(separator, most))


@registry.kernel("splitlines")
def splitlines(text: str, keep_ends: bool) -> list[str]:
    return text.splitlines(keep_ends)


@registry.kernel("ord")
def ord_(text: str) -> int:
    if len(text) != 1:
        raise RuntimeError(f"String for ord() must be 1 character, found {len(text)}")
    return ord(text)


@registry.kernel("chr")
def chr_(number: int) -> str:
    if not 0 <= number < 0x110000:
        raise RuntimeError(f"chr() arg not in range(0x110000), found {number}")
    return chr(number)


registry.implement("hex", hex)
registry.implement("oct", oct)
registry.implement("bin", bin)
