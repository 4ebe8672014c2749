"""Products of tensors of any ranks on the device: as those of matrices, or of batches of them, of which views are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Protocol

from torchscript_dialect.tensor.strides import broadcast_shapes
from torchscript_dialect.tensor.tensor import Tensor


class Hosted(Protocol):
    """The operator that is run: see `PlacedOperator`."""

    def on_host(self, operands: Sequence[Any]) -> Any:
        """What the kernel of the host gives for copies of operands."""
        ...


def matmul(placed: Hosted, operands: Sequence[Any]) -> Tensor:
    """`aten::matmul`; what fits together in no way is left to the kernel of the host, which says so."""
    x, y = operands
    a, b = x.array, y.array
    if not a.ndim or not b.ndim or a.dtype != b.dtype or a.dtype.kind != "f":
        return placed.on_host(operands)
    if a.shape[-1] != b.shape[max(b.ndim - 2, 0)]:
        return placed.on_host(operands)
    try:
        batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except RuntimeError:
        return placed.on_host(operands)
    rows, depth = a.shape[-2:] if a.ndim > 1 else (1, a.shape[-1])
    columns = b.shape[-1] if b.ndim > 1 else 1
    lines = y if b.ndim > 1 else y.unsqueeze(1)
    if b.ndim <= 2:
        found = x.reshape([prod(a.shape[:-1]), depth]).mm(lines)
    else:
        matrices = x if a.ndim > 1 else x.unsqueeze(0)
        left = matrices.expand([*batch, rows, depth]).reshape([prod(batch), rows, depth])
        right = y.expand([*batch, depth, columns]).reshape([prod(batch), depth, columns])
        found = left.bmm(right)
    return found.view([*batch, *a.shape[-2:-1], *(b.shape[-1:] if b.ndim > 1 else ())])


def _vectors(ranks: tuple[int, int]) -> Callable[[Hosted, Sequence[Any]], Tensor]:
    def run(placed: Hosted, operands: Sequence[Any]) -> Tensor:
        x, y = operands
        if (x.array.ndim, y.array.ndim) != ranks:
            return placed.on_host(operands)
        return matmul(placed, operands)

    return run


PRODUCTS: dict[str, Callable[[Any, Sequence[Any]], Tensor]] = {
    "aten::matmul": matmul,
    "aten::linalg_matmul": matmul,
    "aten::mv": _vectors((2, 1)),
    "aten::dot": _vectors((1, 1)),
    "aten::vdot": _vectors((1, 1)),
}
