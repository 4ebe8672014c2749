"""Operators that the interpreter's source inlines: each beside its kernel, on the numbers where they could differ."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from xdsl.dialects.func import FuncOp

import torchscript_dialect as ts
from torchscript_dialect.frontend.ir_text.parser import parse_ir_text
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.interpreter.interpreter import interpret

LIMITS = (-(2**63), -(2**63) + 1, -(2**62) - 1, -(2**62), 2**62 - 1, 2**62, 2**63 - 2, 2**63 - 1)
INTS = (*LIMITS, -(2**53) - 1, 2**53 + 1, -7, -2, -1, 0, 1, 2, 3, 7)
FLOATS = (
    *(0.0, -0.0, 1.0, -1.0, 0.1, 2.5, -7.5, 3e38, 5e-324, 1.7e308, -1.7e308),
    *(math.inf, -math.inf, math.nan, float(2**53), 9.3e18),
)
VALUES: dict[str, tuple[Any, ...]] = {"int": INTS, "float": FLOATS, "bool": (False, True)}
INLINED = sorted(name for name, rules in registry.attached() if rules.inline is not None)


def shown(run: Any, *arguments: Any) -> str:
    """The result with its class and sign, or the error."""
    try:
        result = run(*arguments)
    except Exception as error:
        return str(error).splitlines()[-1].rpartition("Error: ")[2]
    return f"{type(result).__name__} {result!r}"


def program(name: str, types: list[str], constants: dict[int, str] | None = None) -> Any:
    """A graph of one node, interpreted."""
    constants = constants or {}
    arguments = [f"%a{i} : {type_}" for i, type_ in enumerate(types) if i not in constants]
    lines = [
        f"  %a{i} : {types[i]} = prim::Constant[value={value}]()\n"
        for i, value in constants.items()
    ]
    operator = registry.find(name)
    assert operator is not None
    result = operator.schema.returns[0].type.repr_str
    operands = ", ".join(f"%a{i}" for i in range(len(types)))
    text = f"graph({', '.join(arguments)}):\n{''.join(lines)}"
    return f"{text}  %r : {result} = {operator.name}({operands})\n  return (%r)\n"


def interpreted(name: str, types: list[str], constants: dict[int, str] | None = None) -> Any:
    return interpret(function_of(program(name, types, constants)))


def function_of(text: str) -> FuncOp:
    (function,) = functions_of(parse_ir_text(text))
    return function


def types_of(name: str) -> list[str] | None:
    operator = registry.find(name)
    assert operator is not None
    types = [argument.type.repr_str for argument in operator.schema.arguments]
    return types if set(types) <= VALUES.keys() else None


def test_the_numbers_that_programs_compute_with_are_inlined() -> None:
    for name in ("aten::add.int", "aten::lt.float_int", "aten::div.float", "aten::__not__"):
        assert name in INLINED


@pytest.mark.parametrize("name", [name for name in INLINED if types_of(name)])
def test_an_inlined_operator_gives_what_its_kernel_gives(name: str) -> None:
    operator, types = registry.find(name), types_of(name)
    assert operator is not None and operator.kernel is not None and types is not None
    run = interpreted(name, types)
    for values in itertools.product(*(VALUES[type_] for type_ in types)):
        assert shown(run, *values) == shown(operator.kernel, *values), values


@pytest.mark.parametrize("name", ["aten::div.int", "aten::floordiv.int", "aten::remainder.int"])
@pytest.mark.parametrize("divisor", [-(2**63), -1, 0, 1, 3, 2**62 - 1, 2**62, 2**63 - 1])
def test_division_of_ints_by_a_constant(name: str, divisor: int) -> None:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    run = interpreted(name, ["int", "int"], {1: str(divisor)})
    for value in INTS:
        assert shown(run, value) == shown(operator.kernel, value, divisor), value


@pytest.mark.parametrize("divisor", ["-1.", "0.", "0.10000000000000001", "7."])
def test_division_of_floats_by_a_constant(divisor: str) -> None:
    operator = registry.find("aten::div.float")
    assert operator is not None and operator.kernel is not None
    run = interpreted("aten::div.float", ["float", "float"], {1: divisor})
    for value in FLOATS:
        assert shown(run, value) == shown(operator.kernel, value, float(divisor)), value


def test_lists_are_read_from_both_ends() -> None:
    unit = ts.CompilationUnit("def f(x: List[int], i: int):\n    return x[i]\n")
    assert [unit.f([5, 6, 7], i) for i in range(-3, 3)] == [5, 6, 7, 5, 6, 7]
    for index in (-4, 3):
        with pytest.raises(IndexError, match="list index out of range"):
            unit.f([5, 6, 7], index)


def test_a_graph_that_claims_anything_is_not_inlined() -> None:
    text = program("aten::add.int", ["int", "int"])
    assert "r0 + r1" in interpret(function_of(text)).source.text
    assert "+" not in interpret(function_of(text), is_checked=True).source.text


def test_what_is_appended_to_is_the_result() -> None:
    text = "graph(%l : int[], %x : int):\n  %r : int[] = aten::append(%l, %x)\n  return (%l, %r)\n"
    (function,) = functions_of(parse_ir_text(text))
    values = [1]
    given, result = interpret(function)(values, 2)
    assert given is values and result is values and values == [1, 2]


@pytest.mark.parametrize("name", ["find", "rfind", "startswith", "endswith"])
def test_inlined_searches_in_texts_give_what_their_kernels_give(name: str) -> None:
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None
    assert operator.rules.inline is not None
    run = interpreted(operator.qualified_name, ["str", "str", "int", "int"])
    places = (-9, -4, -2, -1, 0, 1, 3, 6, 7)
    texts = itertools.product(("", "abcabc", "aä"), ("", "bc", "a", "ä"))
    for (text, part), start, end in itertools.product(texts, places, places):
        values = (text, part, start, end)
        assert shown(run, *values) == shown(operator.kernel, *values), values
