"""Pooling by windows that random numbers place, on the device: all windows are read at once (PyTorch:
aten/src/ATen/native/cuda/FractionalMaxPool2d.cu).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.pooling.pool_gradients import fractional_windows
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.pooling import returned
from torchscript_dialect.runtime.cuda.operators.rearranged import numbers
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor


def _starts(samples: Tensor, size: int, count: int, width: int) -> Tensor:
    """Where `count` windows of `width` elements begin in each plane (planes, count), by its random number (planes, 1)."""
    step = (size - width) / max(count - 1, 1)
    at = numbers(count - 1, [1, count - 1]).to(samples.dtype)
    first = at.add(samples).mul(step).to(dtypes.int64)
    first = first.sub(samples.mul(step).to(dtypes.int64))
    last = first.new_full([samples.array.shape[0], 1], size - width)
    return call("aten::cat", ([first, last], 1))


def _pool(rank: int) -> Callable[..., Any]:
    def run(
        x: Tensor, kernel: Sequence[int], output_size: Sequence[int], samples: Tensor
    ) -> tuple[Tensor, Tensor]:
        kernel, counts = fractional_windows(rank, x, tuple(kernel), tuple(output_size), samples)
        sizes = x.array.shape[-rank:]
        planes = x.array.size // prod(sizes)
        chances = samples.reshape([-1, rank]).narrow(0, 0, planes)
        chances = chances.flip([1]) if rank == 2 else chances  # of the width first
        places = x.new_zeros([planes, *[1] * (2 * rank)], dtype=dtypes.int64)
        for axis, (size, count, width) in enumerate(zip(sizes, counts, kernel, strict=True)):
            starts = _starts(chances.narrow(1, axis, 1), size, count, width)
            windows, within = [1] * rank, [1] * rank
            windows[axis], within[axis] = count, width
            at = starts.view([planes, *windows, *[1] * rank])
            at = at.add(numbers(width, [1, *[1] * rank, *within]))
            places = places.mul(size).add(at)
        of_windows = places.view([planes, prod(counts), prod(kernel)])
        flat = x.reshape([planes, prod(sizes)])
        found = flat.gather(1, of_windows.view([planes, -1])).view(of_windows.shape)
        number = numbers(prod(kernel), [prod(kernel)]).add(1)
        missing = found.isnan().to(dtypes.int64).mul(number).amax([-1])  # the last one is taken
        best = missing.sub(1).where(missing.gt(0), found.argmax(-1)).unsqueeze(-1)
        shape = [*x.array.shape[:-rank], *counts]
        return found.gather(-1, best).view(shape), of_windows.gather(-1, best).view(shape)

    return run


FRACTIONAL_POOLING: dict[str, Callable[[Any, Sequence[Any]], Any]] = {}
for _rank in (2, 3):
    FRACTIONAL_POOLING[f"aten::fractional_max_pool{_rank}d"] = own(_pool(_rank))
    FRACTIONAL_POOLING[f"aten::fractional_max_pool{_rank}d_backward"] = own(returned(_rank))
