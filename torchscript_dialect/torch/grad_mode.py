"""`torch.no_grad` and its kin. Programs compile `no_grad` and `enable_grad` from their source here, so both are written out."""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager, ContextDecorator
from functools import wraps
from inspect import isclass, isgeneratorfunction
from types import TracebackType
from typing import Any

from torchscript_dialect.tensor import grad_mode, inference


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
        if isclass(func):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or "
                "methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method "
                "and nothing else.",
                FutureWarning,
                stacklevel=2,
            )
        if not isgeneratorfunction(func):

            @wraps(func)
            def decorated(*args: Any, **kwargs: Any) -> Any:
                with self.clone():
                    return func(*args, **kwargs)

            return decorated

        @wraps(func)
        def steps(*args: Any, **kwargs: Any) -> Any:
            generator = func(*args, **kwargs)
            try:
                with self.clone():
                    value = next(generator)
                while True:
                    try:
                        answer = yield value  # pyright: ignore[reportUnknownVariableType]
                    except GeneratorExit:
                        with self.clone():
                            generator.close()
                        raise
                    except BaseException as error:
                        with self.clone():
                            value = generator.throw(error)
                    else:
                        with self.clone():
                            value = generator.send(answer)
            except StopIteration as end:
                return end.value

        return steps


class set_grad_enabled(_Decorator):
    """Sets whether gradients are wanted; as a context manager, until its end; as a decorator, in the function alone."""

    def __new__(cls, mode: bool) -> Any:
        """Made of what is wanted, never of a function."""
        return object.__new__(cls)

    def __init__(self, mode: bool) -> None:
        self._before = grad_mode.is_grad_enabled()
        self.mode = mode
        grad_mode.set_grad_enabled(mode)

    def __call__(self, func: Any) -> Any:
        """The function, or generator function, in this mode, which does not hold any more here."""
        grad_mode.set_grad_enabled(self._before)
        return super().__call__(func)

    def clone(self) -> Any:
        return type(self)(self.mode)

    def __enter__(self) -> None:
        grad_mode.set_grad_enabled(self.mode)

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
