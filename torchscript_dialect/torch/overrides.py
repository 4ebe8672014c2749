"""`torch.overrides`, as far as functions of one's own ask it (PyTorch: torch/overrides.py).

A class overrides functions by its `__torch_function__`. Compiled programs see no such objects, and leave out what is for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.absent_names import absent

_OPERATOR = "aten::has_torch_function"


def _overrides(value: Any) -> bool:
    return not isinstance(value, Tensor) and hasattr(cast("Any", type(value)), "__torch_function__")


def has_torch_function(relevant_args: Iterable[Any], /) -> bool:
    """Whether the class of one of these overrides functions."""
    return any(map(_overrides, relevant_args))


def has_torch_function_unary(relevant_arg: Any, /) -> bool:
    """Whether the class of an object overrides functions."""
    return _overrides(relevant_arg)


def has_torch_function_variadic(*relevant_args: Any) -> bool:
    """Whether the class of one of the arguments overrides functions."""
    return has_torch_function(relevant_args)


for _known in (has_torch_function, has_torch_function_unary, has_torch_function_variadic):
    _known.__torchscript_op__ = _OPERATOR  # type: ignore[attr-defined]


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """What the first override of a function gives that is implemented, a subclass before the class.

    Raises:
        TypeError: none is implemented.
    """
    kinds: list[Any] = []
    for kind in map(type, filter(_overrides, relevant_args)):
        if kind not in kinds:
            above = (place for place, known in enumerate(kinds) if issubclass(kind, known))
            kinds.insert(next(above, len(kinds)), kind)
    types = tuple(kinds)
    for kind in types:
        result: Any = kind.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    raise TypeError(
        f"no implementation found for '{public_api.__module__}.{public_api.__name__}' on types that"
        f" implement __torch_function__: {list(types)}"
    )


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor, or its class overrides functions."""
    return isinstance(inp, Tensor) or _overrides(inp)


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)
