"""Hooks that pack what nodes save (PyTorch: torch/csrc/autograd/python_saved_variable_hooks.cpp)."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import local
from typing import Any

from torchscript_dialect.tensor.tensor import Tensor

Pack = Callable[[Tensor], Any]
Unpack = Callable[[Any], Any]


class _Hooks(local):
    def __init__(self) -> None:
        self.stack: list[tuple[Pack, Unpack]] = []
        self.refusal: str | None = None


_hooks = _Hooks()


class _Use:
    count = 0
    """How many hooks are pushed in all threads."""


def push_hooks(pack: Pack, unpack: Unpack) -> None:
    """Let tensors that this thread saves be packed, until `pop_hooks`; RuntimeError where that was refused."""
    if _hooks.refusal is not None:
        raise RuntimeError(_hooks.refusal)
    _hooks.stack.append((pack, unpack))
    _Use.count += 1


def pop_hooks() -> None:
    """Take the last hooks away."""
    _hooks.stack.pop()
    _Use.count -= 1


def refuse_hooks(message: str | None) -> str | None:
    """Raise `message` where hooks are pushed in this thread, from now on; what was raised before."""
    if message is not None and _hooks.stack:
        raise RuntimeError(message)
    before, _hooks.refusal = _hooks.refusal, message
    return before


def are_hooks_on() -> bool:
    """Whether this thread packs what it saves."""
    return _Use.count > 0 and bool(_hooks.stack)


def is_packing(pack: Callable[..., Any]) -> bool:
    """Whether this method of some object packs what the thread saves."""
    return any(getattr(one, "__func__", None) is pack for one, _ in _hooks.stack)


def innermost_hooks() -> tuple[Pack, Unpack]:
    """The hooks that pack what the thread saves."""
    return _hooks.stack[-1]


@contextmanager
def without_hooks() -> Generator[None]:
    """In this block nothing is packed."""
    stack, _hooks.stack = _hooks.stack, []
    try:
        yield
    finally:
        _hooks.stack = stack
