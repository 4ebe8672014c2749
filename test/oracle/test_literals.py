"""The tables of literals say what PyTorch makes of them."""

from typing import Any

import pytest
import torch

import torchscript_dialect as ts
from support.literals import OCTAL, PYTHONS, REFUSED, SAME, program


def in_pytorch(literal: str) -> Any:
    return torch.jit.CompilationUnit(program(literal)).f()


@pytest.mark.parametrize("literal", [*SAME, *OCTAL])
def test_same_as_pytorch(literal: str) -> None:
    assert repr(ts.CompilationUnit(program(literal)).f()) == repr(in_pytorch(literal))


@pytest.mark.parametrize("literal", PYTHONS)
def test_pytorch_refuses_what_only_python_takes(literal: str) -> None:
    with pytest.raises((RuntimeError, ValueError)):
        in_pytorch(literal)


def test_what_we_refuse_and_pytorch_takes_is_listed_first() -> None:
    def is_taken(literal: str) -> bool:
        try:
            in_pytorch(literal)
        except (RuntimeError, ValueError, UnicodeDecodeError):
            return False
        return True

    taken = [literal for literal in REFUSED if is_taken(literal)]
    assert taken == [*REFUSED][: len(taken)]
