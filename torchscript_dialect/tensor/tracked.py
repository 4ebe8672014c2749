"""Tensors that require gradients: how operators and calls tell them from others.

Note [Tracked tensors]
A tensor that requires a gradient is of the class `TrackedTensor`, whose instances are laid out as those of `Tensor`: a tensor
begins or ceases to be one by another `__class__`. Fast paths of operators and native calls test for the very class `Tensor`, so
that they serve tensors without gradients at the cost that they always had, and leave tracked ones to who records them
(`Operator.recorded`). Kernels never see a tracked tensor. Before anything in the process has required a gradient, nothing is
recorded at all, neither views nor writes: `is_in_use` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

from numpy.typing import NDArray

from torchscript_dialect.tensor.grad_state import is_grad_enabled
from torchscript_dialect.tensor.parameters import mark_as
from torchscript_dialect.tensor.tensor import (
    Tensor,
    array_for_deep_copy,
    copy_what_is_beside,
    tensor_of,
)
from torchscript_dialect.tensor.versions import is_watched


class TrackedTensor(Tensor):
    """A tensor that requires a gradient; see Note [Tracked tensors]. What is known of its history is in `autograd`."""

    __slots__ = ()

    def numpy(self, *, force: bool = False) -> NDArray[Any]:
        """The array with `force`, or where gradients are off; else RuntimeError: nobody follows what is done to an array."""
        if force or not is_grad_enabled():
            return super().numpy(force=True)
        raise RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.numpy()

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        raise RuntimeError(
            "Can't get __cuda_array_interface__ on Variable that requires grad. If gradients aren't required, use "
            "var.detach() to get Variable that doesn't require grad."
        )

    def __iter__(self) -> Iterator[Tensor]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __repr__(self) -> str:
        node = self.grad_fn
        history = (
            "requires_grad=True" if node is None else f"grad_fn=<{node.name().rpartition('::')[2]}>"
        )
        return self._text(history)

    def __copy__(self) -> Tensor:
        copied = self.view_as(self)
        copied.__dict__.update(self.__dict__)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
            )
        if id(self) not in memo:
            copied = tensor_of(array_for_deep_copy(self, memo)).requires_grad_()
            mark_as(copied, self)
            memo[id(self)] = copied
            copy_what_is_beside(self, copied, memo)
        return memo[id(self)]

    def __reduce__(self) -> tuple[Any, ...]:
        make, state, *attributes = super().__reduce__()
        return (_rebuild_tracked, (make, state), *attributes)


def _rebuild_tracked(make: Callable[..., Tensor], state: tuple[Any, ...]) -> Tensor:
    return make(*state).requires_grad_()


TrackedTensor.__name__ = TrackedTensor.__qualname__ = "Tensor"
TrackedTensor.__module__ = Tensor.__module__


class _Use:
    is_on: bool = False


_listeners: list[Callable[[], None]] = []
"""What has to hear that gradients are in use."""


def is_in_use() -> bool:
    """Whether a tensor of this process has ever required a gradient."""
    return _Use.is_on


def when_used(listener: Callable[[], None]) -> None:
    """Call `listener` when the first tensor of the process requires a gradient."""
    _listeners.append(listener)


def begin_use() -> None:
    """Tell everybody that calls have to look at the classes of their tensors from now on."""
    if not _Use.is_on:
        _Use.is_on = True
        for listener in _listeners:
            listener()


def track(tensor: Tensor) -> None:
    """Let a tensor require gradients."""
    begin_use()
    tensor.__class__ = TrackedTensor


def untrack(tensor: Tensor) -> None:
    """Let a tensor require none any more. Sparse ones, quantized ones and those of subclasses are no `TrackedTensor`."""
    if tensor.__class__ is TrackedTensor:
        tensor.__class__ = Tensor


_EMPTY = frozenset((Tensor, int, float, bool, str, complex, type(None)))
"""Classes of most values, which hold no others: modules have hundreds of them, and are looked through in every call."""


def contained(value: Any) -> Iterable[Any]:
    """The runtime values in a container or object."""
    if value.__class__ in _EMPTY:
        return ()
    if getattr(cast("type[Any]", type(value)), "__torchscript_fields__", None) is not None:
        return value.__torchscript_fields__.values()
    if isinstance(value, (list, tuple)):
        return cast("Iterable[Any]", value)
    if isinstance(value, dict):
        return cast("dict[Any, Any]", value).values()
    return ()


def holds_tracked(value: Any) -> bool:
    """Whether a runtime value is a tracked tensor, or a container or object that holds one."""
    if value.__class__ is TrackedTensor:
        return True
    is_list = value.__class__ is list or value.__class__ is tuple
    for item in value if is_list else contained(value):
        class_ = item.__class__
        if class_ is TrackedTensor or (class_ not in _EMPTY and holds_tracked(item)):
            return True
    return False


def holds_watched(value: Any) -> bool:
    """Whether a runtime value is a tensor on memory that is watched, or a container or object that holds one."""
    if value.__class__ is Tensor or value.__class__ is TrackedTensor:
        return is_watched(value.array)
    return any(map(holds_watched, contained(value)))


def without_history(value: Any) -> Any:
    """The value; of a tensor that requires gradients one on the same memory that does not, of a list, tuple or dictionary that holds
    some a copy with such tensors.
    """
    class_: Any = value.__class__
    if class_ is TrackedTensor:
        return tensor_of(value.array)
    if class_ in _EMPTY or not holds_tracked(value):
        return value
    if class_ is dict:
        return dict(zip(value, map(without_history, value.values()), strict=True))
    copied = map(without_history, value)
    return class_(*copied) if hasattr(class_, "_fields") else class_(copied)
