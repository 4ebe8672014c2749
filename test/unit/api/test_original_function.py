"""A compiled function keeps what Python knows of the original, and what it asks of the machine is answered."""

import inspect

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


def scaled(x: torch.Tensor, by: float = 2.0) -> torch.Tensor:
    """The tensor, `by` times as large."""
    return x * by


def test_what_is_kept() -> None:
    """`__doc__`, `__wrapped__`, `inspect.signature` and annotations are those of the original."""
    f = ts.script(scaled)
    assert f.__doc__ == scaled.__doc__ and f.__wrapped__ is scaled
    assert f.__name__ == f.__qualname__ == "scaled" and f.__module__ == __name__
    assert inspect.signature(f) == inspect.signature(scaled)
    assert f.__annotations__ == scaled.__annotations__


def on_device(x):
    if torch.cuda.is_available():
        torch.cuda.synchronize()
        x = x.cuda()
    torch.cuda.synchronize()
    return x, torch.cuda.is_available(), torch.cuda.device_count()


def test_without_a_device_there_is_none_and_nothing_to_wait_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    torch.cuda.is_available.__name__ = "is_available"
    torch.cuda.device_count.__name__ = "device_count"
    x = torch.ones(2)
    y, *answers = ts.script(on_device)(x)
    assert y.tolist() == [1.0, 1.0] and answers == [False, 0]


def class_of(x):
    return type(x)


def test_a_python_function_that_gives_something_else_shows_the_line() -> None:
    """`type(x)` is no tensor: a TypeError from inside had no line of the source."""
    with pytest.raises(RuntimeError, match="expected value of type Tensor") as caught:
        ts.script(class_of)(torch.ones(1))
    assert "return type(x)" in str(caught.value)
