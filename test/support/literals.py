"""Literals of source text: what PyTorch and we make of each. Note [Literals of text] in frontend/source/literals.py says why.

`SAME` PyTorch and we read alike. `PYTHONS` PyTorch refuses in text, and they have Python's value. `OCTAL` Python refuses, and they have
PyTorch's value. `REFUSED` we refuse, whether PyTorch takes them or not; the second text is of the message.
"""

SAME = (
    *("0", "1", "00", "0x10", "0X1F", "0xff", "0x7fffffffffffffff", "9223372036854775807", "-9223372036854775808"),
    *("- 9223372036854775808", "- 1", "-0x10", "1if True else 2", "0x1if True else 2"),
    *("1e5", "1E5", "1e+5", "1e-5", "1.e5", ".5", "5.", "1.5j", "1j", "0j", "1e5j", "00.5", "01.5", "08.5", "08e1", "08j", "1e05"),
    *("1e400", "-1e400", "1e-400", "4.9e-324", "1e308", "1.7976931348623159e308", "0e0", "0.", "-0.0", "-.0"),
    *("'a'", '"a"', "''", "''''''", '""""""', "'''a'b'''", "'''a\nb'''", '"""a\nb"""', "'a#b'", "'# type: int'", "'{}'", "'%d'"),
    *("'\\n'", "'\\t'", "'\\a\\b\\f\\v'", "'\\\\'", "'\\''", "'\\\"'", "'a\\\\n'", "'\\\"'", "'\\101'", "'\\1234'", "'\\0001'", "'\\000'"),
    *("'\\303\\251'", "'é'", "'💥'", "'a\tb'", "'\u2028'", "'\ufeff'", "'\x7f'", "'a\x0bb'"),
    *("'a' 'b'", "'a' \"b\" '''c'''", "'a''b'", "('a'\n 'b')", "('a' # c\n 'b')", "'a'[0]", "'a'.upper()"),
)  # fmt: skip

OCTAL = {"07": 7, "010": 8, "0777": 511, "-010": -8}

PYTHONS = (
    *("0b11", "0B1", "0o17", "0O17", "1_000", "0x_f", "1_000.5", "1J", "1_0j", "0_0", "00_0", "1e1_0", "--1"),
    *("'\\x41'", "'\\xe9'", "'\\xff'", "'\\r'", "'\\u0041'", "'\\u00e9'", "'\\U0001F4A5'", "'\\N{EM DASH}'"),
    *("'\\1'", "'\\12'", "'\\0'", "'\\00'", "'\\08'", "'\\18'", "'\\1a'", "'a\\0b'"),
    *("r'a\\n'", "R'a'", "u'a'", "U'a'", "f'a'", "f'{1}'", "F'a{1}b'", "fr'a\\d{1}'", "'a' + r'b'", "r'a\\\nb'"),
)  # fmt: skip

REFUSED = {
    # PyTorch reads them as 0, as floats, and with the end of the line in them; Python refuses the first, and reads the others otherwise.
    "08": "no digits 8 and 9",
    "09": "no digits 8 and 9",
    "0xe": "write 14, or 14.0",
    "0xFE": "write 254, or 254.0",
    "0xe+1": "write 14, or 14.0",
    "'a\\\nb'": "a backslash at the end of a line",
    "'''a\\\nb'''": "a backslash at the end of a line",
    # Hexadecimal floats, of which PyTorch reads some as ints.
    "0x1p3": "expected newline",
    "0x1.8": "expected newline",
    "0x1.8p1": "expected newline",
    "0x.8": "expected newline",
    # Bytes that are no characters: PyTorch cannot return them.
    "'\\377'": "no UTF-8",
    "'\\3777'": "no UTF-8",
    # PyTorch refuses them, too.
    "f'a\\\n{1}'": "a backslash at the end of a line",
    "9223372036854775808": "",
    "99999999999999999999": "",
    "-9223372036854775809": "",
    "0x8000000000000000": "",
    "'\\q'": "'\\q' is no escape; write '\\\\q'",
    "'\\d+'": "'\\d' is no escape",
    "'\\ '": "is no escape",
    "'\\é'": "'\\é' is no escape",
    "'\\8'": "is no escape",
    "'\\x4'": "truncated \\x escape",
    "'\\xg'": "truncated \\x escape",
    "'\\u12'": "truncated \\u escape",
    "'\\N{NOTHING}'": "unknown Unicode character name",
    "'\\ud800'": "is no character",
    "'\\400'": "ill formed octal",
    "'\\777'": "ill formed octal",
    "b'a'": "",
    "rb'a'": "",
    "'a": "unterminated string",
    "'''": "unterminated string",
    "'a\nb'": "unterminated string",
    "1__0": "",
    "1_": "",
    "_1": "",
    "1e": "",
    "1e+": "",
    "0x": "",
    "0xg": "",
    "0b2": "",
    "0o8": "",
    "1l": "",
    "1.0f": "",
    "1 000": "",
    "1.5.5": "",
    "1j2": "",
    "٣": "",
    "１": "",
    "+1": "",
    ".": "",
}


def program(literal: str) -> str:
    """A function that returns it."""
    return f"def f():\n    return {literal}\n"
