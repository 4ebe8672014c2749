"""`torch.compile` and `torch.compiler` where nothing compiles Python bytecode (PyTorch: torch/__init__.py, torch/compiler/__init__.py).

Functions and modules run as they are, which gives the same numbers, and are the same objects: so does PyTorch with
`TORCHDYNAMO_DISABLE=1`. `torch.jit` compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def compile(
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    disable: bool = False,
    shapes_spec: Any = None,
) -> Any:
    """The function or module itself; without one, what gives it back.

    Raises:
        RuntimeError: both a mode and options.
    """
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    return _itself if model is None else model


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """The function itself; without one, what gives it back."""
    return _itself if fn is None else fn


def allow_in_graph(fn: Any) -> Any:
    """The function itself, or the functions of a list."""
    return fn


def assume_constant_result(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself."""
    return fn


def _itself(fn: Any) -> Any:
    return fn


def reset() -> None:
    """Forget what was compiled: nothing."""


def cudagraph_mark_step_begin() -> None:
    """Tell where an iteration begins, which nothing asks for."""


def is_compiling() -> bool:
    """Whether what runs is compiled by `torch.compile` or exported."""
    return False


is_dynamo_compiling = is_compiling
is_exporting = is_compiling

__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "compile",
    "cudagraph_mark_step_begin",
    "disable",
    "is_compiling",
    "is_dynamo_compiling",
    "is_exporting",
    "reset",
]
