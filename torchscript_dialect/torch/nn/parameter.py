"""`torch.nn.Parameter` and `Buffer`: tensors that a module which gets them as attributes counts among its own."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.autograd.history import share_counter
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.parameters import BUFFER, PARAMETER, TRANSIENT_BUFFER, is_of, mark
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


class _Kind(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        kind = vars(cls).get("KIND")  # a subclass is none: what it makes is a `Parameter`
        return kind is not None and is_of(instance, kind)


def _marked(data: Any, kind: str) -> Tensor:
    given = as_tensor([] if data is None else data)
    result = share_counter(tensor_of(given.array), given)
    mark(result, kind)
    return result


def mark_parameter(tensor: Tensor) -> None:
    """Let `isinstance(tensor, Parameter)` be true."""
    mark(tensor, PARAMETER)


class Parameter(metaclass=_Kind):
    """`Parameter(data)` is a `Tensor` over the same memory, which requires a gradient; `isinstance(x, Parameter)` knows it again.

    Raises:
        RuntimeError: it requires a gradient, and is of a dtype that has none.
    """

    __torchscript_tensor__ = True
    KIND = PARAMETER

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Tensor:  # pyright: ignore[reportInconsistentConstructor]
        made = _marked(data, PARAMETER)
        return made.requires_grad_() if requires_grad else made


class Buffer(metaclass=_Kind):
    """`Buffer(data)` is a plain `Tensor` over the same memory, which becomes a buffer of the module it is given to."""

    __torchscript_tensor__ = True
    KIND = BUFFER

    def __new__(cls, data: Any = None, *, persistent: bool = True) -> Tensor:  # pyright: ignore[reportInconsistentConstructor]
        result = _marked(data, BUFFER)
        if not persistent:
            mark(result, TRANSIENT_BUFFER)
        return result


def is_persistent(buffer: Tensor) -> bool:
    """Whether `state_dict` shows a buffer that was made by `Buffer`."""
    return not is_of(buffer, TRANSIENT_BUFFER)


class UninitializedParameter:
    """The place of a parameter whose shape the first input of a lazy module tells."""

    kind = Parameter

    def __init__(self, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> None:
        self.device = device
        self.dtype = dtype
        self.requires_grad = requires_grad

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> Tensor:
        """A tensor of this shape, to stand in the place; its elements are not set."""
        from torchscript_dialect import torch

        made = torch.empty(list(shape), dtype=dtype or self.dtype, device=device or self.device)
        return self.kind(made).requires_grad_(self.requires_grad)

    def convert(self, fn: Callable[[Tensor], Tensor]) -> None:
        """Let the tensor have the dtype and device that `fn` gives tensors."""
        from torchscript_dialect import torch

        made = fn(torch.empty(0, dtype=self.dtype, device=self.device))
        self.dtype, self.device = made.dtype, made.device

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class UninitializedBuffer(UninitializedParameter):
    """The place of a buffer whose shape the first input of a lazy module tells."""

    kind = Buffer

    def __init__(
        self,
        requires_grad: bool = False,
        device: Any = None,
        dtype: Any = None,
        persistent: bool = True,
    ) -> None:
        super().__init__(requires_grad, device, dtype)
        self.persistent = persistent


def is_lazy(param: Any) -> bool:
    """Whether the shape is still to be told."""
    return isinstance(param, UninitializedParameter)
