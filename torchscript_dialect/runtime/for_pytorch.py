"""What Python functions get that are written against PyTorch: tensors of PyTorch, and modules that have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from torchscript_dialect.runtime.objects import ScriptObject, object_of
from torchscript_dialect.tensor.conversion import from_dlpack
from torchscript_dialect.tensor.tensor import Tensor


def to_pytorch(value: Any, torch: Any) -> Any:
    """A value as PyTorch has it: its tensors are PyTorch's, over the same memory, and so are those of modules."""
    match value:
        case Tensor():
            is_known = value.array.dtype.kind != "V"  # no bfloat16 and the like
            return torch.from_numpy(value.array) if is_known else torch.from_dlpack(value)
        case list():
            return [to_pytorch(item, torch) for item in cast(list[Any], value)]
        case dict():
            items = cast(Mapping[Any, Any], value).items()
            return {key: to_pytorch(item, torch) for key, item in items}
        case tuple():
            make: Any = getattr(cast(Any, value), "_make", tuple)
            return make(to_pytorch(item, torch) for item in cast(tuple[Any, ...], value))
        case _:
            is_module = (
                isinstance(object_of(value), ScriptObject) and object_of(value).view is value
            )
            return ModuleForPyTorch(value, torch) if is_module else value


class ModuleForPyTorch:
    """A module in the hands of a function that is written against PyTorch."""

    def __init__(self, module: Any, torch: Any) -> None:
        vars(self).update(__torchscript_object__=object_of(module), _module=module, _torch=torch)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._module, name)
        if callable(found) and object_of(found) is found:
            return partial(_called, found, self._torch)
        return to_pytorch(found, self._torch)

    def __setattr__(self, name: str, value: Any) -> None:
        is_tensor = isinstance(value, self._torch.Tensor)
        setattr(self._module, name, from_dlpack(value.detach()) if is_tensor else value)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return _called(self._module, self._torch, *args, **kwargs)


def _called(function: Callable[..., Any], torch: Any, *args: Any, **kwargs: Any) -> Any:
    return to_pytorch(function(*args, **kwargs), torch)
