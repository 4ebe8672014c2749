"""`make_tensor`: tensors of random values for tests; a seed gives PyTorch's (torch/testing/_creation.py)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, cast

from torchscript_dialect import torch
from torchscript_dialect.tensor.dtype import dtype as DType
from torchscript_dialect.tensor.tensor import Tensor


def make_tensor(
    *shape: Any,
    dtype: DType,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A tensor of values between `low`, which is included, and `high`, which is not: of both truth values, of unsigned integers from 0
    to 9, of other integers from -9 to 9, and of floats and both parts of complex numbers from -9 to 9, unless they are given. One that
    is `noncontiguous` is every second element of another; instead of zeros there may be the least positive normal number.

    Raises:
        ValueError: the range is empty, or has nothing of the dtype; integers are to require gradients; `noncontiguous` is asked for
            beside a memory format.
        TypeError: of a dtype for which there is none.
    """
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, "
            f"but got {noncontiguous=} and {memory_format=}"
        )
    is_inexact = dtype.is_floating_point or dtype.is_complex
    if requires_grad and not is_inexact:
        raise ValueError(
            "`requires_grad=True` is not supported for boolean and integral dtypes, "
            f"but got {dtype=}"
        )
    sizes = list(cast("Sequence[int]", shape))
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        sizes = list(cast("Sequence[int]", shape[0]))
    has_gaps = noncontiguous and math.prod(sizes) > 1
    if has_gaps:
        sizes[-1] *= 2
    bounds = _bounds(dtype, low, high)
    made = (_uniform if is_inexact else _integers)(sizes, dtype, device, *bounds)
    if has_gaps:
        made = made[..., 1::2]
    elif memory_format is not None:
        made = made.clone(memory_format=memory_format)
    if exclude_zero:
        made[made == 0] = torch.finfo(dtype).tiny if is_inexact else 1
    if is_inexact and dtype.itemsize > 1:
        return made.requires_grad_(requires_grad)
    return made


def _bounds(dtype: DType, low: float | None, high: float | None) -> tuple[float, float]:
    """The range within what the dtype has."""
    is_inexact = dtype.is_floating_point or dtype.is_complex
    if is_inexact:
        least, beyond, usual = torch.finfo(dtype).min, torch.finfo(dtype).max, (-9, 9)
    elif dtype is torch.bool:
        least, beyond, usual = 0, 2, (0, 2)
    else:
        info = torch.iinfo(dtype)
        least, beyond, usual = info.min, info.max + (dtype is not torch.int64), (-9, 10)
    low, high = usual[0] if low is None else low, usual[1] if high is None else high
    if math.isnan(low) or math.isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and is_inexact and dtype.itemsize > 1:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is "
            "deprecated since 2.1 and will be removed in 2.3. Use `torch.full(...)` instead.",
            FutureWarning,
            stacklevel=3,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < least or low >= beyond:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), "
            f"but {dtype} only supports [{least}, {beyond})"
        )
    low, high = (min(max(bound, least), beyond) for bound in (low, high))
    return (low, high) if is_inexact else (math.ceil(low), math.ceil(high))


def _integers(sizes: list[int], dtype: DType, device: Any, low: float, high: float) -> Tensor:
    return torch.randint(low, high, sizes, device=device, dtype=dtype)


def _uniform(sizes: list[int], dtype: DType, device: Any, low: float, high: float) -> Tensor:
    drawn = torch.float32 if dtype.itemsize == 1 else dtype
    made = torch.empty(sizes, device=device, dtype=drawn)
    parts = torch.view_as_real(made) if dtype.is_complex else made
    if high - low >= torch.finfo(drawn).max:  # a range that no number of the dtype tells
        parts.uniform_(low / 2, high / 2).mul_(2)
    else:
        parts.uniform_(low, high)
    return made.to(dtype)
