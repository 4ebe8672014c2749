"""`torch.nn.Parameter`: a tensor that a module which gets it as an attribute counts among its parameters."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_known: WeakValueDictionary[int, Tensor] = WeakValueDictionary()


class _ParameterType(type):
    def __instancecheck__(cls, instance: Any) -> bool:
        return instance is not None and _known.get(id(instance)) is instance


class Parameter(metaclass=_ParameterType):
    """`Parameter(data)` is a plain `Tensor` over the same memory; `isinstance(x, Parameter)` knows it again."""

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Tensor:  # pyright: ignore[reportInconsistentConstructor]
        result = tensor_of(as_tensor([] if data is None else data).array)
        _known[id(result)] = result
        return result
