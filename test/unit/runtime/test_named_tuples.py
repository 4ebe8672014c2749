"""Values of NamedTuples: as `collections.namedtuple` makes them, without evaluating a text."""

from typing import Any

import pytest

from torchscript_dialect.runtime.values.named_tuples import named_tuple
from torchscript_dialect.utils.errors import TorchScriptError


def make(name: str, *fields: str) -> Any:
    return named_tuple(name, fields)


def test_they_are_tuples_with_names() -> None:
    point = make("__torch__.Point", "x", "y")(1, 2)
    assert point == (1, 2)
    assert (point.x, point.y) == (1, 2)  # type: ignore[attr-defined]
    assert repr(point) == "Point(x=1, y=2)"
    assert point._fields == ("x", "y")  # type: ignore[attr-defined]
    assert point._asdict() == {"x": 1, "y": 2}  # type: ignore[attr-defined]
    assert repr(point._replace(y=5)) == "Point(x=1, y=5)"  # type: ignore[attr-defined]
    assert type(point) is named_tuple("__torch__.Point", ("x", "y"))
    match point:
        case (a, b):
            assert (a, b) == (1, 2)


def test_wrong_numbers_and_names_are_errors() -> None:
    point = make("P", "x", "y")
    with pytest.raises(TypeError, match="2 fields, not 1"):
        point(1)
    with pytest.raises(ValueError, match="'z'"):
        point(1, 2)._replace(z=1)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["__class__", "_fields", "class", "a b", "x=print()", "", "1"])
def test_fields_are_names_that_python_allows(name: str) -> None:
    with pytest.raises(TorchScriptError, match="cannot be called"):
        named_tuple("P", (name,))
    with pytest.raises(TorchScriptError, match="one name"):
        named_tuple("P", ("x", "x"))
