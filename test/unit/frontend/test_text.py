"""Source text: what holds more than definitions, and functions whose operators take their arguments in another order."""

import re
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.frontend.python.library import IN_PYTHON
from torchscript_dialect.frontend.python.operators import find_builtin
from torchscript_dialect.ops import registry


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hello world", "ident"),
        ("x = 3", "ident"),
        ("graph(%x : Tensor):\n  return (%x)\n", "ident"),
        ("def f(x):\n    return x\n\nx = 3\n", "ident"),
        ("3 + 4\n", "number"),
    ],
)
def test_text_that_is_no_definition_is_refused(text: str, found: str) -> None:
    with pytest.raises(ts.TorchScriptError, match=f"expected def but found '{found}' here"):
        ts.CompilationUnit(text)


def test_imports_between_definitions_are_passed_over() -> None:
    unit = ts.CompilationUnit("import torch\n\n\ndef f(x):\n    return torch.relu(x)\n")
    assert unit.function_names == ["f"]


PROGRAMS = """
def normalize(x):
    return torch.nn.functional.normalize(x, dim=0)
def without_dropout(x):
    return torch.nn.functional.dropout(x, training=False)
def rows(x):
    return torch.nn.functional.embedding(torch.tensor([1, 1]), x)
def layer(x):
    return torch.nn.functional.batch_norm(x, None, None, training=True)
def without_gradients(x):
    with torch.no_grad():
        y = x + 1
    return y
def positive(x):
    return torch.nn.functional.relu(x - 3)
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("normalize", [[0.6, 0.0], [0.8, 1.0]]),
        ("without_dropout", [[3.0, 0.0], [4.0, 1.0]]),
        ("rows", [[4.0, 1.0], [4.0, 1.0]]),
        ("layer", [[-1.0, -1.0], [1.0, 1.0]]),
        ("without_gradients", [[4.0, 1.0], [5.0, 2.0]]),
        ("positive", [[0.0, 0.0], [1.0, 0.0]]),
    ],
)
def test_text_sees_what_of_torch_is_written_in_python(
    name: str, expected: list[list[float]]
) -> None:
    unit = ts.CompilationUnit(PROGRAMS)
    x = np.array([[3.0, 0.0], [4.0, 1.0]], np.float32)
    for _ in range(3):
        assert np.allclose(np.asarray(unit[name](x)), expected, atol=1e-4)


CALLS = """
def norm(x):
    return torch.norm(x, p=2, dim=0)
def frobenius(x):
    return torch.norm(x, "fro")
def tensordot(x):
    return torch.tensordot(x, x, 1)
def unique(x):
    return torch.unique(x)
def unique_consecutive(x):
    return torch.unique_consecutive(x)
def cdist(x):
    return torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist")
def stft(x):
    return torch.stft(x[:, 0], 2, 1, return_complex=True).real
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("norm", [5.0, 1.0]),
        ("frobenius", 26.0**0.5),
        ("tensordot", [[9.0, 0.0], [16.0, 1.0]]),
        ("unique", [0.0, 1.0, 3.0, 4.0]),
        ("unique_consecutive", [3.0, 0.0, 4.0, 1.0]),
        ("cdist", [[0.0, 2.0**0.5], [2.0**0.5, 0.0]]),
        ("stft", [[7.0, 7.0, 7.0], [1.0, -1.0, 1.0]]),
    ],
)
def test_functions_over_operators_of_one_name_are_called(name: str, expected: Any) -> None:
    """Those of tuples and numbers were refused, `unique_consecutive` gave three tensors, and `stft` did not pad."""
    unit = ts.CompilationUnit(CALLS)
    for _ in range(3):
        found = np.asarray(unit[name](np.array([[3.0, 0.0], [4.0, 1.0]], np.float32)))
        assert found.shape == np.shape(expected) and np.allclose(found, expected, atol=1e-6)


def test_functions_of_libraries_are_none_of_the_text() -> None:
    unit = ts.CompilationUnit(CALLS)
    assert unit.function_names == re.findall(r"^def (\w+)", CALLS, re.MULTILINE)


def test_these_functions_are_all_of_the_stand_in() -> None:
    """But for those that PyTorch's compiler takes for operators, too."""
    operators = {name for name in dir(torch) if registry.lookup(f"aten::{name}")}
    python = {name for name in operators if is_python(getattr(torch, name))}
    assert python - {"seed", "initial_seed", "save"} == IN_PYTHON


def is_python(function: Any) -> bool:
    return isinstance(function, FunctionType) and find_builtin(function) is None


def test_errors_at_run_time_show_lines_of_text() -> None:
    unit = ts.CompilationUnit(
        "def f(x):\n    return torch.mm(x, x)\ndef g(x):\n    return f(x * 2)\n"
    )
    for number in range(3):
        with pytest.raises(RuntimeError) as caught:
            unit.g(np.ones((2, 3), np.float32))
        message = str(caught.value)
        assert "def f(x):\n    return torch.mm(x, x)\n           ~~~~~~~~ <--- HERE\n" in message
        assert f"in {'f' if number == 0 else 'g'}\n" in message


def test_lines_of_two_texts_of_one_name_are_not_confused() -> None:
    unit = ts.CompilationUnit("def f(x):\n    return torch.mm(x, x)\n")
    unit.define("def g(x):\n    return x @ x\n")
    with pytest.raises(RuntimeError, match=r"in f\n.*\n    return torch.mm"):
        unit.f(np.ones((2, 3), np.float32))
    with pytest.raises(RuntimeError, match=r"in g\n.*\n    return x @ x"):
        unit.g(np.ones((2, 3), np.float32))


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("torch.special.expit(x)", "aten::sigmoid"),
        ("torch.special.psi(x)", "aten::digamma"),
        ("torch.special.gammainc(x, x)", "aten::igamma"),
        ("torch.special.softmax(x, 0, None)", "aten::softmax"),
        ("torch.special.round(x, decimals=1)", "aten::round"),
        ("torch.ops.aten.linalg_matmul(x, x)", "aten::matmul"),
    ],
)
def test_operators_that_have_two_names_have_pytorchs_first(call: str, kind: str) -> None:
    graph = ts.CompilationUnit(f"def f(x):\n    return {call}\n")["f"].graph
    assert [node.kind() for node in graph.nodes() if node.kind().startswith("aten::")] == [kind]


def test_code_calls_functions_of_the_text_by_their_names() -> None:
    unit = ts.CompilationUnit(
        "def g(x, n: int = 2):\n    return x + n\n"
        "def f(x):\n    y = g(x)\n    return torch.nn.functional.normalize(y) * g(y, n=3)\n"
    )
    assert "y = g(x, 2, )" in unit.f.code
    assert "__torch__.torch.nn.functional.normalize" not in unit.function_names
    assert unit.function_names == ["g", "f"]


@pytest.mark.parametrize(
    "loop", ["for i, j in [2, 3], [4, 5]:", "for a, b, in x, x,:", "for a in x, 3:"]
)
def test_a_loop_goes_over_one_thing(loop: str) -> None:
    """As in PyTorch, a comma makes no tuple there; these ran."""
    with pytest.raises(ts.TorchScriptError, match="List of iterables is not supported currently"):
        ts.CompilationUnit(f"def f(x):\n    {loop}\n        pass\n")


def test_a_comma_of_a_loop_unpacks_nothing() -> None:
    unit = ts.CompilationUnit(
        "def f(x: List[Tuple[int]]):\n    s = 0\n    for a, in x,:\n        s += a[0]\n    return s\n"
    )
    assert unit.f([(3,), (4,)]) == 7


def test_what_with_takes_is_underlined() -> None:
    with pytest.raises(ts.TorchScriptError, match=r"\n +~~~~~~~~~~ <"):
        ts.CompilationUnit('def f():\n    with "no thing" as x:\n        pass\n')
