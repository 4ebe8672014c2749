"""A parameter without a type whose default is None is an undefined tensor where nothing is given: PyTorch's answers and messages.

Point 7 of docs/testing.md.
"""

from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


def zipped(x, keys=None):
    if keys is not None:
        return dict(zip(keys, x))  # as published code has it
    return dict(zip(x, x))


def left_out(x, other=None):
    return x + other


def asked(x, mask=None):
    return x * 2 if mask else x


def loud(x, mask=None):
    return mask.dim()  # pyright: ignore[reportOptionalMemberAccess]


def test_nothing_is_in_it() -> None:
    assert ts.script(zipped)(torch.ones(2, 3)) == {}


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (left_out, r"Expected a proper Tensor but got None .* for argument #1 'other'"),
        (loud, r"Expected a proper Tensor but got None .* for argument #0 'self'"),
        (asked, "Boolean value of Tensor with no values is ambiguous"),
    ],
)
def test_what_needs_it(program: Any, message: str) -> None:
    scripted = ts.script(program)
    for _ in range(3):
        with pytest.raises(RuntimeError, match=message) as error:
            scripted(torch.ones(2))
        assert "internal error" not in str(error.value)
        assert "test_undefined_arguments.py" in str(error.value)
