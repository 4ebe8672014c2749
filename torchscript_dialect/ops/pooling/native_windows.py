"""Pooling in native code, once many elements were pooled: the kernels of `runtime/kernels/handwritten/window_kernels.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from torchscript_dialect.ops.native_code import NativeCode
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.tensor.tensor import Tensor

NATIVE = NativeCode("torchscript_dialect.runtime.kernels.handwritten.window_kernels", 1 << 16)
"""Counts elements of windows, borders, rows and classes."""
FEW = 1 << 13
"""Elements up to which native code takes less time than what NumPy does with vectors."""
_BYTES = {"f": 4, "d": 8}
"""Of the dtypes that there are kernels for, by NumPy's character."""


class Windows(NamedTuple):
    """Windows of tensors of one shape: what describes them to kernels, and the shape of what each gives an element to."""

    numbers: Tensor
    pooled: tuple[int, ...]

    @staticmethod
    def of(
        shape: Sequence[int],
        counts: Sequence[int],
        fields: Sequence[Sequence[int]] = (),
        divisor: int | None = None,
        counts_padding: bool = False,
    ) -> Windows:
        """From `fields`, kernel, stride, padding and dilation; without them they are even."""
        lead = len(shape) - len(counts)
        given = [shape[lead:], counts, *fields]
        numbers = NATIVE.module.numbers_of(given, divisor or 0, counts_padding)
        return Windows(numbers, (*shape[:lead], *counts))


@planned
def _usual_strides(shape: tuple[int, ...]) -> Mapping[str, tuple[int, ...]]:
    """The strides in bytes of contiguous arrays, by dtype."""
    strides = contiguous_strides(shape)
    return {dtype: tuple(s * size for s in strides) for dtype, size in _BYTES.items()}


def has_usual_strides(x: Tensor) -> bool:
    """Whether a tensor has elements, of a dtype that there are kernels for, which lie in order."""
    array = x.array
    if not array.size or array.dtype.char not in _BYTES:
        return False
    return array.strides == _usual_strides(array.shape)[array.dtype.char]


def are_native(x: Tensor) -> bool:
    """Whether windows of a tensor may be gone over natively: it has usual strides, as results then do, and many were pooled before."""
    if not has_usual_strides(x):
        return False
    return NATIVE.for_work(x.array.size) is not None


def are_few_native(x: Tensor) -> bool:
    """The same, where NumPy goes over windows with vectors."""
    return x.array.size <= FEW and are_native(x)


def over_windows(kind: str, x: Tensor, windows: Windows, rank: int) -> Any:
    """What a kernel gives for windows of a tensor that may be gone over natively; None where it does not do it."""
    return NATIVE.module.over_windows(kind, x, windows.numbers, rank)


def spread(kind: str, grad: Tensor, x: Tensor, windows: Windows, rank: int) -> Tensor | None:
    """To each element of `x`, which may be gone over natively, the gradients of its windows; None where no kernel does it."""
    if grad.array.shape != windows.pooled:
        return None
    return NATIVE.module.over_windows(kind, grad, windows.numbers, rank, x)


def returned(grad: Tensor, x: Tensor, places: Tensor, rank: int) -> Tensor | None:
    """Gradients at the places of elements of `x`, which may be gone over natively; None where no kernel does it."""
    return NATIVE.module.returned(grad, x, places, rank)
