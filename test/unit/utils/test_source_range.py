"""Places in sources, and how messages show them."""

from torchscript_dialect.utils.source_range import Source, SourceRange

TEXT = "def f(x):\n    y = x + \\\n        1\n\n    return y\n"


def at(text: str, part: str, filename: str | None = "f.py", line: int = 1) -> SourceRange:
    start = text.index(part)
    return SourceRange(Source(text, filename, line), start, start + len(part))


def test_line_and_column():
    place = at(TEXT, "return", line=10)
    assert (place.line, place.col) == (14, 4)
    assert place.file_line_col() == ("f.py", 14, 4)
    assert at(TEXT, "return", filename=None).file_line_col() is None


def test_highlight_of_one_line():
    assert at(TEXT, "return y").highlight() == (
        '  File "f.py", line 5\n        1\n\n    return y\n    ~~~~~~~~ <--- HERE\n'
    )


def test_highlight_of_several_lines():
    assert at(TEXT, "x + \\\n        1").highlight() == (
        '  File "f.py", line 2\n'
        "def f(x):\n"
        "    y = x + \\\n"
        "        ~~~~~\n"
        "        1\n"
        "        ~ <--- HERE\n"
        "\n"
        "    return y\n"
    )


def test_highlight_without_a_file_or_of_everything():
    assert at("a b", "b", None).highlight() == "a b\n  ~ <--- HERE\n"
    assert at("a b", "a b", None).highlight() == "a b"


def test_a_range_may_end_behind_the_text():
    assert SourceRange(Source("a b"), 2, 9).highlight() == "a b\n  ~ <--- HERE\n"


def test_bytes_and_characters():
    source = Source("é = 1\nñé + x\n")
    assert source.line_and_column_of(source.text.index("x"))[1] == 7
    assert source.offset_at(1, 7) == source.text.index("x")
    assert source.offset_at(0, 0) == 0


def test_merge_equality_and_text():
    source = Source("abc")
    left, right = SourceRange(source, 0, 1), SourceRange(source, 2, 3)
    assert left.merge(right).text == "abc"
    assert left == SourceRange(source, 0, 1) != right
    assert len({left, SourceRange(source, 0, 1)}) == 1
