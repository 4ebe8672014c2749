"""Tensors between host and device: copies of operands and results, and writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.driver import CudaError
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.device_array import DeviceArray, use_device
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap, has_internal_overlap
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of, tensors_in


def check_device(wanted: device) -> None:
    """Refuse devices that nothing can be on.

    Raises:
        RuntimeError: it is no CUDA device, or there is no such one.
        CudaError: there is none at all.
    """
    if wanted.type != "cuda":
        raise RuntimeError(f"tensors live on the cpu and on cuda devices only, not on '{wanted}'")
    if memory().device.index != (wanted.index or 0):
        raise CudaError(f"there is no device {wanted} that can be used: only {memory().device}")


def to_device(tensor: Tensor, wanted: device) -> Tensor:
    """The tensor on a device; RuntimeError or CudaError where it cannot be."""
    if wanted.type == "cpu":
        array = tensor.array
        return tensor_of(array.on_host()) if array.__class__ is DeviceArray else tensor  # type: ignore[attr-defined]
    use_device()
    check_device(wanted)
    if tensor.array.__class__ is DeviceArray:
        return tensor
    return tensor_of(memory().from_host(tensor.array))


def of_dtype(tensor: Tensor, wanted: dtype) -> Tensor:
    """The tensor with another dtype, where it is."""
    if tensor.dtype is wanted:
        return tensor
    operator = registry.find("aten::to.dtype")
    assert operator is not None and operator.placed is not None
    return operator.placed(tensor, wanted.scalar_type, False, False, None)


def assign(target: Tensor, source: Tensor) -> None:
    """Write the elements of a tensor, which broadcasts, to one on the device. Where elements of that are one in memory, the first of
    those for it is written.
    """
    source = of_dtype(source, target.dtype)
    if source.array.__class__ is DeviceArray and np.may_share_memory(target.array, source.array):
        source = tensor_of(source.array.copy())
    written, values = cast("DeviceArray", target.array), source.array
    if has_internal_overlap(written):
        once = tuple(slice(None if stride else 1) for stride in written.strides)
        written, values = written[once], np.broadcast_to(values, written.shape)[once]
    memory().assign(written, values)


def on_one_device(
    operands: Sequence[Any], writes: Sequence[int], *, takes_numbers: bool
) -> Sequence[Any]:
    """The operands, with tensors of one number on the device, too, where an operator takes such.

    Raises:
        RuntimeError: other tensors are on the host, or one that is written to.
    """
    found = [one for operand in operands for one in tensors_in(operand)]
    if not any(one.array.__class__ is DeviceArray for one in found):
        return operands
    hosts = [one for one in found if one.array.__class__ is not DeviceArray]
    written = [one for place in writes for one in tensors_in(operands[place])]
    are_written = any(one is each for one in hosts for each in written)
    if are_written or any(one.array.ndim or not takes_numbers for one in hosts):
        names = list(dict.fromkeys(str(one.device) for one in found))
        raise RuntimeError(
            f"Expected all tensors to be on the same device, but found at least two devices, {names[0]} and {names[1]}!"
        )
    if not hosts:
        return operands
    return [_placed(operand) for operand in operands]


def _placed(operand: Any) -> Any:
    if operand.__class__ is list:
        return [_placed(item) for item in operand]
    if isinstance(operand, Tensor) and operand.array.__class__ is not DeviceArray:
        return tensor_of(memory().from_host(operand.array))
    return operand


def in_order(operands: Sequence[Any]) -> list[Any] | None:
    """The operands with elements in the order of their indices; None where they all are."""
    changed = False

    def ordered(operand: Any) -> Any:
        nonlocal changed
        if operand.__class__ is list:
            return [ordered(item) for item in operand]
        if isinstance(operand, Tensor) and not operand.array.flags.c_contiguous:
            changed = True
            return tensor_of(operand.array.copy())
        return operand

    found = [ordered(operand) for operand in operands]
    return found if changed else None


Copies = dict[int, tuple[Tensor, Tensor]]
"""Copies of tensors and these, by the identities of the latter."""


def host_copy(operand: Any, copies: Copies) -> Any:
    """The operand with copies in the place of tensors on the device."""
    if operand.__class__ is list:
        return [host_copy(item, copies) for item in operand]
    if not (isinstance(operand, Tensor) and operand.array.__class__ is DeviceArray):
        return operand
    if id(operand) not in copies:
        copies[id(operand)] = (tensor_of(operand.array.on_host()), operand)  # type: ignore[attr-defined]
    return copies[id(operand)][0]


def write_back(original: Tensor, copy: Tensor, before: np.ndarray[Any, Any]) -> None:
    """Let a tensor on the device be what became of its copy, whose array was `before`.

    Raises:
        RuntimeError: elements of the tensor share memory.
    """
    if copy.array is before:
        assert_no_internal_overlap(original.array)
        memory().assign(cast("DeviceArray", original.array), copy.array)
    else:
        give_array(original, memory().from_host(copy.array))


def back(result: Any, originals: dict[int, Tensor], wanted: device | None) -> Any:
    """What a kernel of the host gave, on the device: operands themselves where it gave their copies."""
    if isinstance(result, Tensor):
        found = originals.get(id(result))
        return to_device(result, wanted or memory().device) if found is None else found
    if isinstance(result, list):
        return [back(one, originals, wanted) for one in cast("list[Any]", result)]
    if isinstance(result, tuple):
        return tuple(back(one, originals, wanted) for one in cast("tuple[Any, ...]", result))
    return result
