"""Errors in programs of source text name file and line, whatever the mistake covers, and whichever call it is.

Point 7 of docs/testing.md.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts

VECTOR, LONGER = np.ones(2, np.float32), np.ones(3, np.float32)


@pytest.mark.parametrize(
    "text",
    ["def", "x = 1", "def f(n: int) -> int:\n    k = 0\n    while k < 10:\n        k += n"],
)
def test_a_mistake_that_is_the_whole_text(text: str) -> None:
    with pytest.raises(RuntimeError, match=r'File "<string>", line 1\n'):
        ts.CompilationUnit(text)


def test_a_list_of_another_size() -> None:
    unit = ts.CompilationUnit("def f(x: List[int]):\n    a, b = x\n    return a + b\n")
    assert "# " not in next(line for line in str(unit.f.graph).splitlines() if "Unpack" in line)
    with pytest.raises(
        RuntimeError, match=r"line 2, in f\ndef f\(x: List\[int\]\):\n +a, b = x\n +~ <--- HERE"
    ):
        unit.f([1])


@pytest.mark.parametrize("tensor", [np.asarray, ts.Tensor])
@pytest.mark.parametrize(
    ("body", "right", "wrong"),
    [
        ("x + y", (VECTOR, VECTOR), (VECTOR, LONGER)),
        ("torch.tanh(x) * y + x", (VECTOR, VECTOR), (VECTOR, LONGER)),
        ("x.add_(y)", (VECTOR, VECTOR), (VECTOR, LONGER)),
        ("torch.cat([x, y])", (VECTOR, VECTOR), (VECTOR, np.ones((2, 2), np.float32))),
        ("x @ y", (VECTOR, VECTOR), (VECTOR, LONGER)),
        ("x.view(3, -1) + y", (LONGER, LONGER), (VECTOR, LONGER)),
    ],
)
def test_each_of_five_calls(
    body: str, right: tuple[Any, Any], wrong: tuple[Any, Any], tensor: Callable[[Any], Any]
) -> None:
    f = ts.CompilationUnit(f"def f(x, y):\n    return {body}\n").f
    for _ in range(5):
        f(*map(tensor, right))
        with pytest.raises(RuntimeError, match=r'File "<string>", line 2, in f\n(.*\n)*.*HERE'):
            f(*map(tensor, wrong))
