"""Products of tensors of any ranks on the device: as those of matrices, or of batches of them, of which views are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple, Protocol

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
    if not a.ndim or not b.ndim or a.dtype != b.dtype or a.dtype.kind not in "fi":
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


class _Labelled(NamedTuple):
    """A tensor whose dimensions have labels."""

    tensor: Tensor
    labels: str

    def summed(self, kept: set[str]) -> _Labelled:
        """It, summed over what is not kept."""
        dims = [place for place, label in enumerate(self.labels) if label not in kept]
        rest = "".join(label for label in self.labels if label in kept)
        return _Labelled(self.tensor.sum(dims), rest) if dims else self

    def turned(self, labels: str) -> Tensor:
        """Its dimensions in another order."""
        return self.tensor.permute([self.labels.index(label) for label in labels])


def _multiplied(a: _Labelled, b: _Labelled, kept: set[str], sizes: dict[str, int]) -> _Labelled:
    """The sum of products over labels that both have and nobody keeps, as a product of batches of matrices."""
    a, b = a.summed(kept | {*b.labels}), b.summed(kept | {*a.labels})
    both = [label for label in a.labels if label in b.labels]
    batch = "".join(label for label in both if label in kept)
    depth = "".join(label for label in both if label not in kept)
    rows = "".join(label for label in a.labels if label not in both)
    columns = "".join(label for label in b.labels if label not in both)

    def count(labels: str) -> int:
        return prod(sizes[label] for label in labels)

    x = a.turned(batch + rows + depth).reshape([count(batch), count(rows), count(depth)])
    y = b.turned(batch + depth + columns).reshape([count(batch), count(depth), count(columns)])
    labels = batch + rows + columns
    return _Labelled(x.bmm(y).view([sizes[label] for label in labels]), labels)


def einsum(placed: Hosted, operands: Sequence[Any]) -> Tensor:
    """`aten::einsum` of labels that are letters, each once in a term; all else, and what is wrong, is left to the host's kernel."""
    equation, tensors, *_ = operands
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    alike = {(one.dtype, one.is_cuda) for one in tensors}
    fits = len(terms) == len(tensors) and len(alike) == 1
    fits &= all(one.isalpha() and len({*one}) == len(one) for one in terms)
    fits &= all(len(one) == x.array.ndim for one, x in zip(terms, tensors))
    if not fits or not (tensors[0].dtype.is_floating_point or tensors[0].array.dtype.kind == "i"):
        return placed.on_host(operands)
    pairs = {
        pair
        for term, x in zip(terms, tensors, strict=True)
        for pair in zip(term, x.array.shape, strict=True)
    }
    sizes: dict[str, int] = dict(pairs)
    result = right if arrow else "".join(one for one in sorted(sizes) if left.count(one) == 1)
    if len(pairs) != len(sizes) or len({*result}) != len(result) or not {*result} <= sizes.keys():
        return placed.on_host(operands)
    first, *rest = map(_Labelled, tensors, terms)
    for number, other in enumerate(rest, 2):
        first = _multiplied(first, other, {*result, *"".join(terms[number:])}, sizes)
    return first.summed({*result}).turned(result)


PRODUCTS: dict[str, Callable[[Any, Sequence[Any]], Tensor]] = {
    "aten::matmul": matmul,
    "aten::linalg_matmul": matmul,
    "aten::einsum": einsum,
    "aten::mv": _vectors((2, 1)),
    "aten::dot": _vectors((1, 1)),
    "aten::vdot": _vectors((1, 1)),
}
