"""Tokens: what they are, where lines and blocks begin and end, and what is no token."""

import pytest

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.lexer import Lexer
from torchscript_dialect.utils.errors import ParseError
from torchscript_dialect.utils.source_range import Source

BLANK = (tk.TK_NEWLINE, tk.TK_INDENT, tk.TK_DEDENT, tk.TK_EOF)


def tokens(text: str) -> list[str]:
    """The tokens' texts; those of white space as their kinds in capitals."""
    lexer = Lexer(Source(text))
    found = [lexer.token(i) for i in range(len(lexer.kinds))]
    return [t.kind.upper() if t.kind in BLANK else t.text for t in found]


def test_the_stream_of_the_overview():
    assert tokens("if\n  .\n  .\n") == [
        "if",
        "INDENT",
        ".",
        "NEWLINE",
        ".",
        "NEWLINE",
        "DEDENT",
        "EOF",
    ]


def test_the_stateful_interface():
    lexer = Lexer(Source("def f"))
    assert lexer.cur().kind == tk.TK_DEF
    assert not lexer.next_if("+")
    assert lexer.next_if(tk.TK_DEF)
    assert lexer.expect(tk.TK_IDENT).text == "f"
    assert lexer.next().kind == tk.TK_NEWLINE
    assert lexer.next().kind == tk.TK_EOF
    assert lexer.next().kind == tk.TK_EOF
    with pytest.raises(ParseError, match="expected def but found 'eof' here"):
        lexer.expect(tk.TK_DEF)


def test_single_characters_are_their_own_kind():
    assert Lexer(Source("a+b")).kinds[1] == "+"
    assert Lexer(Source("a**b")).kinds[1] == tk.TK_POW


def test_no_white_space_in_brackets():
    assert tokens("f(\n  a,\n\n# c\nb)\n") == ["f", "(", "a", ",", "b", ")", "NEWLINE", "EOF"]


def test_comments_and_blank_lines_end_nothing():
    text = "if x:  # why\n\n    # not here\n  # nor here\n    y\n\n# z\nw"
    assert tokens(text) == [
        "if",
        "x",
        ":",
        "INDENT",
        "y",
        "NEWLINE",
        "DEDENT",
        "w",
        "NEWLINE",
        "EOF",
    ]


def test_a_comment_at_the_end_is_no_block():
    assert tokens("x\n    # end") == ["x", "NEWLINE", "EOF"]
    assert tokens("x  # end") == ["x", "NEWLINE", "EOF"]


def test_several_blocks_end_at_once():
    assert tokens("a:\n b:\n  c\nd\n")[-6:] == [
        "NEWLINE",
        "DEDENT",
        "DEDENT",
        "d",
        "NEWLINE",
        "EOF",
    ]


def test_a_text_may_be_indented_as_a_whole():
    assert tokens("\n    a:\n      b\n  ") == ["a", ":", "INDENT", "b", "NEWLINE", "DEDENT", "EOF"]


def test_lines_are_continued():
    assert tokens("a + \\\n  b\n") == ["a", "+", "b", "NEWLINE", "EOF"]


def test_windows_line_ends():
    assert tokens("a:\r\n  b\r\n\r\nc\r\n") == tokens("a:\n  b\n\nc\n")


def test_numbers():
    text = "1 1.5 .5 1. 1e5 1E-5 0x1F 0b1 0o7 1_000 2j 1.5e3J x.y 1if"
    assert tokens(text)[:-2] == [*text.split()[:-2], "x", ".", "y", "1", "if"]


def test_strings():
    text = r"""'a' "b" r'\' b'' f"{x}" 'it''s' "\"" '''a'b''' Rb"x" """
    assert tokens(text)[:5] == ["'a'", '"b"', r"""r'\' b'""", "' f\"{x}\" '", "it"]
    assert tokens('"""a\n"b" """')[0] == '"""a\n"b" """'
    assert tokens("'a\\\nb'")[0] == "'a\\\nb'"
    assert tokens("rest = ruff")[:3] == ["rest", "=", "ruff"]


def test_type_comments_are_tokens_outside_brackets():
    text = "def f(a,  # type: int\n      b):  # type: ignore\n  # type: (...) -> int\n  a  # type: ignore[x]\n"
    lexer = Lexer(Source(text))
    assert [text[lo:hi] for lo, hi in lexer.bracketed_type_comments] == ["# type: int"]
    assert lexer.kinds.count(tk.TK_TYPE_COMMENT) == 1


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("x = $", r"expected a valid token but found '\$' here", "$"),
        ("x = 'abc\n'", "unterminated string", "'"),
        ("x = '''abc", "unterminated string", "'"),
        ("f(x]", "closing bracket without an opening one", "]"),
        ("f(x", r"'\(' was never closed", "("),
        ("if x:\n    y\n  z\n", "invalid indent level 2", "z"),
    ],
)
def test_errors_name_their_place(text: str, message: str, place: str):
    with pytest.raises(ParseError, match=message) as caught:
        Lexer(Source(text))
    assert caught.value.source_range is not None
    assert caught.value.source_range.text == place


def test_every_token_is_where_it_says():
    text = "def f(x):\n    return x.mm(y) ** 2  # no\n"
    lexer = Lexer(Source(text))
    words = [text[lo:hi] for lo, hi in zip(lexer.los, lexer.his, strict=True)]
    assert [w for w in words if w.strip()] == "def f ( x ) : return x . mm ( y ) ** 2".split()
    assert lexer.los == sorted(lexer.los)
