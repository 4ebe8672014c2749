"""The values of literals: escapes in strings, the spelling of numbers, the pieces of f-strings.

Note [Literals of text]
A text is read by two: PyTorch has a lexer of its own for it, and Python reads it where it stands in a .py file. A literal has the value
that both give it, or that one of the two gives it where the other refuses it and the meaning is plain: `0777` is PyTorch's, and `0b11`,
`1_000`, `"\\x41"`, raw strings and f-strings are Python's. What the two read differently (a backslash at the end of a line of a string,
the digit e of a hexadecimal number) and what only looks like a literal (`08`, `"\\q"`) is refused.
"""

import re
import unicodedata
from dataclasses import dataclass

from torchscript_dialect.utils.byte_strings import decoded, is_whole, joined

_ESCAPE = re.compile(
    r"\\(\r?\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.DOTALL
)
_SIMPLE_ESCAPES = {
    "\\": "\\",
    "'": "'",
    '"': '"',
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}

_OCTAL = re.compile("0[0-9]+")
"""An int as C has it, if no digit is above 7."""
_HEXADECIMAL = re.compile("0[xX][0-9a-fA-F_]+")

LOWEST_INT = str(2**63)
"""The one literal that fits only under a minus sign; `-` and it make a single constant."""


def number_text(text: str) -> str:
    """A number as Python's `str` spells it; ValueError for what is no number: Note [Literals of text]."""
    if text.isdecimal() and text.isascii() and (text[0] != "0" or len(text) == 1):
        return text
    if text[-1] in "jJ":
        return str(complex(text))
    if _HEXADECIMAL.fullmatch(text):
        if "e" in text.lower():
            raise ValueError(
                f"the digit e makes {text} a float in PyTorch; write {int(text, 16)}, or {int(text, 16)}.0"
            )
        return str(int(text, 16))
    if any(mark in text for mark in ".eE"):
        return str(float(text))
    if _OCTAL.fullmatch(text):
        if "8" in text or "9" in text:
            raise ValueError("a number that begins with 0 is octal, and has no digits 8 and 9")
        return str(int(text, 8))
    return str(int(text, 0))


def unescape(text: str) -> str:
    """The text with Python's escapes resolved; octal ones are bytes: Note [Strings are bytes].

    Raises:
        ValueError: what is no escape, or one without its digits, of no character, or of more than a byte: Note [Literals of text].
    """

    def resolve(match: re.Match[str]) -> str:
        code = match[1]
        if code in _SIMPLE_ESCAPES:
            return _SIMPLE_ESCAPES[code]
        if code in ("\n", "\r\n"):
            raise ValueError(
                "a backslash at the end of a line is kept by PyTorch's strings, and dropped with it by Python's"
            )
        if code[0] in "01234567":
            return _byte(int(code, 8))
        if len(code) == 1:
            if code in "xuUN":
                raise ValueError(f"truncated \\{code} escape")
            raise ValueError(f"'\\{code}' is no escape; write '\\\\{code}', or a raw string")
        if code[0] == "N":
            try:
                return unicodedata.lookup(code[2:-1])
            except KeyError:
                raise ValueError(f"unknown Unicode character name {code[2:-1]}") from None
        number = int(code[1:], 16)
        if 0xD800 <= number < 0xE000:
            raise ValueError(f"\\{code} is no character")
        return chr(number)

    return joined((_ESCAPE.sub(resolve, text),)) if "\\" in text else text


def _byte(value: int) -> str:
    if value > 0xFF:
        raise ValueError("ill formed octal specifier")
    return decoded(bytes((value,)))


@dataclass(frozen=True)
class StringToken:
    """A string literal taken apart: its prefix in lower case, and where its content is in it."""

    prefix: str
    begin: int
    end: int

    @staticmethod
    def of(text: str) -> "StringToken":
        begin = min(at for at in (text.find("'"), text.find('"')) if at >= 0)
        quotes = 3 if len(text) >= begin + 6 and text[begin : begin + 3] == text[begin] * 3 else 1
        return StringToken(text[:begin].lower(), begin + quotes, len(text) - quotes)


def string_value(text: str) -> str:
    """The value of one string literal without an `f` or `b` prefix; ValueError for a bad escape, and for bytes that are no UTF-8."""
    if text[0] in "'\"" and "\\" not in text:
        return text[3:-3] if len(text) >= 6 and text[:3] == text[0] * 3 else text[1:-1]
    token = StringToken.of(text)
    content = text[token.begin : token.end]
    value = content if "r" in token.prefix else unescape(content)
    if not is_whole(value):
        raise ValueError("the bytes of the string are no UTF-8")
    return value


@dataclass(frozen=True)
class Piece:
    """A piece of an f-string: text, or an expression at the offsets `begin` to `end`."""

    text: str
    begin: int = -1
    end: int = -1
    conversion: bool = False
    format_spec: bool = False

    @property
    def is_expression(self) -> bool:
        return self.begin >= 0


def format_pieces(text: str) -> list[Piece]:
    """The pieces of an f-string literal, offsets counted in `text`; ValueError where malformed."""
    token = StringToken.of(text)
    raw = "r" in token.prefix
    pieces: list[Piece] = []
    literal: list[str] = []
    at = token.begin
    while at < token.end:
        char = text[at]
        if char in "{}" and text[at + 1 : at + 2] == char and at + 1 < token.end:
            literal.append(char)
            at += 2
        elif char == "}":
            raise ValueError("f-string: single '}' is not allowed")
        elif char == "{":
            if literal:
                pieces.append(Piece("".join(literal)))
                literal = []
            piece, at = _expression_piece(text, at + 1, token.end)
            pieces.append(piece)
        else:
            stop = at
            while stop < token.end and text[stop] not in "{}":
                stop += 1 if raw or text[stop] != "\\" else _escape_length(text, stop)
            literal.append(text[at:stop] if raw else unescape(text[at:stop]))
            at = stop
    if literal:
        pieces.append(Piece("".join(literal)))
    return pieces


def _escape_length(text: str, at: int) -> int:
    match = _ESCAPE.match(text, at)
    return len(match[0]) if match else 1


def _expression_piece(text: str, begin: int, end: int) -> tuple[Piece, int]:
    """The expression after a `{`, and the offset behind its `}`."""
    depth = 0
    quote = ""
    stop = -1
    conversion = format_spec = False
    for at in range(begin, end):
        char = text[at]
        if quote:
            quote = "" if char == quote else quote
        elif format_spec:
            depth += (char == "{") - (char == "}")
            if depth < 0:
                return Piece("", begin, stop, conversion, True), at + 1
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif depth and char in ")]}":
            depth -= 1
        elif depth:
            continue
        elif char == "}":
            stop = at if stop < 0 else stop
            if not text[begin:stop].strip():
                raise ValueError("f-string: empty expression not allowed")
            return Piece("", begin, stop, conversion, False), at + 1
        elif char == "!" and text[at + 1 : at + 2] != "=":
            stop, conversion = at, True
        elif char == ":":
            stop, format_spec = (at if stop < 0 else stop), True
    raise ValueError("f-string: expecting '}'")
