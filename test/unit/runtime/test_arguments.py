"""Arguments on their way into a program (PyTorch's answers are in test/oracle/test_arguments.py)."""

import enum
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.runtime.values.arguments import ArgumentError, bind, to_runtime_value
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.text import parse_type

SCHEMA = FunctionSchema.parse("f(Tensor x, int y, *, int z=5, str? s=None) -> Tensor")


def tensor(value: Any) -> Tensor:
    return as_tensor(np.array(value))


def test_defaults_are_filled_in() -> None:
    x = tensor(1.0)
    assert bind(SCHEMA, (x, 2), {}) == [x, 2, 5, None]
    assert bind(SCHEMA, (x,), {"z": 3, "y": 2, "s": "a"}) == [x, 2, 3, "a"]


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "f() is missing value for argument 'x'. Declaration: f(Tensor x"),
        (
            (0,) * 5,
            {},
            "f() expected at most 4 argument(s) but received 5 argument(s). Declaration: f(Tensor x",
        ),
        (
            (tensor(0), 1),
            {"w": 4},
            "Unknown keyword argument 'w' for operator 'f'. Schema: f(Tensor x",
        ),
        (
            (tensor(0), 1),
            {"y": 4},
            "Argument 'y' specified both as positional and keyword argument. Schema: f(",
        ),
        (
            (tensor(0), "a"),
            {},
            "f() Expected a value of type 'int' for argument 'y' but instead found type 'str'.\n"
            "Position: 1\nValue: 'a'\nDeclaration: f(Tensor x",
        ),
    ],
)
def test_wrong_calls_show_the_declaration(
    args: tuple[Any, ...], kwargs: dict[str, Any], message: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        bind(SCHEMA, args, kwargs)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("value", "type_", "result"),
    [
        (True, "int", 1),
        (np.float32(2.5), "int", 2),
        (np.array(2.5), "int", 2),
        (np.array(2), "float", 2.0),
        (np.array(2.5), "float?", 2.5),
        (np.array(1j), "complex", 1j),
        (np.array(0.5), "bool", True),
        ([np.array(1.5)], "float[]", [1.5]),
        (tensor([3]), "int", 3),
        (from_name("float32"), "int", 6),
        (2, "float", 2.0),
        (2**70, "float", 2.0**70),
        (1, "complex", 1 + 0j),
        (tensor(2), "complex", 2 + 0j),
        (0.5, "bool", True),
        (None, "bool", False),
        (None, "int?", None),
        (np.int64(3), "int?", 3),
        ((1, 2), "int[]", [1, 2]),
        ([1, 2], "float[]", [1.0, 2.0]),
        ([1, 2.5], "(int, float)", (1, 2.5)),
        ({"a": 1}, "Dict(str, float)", {"a": 1.0}),
        ("a", "Union(int, str)", "a"),
        (np.int64(3), "Scalar", 3),
        ("x", "Any", "x"),
    ],
)
def test_conversions(value: Any, type_: str, result: Any) -> None:
    found = to_runtime_value(value, parse_type(type_))
    assert found == result and type(found) is type(result)


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (1.5, "int"),
        (2**63, "int"),
        (1j, "float"),
        ("1", "int"),
        (tensor([1, 2]), "int"),
        (np.array([1.5]), "float"),
        (np.array(1j), "float"),
        (1, "str"),
        ([1.5], "int[]"),
        (1, "int[]"),
        ((1,), "(int, int)"),
        ({1: "a"}, "Dict(str, int)"),
        (1.5, "Union(int, str)"),
        (1, "Tensor"),
    ],
)
def test_what_is_not_converted(value: Any, type_: str) -> None:
    with pytest.raises(TypeError):
        to_runtime_value(value, parse_type(type_))


def test_arrays_become_tensors_on_the_same_memory() -> None:
    array = np.zeros(3)
    assert np.shares_memory(to_runtime_value(array, parse_type("Tensor")).array, array)
    assert isinstance(to_runtime_value(array, parse_type("Any")), Tensor)


def test_containers_are_copied_but_not_their_tensors() -> None:
    items = [tensor(1), tensor(2)]
    copy = to_runtime_value(items, parse_type("Tensor[]"))
    assert copy is not items and all(a is b for a, b in zip(copy, items, strict=True))
    table = {"a": 1}
    assert to_runtime_value(table, parse_type("Dict(str, int)")) is not table


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        ("List[int]", [1, 2**63]),
        ("List[int]", [1, "a"]),
        ("List[int]", ["a", "b"]),
        ("List[str]", ["a", "\ud800"]),
        ("Dict[str, int]", {"a": 1, "b": -(2**63) - 1}),
        ("Dict[int, str]", {"a": "b"}),
    ],
)
def test_elements_are_checked_together_and_each(type_: str, values: Any) -> None:
    """Elements of one class are checked at once; what does not fit is refused all the same."""
    f = ts.CompilationUnit(f"def f(x: {type_}):\n    return len(x)\n")["f"]
    with pytest.raises(RuntimeError, match="Expected a value of type"):
        f(values)


def test_elements_of_several_classes_are_converted() -> None:
    f = ts.CompilationUnit("def f(x: List[float], y: Dict[int, float]):\n    return x, y\n")["f"]
    given = [1, 2.5]
    floats, entries = f(given, {1: 2, 3: 4.5})
    assert [*map(type, floats)] == [float, float] and floats == [1.0, 2.5]
    assert entries == {1: 2.0, 3: 4.5} and [*map(type, entries.values())] == [float, float]
    assert f([1, 2], {})[0] == [1.0, 2.0] and type(f([1], {})[0][0]) is float
    same, _ = f([0.5], {})
    assert same == [0.5] and f([], {})[0] == []


def test_members_of_enums_are_the_numbers_and_strings_that_they_are() -> None:
    """An IntEnum was looked for among all numbers of 64 bits, one by one."""

    class Number(enum.IntEnum):
        TWO = 2

    class Text(enum.StrEnum):
        A = "a"

    for member, type_, plain in ((Number.TWO, "int", 2), (Text.A, "str", "a")):
        found = to_runtime_value(member, parse_type(type_))
        assert found == plain and type(found) is type(plain)


def test_what_is_by_keyword_only_is_not_taken_by_position() -> None:
    unit = ts.CompilationUnit("def f(x, *, k: float):\n    return x * k\n")
    x = np.ones(2, np.float32)
    assert unit.f(x, k=2.0).tolist() == [2, 2]
    with pytest.raises(ArgumentError, match=r"f\(\) takes 1 positional argument\(s\) but 2 was"):
        unit.f(x, 2.0)
    with pytest.raises(ArgumentError, match=r"at most 2 argument.* but received 3"):
        unit.f(x, k=2.0, m=3)


def test_a_tensor_that_was_not_annotated_is_said_to_be_inferred() -> None:
    unit = ts.CompilationUnit("def f(x):\n    return x\ndef g(x: Tensor):\n    return x\n")
    with pytest.raises(ArgumentError, match=r"'Tensor \(inferred\)'.*\nInferred 'x' to be of type"):
        unit.f(3)
    with pytest.raises(ArgumentError, match=r"type 'Tensor' for argument 'x'.*\nPosition: 0"):
        unit.g(3)


def test_a_number_stands_for_a_list_of_so_many() -> None:
    f: Any = ts.CompilationUnit(
        "def f(x: BroadcastingList2[int], y: BroadcastingList3[float]):\n    return x, y\n"
    )["f"]
    for _ in range(3):
        assert f(1, 2.5) == ([1, 1], [2.5, 2.5, 2.5])
        assert f((1, 2), [0.5, 1.0, 1.5]) == ([1, 2], [0.5, 1.0, 1.5])
    with pytest.raises(ArgumentError, match=r"'List\[float\]' for argument 'y'.* type 'int'"):
        f(1, 2)


def test_what_is_named_only_is_not_taken_by_position() -> None:
    """Where all arguments were tensors, and natively from some call on."""
    f: Any = ts.CompilationUnit("def f(x, *, y):\n    return torch.tanh(x * y)\n")["f"]
    x = as_tensor(np.ones(3, np.float32))
    with ts.background_compilation(False):
        for _ in range(6):
            f(x, y=x)
            with pytest.raises(ArgumentError, match="takes 1 positional argument"):
                f(x, x)


@pytest.mark.parametrize(
    ("type_", "taken", "refused"),
    [
        ("Union[int, float]", [1, 1.5], {"bool": True, "str": "a", "NoneType": None}),
        ("Union[float, str]", ["a", 1.5], {"int": 1, "List[str]": ["a"]}),
        (
            "Union[List[int], Dict[str, int]]",
            [[1], {"a": 1}],
            {"List[str]": ["a"], "Dict[str, str]": {"a": "b"}, "List[float]": [1.5]},
        ),
    ],
)
def test_members_of_unions_are_not_converted(
    type_: str, taken: list[Any], refused: dict[str, Any]
) -> None:
    f = ts.CompilationUnit(f"def f(x: {type_}):\n    return x\n").f
    for value in taken:
        found = f(value)
        assert found == value and type(found) is type(value)
    for name, value in refused.items():
        with pytest.raises(ArgumentError) as caught:
            f(value)
        assert str(caught.value).endswith(f"but instead found type {name}")
    with pytest.raises(ArgumentError, match="instead found type Tensor"):
        f(tensor(1))
