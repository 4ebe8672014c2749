"""Functions that NumPy does not have, computed in float64 and rounded once, as pointwise operators. They have no compiled form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops.arithmetic import not_implemented_for
from torchscript_dialect.ops.pointwise import pointwise
from torchscript_dialect.ops.pointwise_declaration import INT_TO_FLOAT

Function = Callable[..., Any]
where: Callable[..., Any] = np.where
"""NumPy's, whose stubs leave its type open."""


def wide_function(
    names: str,
    function: Function,
    kernel_name: str,
    refuses: tuple[str, ...] = ("half", "complex"),
    **known: Any,
) -> None:
    """Declare pointwise operators by a function of float64 arrays; integers are cast to the default dtype.

    The message about dtypes of the kinds in `refuses` (`not_implemented_for`) names `kernel_name`. `known` are other properties.
    """

    def body(_m: Any, *values: Any) -> Any:
        arrays = [value for value in values if hasattr(value, "dtype")]
        element = np.result_type(*arrays)
        wide = [np.asarray(v, np.float64) if hasattr(v, "dtype") else v for v in values]
        return np.asarray(function(*wide)).astype(element)

    known.setdefault("check", not_implemented_for(kernel_name, *refuses))
    pointwise(names, INT_TO_FLOAT, body, numpy_only=True, **known)
