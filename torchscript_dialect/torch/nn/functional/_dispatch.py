"""One function of two: which one a constant argument says, as results of two types need two functions."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

DISPATCH_MARK = "__torchscript_dispatch__"
"""The attribute of such a function for the compiler: the name, place and default of the argument, and both functions."""


def boolean_dispatch(
    arg_name: str,
    arg_index: int,
    default: bool,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    module_name: str | None,
    func_name: str,
) -> Callable[..., Any]:
    """A function that is `if_true` where the argument is true, and `if_false` otherwise."""

    def run(*args: Any, **kwargs: Any) -> Any:
        chosen = args[arg_index] if len(args) > arg_index else kwargs.get(arg_name, default)
        return (if_true if chosen else if_false)(*args, **kwargs)

    run.__name__ = run.__qualname__ = func_name
    run.__doc__ = if_false.__doc__
    setattr(
        run,
        DISPATCH_MARK,
        {
            "arg_name": arg_name,
            "index": arg_index,
            "default": default,
            "if_true": if_true,
            "if_false": if_false,
        },
    )
    return run


def with_indices_or_not(
    name: str, if_true: Callable[..., Any], if_false: Callable[..., Any]
) -> Callable[..., Any]:
    """The function that also gives indices where `return_indices` is true."""
    index = list(inspect.signature(if_true).parameters).index("return_indices")
    return boolean_dispatch("return_indices", index, False, if_true, if_false, None, name)
