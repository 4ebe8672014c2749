"""The expressions of test/samples/special_expressions.py beside PyTorch, live."""

import torch

from samples import special_expressions
from torchscript_dialect import torch as stand_in


def test_same_as_pytorch() -> None:
    wrong = [
        expression
        for expression in special_expressions.expressions()
        if expression not in special_expressions.DIFFERENT
        and not special_expressions.same(
            special_expressions.result(stand_in, expression),
            special_expressions.result(torch, expression),
        )
    ]
    assert wrong == []
