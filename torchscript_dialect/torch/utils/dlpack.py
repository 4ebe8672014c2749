"""`torch.utils.dlpack`: tensors over the memory of other libraries' arrays, and the other way."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor.conversion import from_dlpack
from torchscript_dialect.tensor.tensor import Tensor


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule that another library takes once."""
    return tensor.__dlpack__()


__all__ = ["from_dlpack", "to_dlpack"]
