"""Strings in programs: Note [Strings are bytes]. PyTorch gave the values here; four calls reach specialized code.

Point 6 of docs/testing.md.
"""

import pytest

import torchscript_dialect as ts

SOURCE = """
def numbers(s: str):
    out : List[int] = []
    for c in s:
        out.append(ord(c))
    return out

def numbers_of_parts(s: str):
    out : List[int] = []
    for part in s.split():
        out.append(-1)
        for c in part:
            out.append(ord(c))
    return out

def together(s: str):
    return s[0] + s[1], "".join([s[0], s[1]]), "{}{}".format(s[0], s[1])

def half(s: str):
    return [s, s[:1]]

def shown(s: str):
    print(s[0])

def constant():
    return ord("é"[0])

def half_of_a_constant(n: int):
    return len("é"[0]) + n

def keys(s: str):
    table = {s[0] + s[1]: 1}
    return table["é"]
"""


@pytest.fixture(scope="module")
def unit() -> ts.CompilationUnit:
    return ts.CompilationUnit(SOURCE)


@pytest.mark.parametrize(
    ("name", "argument", "result"),
    [
        ("numbers", "aé", [97, 195, 169]),
        ("numbers_of_parts", "é b", [-1, 195, -1, 98]),
        ("together", "é", ("é", "é", "é")),
        ("half_of_a_constant", 0, 1),
        ("keys", "é", 1),
    ],
)
def test_bytes(unit: ts.CompilationUnit, name: str, argument: str, result: object) -> None:
    assert [unit[name](argument) for _ in range(5)] == [result] * 5


def test_halves_are_no_constants(unit: ts.CompilationUnit) -> None:
    """Neither graph text nor an archive could hold one; ts-constant-propagation leaves it to the program."""
    for _ in range(5):
        assert unit["constant"]() == 195
    assert "\\303\\251" in str(unit["constant"].graph)


@pytest.mark.parametrize("name", ["half", "shown"])
def test_halves_stay_in_the_program(unit: ts.CompilationUnit, name: str) -> None:
    for _ in range(5):
        with pytest.raises(RuntimeError, match="no UTF-8"):
            unit[name]("é")


def test_halves_do_not_enter(unit: ts.CompilationUnit) -> None:
    with pytest.raises(RuntimeError, match="Expected a value of type 'str'"):
        unit["numbers"]("\udcc3")


@pytest.mark.parametrize(
    "literal",
    [r'"a\q"', r'"\x41"', r'"\777"', r'"\303"', "99999999999999999999", "9223372036854775808", "-9223372036854775809"],
)  # fmt: skip
def test_graph_text_is_refused_not_changed(literal: str) -> None:
    type_ = "str" if literal[0] == '"' else "int"
    with pytest.raises(RuntimeError):
        ts.parse_ir(
            f"graph():\n  %a : {type_} = prim::Constant[value={literal}]()\n  return (%a)\n"
        )


@pytest.mark.parametrize("place", ["# '\ud800' f.py:3:4", "# f.py\ud800:3:4", "# \udc80"])
def test_half_a_character_in_graph_text_shows_the_place(place: str) -> None:
    text = f"graph(%x : Tensor):\n  %y : Tensor = aten::neg(%x) {place}\n  return (%y)\n"
    with pytest.raises(ts.TorchScriptError, match=r"(?s)half a character.*line 2"):
        ts.parse_ir(text)


@pytest.mark.parametrize(
    ("literal", "value"),
    [(r'"\303\251"', "é"), (r'"\1011"', "A1"), ("012", 10), ("-9223372036854775808", -(2**63)), (r'len("\303\251")', 2)],
)  # fmt: skip
def test_literals_of_source(literal: str, value: object) -> None:
    assert ts.CompilationUnit(f"def f():\n    return {literal}\n")["f"]() == value


@pytest.mark.parametrize("literal", [r'"\400"', r'"\303"', r'"\ud800"', "9223372036854775808"])
def test_source_is_refused_not_changed(literal: str) -> None:
    with pytest.raises(RuntimeError):
        ts.CompilationUnit(f"def f():\n    return {literal}\n")["f"]()
