"""Where groups for a GPU end: a kernel holds one product of matrices, and after it what is computed of its elements alone."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from lowering.linalg.matmul import is_product
from lowering.linalg.operator_lowering import is_view, lowering_of
from torchscript_dialect.types.tensor_type import TensorType


def cut(nodes: Sequence[Operation]) -> list[Sequence[Operation]]:
    """See `torchscript_dialect.backend.Backend`."""
    pieces: list[list[Operation]] = [[]]
    product: Operation | None = None
    for op in nodes:
        if is_product(op):
            views = _views_at_end(pieces[-1])
            del pieces[-1][len(pieces[-1]) - len(views) :]
            pieces.append([*views, op])
            product = op
            continue
        if product is not None and not _follows(op, product):
            pieces.append([])
            product = None
        pieces[-1].append(op)
    return [piece for piece in pieces if piece]


def _views_at_end(piece: Sequence[Operation]) -> list[Operation]:
    """The views behind all else: a factor may be one, whose strides the kernel then knows."""
    count = 0
    while count < len(piece) and is_view(piece[-1 - count]):
        count += 1
    return list(piece[len(piece) - count :])


def _follows(op: Operation, product: Operation) -> bool:
    """Whether an op computes each element of its results from those of a product at the same place, and others."""
    lowering = lowering_of(type(op))
    if lowering is None or lowering.is_view or lowering.weight(op) is None:
        return False
    sizes = [one.type.sizes for one in op.results if isinstance(one.type, TensorType)]
    of_product = product.results[0].type
    return isinstance(of_product, TensorType) and all(one == of_product.sizes for one in sizes)
