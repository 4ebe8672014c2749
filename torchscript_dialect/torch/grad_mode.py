"""`torch.no_grad` and its kin: eager tensors have no autograd graph, so that these only remember what they were told."""

from __future__ import annotations

from contextlib import ContextDecorator
from types import TracebackType
from typing import Any

from torchscript_dialect.tensor import grad_mode


class set_grad_enabled(ContextDecorator):
    """Sets whether gradients are wanted; as a context manager, until its end."""

    def __init__(self, mode: bool) -> None:
        self._before = grad_mode.is_grad_enabled()
        self._wanted = mode
        grad_mode.set_grad_enabled(mode)

    def __enter__(self) -> None:
        grad_mode.set_grad_enabled(self._wanted)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        grad_mode.set_grad_enabled(self._before)


def is_grad_enabled() -> Any:
    """Whether gradients are wanted here."""
    return grad_mode.is_grad_enabled()


set_grad_enabled.__torchscript_op__ = "aten::set_grad_enabled"  # type: ignore[attr-defined]
is_grad_enabled.__torchscript_op__ = "aten::is_grad_enabled"  # type: ignore[attr-defined]


class no_grad(ContextDecorator):
    """No gradients in this block or function."""

    __torchscript_stands_for__ = "torch.autograd.grad_mode"

    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        set_grad_enabled(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_grad_enabled(self.prev)


class enable_grad(ContextDecorator):
    """Gradients in this block or function."""

    __torchscript_stands_for__ = "torch.autograd.grad_mode"

    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        set_grad_enabled(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_grad_enabled(self.prev)


class inference_mode(ContextDecorator):
    """As `no_grad`; `inference_mode(False)` is as `enable_grad`."""

    def __init__(self, mode: Any = True) -> None:
        self._wanted = not mode

    def __enter__(self) -> None:
        self._before = grad_mode.is_grad_enabled()
        grad_mode.set_grad_enabled(self._wanted)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        grad_mode.set_grad_enabled(self._before)
