"""Schema text: what parses prints again, and constants look as PyTorch's do."""

import math
from importlib import resources

import pytest

from torchscript_dialect.types.containers import ListType, OptionalType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NUMBER, STR
from torchscript_dialect.types.function_schema import (
    NO_DEFAULT,
    Argument,
    FunctionSchema,
    format_complex,
    format_float,
    format_number,
    quote,
    unquote,
)
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.types.text import TextError


def test_every_schema_of_the_table_round_trips() -> None:
    table = resources.files("torchscript_dialect.ops").joinpath("schemas.txt").read_text("utf-8")
    lines = table.splitlines()
    assert len(lines) > 4000
    assert [line for line in lines if str(FunctionSchema.parse(line)) != line] == []


def test_arguments() -> None:
    schema = FunctionSchema.parse(
        "aten::f.over(Tensor(a!) self, int[2] size=1, *, float? x=None, str s='a\"b') -> Tensor(a!)"
    )
    assert (schema.name, schema.overload_name) == ("aten::f", "over")
    assert schema.qualified_name == "aten::f.over"
    assert schema.is_mutable
    self, size, x, s = schema.arguments
    assert self.alias is not None and self.alias.is_write and self.alias.before == ("a",)
    assert self.default is NO_DEFAULT
    assert (size.type, size.list_size, size.default) == (ListType(INT), 2, 1)
    assert (x.type, x.default, x.kwarg_only) == (OptionalType(FLOAT), None, True)
    assert s.default == 'a"b'
    assert [argument.kwarg_only for argument in schema.arguments] == [False, False, True, True]
    assert schema.argument_index("x") == 2 and schema.argument_index("y") is None


def test_defaults_keep_their_types() -> None:
    schema = FunctionSchema.parse(
        "f(float a=1, Scalar b=1, Scalar c=1.5, bool d=True, int[] e=[1, 2], float[] g=[], complex h=1j,"
        " MemoryFormat m=contiguous_format, int r=Mean, float i=inf, float j=-2) -> ()"
    )
    defaults = [argument.default for argument in schema.arguments]
    assert defaults == [1.0, 1, 1.5, True, [1, 2], [], 1j, 0, 1, math.inf, -2.0]
    assert [type(value) for value in defaults[:4]] == [float, int, float, bool]
    assert type(defaults[10]) is float


def test_results() -> None:
    assert FunctionSchema.parse("f() -> ()").returns == ()
    two = FunctionSchema.parse("f() -> (Tensor values, Tensor indices)").returns
    assert [result.name for result in two] == ["values", "indices"]
    assert str(FunctionSchema.parse("f() -> ((int, str))")) == "f() -> ((int, str))"
    assert FunctionSchema.parse("f(...) -> ...").is_vararg
    assert FunctionSchema.parse("f(...) -> ...").is_varret


def test_result_types_bind_type_variables() -> None:
    schema = FunctionSchema.parse("aten::get.x(t[] self, int i, t? d=None) -> t")
    assert schema.result_types([ListType(STR), INT, STR]) == [STR]
    assert schema.result_types([ListType(STR), INT, OptionalType(STR)]) == [STR]
    assert schema.result_types([ListType(STR), STR, STR]) is None
    assert schema.result_types([ListType(STR), INT]) is None


def test_sets_without_names() -> None:
    """`Tensor!` is written to, and shares no memory with another one."""
    text = "f(Tensor! self, Tensor![] others, Tensor x) -> ()"
    schema = FunctionSchema.parse(text)
    first, others, last = [argument.alias for argument in schema.arguments]
    assert str(schema) == text and last is None
    assert first is not None and first.is_write and others is not None
    (each,) = others.contained
    assert each is not None and each.is_write and each.before != first.before


def test_matches() -> None:
    schema = FunctionSchema.parse("f(Tensor self, t[] l, t x, int n=1, *, float? a=None) -> t")
    assert schema.matches([TENSOR, ListType(INT), INT])
    assert schema.matches([TENSOR, ListType(INT)], {"x": INT, "a": FLOAT})
    assert not schema.matches([TENSOR, ListType(INT)])  # x is missing
    assert not schema.matches([TENSOR, ListType(INT), STR])  # t is int
    assert not schema.matches([TENSOR, ListType(INT), INT], {"x": INT})  # given twice
    assert not schema.matches([TENSOR, ListType(INT), INT], {"y": INT})  # unknown
    assert not schema.matches([TENSOR, ListType(INT), INT, INT, FLOAT])  # a is by name only
    assert not schema.matches([INT, ListType(INT), INT])
    assert FunctionSchema.parse("f(...) -> ...").matches([TENSOR, INT])


def test_result_types_take_subtypes() -> None:
    schema = FunctionSchema.parse("f(Tensor self, Scalar other) -> Tensor")
    assert schema.result_types([TENSOR, FLOAT]) == [TENSOR]
    assert schema.result_types([TENSOR, NUMBER]) == [TENSOR]
    assert schema.result_types([TENSOR, BOOL]) is None


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("f(int x", "expected ')' but found 'end of text' here", ""),
        ("f(int) -> ()", "expected the name of an argument here", ") -> ()"),
        ("f(int x) ->", "expected a name but found 'end of text' here", ""),
        ("f(int x)", "expected '->' but found 'end of text' here", ""),
        ("f(int x) -> int y z", "unexpected 'z' after a schema", "z"),
        ("(int x) -> int", "expected a name but found '(' here", "(int x) -> int"),
        ("f(int[ x) -> int", "expected ']' but found 'x' here", "x) -> int"),
    ],
)
def test_malformed_schemas_name_the_place(text: str, message: str, place: str) -> None:
    with pytest.raises(TextError) as caught:
        FunctionSchema.parse(text)
    assert caught.value.message == message
    assert text[caught.value.offset :] == place
    assert str(caught.value).splitlines()[1] == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0."),
        (-0.0, "-0."),
        (1.0, "1."),
        (-3.0, "-3."),
        (0.1, "0.10000000000000001"),
        (9999999999.0, "9999999999."),
        (1e10, "10000000000"),
        (123456789012.0, "123456789012"),
        (1e17, "1e+17"),
        (1e-45, "9.9999999999999998e-46"),
        (5e-324, "4.9406564584124654e-324"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
    ],
)
def test_floats_in_graphs(value: float, text: str) -> None:
    assert format_float(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e10, "10000000000."),
        (-0.0, "0."),
        (1e17, "100000000000000000."),
        (1e20, "1e+20"),
        (0.5, "0.5"),
    ],
)
def test_floats_in_schemas(value: float, text: str) -> None:
    assert format_number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1j, "0.+1.j"),
        (1.5 - 2j, "1.5-2.j"),
        (complex(0, math.nan), "0.-nanj"),
        (-1 + 0j, "-1.+0.j"),
    ],
)
def test_complex_numbers(value: complex, text: str) -> None:
    assert format_complex(value) == text


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("", '""'),
        ("a b", '"a b"'),
        ("\"'\\", '"\\"\\\'\\\\"'),
        ("\n\t\r\f\v\a\b", '"\\n\\t\\r\\f\\v\\a\\b"'),
        ("\0\x7f", '"\\000\\177"'),
        ("\x001", '"\\0001"'),
        ("é", '"\\303\\251"'),
    ],
)
def test_strings(text: str, literal: str) -> None:
    assert quote(text) == literal
    assert unquote(literal) == text


def test_strings_of_other_alphabets_survive() -> None:
    text = "中文 Ω 😀 \\303"
    assert unquote(quote(text)) == text
    assert unquote(f"'{text[:-4]}'") == text[:-4], "raw characters stand for themselves"


def test_lists_for_which_one_element_may_stand_say_how_long_they_are() -> None:
    numbers = ListType(INT)
    assert str(Argument("x", numbers, list_size=2)) == "int[2] x"
    assert str(Argument("x", OptionalType(numbers), 3, list_size=1)) == "int[1]? x=3"
