"""`torch.autograd.forward_ad`: programs ask for the tangents of tensors. None has one: `torch.func.jvp` goes another way, see there."""

from __future__ import annotations

from typing import Any, NamedTuple

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.absent_names import absent

__all__ = ["UnpackedDualTensor", "unpack_dual"]


class UnpackedDualTensor(NamedTuple):
    """A tensor, and its derivative in a direction."""

    primal: Tensor
    tangent: Tensor | None


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The tensor, without a tangent."""
    return UnpackedDualTensor(tensor, None)


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)
