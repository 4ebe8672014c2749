"""`torch.onnx.operators`: shapes as tensors, which a trace keeps (PyTorch: torch/onnx/operators.py)."""

from __future__ import annotations

from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor

_shape_as_tensor = function("_shape_as_tensor")
_reshape_from_tensor = function("_reshape_from_tensor")


def shape_as_tensor(x: Tensor) -> Tensor:
    """The sizes of a tensor."""
    return _shape_as_tensor(x)


def reshape_from_tensor_shape(x: Tensor, shape: Tensor) -> Tensor:
    """The tensor in the shape that another one holds."""
    return _reshape_from_tensor(x, shape)


__all__ = ["reshape_from_tensor_shape", "shape_as_tensor"]
