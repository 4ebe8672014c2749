"""Questions about tensors, and assertions: what traces and exported graphs hold of the checks of a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, preserved
from torchscript_dialect.ops.views.views import clone
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.layout import (
    channels_last,
    channels_last_3d,
    memory_format,
)
from torchscript_dialect.tensor.overlap import has_internal_overlap
from torchscript_dialect.tensor.storage import data_pointer, root
from torchscript_dialect.tensor.strides import (
    element_strides,
    is_non_overlapping_and_dense,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.types.tensor_type import TensorProperties

INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1

# Conjugates and negatives are computed at once, and a tensor has one process.
registry.implement("is_conj is_neg is_distributed _is_zerotensor", lambda x: False)

# No memory is pinned, and no other library runs operators.
registry.implement("is_pinned", lambda x, device: False)
registry.implement("cudnn_is_acceptable", lambda x: False)
registry.implement(
    "is_vulkan_available _use_cudnn_rnn_flatten_weight _nnpack_available", lambda: False
)


@registry.kernel("_has_compatible_shallow_copy_type")
def has_compatible_type(x: Tensor, other: Tensor) -> bool:
    """Whether both are of a kind: strided, or with the same other layout."""
    return _kind(x) is _kind(other)


def _kind(x: Tensor) -> type:
    return x.__class__ if isinstance(x, UnstridedTensor) else Tensor


@registry.kernel("_has_same_storage_numel")
def has_same_storage_size(x: Tensor, other: Tensor) -> bool:
    """Whether the memory of both, beyond what they show of it, holds the same number of elements."""
    counts = [root(each.array).nbytes // each.array.itemsize for each in (x, other)]
    return counts[0] == counts[1]


@registry.kernel("_debug_has_internal_overlap")
def debug_internal_overlap(x: Tensor) -> int:
    """1 where two elements lie at one address, 0 where none do, 2 where it is hard to tell."""
    if has_internal_overlap(x.array):
        return 1
    return 0 if is_non_overlapping_and_dense(x.array.shape, element_strides(x.array)) else 2


registry.implement(
    "sym_is_contiguous", lambda x, format: x.is_contiguous(memory_format(format or 0))
)


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


@registry.kernel("sym_constrain_range", effects=Effect.ACTS)
def constrain_range(size: Any, low: int | None, high: int | None) -> None:
    """Raises RuntimeError where a number is not between the bounds that a graph was made for."""
    least = INT64_MIN if low is None else low
    most = INT64_MAX if high is None else high
    _assert(
        most >= least,
        f"Max must be greater than or equal to min. Got min={least} max={most}",
    )
    _assert(
        least <= int(size) <= most,
        f"Invalid value range for {int(size)} between [{least}, {most}].",
    )


@registry.kernel("sym_constrain_range_for_size", effects=Effect.ACTS)
def constrain_size(size: Any, low: int | None, high: int | None) -> None:
    """The same for the size of a dimension, which is not negative."""
    _assert(
        high is None or high > 2,
        f"Max value to constrain_range_for_size must be greater than 2. got: {high}",
    )
    constrain_range(size, 0 if low is None else low, high)


def _assert_true(condition: Any, message: str) -> None:
    _assert(condition, message or "Assertion is failed")


# Exported graphs keep assertions in order by a tensor that they hand on.


def _like_token(facts: Sequence[Fact]) -> Fact:
    token = facts[-1]
    return preserved(dtype_of(token), token) if isinstance(token, TensorProperties) else NOTHING


def _handing_on(check: Callable[..., None]) -> Callable[..., Tensor]:
    def kernel(*operands: Any) -> Tensor:
        *given, token = operands
        check(*given)
        return clone(token, None)

    return kernel


registry.implement("_functional_assert_scalar", _handing_on(_assert_true), shape=_like_token)
registry.implement("_functional_assert_async.msg", _handing_on(_assert_true), shape=_like_token)
registry.implement(
    "_functional_sym_constrain_range", _handing_on(constrain_range), shape=_like_token
)
registry.implement(
    "_functional_sym_constrain_range_for_size", _handing_on(constrain_size), shape=_like_token
)


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
