"""NumPy's functions over tensors on the device: what kernels of the host compute of elements with NumPy alone, devices compute by the
same text, each function by the operator that is it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor

Function = Callable[..., Any]


class Elements(NDArrayOperatorsMixin):
    """A tensor that NumPy's functions take for an array."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.tensor.array.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.tensor.array.shape

    def __iter__(self) -> Iterator[Elements]:
        return (Elements(self.tensor.select(0, place)) for place in range(self.shape[0]))

    def __bool__(self) -> bool:
        return bool(self.tensor.item())

    def any(self) -> Elements:
        return Elements(self.tensor.any())

    def astype(self, element: DTypeLike) -> Elements:
        wanted = dtypes.from_name(np.dtype(element).name)
        return Elements(call("aten::to", (self.tensor, wanted)))

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        run = _UFUNCS.get(ufunc.__name__)
        if run is None or method != "__call__" or options:
            return NotImplemented
        return Elements(run(*map(_operand, inputs)))

    def __array_function__(
        self, func: Any, types: Any, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        run = _FUNCTIONS.get(func.__name__)
        return NotImplemented if run is None else run(*args, **kwargs)


class Stack(NDArrayOperatorsMixin):
    """Arrays of one shape as one, with another dimension in front or behind, which is taken apart again: nothing is copied."""

    __slots__ = ("is_behind", "parts")

    def __init__(self, parts: Sequence[Elements], *, is_behind: bool) -> None:
        self.parts = parts
        self.is_behind = is_behind

    def __iter__(self) -> Iterator[Elements]:
        assert not self.is_behind
        return iter(self.parts)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        """With numbers alone."""
        found = [
            ufunc(*(place if one is self else one for one in inputs), **options)
            for place in self.parts
        ]
        return Stack(found, is_behind=self.is_behind)

    def __array_function__(
        self, func: Any, types: Any, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        if func is not np.moveaxis or args[1:] != (-1, 0) or not self.is_behind:
            return NotImplemented
        return Stack(self.parts, is_behind=False)


def _operand(value: Any) -> Any:
    """What an operator takes for what NumPy does: a number for one of NumPy's."""
    if isinstance(value, Elements):
        return value.tensor
    return cast("Any", value).item() if isinstance(value, (np.generic, np.ndarray)) else value


def _named(name: str) -> Function:
    def run(*operands: Any) -> Any:
        return call(f"aten::{name}", operands)

    return run


def _between(name: str) -> Function:
    """What Python's operator gives."""
    return getattr(operator, name)


_UFUNCS: dict[str, Function] = {
    "add": _between("add"),
    "subtract": _between("sub"),
    "multiply": _between("mul"),
    "divide": _between("truediv"),
    "power": _between("pow"),
    "equal": _between("eq"),
    "not_equal": _between("ne"),
    "less": _between("lt"),
    "less_equal": _between("le"),
    "greater": _between("gt"),
    "greater_equal": _between("ge"),
    "bitwise_and": _between("and_"),
    "bitwise_or": _between("or_"),
    "invert": _named("bitwise_not"),
    "negative": _named("neg"),
    "absolute": _named("abs"),
    "rint": _named("round"),
    **{
        name: _named(name)
        for name in "floor trunc exp log sin tan fmod remainder isfinite isnan isinf copysign".split()
    },
}
"""By the names of NumPy's functions of elements."""


def _where(condition: Elements, x: Any, y: Any) -> Elements:
    """`np.where`, whose numbers are float64 or int64 where both are numbers."""
    given = [_operand(one) for one in (x, y)]
    if not any(isinstance(one, Tensor) for one in given):
        element = dtypes.float64 if float in map(type, given) else dtypes.int64
        given[0] = call("aten::full_like", (condition.tensor, given[0]), {"dtype": element})
    return Elements(call("aten::where", (condition.tensor, *given)))


def _like(name: str) -> Function:
    def run(x: Elements, *value: Any) -> Elements:
        return Elements(call(f"aten::{name}", (x.tensor, *map(_operand, value))))

    return run


def _stack(parts: Sequence[Elements], axis: int = 0) -> Stack:
    return Stack(parts, is_behind=axis == -1)


def _clip(x: Elements, least: Any, most: Any) -> Elements:
    return Elements(x.tensor.clamp(_operand(least), _operand(most)))


def _broadcast_arrays(*arrays: Any) -> list[Elements]:
    like = next(one.tensor for one in arrays if isinstance(one, Elements))
    tensors = [
        one.tensor
        if isinstance(one, Elements)
        else like.new_full([], _operand(one), dtype=dtypes.from_name(one.dtype.name))
        for one in arrays
    ]
    return [
        Elements(one) for one in cast("list[Tensor]", call("aten::broadcast_tensors", (tensors,)))
    ]


_FUNCTIONS: dict[str, Function] = {
    "where": _where,
    "zeros_like": _like("zeros_like"),
    "ones_like": _like("ones_like"),
    "full_like": _like("full_like"),
    "isposinf": _like("isposinf"),
    "stack": _stack,
    "clip": _clip,
    "broadcast_arrays": _broadcast_arrays,
}
"""By the names of NumPy's other functions."""
