"""A call of a compiled function that is refused stays refused, with the same words, whichever way later calls go; one that is not
gives results of the same dtypes and shapes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from lowering.linalg.conversion import spell
from samples import compare, samples_of
from support.amounts import IS_LONG
from support.spoiled_arguments import DTYPES, spoiled
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.errors import InternalError

STEP = 1 if IS_LONG else 127
CALLS = 3


def operators() -> Iterator[Operator]:
    """Those that take tensors and give new ones, the same at each call."""
    for name, _ in list(registry.attached())[::STEP]:
        operator = registry.find(name)
        assert operator is not None
        schema = operator.schema
        is_plain = not (operator.is_random or schema.is_mutable or "!" in operator.text)
        if name.startswith("aten::") and "Tensor" in operator.text and is_plain:
            yield operator


def literal(value: Any) -> tuple[str, str]:
    """The type and the text of a constant in graph text. KeyError: there is none."""
    if isinstance(value, (list, tuple)):
        types = {literal(one)[0] for one in value} or {"int"}
        (element,) = types if len(types) == 1 else (None,)
        if element is None:
            raise KeyError(value)
        return f"{element}[]", f"[{', '.join(literal(one)[1] for one in value)}]"
    name = {bool: "bool", int: "int", float: "float", str: "str"}[type(value)]
    return name, f'"{value}"' if name == "str" else repr(int(value) if name == "bool" else value)


def function_of(operator: Operator, arguments: Sequence[Any]) -> tuple[Any, list[Any]]:
    """A function of one call, and what it takes: all other arguments are constants.

    Raises:
        KeyError: an argument cannot be written as a constant.
    """
    taken, lines, names, inputs = list[Any](), list[str](), list[str](), list[str]()

    def input_of(array: Any) -> str:
        taken.append(array)
        inputs.append(f"%{len(taken)} : Tensor")
        return f"%{len(taken)}"

    for place, value in enumerate(arguments):
        name = f"%c{place}"
        if isinstance(value, np.ndarray):
            name = input_of(value)
        elif isinstance(value, list) and any(isinstance(one, np.ndarray) for one in value):
            items = ", ".join(map(input_of, value))
            lines.append(f"{name} : Tensor[] = prim::ListConstruct({items})")
        elif value is None:
            lines.append(f"{name} : NoneType = prim::Constant()")
        else:
            type_, text = literal(value)
            lines.append(f"{name} : {type_} = prim::Constant[value={text}]()")
        names.append(name)
    results = [f"%r{number}" for number in range(len(operator.schema.returns))]
    types = [spell(one.type) for one in operator.schema.returns]
    made = ", ".join(f"{name} : {type_}" for name, type_ in zip(results, types, strict=True))
    lines.append(f"{made} = {operator.name}({', '.join(names)})")
    lines.append(f"return ({', '.join(results)})")
    body = "\n  ".join(lines)
    graph = ts.parse_ir(f"graph({', '.join(inputs)}):\n  {body}\n")
    memo: dict[int, Any] = {}
    return ts.function_from(graph), [compare.ours(one, memo) for one in taken]


def changed(arguments: Sequence[Any], draw: random.Random) -> list[Any]:
    """The arguments of a sample with one that is spoiled, or with another dtype."""
    found = list(arguments)
    if draw.random() < 0.5 and found:
        place = draw.randrange(len(found))
        found[place] = spoiled(found[place], draw)
        return found
    dtype = draw.choice(DTYPES)
    is_float = [isinstance(one, np.ndarray) and one.dtype.kind in "fc" for one in found]
    return [one.astype(dtype) if has else one for one, has in zip(found, is_float, strict=True)]


def outcome(function: Any, arguments: Sequence[Any]) -> str:
    """The words of an error, or the dtypes and shapes of the results."""
    try:
        given = function(*arguments)
    except InternalError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[-1]}"
    results = given if isinstance(given, (tuple, list)) else [given]
    tensors = [one for one in results if isinstance(one, Tensor)]
    return str([(str(one.dtype), one.shape) for one in tensors])


@pytest.mark.filterwarnings("ignore")
def test_what_is_refused_stays_refused() -> None:
    wrong: list[str] = []
    calls = 0
    for operator in operators():
        draw = random.Random(operator.qualified_name)
        for make in list(samples_of(operator))[: 4 if IS_LONG else 2]:
            arguments = changed(make(), draw)
            try:
                function, taken = function_of(operator, arguments)
            except (KeyError, RuntimeError):  # refused as graph text
                continue
            outcomes = [outcome(function, taken) for _ in range(CALLS)]
            calls += 1
            if len(set(outcomes)) > 1:
                wrong.append(f"{operator.qualified_name} {arguments}: {outcomes}")
    assert calls > 5
    assert not wrong, "\n".join(wrong)
