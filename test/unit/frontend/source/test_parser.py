"""The parser against Python's own parser, and against trees written out."""

import textwrap
from pathlib import Path

import pytest

from torchscript_dialect.frontend.source.ast_builder import parse_python
from torchscript_dialect.frontend.source.parser import Parser, parse
from torchscript_dialect.frontend.source.tree_views import (
    Apply,
    Assign,
    ClassDef,
    Def,
    Expr,
    Return,
)
from torchscript_dialect.utils.errors import FrontendError, NotSupportedError, ParseError
from torchscript_dialect.utils.source_range import Source

TREES = Path(__file__).parent.parent.parent.parent / "golden" / "trees"


def both(text: str) -> list[Def | ClassDef]:
    """What `parse` makes, which must be what comes by way of Python's parser."""
    text = textwrap.dedent(text)
    mine, other = parse(text, "f.py"), parse_python(text, "f.py")
    assert [str(tree) for tree in mine] == [str(tree) for tree in other]
    return mine


def expression(text: str) -> Expr:
    [made] = both(f"def f():\n    return {text}\n")
    assert isinstance(made, Def)
    statement = made.statements[0]
    assert isinstance(statement, Return)
    return statement.expr


def test_the_golden_programs():
    assert len(both((TREES / "programs.py").read_text())) > 15


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a or b and not c == d | e ^ f & g << h + i * -j ** k",
         "a or (b and (not (c == (d | (e ^ (f & (g << (h + (i * (-(j ** k)))))))))))"),
        ("a - b - c", "(a - b) - c"),
        ("a ** b ** c", "a ** (b ** c)"),
        ("-a ** -b", "-(a ** (-b))"),
        ("a @ b // c % d / e", "(((a @ b) // c) % d) / e"),
        ("a < b < c", "(a < b) and (b < c)"),
        ("a if b else c if d else e", "a if b else (c if d else e)"),
        ("a if b or c else d", "a if (b or c) else d"),
        ("not a.b(c)[d]", "not (a.b(c)[d])"),
        ("a not in b", "not (a in b)"),
        ("x[(1, 2)]", "x[1, 2]"),
        ("(((a)))", "a"),
    ],
)  # fmt: skip
def test_precedence(text: str, grouped: str):
    assert expression(text).same(expression(grouped))


@pytest.mark.parametrize(
    "text",
    [
        "a, *b, c", "()", "(a,)", "[a, *b,]", "{}", "{a: b}", "x[a:b:c, ::, :b, a:]",
        "x[()]", "x[...]", "x[None, 1]", "f()", "f(a, *b, c=d)", "f(a for a in b)", "f((a for a in b), c)",
        "[a for a, b in c]", "[a for a in b or c]", "{a: b for a, b in c}",
        "f'{a}'", "f'{a + {1: 2}[1]}b{{c}}' 'd'", "f'''{\n a}'''", "rf'\\d{a}'", "f'{a!=b}'", "f''",
        "'\\x41\\u00e9\\N{BULLET}\\101'", "u'a' r'\\n'", "-9223372036854775808", "- 9223372036854775808",
        "-1", "1_0.0_1", "0XfF", "1e-7", "00", "Ellipsis", "é + ñ.ü", "'é' + x", "a is not b is c", "a not in b in c",
    ],
)  # fmt: skip
def test_expressions(text: str):
    expression(text)


def test_statements():
    both("""
        import torch
        from typing import (List,
            Dict)
        x = 1; y = 2
        if __name__ == "__main__":
            print("no")
        def f(a, b: int = 2, /, *, c: "int" = 3) -> Tuple[int, int]:
            pass; a = b = c; a, b = b, a
            x: List[int] = []
            if a: return
            elif b: return a, b
            else:
                raise E from None
            while a:
                a -= 1
                if b: break
                continue
            for i, (j, k) in x: pass
            for l in (1, 2): pass
            with a as b, c, d() as (e, f): pass
            with (a as b, c): pass
            with (a): pass
            with (a).b as c: pass
            del a, b[0]
            del (a, b)
            assert a, "b"
            a.b[0].c += 1,
            [a, b] = c
            \"\"\"text\"\"\"

        @decorator
        class C(object, metaclass=M): x: int = 1
    """)


def test_one_line_bodies():
    [made] = both("def f(x): y = x; return y")
    assert isinstance(made, Def)
    assert len(made.statements) == 2


def test_defaults_are_kept():
    [made] = both("def f(a, b=1, *, c=2): return a")
    assert isinstance(made, Def)
    assert [param.default_value is not None for param in made.decl.params] == [False, True, True]
    assert [param.kwarg_only for param in made.decl.params] == [False, False, True]


def test_classes():
    [made] = both("""
        class C(typing.NamedTuple):
            '''doc'''
            x: int
            y: int = 2
            def __init__(self, x: int):
                self.x: int = x
            @staticmethod
            def s(x):
                # type: (int) -> int
                return x
            @property
            def p(self): return 1
            @p.setter
            def p(self, v): self.x = v
            def m(self, a):
                # type: (int) -> int
                return a
    """)
    assert isinstance(made, ClassDef)
    assert [s.name.name for s in made.body if isinstance(s, Def)] == ["__init__", "s", "m"]
    assert [s.rhs is None for s in made.body if isinstance(s, Assign)] == [True, False]
    assert made.properties is not None
    [prop] = made.properties
    assert prop.getter.name.name == "__p_getter"
    assert prop.setter is not None
    assert str(made.superclass).startswith("(.")


@pytest.mark.parametrize(
    "text",
    [
        "def f(a, b):\n    # type: (int, List[int]) -> Tuple[int, int]\n    return a",
        "def f(a, b):  # type: (int, *str) -> int\n    return a",
        "def f(a, b):  # type: (int, str) -> int\n    '''doc'''\n    return a",
        "def f(a, b):\n    '''doc'''\n    # type: (int, str) -> int\n    return a",
        "def f(a,  # type: int\n      b=None,  # type: Optional[int]\n      ):\n    # type: (...) -> int\n    return a",
        "def f(a: int):\n    # type: (...) -> int\n    return a  # type: ignore",
        "def f():\n    a = []  # type: List[int]\n    # type: nothing that counts\n    return a",
        "def f():\n    if a:  # type: ignore\n        pass\n",
    ],
)
def test_type_comments(text: str):
    [made] = both(text)
    assert "int" in str(made) or "ignore" in text


def test_parse_type_comment():
    decl = Parser(Source("# type: (Tensor, int) -> Tensor")).parse_type_comment()
    assert [str(param.type) for param in decl.params] == [
        "(variable (ident Tensor))",
        "(variable (ident int))",
    ]
    assert str(decl.return_type) == "(variable (ident Tensor))"


@pytest.mark.parametrize(
    "body",
    [
        "lambda: x", "yield x", "await x", "{1, 2}", "{a for a in b}", "{**a}", "f(**a)", "f'{a!r}'", "f'{a:.2f}'",
        "[a for a in b if c]", "[a for a in b for c in d]", "x //= 2", "x @= 2", "global x", "nonlocal x", "import os",
        "from os import path", "(y := 2)", "+x", "x: int", "raise", "__jit_x", "b'a'", "self.y: int = 2",
        "try:\n        x\n    finally:\n        x", "for i in x:\n        x\n    else:\n        x",
        "while x:\n        x\n    else:\n        x", "def g(): pass", "class C: pass", "async def g(): pass",
        "async with x: pass", "async for x in y: pass",
    ],
)  # fmt: skip
def test_both_refuse_alike(body: str):
    text = f"def f(x):\n    x\n    {body}\n"
    with pytest.raises(FrontendError) as mine:
        parse(text, "f.py")
    with pytest.raises(FrontendError) as other:
        parse_python(text, "f.py")
    assert mine.value.message == other.value.message
    assert mine.value.source_range is not None and other.value.source_range is not None
    assert mine.value.source_range.line == other.value.source_range.line


@pytest.mark.parametrize("signature", ["*a", "**a", "x, *a, y"])
def test_variadic_parameters_are_refused(signature: str):
    with pytest.raises(NotSupportedError, match="variable number of arguments"):
        parse(f"def f({signature}): return 1\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:): pass", "expected ident but found ':' here"),
        ("def f()\n  pass", "expected : but found 'indent' here"),
        ("def f(): return 1 +", "expected an expression but found 'newline' here"),
        ("def f(): x y", "expected newline but found 'ident' here"),
        ("def f(): 1 = x", "unexpected expression on left-hand side of assignment"),
        ("def f(): f(a=1, b)", "expected a keyword argument but found 'ident' here"),
        ("def f(): x[]", "expected an expression but found ']' here"),
        ("def f(): return f'{'", "f-string: expecting '}'"),
        ("def f(): return f'{}'", "f-string: empty expression not allowed"),
        ("def f(): return '\\x4'", "truncated \\x escape"),
        (
            "def f(a):\n    # type: (int, int) -> int\n    return a",
            "Number of type annotations (2) did not",
        ),
        ("@a\nx = 1", "only functions and classes may be decorated"),
        ("def f():\n    x = 1\n        y = 2\n", "unexpected indent"),
    ],
)
def test_mistakes(text: str, message: str):
    with pytest.raises(ParseError) as caught:
        parse(text, "f.py")
    assert message in caught.value.message
    assert 'File "f.py", line' in str(caught.value)
    assert "<--- HERE" in str(caught.value)


def test_ranges_are_places_in_the_file():
    [made] = parse("\n\ndef f(x):\n    y = (x + 1).mm(x)\n    return y\n", "f.py")
    assert isinstance(made, Def)
    assign = made.statements[0]
    assert isinstance(assign, Assign)
    assert isinstance(assign.rhs, Apply)
    assert assign.rhs.range.file_line_col() == ("f.py", 4, 9)
    assert assign.range.text == "y = (x + 1).mm(x)"


def test_columns_count_bytes():
    [made] = parse("def f(x):\n    return 'é' + x.t()\n", "f.py")
    assert isinstance(made, Def)
    statement = made.statements[0]
    assert isinstance(statement, Return)
    assert statement.expr.trees[1].range.file_line_col() == ("f.py", 2, 18)
    [other] = parse_python("def f(x):\n    return 'é' + x.t()\n", "f.py")
    assert other.trees[2].trees[0].trees[0].trees[1].range.col == 18


def _nested(opening: str, closing: str, depth: int) -> str:
    return opening * depth + "x" + closing * depth


@pytest.mark.parametrize(
    "text",
    [
        " + ".join(["x"] * 900), " and ".join(["x"] * 2000), "x" + ".f()" * 900, "x" + "[0]" * 900, "-" * 200 + "x",
        "**".join(["x"] * 200), " if c else ".join(["x"] * 200), _nested("(x + ", ")", 198), _nested("f(", ")", 198),
        _nested("[", "]", 198), "[" + "1, " * 5000 + "]", "{" + "1: 2, " * 5000 + "}", " < ".join(["x"] * 2000),
    ],
)  # fmt: skip
def test_long_and_deep_expressions(text: str):
    expression(text)


def test_long_functions():
    both("def f(x):\n" + "    x = x.mm(x) + 1\n" * 10_000)
    both("def f(x):\n    if x: pass\n" + "    elif x: pass\n" * 1000)


def test_too_deep_a_nesting_is_a_mistake_of_the_source():
    text = f"def f(x): return {_nested('(', ')', 100_000)}\n"
    with pytest.raises(ParseError, match="nested too deeply"):
        parse(text)
    with pytest.raises(ParseError):
        parse_python(text)
