"""`aten::segment_reduce` on the device. The bounds of segments are looked at by the host, which waits for them, as PyTorch's does; a
thread goes through a column of each segment (`lowering/gpu/segments.py`).
"""

from __future__ import annotations

from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.reduction import segments
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.segments import combine_segments
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

WAYS = {"sum": "add", "mean": "add", "prod": "mul", "max": "max", "amax": "max", "min": "min", "amin": "min"}  # fmt: skip
"""What combines elements, in the words of the kernel."""


def _segment_reduce(
    data: Tensor,
    reduce: str,
    lengths: Tensor | None,
    indices: Tensor | None,
    offsets: Tensor | None,
    axis: int,
    unsafe: bool,
    initial: Any,
) -> Any:
    if reduce not in WAYS or not data.dtype.is_floating_point or not data.array.size:
        return NOTHING  # the kernel of the host says why
    if data.dtype.itemsize < 4:
        return NOTHING  # which rounds every step
    axis = wrap_dim(axis, data.array.ndim)
    sizes_of, at, ends = (None if one is None else one.cpu() for one in (lengths, indices, offsets))
    bounds = segments.bounds_of(data.array, sizes_of, at, ends, axis, unsafe)
    batch, count = prod(bounds.shape[:-1]), bounds.shape[-1] - 1
    starts = bounds.reshape(batch, count + 1)
    sizes = np.maximum(starts[:, 1:] - starts[:, :-1], 0).reshape(-1)
    firsts = (starts[:, :-1] + data.array.shape[axis] * np.arange(batch)[:, None]).reshape(-1)
    owners: NDArray[Any] = np.repeat(np.arange(batch * count, dtype=np.int64), sizes)
    before = np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = np.repeat(firsts, sizes) + np.arange(owners.size) - before
    shape = [*bounds.shape[:-1], count, *data.array.shape[axis + 1 :]]
    columns = prod(data.array.shape[axis + 1 :])
    start = segments.COMBINE[reduce][1] if initial is None else initial
    made = data.new_full([batch * count, columns], start)
    if owners.size and columns:
        rows: Tensor = data.contiguous().view([-1, columns])
        target, source = (cast("DeviceArray", one.array) for one in (made, rows))
        combine_segments(WAYS[reduce], target, _there(owners), _there(order), source)
    if reduce == "mean":
        divisors = sizes if initial is None else np.maximum(sizes, 1)
        made = made.div(_there(divisors.astype(data.array.dtype).reshape(-1, 1)))
    return made.view(shape)


def _there(array: NDArray[Any]) -> Tensor:
    return transfers.to_device(tensor_of(array), memory().device)


SEGMENT_REDUCTION = {"aten::segment_reduce": own(_segment_reduce)}
