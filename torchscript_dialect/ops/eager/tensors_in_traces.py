"""Tensors that are made of Python values while a program is traced, recorded as PyTorch's traces show them."""

from __future__ import annotations

from typing import Any

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.eager.recording import recording
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.layout import strided
from torchscript_dialect.tensor.legacy import array_of_data, sizes_of
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def fresh_in_trace(data: Any, dtype: Any, device: Any) -> Tensor:
    """`torch.tensor(data, dtype=dtype, device=device)`."""
    if isinstance(data, Tensor):
        moved = _moved(call("aten::detach", (data,)), dtype, device, True)
    elif isinstance(data, np.ndarray):
        moved = _moved(lifted(as_tensor(data)), dtype, device, True)
    else:
        moved = _moved(tensor_of(as_tensor(data, dtype).array.copy()), None, device, False)
    return call("aten::detach", (moved,))


def shared_in_trace(data: Any, dtype: Any, device: Any) -> Tensor:
    """`torch.as_tensor(data, dtype, device)`."""
    if isinstance(data, Tensor):
        return _moved(data, dtype, device, False)
    if isinstance(data, np.ndarray):
        return _moved(lifted(as_tensor(data)), dtype, device, False)
    return _moved(as_tensor(data, dtype), None, device, False)


def lifted(tensor: Tensor) -> Tensor:
    """A tensor over memory of the caller's as a value of the trace."""
    return call("aten::lift_fresh", (tensor,))


def legacy_in_trace(element: dtypes.dtype, device: Any, data: tuple[Any, ...]) -> Tensor:
    """`torch.FloatTensor(*data)`, `x.new(*data)`: of sizes, which are those of this run, a tensor that each call makes anew."""
    if len(data) == 1 and isinstance(data[0], Tensor):
        return call("aten::alias", data)
    with recording(None):
        sizes = sizes_of(data)
    if sizes is None:
        (value,) = data
        if isinstance(value, np.ndarray):
            return shared_in_trace(value, element, device)
        return _moved(tensor_of(array_of_data(element, value)), None, device, False)
    options = {"dtype": element, "layout": strided, "device": device, "pin_memory": None}
    return call("aten::empty", (sizes,), options)


def _moved(tensor: Tensor, dtype: Any, device: Any, is_copied: bool) -> Tensor:
    where = tensor.device if device is None else Device(device)
    element = tensor.dtype if dtype is None else dtypes.as_dtype(dtype)
    return call("aten::to", (tensor, where, element, False, is_copied))
