"""`torch.FloatTensor` and its like: what made tensors before dtypes were said, and what tensors are asked for (torch/csrc/tensor)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from torchscript_dialect.ops.eager.recording import RECORDING
from torchscript_dialect.ops.eager.tensors_in_traces import legacy_in_trace
from torchscript_dialect.runtime.cuda.driver import is_available
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.legacy import legacy_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.absent_names import absent

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


NAMES = frozenset(_DTYPES)


class _TensorType(type):
    """The type of such a class: an instance is a tensor of its dtype."""

    dtype: dtype
    device = "cpu"

    @property
    def __torchscript_constructor__(cls) -> bool:
        """Whether programs can make tensors with it."""
        return cls.device == "cpu"

    def __instancecheck__(cls, instance: object) -> bool:
        if not isinstance(instance, Tensor) or instance.dtype is not cls.dtype:
            return False
        return instance.device.type == cls.device

    def __call__(cls, *data: Any) -> Tensor:
        """A tensor of a sequence, of sizes, or the tensor itself.

        Raises:
            TypeError: the data is none of these, or a tensor of another dtype.
        """
        if RECORDING.recorder is not None:
            return legacy_in_trace(cls.dtype, cls.device, data)
        if cls.device == "cpu":
            return legacy_tensor(cls.dtype, *data)
        if not is_available():
            raise TypeError(
                f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled."
            )
        if len(data) == 1 and isinstance(data[0], Tensor):
            if isinstance(data[0], cls):
                return data[0].detach()
            raise TypeError(f"expected a tensor of type torch.cuda.{cls.__name__}")
        return legacy_tensor(cls.dtype, *data).to(cls.device)


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
        raise absent("torch", name)
    made = globals()[name] = _made(name, "torch", "cpu")
    return made


def _made(name: str, module: str, device: str) -> Any:
    fields = {"dtype": from_name(_DTYPES[name]), "__module__": module, "device": device}
    return _TensorType(name, (), fields)


@lru_cache(maxsize=len(NAMES))
def on_devices(name: str) -> Any:
    """`torch.cuda.FloatTensor` and its like."""
    return _made(name, "torch.cuda", "cuda")
