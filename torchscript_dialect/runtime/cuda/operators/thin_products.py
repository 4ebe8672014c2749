"""Products of two matrices whose result is small beside what is multiplied: of few columns, of few tiles and a long K, of nothing."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda.driver import driver
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import element_strides
from torchscript_dialect.tensor.tensor import Tensor

FEW = 4
"""Rows of a product that warps do by columns: `lowering.gpu.few_rows.ROWS`."""
TILE = 64
"""Rows and columns of the smallest tile: `lowering.gpu.product_tile`."""
SHORTEST = 1024
"""The shortest piece of K that is worth a block of its own."""
PIECE = 16
"""Of what pieces of K are multiples, so that they begin where rows may be loaded at once."""


def thin_product(x: Tensor, y: Tensor) -> Any:
    """`aten::mm`; NOTHING where one kernel does it as well."""
    a, b = x.array, y.array
    if a.ndim != 2 or b.ndim != 2 or x.dtype is not y.dtype or not x.dtype.is_floating_point:
        return NOTHING
    (rows, depth), columns = a.shape, b.shape[1]
    if b.shape[0] != depth:
        return NOTHING
    if not rows * depth * columns:
        return x.new_zeros([rows, columns])
    if columns <= FEW < rows and element_strides(a)[1] == 1:
        found = call("aten::mm", (y.t().contiguous(), x.t()))
        return found.t().contiguous()
    tiles = -(-rows // TILE) * -(-columns // TILE)
    pieces = min(driver().processors // tiles, depth // SHORTEST)
    if pieces < 2 or rows <= FEW or x.dtype not in (dtypes.float32, dtypes.float64):
        return NOTHING
    return _in_pieces(x, y, -(-depth // (pieces * PIECE)) * PIECE)


def _in_pieces(x: Tensor, y: Tensor, length: int) -> Tensor:
    """The sum of the products of pieces of K that are so long, and of what is left."""
    depth = x.array.shape[1]
    count = depth // length
    whole, left = count * length, depth % length
    rows = call("aten::unflatten", (x.narrow(1, 0, whole), 1, [count, length])).transpose(0, 1)
    columns = call("aten::unflatten", (y.narrow(0, 0, whole), 0, [count, length]))
    total = rows.bmm(columns).sum([0])
    if left:
        total.add_(x.narrow(1, whole, left).mm(y.narrow(0, whole, left)))
    return total
