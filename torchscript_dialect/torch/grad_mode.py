"""`torch.no_grad` and its kin: eager tensors have no autograd graph, so that these only remember what they were told."""

from __future__ import annotations

from contextlib import ContextDecorator
from threading import local
from types import TracebackType
from typing import Any


class _Mode(local):
    enabled: bool = True


_mode = _Mode()


class set_grad_enabled(ContextDecorator):
    """Sets whether gradients are wanted; as a context manager, until its end."""

    def __init__(self, mode: bool) -> None:
        self._before = _mode.enabled
        self._wanted = mode
        _mode.enabled = mode

    def __enter__(self) -> None:
        _mode.enabled = self._wanted

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _mode.enabled = self._before


class _Block(ContextDecorator):
    _wanted: bool

    def __enter__(self) -> None:
        self._before = _mode.enabled
        _mode.enabled = self._wanted

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _mode.enabled = self._before


class no_grad(_Block):
    """No gradients in this block or function."""

    _wanted = False


class enable_grad(_Block):
    """Gradients in this block or function."""

    _wanted = True


class inference_mode(_Block):
    """As `no_grad`; `inference_mode(False)` is as `enable_grad`."""

    def __init__(self, mode: Any = True) -> None:
        self._wanted = not mode


def is_grad_enabled() -> bool:
    """Whether gradients are wanted here."""
    return _mode.enabled
