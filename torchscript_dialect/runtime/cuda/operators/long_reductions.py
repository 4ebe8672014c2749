"""Reductions of rows so long, and so few, that a block for each would leave most of a device idle: rows are cut into pieces, which
blocks reduce, and then their results are. The order is always the same, so results are. One row is cut by the kernel itself
(`lowering/gpu/split_stages.py`), where it lies in one piece. Columns have a kernel of their own (`column_reductions.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime.cuda.operators.column_reductions import (
    columns_reduced,
    dtype_of,
    types_of_product,
    types_of_sum,
)
from torchscript_dialect.tensor.tensor import Tensor, wrap_dim

LONG = 1 << 15
"""Elements of a row from which on it is cut."""
WIDTH = 1 << 12
"""Elements of a piece."""
FEW = 128
"""Rows from which on blocks do one each, however long these are."""

NOTHING = object()
"""What is given where a reduction is not done in pieces."""


def in_pieces(operator: Operator, operands: Sequence[Any]) -> Any:
    """What a reduction of long rows, or of columns, gives, with the dimensions that it leaves; NOTHING for another one."""
    reduce = _REDUCTIONS.get(operator.name)
    x = operands[0]
    if reduce is None or not isinstance(x, Tensor) or x.dtype.is_complex:
        return NOTHING
    if not x.array.size or not x.array.ndim:
        return NOTHING
    given = dict(zip((one.name for one in operator.schema.arguments), operands))
    if not given.keys() <= {"self", "dim", "keepdim", "dtype"} or len(operator.schema.returns) != 1:
        return NOTHING
    dims: Any = given.get("dim")
    shape = x.array.shape
    rank = len(shape)
    axes = [
        wrap_dim(dim, rank)
        for dim in (cast("list[int]", dims) if isinstance(dims, list) else [dims or 0])
    ]
    if dims is None or dims == []:
        axes = list(range(rank))
    axes.sort()
    columns = columns_reduced(operator.name, x, axes, given.get("dtype")) if axes else None
    if columns is not None:
        kept = [1 if axis in axes else size for axis, size in enumerate(shape)]
        return columns.view(kept) if given.get("keepdim") else columns
    first = rank - len(axes)
    rows = prod(shape[:first])
    if axes != list(range(first, rank)) or x.array.size < LONG * rows or rows >= FEW:
        return NOTHING
    if rows == 1:
        assert operator.placed is not None
        return NOTHING if x.is_contiguous() else operator.placed(x.contiguous(), *operands[1:])
    result: Tensor = reduce(x.contiguous().view([rows, -1]), given.get("dtype"))
    kept = [1] * len(axes) if given.get("keepdim") else []
    return result.view([*shape[:first], *kept])


def _pieces(x: Tensor) -> list[Tensor]:
    """Rows as pieces of one width, and what is left of each."""
    rows, length = x.array.shape
    whole = length // WIDTH * WIDTH
    pieces = [x.slice(1, 0, whole).reshape([rows, length // WIDTH, WIDTH])]
    return pieces if whole == length else [*pieces, x.slice(1, whole, length).unsqueeze(1)]


def _joined(parts: list[Tensor]) -> Tensor:
    """The columns of tensors beside each other."""
    cat = registry.find("aten::cat")
    assert cat is not None and cat.placed is not None
    return cat.placed(parts, 1)


def _twice(reduce: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """What reduces pieces along their last dimension, and then their results."""

    def run(x: Tensor) -> Tensor:
        found = [reduce(piece) for piece in _pieces(x)]
        return reduce(found[0] if len(found) == 1 else _joined(found))

    return run


def _sum(x: Tensor, wanted: int | None, count: int = 1) -> Tensor:
    """A sum, or that over a count."""
    inside, of = types_of_sum(x.dtype, dtype_of(wanted))
    total = _twice(lambda one: one.sum([-1], False, dtype=inside))(x)
    return (total / count if count != 1 else total).to(of)


def _mean(x: Tensor, wanted: int | None) -> Tensor:
    return _sum(x, wanted, x.array.shape[1])


def _product(x: Tensor, wanted: int | None) -> Tensor:
    inside, of = types_of_product(x.dtype, dtype_of(wanted))
    return _twice(lambda one: one.prod(-1, False, dtype=inside))(x).to(of)


def _largest(x: Tensor, _: int | None) -> Tensor:
    return _twice(lambda one: one.amax([-1], False))(x)


def _smallest(x: Tensor, _: int | None) -> Tensor:
    return _twice(lambda one: one.amin([-1], False))(x)


_REDUCTIONS: dict[str, Callable[[Tensor, int | None], Tensor]] = {
    "aten::sum": _sum,
    "aten::mean": _mean,
    "aten::prod": _product,
    "aten::amax": _largest,
    "aten::amin": _smallest,
    "aten::max": _largest,
    "aten::min": _smallest,
}
