"""`torch.utils.dlpack`: tensors over the memory of other libraries' arrays, and the other way."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor import conversion
from torchscript_dialect.tensor.dlpack import Exporter
from torchscript_dialect.tensor.tensor import Tensor


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor over the memory of an object that speaks DLPack, or of a capsule of the CPU's memory, which it takes."""
    is_object = hasattr(ext_tensor, "__dlpack__")
    return conversion.from_dlpack(ext_tensor if is_object else Exporter(ext_tensor))


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule that another library takes once."""
    return tensor.__dlpack__()


__all__ = ["from_dlpack", "to_dlpack"]
