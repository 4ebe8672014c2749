"""Where groups for a GPU end: a kernel holds one product of matrices, and after it what is computed of its elements alone. What is done
with elements and what reduces all elements of a tensor is in a kernel after that.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from lowering.linalg.matmul import is_product
from lowering.linalg.operator_lowering import is_view, lowering_of
from torchscript_dialect.types.tensor_type import TensorType


def cut(nodes: Sequence[Operation]) -> list[Sequence[Operation]]:
    """See `torchscript_dialect.backend.Backend`."""
    pieces: list[list[Operation]] = [[]]
    product: Operation | None = None
    reduced: set[SSAValue] = set()
    """Numbers that the kernel reduces all elements of a tensor to, and what is computed of them."""
    for op in nodes:
        if reduced.intersection(op.operands) and not _is_number(op):
            pieces.append([])
            reduced.clear()
        if _reduces_all(op) or reduced.intersection(op.operands):
            reduced.update(op.results)
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


def _is_number(op: Operation) -> bool:
    """Whether tensors that an op gives have one element."""
    types = [one.type for one in op.results if isinstance(one.type, TensorType)]
    return all(one.sizes is not None and all(size == 1 for size in one.sizes) for one in types)


def _reduces_all(op: Operation) -> bool:
    """Whether an op reduces all elements of a tensor that may have many."""
    types = [one.type for one in op.operands if isinstance(one.type, TensorType)]
    return (
        not is_view(op)
        and _is_number(op)
        and any(one.sizes is None or any(size != 1 for size in one.sizes) for one in types)
    )


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
