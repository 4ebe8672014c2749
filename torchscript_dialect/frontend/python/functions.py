"""What Python functions see outside themselves, and the default values of their parameters."""

from __future__ import annotations

import inspect
from typing import Any, cast

import numpy as np

from torchscript_dialect.frontend.ir_emitter.defaults import UNFIT
from torchscript_dialect.frontend.python.constants import to_default
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange


def python_names(fn: Any) -> dict[str, Any]:
    """What a Python function sees outside itself: its closure over its globals."""
    fn = inspect.unwrap(fn)
    names: dict[str, Any] = dict(fn.__globals__)
    code = fn.__code__
    for name, cell in zip(code.co_freevars, fn.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            continue
    return names


def default_arguments(fn: Any, range: SourceRange | None = None) -> dict[str, Any]:
    """The default values of a Python function's parameters, as graphs have them.

    Raises:
        FrontendError: a default that the function could change; `range` is the place to show.
    """
    parameters = inspect.signature(inspect.unwrap(fn)).parameters
    empty = inspect.Parameter.empty
    for name, parameter in parameters.items():
        if _is_mutable(parameter.default):
            raise FrontendError(
                "Mutable default parameters are not supported because Python binds them to the"
                " function and they persist across function calls.\n As a workaround, make the"
                " default None and instantiate the default parameter within the body of the"
                f" function. Found {type(parameter.default)} on parameter {name}",  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
                range,
            )
    return {
        name: _default_or_unfit(parameter.default)
        for name, parameter in parameters.items()
        if parameter.default is not empty
    }


def _is_mutable(value: Any) -> bool:
    """Whether a function could change a default, or something in it."""
    if isinstance(value, tuple):
        return any(map(_is_mutable, cast("tuple[Any, ...]", value)))
    return isinstance(value, (list, dict, set))


def _default_or_unfit(value: Any) -> Any:
    try:
        return to_default(value.item() if isinstance(value, np.generic) else value)  # pyright: ignore[reportUnknownMemberType]
    except FrontendError:
        return UNFIT
