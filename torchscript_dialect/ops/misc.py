"""Operators that pass values through or ask about the program rather than about data."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.strings import as_text
from torchscript_dialect.tensor.tensor import Tensor


@registry.kernel("prim::unchecked_cast prim::Guard prim::awaitable_nowait prim::awaitable_wait")
def same(value: Any) -> Any:
    return value


@registry.kernel("_unwrap_optional prim::unchecked_unwrap_optional")
def unwrap_optional(value: Any) -> Any:
    """The value; RuntimeError for None."""
    if value is None:
        raise RuntimeError("Unwrapping null optional")
    return value


@registry.kernel("prim::TupleIndex")
def tuple_index(values: tuple[Any, ...], index: int) -> Any:
    if not -len(values) <= index < len(values):
        raise RuntimeError("Tuple index out of range")
    return values[index]


registry.kernel("prim::IfThenElse")(lambda condition, x, y: x if condition else y)


@registry.kernel("prim::abs")
def absolute(x: Tensor) -> Tensor:
    found = registry.find("aten::abs")
    assert found is not None
    assert found.kernel is not None
    return found.kernel(x)


@registry.kernel("warn", has_side_effects=True)
def warn(message: str, stacklevel: int) -> None:
    warnings.warn(message, stacklevel=stacklevel)


@registry.kernel("prim::Print", has_side_effects=True)
def print_(*values: Any) -> None:
    sys.stdout.write(" ".join(map(as_text, values)) + "\n")


registry.kernel("is_scripting")(lambda: True)
registry.kernel("_get_tracing_state")(lambda: False)
registry.kernel("is_grad_enabled")(lambda: False)
registry.kernel("has_torch_function")(lambda: False)
registry.kernel("is_autocast_enabled is_autocast_cpu_enabled")(lambda: False)
registry.kernel("prim::AutogradAnyNonZero")(lambda *values: any(v is not None for v in values))
registry.kernel("prim::AutogradAllZero")(lambda *values: all(v is None for v in values))
registry.kernel("prim::AutogradAllNonZero")(lambda *values: all(v is not None for v in values))
registry.kernel("prim::AutogradZero")(lambda: None)


@registry.kernel("prim::AutogradAdd")
def autograd_add(a: Any, b: Any) -> Any:
    """The sum of two gradients, None standing for zero."""
    if a is None or b is None:
        return b if a is None else a
    found = registry.find("aten::add.Tensor")
    assert found is not None
    assert found.kernel is not None
    return found.kernel(a, b, 1)
