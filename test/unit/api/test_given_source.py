"""Functions whose source Python does not keep: `ts.script(f, source=...)`."""

import linecache
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

X = np.array([-1.0, 2.0], np.float32)

TEXT = """
def first(x):
    return torch.relu(x)

class Other:
    def second(self, x):
        return x

def second(x: torch.Tensor, n: int = 2):
    # after a comment
    return first(x) * n
"""


def made_by_exec(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"torch": torch}
    exec(text, names)
    return names


def test_functions_of_exec_are_compiled_from_the_whole_text() -> None:
    names = made_by_exec(TEXT)
    ts.script(names["first"], source=TEXT)
    f = ts.script(names["second"], source=TEXT)
    assert f(X).tolist() == [0.0, 4.0] and f(X, n=3).tolist() == [0.0, 6.0]
    assert "<string>:11:11" in str(f.graph)


def test_the_definition_alone_will_do() -> None:
    f = made_by_exec("\n\ndef f(x):\n    return x + 1\n")["f"]
    assert ts.script(f, source="    def f(x):\n        return x + 1\n")(X).tolist() == [0.0, 3.0]


def test_a_lambda_is_compiled_from_its_text() -> None:
    f = ts.script(eval("lambda x, y: x + y"), source="lambda x, y: x + y")
    assert f(X, X).tolist() == [-2.0, 4.0]
    assert f.name == "lambda_" and "def lambda_(x" in f.code


@pytest.mark.parametrize("text", ["x = 1", "lambda x: x\nlambda x: x + 1"])
def test_a_text_that_does_not_say_which_function_is_refused(text: str) -> None:
    with pytest.raises(ts.TorchScriptError, match=r"has [02] functions '<lambda>', not one"):
        ts.script(eval("\n\n\nlambda x: x"), source=text)


@pytest.mark.parametrize("text", [5, b"lambda x: x", "lambda x: '\ud800'", "lambda x: \0"])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(ts.TorchScriptError):
        ts.script(eval("lambda x: x"), source=text)


def test_what_stands_around_a_definition_is_not_run(tmp_path: Path) -> None:
    """Decorators, defaults and annotations are Python that a text only shows."""
    touched = tmp_path / "touched"
    touch = f"__import__('pathlib').Path({str(touched)!r}).touch()"
    scope: dict[str, Any] = {}
    exec("def f(x):\n    return x", scope)
    for text in (
        f"@{touch}\ndef f(x):\n    return x",
        f"def f(x, y={touch}):\n    return x",
        f"def f(x: {touch}):\n    return x",
        f"{touch}\ndef f(x):\n    return x",
    ):
        with suppress(ts.TorchScriptError):
            ts.script(scope["f"], source=text)
    assert not touched.exists()


def test_a_lambda_without_source_is_refused() -> None:
    with pytest.raises(ts.TorchScriptError, match="Can't get source"):
        ts.script(eval("lambda x: x"))


CELL = """
class Sum:
    def __init__(self, n: int):
        self.n = n

    def add(self, x):
        return x + self.n


class Layer(torch.nn.Module):
    def forward(self, x):
        return Sum(2).add(x)


def twice(x):
    return Sum(1).add(x) * 2
"""


def test_classes_of_a_cell_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python finds functions of notebooks by their code, and no classes."""
    name = "<ipython-input-3-0a1b>"
    monkeypatch.setitem(
        linecache.cache, name, (len(CELL), None, CELL.splitlines(keepends=True), name)
    )
    names: dict[str, Any] = {"torch": torch, "__name__": "__main__"}
    exec(compile(CELL, name, "exec"), names)
    layer, twice = ts.script(names["Layer"]()), ts.script(names["twice"])
    for _ in range(3):
        assert layer(X).tolist() == [1.0, 4.0] and twice(X).tolist() == [0.0, 6.0]
    assert f"{name}:16:11" in str(twice.graph)
