"""What programs of newer versions of Python hold: aliases and type parameters of 3.12 (PEP 695), annotations that 3.14 evaluates
when they are asked for (PEP 649).
"""

import sys
from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect.utils.annotations import annotations_of

SOURCE = """
type Sizes = list[int]

def first[T](sizes: Sizes) -> int:
    return sizes[0]
"""
UNKNOWN = """
def shifted(x: int, y: "Missing" = None) -> int:
    return x + 1
"""


class Base:
    size: int


class Derived(Base):
    pass


def test_annotations_are_those_of_the_object_itself() -> None:
    assert annotations_of(Base) == {"size": int}
    assert annotations_of(Derived) == {}
    assert annotations_of(test_newer_syntax)["return"] is None


def test_names_that_only_type_checkers_know() -> None:
    names: dict[str, Any] = {"__name__": "unknown"}
    exec(UNKNOWN, names)
    assert set(annotations_of(names["shifted"])) == {"x", "y", "return"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
def test_newer_syntax() -> None:
    """An alias means what it stands for; type parameters say nothing to programs that do not use them."""
    names: dict[str, Any] = {"__name__": "newer"}
    exec(SOURCE, names)
    assert ts.script(names["first"], source=SOURCE)([3, 4]) == 3
