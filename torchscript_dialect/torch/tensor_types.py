"""`torch.FloatTensor` and its like: what made tensors before dtypes were said, and what tensors are asked for (torch/csrc/tensor)."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.legacy import legacy_tensor
from torchscript_dialect.tensor.tensor import Tensor

_DTYPES = {
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "BFloat16Tensor": "bfloat16",
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ShortTensor": "int16",
    "CharTensor": "int8",
    "ByteTensor": "uint8",
    "BoolTensor": "bool",
}


class _TensorType(type):
    """The type of such a class: an instance is a tensor of its dtype."""

    dtype: dtype

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype

    def __call__(cls, *data: Any) -> Tensor:
        """A tensor of a sequence, of sizes, or the tensor itself.

        Raises:
            TypeError: the data is none of these, or a tensor of another dtype.
        """
        return legacy_tensor(cls.dtype, *data)


def typename(obj: Any) -> str:
    """The name of an object's type with its module; that of a tensor tells its dtype."""
    if isinstance(obj, Tensor):
        return str(obj.type())
    kind: Any = obj if isinstance(obj, type) else type(obj)
    module = kind.__module__.removeprefix("torchscript_dialect.")
    return (
        kind.__qualname__ if module in ("builtins", "__builtin__") else f"{module}.{kind.__name__}"
    )


def __getattr__(name: str) -> Any:
    if name not in _DTYPES:
        raise AttributeError(f"module 'torch' has no attribute '{name}'")
    fields = {"dtype": from_name(_DTYPES[name]), "__module__": "torch"}
    made = globals()[name] = _TensorType(name, (), fields)
    return made
