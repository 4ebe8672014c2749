"""`torch.no_grad` and its kin. Programs compile `no_grad` and `enable_grad` from their source here, so both are written out."""

from __future__ import annotations

from contextlib import AbstractContextManager, ContextDecorator
from functools import wraps
from inspect import isgeneratorfunction
from types import TracebackType
from typing import Any

from torchscript_dialect.tensor import grad_mode, inference


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


class _Decorator(ContextDecorator):
    """Decorates functions and generators, with parentheses and without."""

    def __new__(cls, function: Any = None) -> Any:
        """The function decorated, where there is one."""
        return super().__new__(cls) if function is None else cls()(function)

    def clone(self) -> Any:
        """The same mode, not entered yet."""
        return type(self)()

    def __call__(self, func: Any) -> Any:
        """The function, or generator function, in this mode."""
        if not isgeneratorfunction(func):
            return super().__call__(func)

        @wraps(func)
        def steps(*args: Any, **kwargs: Any) -> Any:
            generator = func(*args, **kwargs)
            answer: Any = None
            while True:
                with self.clone():
                    try:
                        value = generator.send(answer)
                    except StopIteration as end:
                        return end.value
                answer = yield value  # pyright: ignore[reportUnknownVariableType]

        return steps


class no_grad(_Decorator):
    """No gradients in this block or function."""

    __torchscript_stands_for__ = "torch.autograd.grad_mode"

    def __init__(self) -> None:  # pyright: ignore[reportInconsistentConstructor]
        self.prev = False

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        set_grad_enabled(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_grad_enabled(self.prev)


class enable_grad(_Decorator):
    """Gradients in this block or function."""

    __torchscript_stands_for__ = "torch.autograd.grad_mode"

    def __init__(self) -> None:  # pyright: ignore[reportInconsistentConstructor]
        self.prev = False

    def __enter__(self) -> None:
        self.prev = is_grad_enabled()
        set_grad_enabled(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_grad_enabled(self.prev)


class inference_mode(_Decorator):
    """No gradients in this block or function, not even with `enable_grad`, and views that it makes must not be written to after it.
    What it makes are inference tensors, which cannot be written to after it, nor be kept for a gradient. `inference_mode(False)`
    ends that for a block.
    """

    def __new__(cls, mode: Any = True) -> Any:
        """A function decorated, where `mode` is one."""
        return cls()(mode) if callable(mode) else object.__new__(cls)

    def __init__(self, mode: Any = True) -> None:
        self.mode = bool(mode)
        self._entered: list[AbstractContextManager[None]] = []

    def clone(self) -> Any:
        return type(self)(self.mode)

    def __enter__(self) -> None:
        self._entered.append(grad_mode.inference_mode(self.mode))
        self._entered[-1].__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._entered.pop().__exit__(kind, error, trace)


def is_inference_mode_enabled() -> bool:
    """Whether this is in inference mode."""
    return inference.is_inference_mode_enabled()
