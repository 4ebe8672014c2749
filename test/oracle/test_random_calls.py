"""Overload resolution: random wrong calls are refused with PyTorch's text, which tells the schemas tried and why each fails."""

import pytest

pytest.importorskip("torch")

from support.amounts import IS_LONG
from support.random_calls import differences

COUNT = 4000 if IS_LONG else 150


def test_wrong_calls_have_the_errors_of_pytorch() -> None:
    found = {expression: text for expression, text in differences(COUNT, 20261123) if text}
    assert not found


def test_keyword_arguments_that_do_not_fit_are_told_in_the_order_of_the_call() -> None:
    """The unknown one was told first, wherever it stood."""
    import torch

    import torchscript_dialect as ts

    text = "def f(x):\n    return torch.sin_(x, self=x, keepdim=True)\n"
    with pytest.raises(RuntimeError, match="Keyword argument self specified twice"):
        torch.jit.CompilationUnit(text)
    with pytest.raises(RuntimeError, match="Keyword argument self specified twice"):
        ts.CompilationUnit(text)
