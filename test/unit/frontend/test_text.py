"""Source text: what holds more than definitions, and functions whose operators take their arguments in another order."""

import numpy as np
import pytest

import torchscript_dialect as ts


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


@pytest.mark.parametrize("name", ["embedding", "embedding_bag", "batch_norm", "instance_norm"])
def test_functions_in_another_order_than_their_operators_are_refused(name: str) -> None:
    text = f"def f(i, w):\n    return torch.nn.functional.{name}(i, w)\n"
    with pytest.raises(ts.TorchScriptError, match=f"call torch.{name}"):
        ts.CompilationUnit(text)


def test_functions_in_the_same_order_are_their_operators() -> None:
    unit = ts.CompilationUnit("def f(x):\n    return torch.nn.functional.relu(x)\n")
    assert unit.f(np.array([-1.0, 2.0], np.float32)).tolist() == [0.0, 2.0]
