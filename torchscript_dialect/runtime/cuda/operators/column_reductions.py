"""Reductions of dimensions behind which others come, as `x.sum(0)`: by the kernel of `lowering/gpu/column_reduction.py`, which reads an
array as it lies there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import cast

from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

FEWEST_COLUMNS = 8
"""Where there are fewer, a copy in which they are rows is reduced."""
WIDTH = 32
"""Columns of a block."""
ENOUGH = 512
"""Blocks: where columns do not make as many, pieces of rows do."""
LEAST = 256
"""Rows of a piece, at least."""
READ = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)


def columns_reduced(name: str, x: Tensor, axes: Sequence[int], wanted: int | None) -> Tensor | None:
    """What an operator makes of neighbouring dimensions, which are not the last ones, without them; None where this kernel does not."""
    types = _TYPES.get(name)
    array = cast("DeviceArray", x.array)
    first, end = axes[0], axes[-1] + 1
    columns = prod(array.shape[end:])
    if types is None or list(axes) != list(range(first, end)) or end == array.ndim:
        return None
    if x.dtype not in READ or not array.flags.c_contiguous or not array.size:
        return None
    way, of = types
    combined, result = of(x.dtype, dtype_of(wanted))
    if columns < FEWEST_COLUMNS or result not in READ or (way == "mean" and result not in _FLOATS):
        return None
    if (x.dtype in _FLOATS) != (combined in _FLOATS):
        return None
    shape = prod(array.shape[:first]), prod(array.shape[first:end]), columns
    found = _reduced(way, array, shape, (combined, result))
    return tensor_of(found.reshape((*array.shape[:first], *array.shape[end:])))


def dtype_of(wanted: int | None) -> dtype | None:
    """The dtype that a call asks for by its number, if it asks for one."""
    return None if wanted is None else dtypes.from_scalar_type(wanted)


def _reduced(
    way: str, array: DeviceArray, shape: tuple[int, int, int], types: tuple[dtype, dtype]
) -> DeviceArray:
    """What is made of the middle one of three dimensions, by pieces of rows where there are few columns."""
    outer, rows, columns = shape
    combined = types[0]
    blocks = outer * -(-columns // WIDTH)
    pieces = max(min(ENOUGH // blocks, rows // LEAST), 1)
    if pieces == 1:
        return _launched(way, array, shape, 1, types)
    of_pieces = "add" if way == "mean" else way
    parts = _launched(of_pieces, array, shape, pieces, (combined, combined))
    return _launched(way, parts, (outer, pieces, columns), 1, types, rows)


def _launched(
    way: str,
    array: DeviceArray,
    shape: tuple[int, int, int],
    pieces: int,
    types: tuple[dtype, dtype],
    count: int | None = None,
) -> DeviceArray:
    """One launch: (outer, pieces, columns) elements. A mean is over a count, that of rows if none is given."""
    outer, rows, columns = shape
    combined, result = types
    made = memory().empty((outer, pieces, columns), result.numpy_dtype)
    each = -(-rows // pieces)
    blocks = outer * pieces * -(-columns // WIDTH)
    words = [blocks, rows, columns, pieces, each, count or rows]
    source = dtypes.from_name(array.dtype.name)
    memory().launch(
        "column_reduction", (way, source, combined, result), blocks, [array, made], words
    )
    return made


def types_of_sum(given: dtype, wanted: dtype | None) -> tuple[dtype, dtype]:
    """As what elements are added up, and that of the sum: floats in float64, rounded once."""
    result = wanted or (given if given.is_floating_point else dtypes.int64)
    return (dtypes.float64 if result.is_floating_point else result), result


def types_of_product(given: dtype, wanted: dtype | None) -> tuple[dtype, dtype]:
    """The same of a product, of floats in float32 at least: a wider one would let what overflows come back."""
    result = wanted or (given if given.is_floating_point else dtypes.int64)
    return opmath(result), result


def _same(given: dtype, _: dtype | None) -> tuple[dtype, dtype]:
    return opmath(given), given


_FLOATS = READ[:4]
_TYPES: dict[str, tuple[str, Callable[[dtype, dtype | None], tuple[dtype, dtype]]]] = {
    "aten::sum": ("add", types_of_sum),
    "aten::mean": ("mean", types_of_sum),
    "aten::prod": ("mul", types_of_product),
    "aten::amax": ("max", _same),
    "aten::amin": ("min", _same),
}
"""What elements are combined by, and as which types of which results."""
