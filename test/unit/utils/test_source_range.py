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
    assert at("a b", "a b", "f.py").highlight() == '  File "f.py", line 1\na b\n~~~ <--- HERE\n'


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


def test_of_long_lines_only_what_is_around_the_range_is_shown():
    text = f"def f(x):\n    {'y = x; ' * 1000}bad{' + y' * 1000}\n    return y\n"
    shown = at(text, "bad").highlight()
    _, _, line, marks, after, *_ = shown.splitlines()
    assert line.startswith("...") and line.endswith("...") and len(line) < 420
    assert marks.index("~~~") == line.index("bad") and marks.endswith("~~~ <--- HERE")
    assert after == "    return y"


def test_of_many_lines_the_first_are_shown():
    text = "start\n" + "    x\n" * 5000 + "end\n"
    source = Source(text, "f.py")
    shown = SourceRange(source, 6, len(text) - 6).highlight()
    assert shown.count("\n") < 500 and "\n...\n" in shown
