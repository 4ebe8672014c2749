"""What Python functions get that are written against PyTorch: tensors of PyTorch, and modules that have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from torchscript_dialect.runtime.values.objects import ScriptObject, object_of
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import from_dlpack
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import SparseTensor


def tensor_for_pytorch(value: Tensor, torch: Any) -> Any:
    """A tensor of PyTorch's over the same memory, without the history of gradients."""
    if isinstance(value, SparseTensor):
        places, elements = (
            tensor_for_pytorch(tensor_of(part), torch) for part in (value.places, value.elements)
        )
        return torch.sparse_coo_tensor(
            places,
            elements,
            value.sizes,
            check_invariants=False,
            is_coalesced=value.is_unique or None,
        )
    array = value.array
    # no bfloat16 and the like; and NumPy forgets the strides of what is empty
    is_known = array.__class__ is np.ndarray and array.dtype.kind != "V" and array.size > 0
    return torch.from_numpy(array) if is_known else torch.from_dlpack(tensor_of(array))


def mapped(value: Any, give: Callable[[Any], Any]) -> Any:
    """A value with what `give` makes of it, or where it is a container, of what it contains."""
    match value:
        case list():
            return [mapped(item, give) for item in cast(list[Any], value)]
        case dict():
            items = cast(Mapping[Any, Any], value).items()
            return {key: mapped(item, give) for key, item in items}
        case tuple():
            make: Any = getattr(cast(Any, value), "_make", tuple)
            return make([mapped(item, give) for item in cast(tuple[Any, ...], value)])
        case _:
            return give(value)


def as_given(changed: Any, given: Sequence[Any]) -> Any:
    """What a hook made of the arguments of a call: of tensors of PyTorch's such tensors again, so that the call is one of PyTorch's, as
    it is without the hook.
    """
    torch = pytorch_state.loaded()
    if torch is None or not _holds(given, torch.Tensor):
        return changed
    return mapped(
        changed,
        lambda one: tensor_for_pytorch(one, torch) if one.__class__ is Tensor else one,
    )


def _holds(value: Any, class_: type[Any]) -> bool:
    if isinstance(value, dict):
        value = list(cast("dict[Any, Any]", value).values())
    if isinstance(value, (list, tuple)):
        return any(_holds(one, class_) for one in cast("Sequence[Any]", value))
    return isinstance(value, class_)


def to_pytorch(value: Any, torch: Any, give: Callable[[Tensor], Any]) -> Any:
    """A value as PyTorch has it: its tensors are those that `give` makes of them, and so are those of modules."""

    def one(value: Any) -> Any:
        if isinstance(value, Tensor):
            return give(value)
        own = object_of(value)
        is_module = isinstance(own, ScriptObject) and own.view is value
        return ModuleForPyTorch(value, torch, give) if is_module else value

    return mapped(value, one)


class ModuleForPyTorch:
    """A module in the hands of a function that is written against PyTorch."""

    def __init__(self, module: Any, torch: Any, give: Callable[[Tensor], Any]) -> None:
        vars(self).update(
            __torchscript_object__=object_of(module), _module=module, _torch=torch, _give=give
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._module, name)
        if callable(found) and object_of(found) is found:
            return partial(self._called, found)
        return to_pytorch(found, self._torch, self._give)

    def __setattr__(self, name: str, value: Any) -> None:
        is_tensor = isinstance(value, self._torch.Tensor)
        setattr(self._module, name, from_dlpack(value.detach()) if is_tensor else value)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self._called(self._module, *args, **kwargs)

    def _called(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return to_pytorch(function(*args, **kwargs), self._torch, self._give)
