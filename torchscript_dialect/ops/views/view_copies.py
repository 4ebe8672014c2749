"""Copies of views: `slice_copy` is `slice` on memory of its own, in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import by_running
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_OF_ANOTHER_DTYPE = ("view_as_complex", "view_as_real", "view.dtype")


def _each(function: Callable[[Tensor], Tensor], value: Tensor | list[Tensor]) -> Any:
    return function(value) if isinstance(value, Tensor) else [function(item) for item in value]


def in_order(x: Tensor) -> Tensor:
    """A contiguous copy."""
    copy = np.empty(x.array.shape, x.array.dtype)
    copy[...] = x.array
    return tensor_of(copy)


def _without_elements(x: Tensor) -> Tensor:
    return tensor_of(np.empty(x.array.shape, x.array.dtype))


def view_copy(name: str, of: str, check: Callable[..., None] | None = None) -> None:
    """Declare the copy `aten::{name}` of the view `aten::{of}`; `check` raises what the copy alone does."""
    found = registry.find(f"aten::{of}")
    assert found is not None

    def view(*operands: Any) -> Any:
        kernel = found.kernel
        assert kernel is not None
        if check is not None:
            check(*operands)
        return kernel(*operands)

    def without_elements(*operands: Any) -> Any:
        return _each(_without_elements, view(*operands))

    looks = by_running(
        without_elements,
        gives_list=registry.texts()[f"aten::{name}"].endswith("[]"),
    )

    def kernel(*operands: Any) -> Any:
        return _each(in_order, view(*operands))

    registry.implement(name, kernel, shape=None if of in _OF_ANOTHER_DTYPE else looks)


def _check_narrow(x: Tensor, dim: int, *_: Any) -> None:
    if x.array.ndim and dim >= x.array.ndim:
        raise RuntimeError(
            "Expected dim < static_cast<int64_t>(self_sizes.size()) to be true, but got false."
        )


for _name in (
    "alias as_strided detach diagonal expand permute select.int slice.Tensor split.Tensor split_with_sizes squeeze"
    " squeeze.dim squeeze.dims t transpose.int unbind.int unfold unsqueeze view_as_complex view_as_real view.dtype"
).split():
    _base, _, _overload = _name.partition(".")
    view_copy(f"{_base}_copy{'.' if _overload else ''}{_overload}", _name)
view_copy("narrow_copy", "narrow", _check_narrow)
view_copy("view_copy", "reshape")
view_copy("_reshape_copy", "reshape")
