"""Python values as constants of graphs and as default values of parameters: numbers, dtypes, devices."""

from __future__ import annotations

import enum
from typing import Any, cast

from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.python.qualified_names import qualified_python_name
from torchscript_dialect.frontend.sugared.torch_names import LAYOUTS, MEMORY_FORMATS
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.layout import layout, memory_format
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import DictType, ListType, OptionalType
from torchscript_dialect.types.core import BOOL, COMPLEX, DEVICE, FLOAT, INT, STR, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.errors import FrontendError


def to_constant(obj: Any) -> tuple[Any, TorchScriptType | None]:
    """The value and type of the constant that a Python value is in graphs; no type if it cannot be one."""
    if isinstance(obj, (layout, memory_format)):
        return int(obj), INT
    if obj is None or isinstance(obj, (bool, int, float, complex, str)):
        if isinstance(obj, enum.Enum):
            return obj, None
        if isinstance(obj, int) and not isinstance(obj, bool):
            return int(obj), INT  # a subclass shows itself otherwise
        return obj, type_of_constant(obj)
    if isinstance(obj, dtypes.dtype):
        return obj.scalar_type, INT
    if isinstance(obj, Device):
        return str(obj), DEVICE
    torch = pytorch_state.loaded()
    if torch is None:
        return obj, None
    if isinstance(obj, torch.dtype):
        return dtypes.number_of(str(obj).rpartition(".")[2]), INT
    if isinstance(obj, torch.device):
        return str(obj), DEVICE
    if isinstance(obj, (torch.layout, torch.memory_format)):
        name = str(obj).rpartition(".")[2]
        return {**LAYOUTS, **MEMORY_FORMATS}[name], INT
    return obj, None


def valid_constant(obj: Any, path: str) -> Any:
    """What a constant of a module is: as it is read of the compiled module, and printed.

    Raises:
        TypeError: no constant of a module is such a value; `path` is where it was found.
    """
    kind: type[Any] = obj.__class__
    if isinstance(obj, (list, tuple)):
        return tuple(valid_constant(part, path) for part in cast("list[Any]", obj))
    value, type_ = to_constant(obj)
    if isinstance(obj, enum.Enum) or kind.__name__ == "qscheme":
        return obj
    if type_ in (None, COMPLEX):
        raise TypeError(
            f"'{kind.__module__}.{kind.__qualname__}' object in attribute '{path}' is not a valid constant.\n"
            "Constants are numbers, strings, None, devices, dtypes, layouts, and lists and tuples of them"
        )
    return obj if type_ == DEVICE else value


def is_any_tensor(obj: Any) -> bool:
    """Whether a value is a tensor, ours or PyTorch's."""
    torch = pytorch_state.loaded()
    return isinstance(obj, Tensor) or (torch is not None and isinstance(obj, torch.Tensor))


def may_be(value: Any, type_: TorchScriptType) -> bool:
    """False where a Python value is certainly none of the type."""
    if isinstance(type_, OptionalType):
        return value is None or may_be(value, type_.element)
    if isinstance(type_, ListType):
        return isinstance(value, (list, tuple)) and all(
            may_be(item, type_.element) for item in cast("list[Any]", value)
        )
    if isinstance(type_, DictType):
        return isinstance(value, dict) and all(
            may_be(key, type_.key) and may_be(item, type_.value)
            for key, item in cast("dict[Any, Any]", value).items()
        )
    if isinstance(type_, TensorType):
        return not isinstance(value, (bool, int, float, complex, str, list, dict, tuple))
    if type_ in (INT, FLOAT, BOOL, STR) and isinstance(value, (str, list, dict, tuple)):
        return isinstance(value, str) and type_ == STR
    return type_ != STR or isinstance(value, str)


def to_default(obj: Any) -> Any:
    """The default value of a parameter as graphs have it."""
    value, type_ = to_constant(obj)
    if type_ is not None:
        return value
    if isinstance(obj, enum.Enum):
        return EnumMember(qualified_python_name(type(obj)), obj.name, obj.value)
    if is_any_tensor(obj):
        return as_tensor(obj)
    if isinstance(obj, (list, tuple)):
        parts = [to_default(part) for part in cast("list[Any]", obj)]
        return parts if isinstance(obj, list) else tuple(parts)
    raise FrontendError(f"a {type(obj).__name__} cannot be the default value of a parameter")
