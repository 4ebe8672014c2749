"""`torch.utils.dlpack`: tensors over the memory of other libraries' arrays, and the other way."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor import conversion
from torchscript_dialect.tensor.tensor import Tensor


class _Capsule:
    """What NumPy asks for, around a capsule of memory of the CPU."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor over the memory of an object that speaks DLPack, or of a capsule of the CPU's memory, which it takes."""
    is_object = hasattr(ext_tensor, "__dlpack__")
    return conversion.from_dlpack(ext_tensor if is_object else _Capsule(ext_tensor))


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule that another library takes once."""
    return tensor.__dlpack__()


__all__ = ["from_dlpack", "to_dlpack"]
