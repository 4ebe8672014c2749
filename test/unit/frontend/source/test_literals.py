"""Literals of source text have PyTorch's value, or Python's where PyTorch has none, or are refused with their place."""

import ast
from typing import Any

import pytest

import torchscript_dialect as ts
from support.literals import OCTAL, PYTHONS, REFUSED, SAME, program


def value_of(literal: str) -> Any:
    return ts.CompilationUnit(program(literal)).f()


def of_python(literal: str) -> Any:
    """In UTF-8, octal escapes stand for bytes, and an int may begin with zeros."""
    if literal == "'\\303\\251'":
        return "é"
    return eval(compile(ast.parse(f"({literal})", mode="eval"), "literal", "eval"))


@pytest.mark.parametrize("literal", [*SAME, *PYTHONS])
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_values_are_those_of_python(literal: str) -> None:
    assert repr(value_of(literal)) == repr(of_python(literal))


@pytest.mark.parametrize("literal", OCTAL)
def test_ints_that_begin_with_zero_are_octal(literal: str) -> None:
    assert value_of(literal) == OCTAL[literal]


@pytest.mark.parametrize("literal", REFUSED)
def test_what_is_read_in_two_ways_is_refused_with_its_place(literal: str) -> None:
    with pytest.raises(ts.TorchScriptError) as caught:
        value_of(literal)
    assert REFUSED[literal] in str(caught.value)
    assert "line 2" in str(caught.value) and "HERE" in str(caught.value)
