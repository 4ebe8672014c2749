"""Source text to tokens (PyTorch: frontend/lexer.h).

White space that matters becomes tokens: TK_NEWLINE ends a statement, TK_INDENT begins a block and
takes the place of the newline before it, TK_DEDENT ends one. Inside brackets none are made. A text
may be indented as a whole. All tokens are made at once by one regular expression; the parser reads
the parallel lists `kinds`, `los`, `his`, the methods give the same as objects.
"""

import re
from typing import NoReturn

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.utils.errors import ParseError
from torchscript_dialect.utils.source_range import Source, SourceRange

_DIGITS = r"[0-9](?:_?[0-9])*"
_EXPONENT = rf"(?:[eE][+-]?{_DIGITS})"
_NUMBER = (
    rf"0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+"
    rf"|(?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS}){_EXPONENT}?[jJ]?|{_DIGITS}{_EXPONENT}?[jJ]?"
)
_STRING = (
    r"(?:[rRuUbBfF]|[rR][bBfF]|[bBfF][rR])?(?:"
    r"'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''|\"\"\"[^\"\\]*(?:(?:\\.|\"(?!\"\"))[^\"\\]*)*\"\"\""
    r"|'(?!'')[^'\\\n]*(?:\\.[^'\\\n]*)*'|\"(?!\"\")[^\"\\\n]*(?:\\.[^\"\\\n]*)*\")"
)
_TYPE_COMMENT = r"\#\ type:(?!\ ?ignore\b)[^\n]*"
_COMMENT = rf"(?:(?!{_TYPE_COMMENT})\#[^\n]*)"
_OPERATOR = "|".join(
    re.escape(text)
    for text in sorted((t for t in tk.OPERATORS if t not in "()[]{}"), key=len, reverse=True)
)
_TOKEN = re.compile(
    rf"""(?:[ \t\f\r]|\\\r?\n)*(?:
    (?P<name>[^\W\d]\w*(?!['"\w]))
  | (?P<newline>{_COMMENT}?\n(?:[ \t\f\r]*{_COMMENT}?\n)*[ \t\f]*(?:{_COMMENT}\Z)?)
  | (?P<opening>[(\[{{])
  | (?P<closing>[)\]}}])
  | (?P<string>{_STRING})
  | (?P<number>(?:{_NUMBER}))
  | (?P<operator>{_OPERATOR})
  | (?P<odd_name>[^\W\d]\w*)
  | (?P<type_comment>{_TYPE_COMMENT})
  | (?P<comment>{_COMMENT})
  | (?P<invalid>\S)
    )""",
    re.VERBOSE | re.DOTALL,
)
_GROUPS = _TOKEN.groupindex
_FIRST_INDENT = re.compile(rf"(?:[ \t\f\r]*{_COMMENT}?\n)*([ \t\f]*)", re.VERBOSE)
TAB_WIDTH = 8


class Token:
    """A token: its `kind`, and where it is."""

    __slots__ = ("kind", "range")

    def __init__(self, kind: str, range: SourceRange) -> None:
        self.kind = kind
        self.range = range

    @property
    def text(self) -> str:
        return self.range.text

    def __repr__(self) -> str:
        return f"Token({self.kind!r}, {self.text!r})"


class Lexer:
    """The tokens of `source` between two offsets, and a place among them."""

    def __init__(self, source: Source, start: int = 0, end: int | None = None) -> None:
        self.source = source
        self.pos: int = 0
        self.kinds: list[str] = []
        self.los: list[int] = []
        self.his: list[int] = []
        self.bracketed_type_comments: list[tuple[int, int]] = []
        """Offsets of the `# type:` comments inside brackets, which are no tokens."""
        self._scan(start, len(source.text) if end is None else end)

    def token(self, index: int) -> Token:
        index = min(index, len(self.kinds) - 1)
        place = SourceRange(self.source, self.los[index], self.his[index])
        return Token(self.kinds[index], place)

    def cur(self) -> Token:
        """The current token; at the end it is TK_EOF for ever."""
        return self.token(self.pos)

    def next(self) -> Token:
        """The current token; moves on to the next."""
        token = self.token(self.pos)
        self.pos = min(self.pos + 1, len(self.kinds) - 1)
        return token

    def next_if(self, kind: str) -> bool:
        """Moves on if the current token is of this kind; whether it was."""
        if self.kinds[self.pos] != kind:
            return False
        self.next()
        return True

    def expect(self, kind: str) -> Token:
        """The current token, which must be of this kind; moves on."""
        if self.kinds[self.pos] != kind:
            self.expected(kind)
        return self.next()

    def expected(self, what: str) -> NoReturn:
        """Raises: `what` should stand at the current token."""
        token = self.cur()
        place = token.range
        if not place.text.strip() and self.pos > 0:
            place = self.token(self.pos - 1).range
        raise ParseError(f"expected {what} but found '{token.kind}' here", place)

    def _scan(self, start: int, end: int) -> None:
        text = self.source.text
        add_kind, add_lo, add_hi = self.kinds.append, self.los.append, self.his.append
        names = (_GROUPS["name"], _GROUPS["odd_name"])
        newline, opening = _GROUPS["newline"], _GROUPS["opening"]
        closing, operator = _GROUPS["closing"], _GROUPS["operator"]
        string, number = _GROUPS["string"], _GROUPS["number"]
        type_comment, comment = _GROUPS["type_comment"], _GROUPS["comment"]
        keyword_of, operator_kind = tk.KEYWORDS.get, tk.OPERATORS
        open_brackets: list[int] = []
        first = _FIRST_INDENT.match(text, start, end)
        assert first is not None
        indents = [_indent_width(first[1])]
        for match in _TOKEN.finditer(text, first.end(), end):
            group = match.lastindex
            assert group is not None
            lo, hi = match.span(group)
            if group in names:
                add_kind(keyword_of(match[group], tk.TK_IDENT))
            elif group == operator:
                add_kind(operator_kind[match[group]])
            elif group == opening:
                open_brackets.append(lo)
                add_kind(match[group])
            elif group == closing:
                if not open_brackets or text[open_brackets[-1]] + text[lo] not in "()[]{}":
                    raise self._error("closing bracket without an opening one", lo, hi)
                open_brackets.pop()
                add_kind(match[group])
            elif group == newline:
                if not open_brackets and self.kinds:
                    self._indent(match[group], text.index("\n", lo), hi, indents, hi == end)
                continue
            elif group == number:
                add_kind(tk.TK_NUMBER)
            elif group == string:
                add_kind(tk.TK_STRINGLITERAL)
            elif group == comment:
                continue
            elif group == type_comment:
                if open_brackets:
                    self.bracketed_type_comments.append((lo, hi))
                    continue
                add_kind(tk.TK_TYPE_COMMENT)
            elif text[lo] in "'\"":
                raise self._error("unterminated string", lo, hi)
            else:
                raise self._error(f"expected a valid token but found '{text[lo]}' here", lo, hi)
            add_lo(lo)
            add_hi(hi)
        if open_brackets:
            lo = open_brackets[-1]
            raise self._error(f"'{text[lo]}' was never closed", lo, lo + 1)
        if self.kinds and self.kinds[-1] not in (tk.TK_NEWLINE, tk.TK_DEDENT):
            self._add(tk.TK_NEWLINE, end, end)
        for _ in indents[1:]:
            self._add(tk.TK_DEDENT, end, end)
        self._add(tk.TK_EOF, end, end)

    def _add(self, kind: str, lo: int, hi: int) -> None:
        self.kinds.append(kind)
        self.los.append(lo)
        self.his.append(hi)

    def _indent(self, text: str, lo: int, hi: int, indents: list[int], at_end: bool) -> None:
        """Adds the tokens for a line's end and the indentation of the next line."""
        width = indents[0] if at_end else _indent_width(text[text.rfind("\n") + 1 :])
        if width == indents[-1]:
            self._add(tk.TK_NEWLINE, lo, hi)
        elif width > indents[-1]:
            indents.append(width)
            self._add(tk.TK_INDENT, lo, hi)
        else:
            self._add(tk.TK_NEWLINE, lo, hi)
            while indents[-1] > width:
                indents.pop()
                if not indents or indents[-1] < width:
                    raise self._error(f"invalid indent level {width}", hi, hi + 1)
                self._add(tk.TK_DEDENT, hi, hi)

    def _error(self, message: str, lo: int, hi: int) -> ParseError:
        return ParseError(message, SourceRange(self.source, lo, hi))


def _indent_width(blank: str) -> int:
    return len(blank.expandtabs(TAB_WIDTH)) if "\t" in blank else len(blank)
