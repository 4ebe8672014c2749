"""Tensors that are made of Python values while a program is traced, recorded as PyTorch's traces show them."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def fresh_in_trace(data: Any, dtype: Any, device: Any) -> Tensor:
    """`torch.tensor(data, dtype=dtype, device=device)`."""
    if isinstance(data, Tensor):
        moved = _moved(call("aten::detach", (data,)), dtype, device, True)
    else:
        moved = _moved(tensor_of(as_tensor(data, dtype).array.copy()), None, device, False)
    return call("aten::detach", (moved,))


def shared_in_trace(data: Any, dtype: Any, device: Any) -> Tensor:
    """`torch.as_tensor(data, dtype, device)`."""
    if isinstance(data, Tensor):
        return _moved(data, dtype, device, False)
    return _moved(as_tensor(data, dtype), None, device, False)


def _moved(tensor: Tensor, dtype: Any, device: Any, is_copied: bool) -> Tensor:
    where = tensor.device if device is None else Device(device)
    element = tensor.dtype if dtype is None else dtypes.as_dtype(dtype)
    return call("aten::to", (tensor, where, element, False, is_copied))
