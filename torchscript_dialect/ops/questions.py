"""Questions about tensors, and assertions: what traces and exported graphs hold of the checks of a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.layout import (
    channels_last,
    channels_last_3d,
    memory_format,
)
from torchscript_dialect.tensor.storage import data_pointer, root
from torchscript_dialect.tensor.strides import (
    element_strides,
    is_non_overlapping_and_dense,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor

# Conjugates and negatives are computed at once, and a tensor has one process.
registry.implement("is_conj is_neg is_distributed is_inference", lambda x: False)


@registry.kernel("is_non_overlapping_and_dense")
def is_dense(x: Tensor) -> bool:
    return is_non_overlapping_and_dense(x.array.shape, element_strides(x.array))


@registry.kernel("is_strides_like_format")
def is_strides_like(x: Tensor, wanted: int) -> bool:
    found = memory_format(wanted)
    likely = suggest_memory_format(x.array.shape, element_strides(x.array))
    return likely == found and found in (channels_last, channels_last_3d)


@registry.kernel("is_set_to")
def is_set_to(x: Tensor, other: Tensor) -> bool:
    """Whether both are the same elements of the same memory."""
    a, b = x.array, other.array
    if root(a) is not root(b) or data_pointer(a) != data_pointer(b):
        return False
    return a.shape == b.shape and element_strides(a) == element_strides(b)


# Assertions


def _assert(condition: Any, message: str) -> None:
    if not condition:
        raise RuntimeError(message)


registry.implement("_assert_scalar", _assert, effects=Effect.ACTS)


@registry.kernel("_assert_tensor_metadata", effects=Effect.ACTS)
def assert_metadata(
    x: Tensor,
    sizes: Sequence[int] | None,
    strides: Sequence[int] | None,
    wanted: int | None,
    device: Device | None,
    layout: int | None,
) -> None:
    """Raises RuntimeError where the tensor is not what a graph was made for."""
    found = list(x.array.shape), list(element_strides(x.array))
    for what, expected, got in zip(("sizes", "strides"), (sizes, strides), found):
        if expected is not None:
            _assert(
                list(expected) == got,
                f"Tensor {what} mismatch! Expected: {list(expected)}, Got: {got}",
            )
    if wanted is not None:
        expected = dtypes.from_scalar_type(wanted)
        _assert(
            expected is x.dtype,
            f"Tensor dtype mismatch! Expected: {expected.type_name}, Got: {x.dtype.type_name}",
        )
    if device is not None:
        _assert(str(device) == "cpu", f"Tensor device mismatch! Expected: {device}, Got: cpu")
    _assert(not layout, f"Tensor layout mismatch! Expected: {layout}, Got: Strided")
