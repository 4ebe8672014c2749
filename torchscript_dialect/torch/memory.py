"""`torch.asarray`, `torch.frombuffer` and `torch.to_dlpack`: tensors over memory that somebody else has made, and for others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor.conversion import as_tensor, from_dlpack
from torchscript_dialect.tensor.dtype import as_dtype, get_default_dtype
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """A tensor over the memory of `obj` where that is possible, or, with `copy`, never or always another's.

    Raises:
        ValueError: it has to be copied, and `copy` is false.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    if _is_memory(obj):
        of_all = frombuffer(obj, dtype=get_default_dtype() if wanted is None else wanted)
        return asarray(of_all, device=device, copy=copy, requires_grad=requires_grad)
    if type(obj).__name__ == "PyCapsule":
        obj = from_dlpack(obj)
    if isinstance(obj, (int, float, complex, Sequence)):
        if copy is False:
            raise ValueError("can't alias arbitrary sequence into a tensor.")
        result = as_tensor(obj, wanted)
    else:
        result = as_tensor(obj)
        element = result.dtype if wanted is None else wanted
        if copy is False and element is not result.dtype:
            raise ValueError(
                f"can't alias tensor with dtype '{result.dtype.type_name}' into dtype '{element.type_name}'."
            )
        if copy:
            result = call("aten::clone", (result,))
        if element is not result.dtype:
            result = call("aten::to", (result, element))
    if device is not None:
        result = result.to(device)
    if requires_grad is None or requires_grad == result.requires_grad:
        return result
    return result.detach().requires_grad_(requires_grad)


def _is_memory(obj: Any) -> bool:
    """Whether an object that is no tensor and no array has bytes to share."""
    if isinstance(obj, (Tensor, str)) or hasattr(obj, "__array__"):
        return False
    try:
        memoryview(obj).release()
    except TypeError:
        return False
    return True


def frombuffer(
    buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """A tensor of one dimension over the memory of `buffer`: `count` elements from byte `offset` on, or all.

    Raises:
        ValueError: the object has no memory to give, or none of these elements there.
    """
    try:
        data = np.frombuffer(memoryview(buffer).cast("B"), np.uint8) if len(buffer) else None
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    length, size = (0 if data is None else data.size), as_dtype(dtype).itemsize
    if data is None or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
    rest = length - offset
    if count < 0 and rest % size:
        raise ValueError(
            f"buffer length ({rest} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
        )
    number = rest // size if count < 0 else count
    if number * size > rest:
        raise ValueError(
            f"requested buffer length ({number} * {size} bytes) after offset ({offset} bytes) must not be greater than actual"
            f" buffer length ({length} bytes)"
        )
    array = data[offset : offset + number * size].view(as_dtype(dtype).numpy_dtype)
    result = tensor_of(array)
    return result.requires_grad_() if requires_grad else result


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule that shares the memory, as `tensor.__dlpack__()` gives it."""
    return tensor.__dlpack__()


__all__ = ["asarray", "frombuffer", "to_dlpack"]
