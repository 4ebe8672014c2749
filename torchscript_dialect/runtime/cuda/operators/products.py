"""Products of tensors of any ranks on the device: as those of matrices, or of batches of them, of which views are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple, Protocol

from torchscript_dialect.ops.products.einsum import labels_of
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import common_shape
from torchscript_dialect.tensor.tensor import Tensor

Labels = tuple[str, ...]


class Hosted(Protocol):
    """The operator that is run: see `PlacedOperator`."""

    def on_host(self, operands: Sequence[Any]) -> Any:
        """What the kernel of the host gives for copies of operands."""
        ...


def are_multiplied(element: dtypes.dtype) -> bool:
    """Whether devices have products of such elements."""
    return element is not dtypes.bool_


def matmul(placed: Hosted, operands: Sequence[Any]) -> Tensor:
    """`aten::matmul`; what fits together in no way is left to the kernel of the host, which says so."""
    x, y = operands
    a, b = x.array, y.array
    if not a.ndim or not b.ndim or a.dtype != b.dtype or not are_multiplied(x.dtype):
        return placed.on_host(operands)
    if a.shape[-1] != b.shape[max(b.ndim - 2, 0)]:
        return placed.on_host(operands)
    batch = common_shape(a.shape[:-2], b.shape[:-2])
    if batch is None:
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
    labels: Labels

    @staticmethod
    def of(x: Tensor, labels: Labels, sizes: dict[str, int]) -> _Labelled:
        """Diagonals where a label stands twice, and without dimensions that broadcast."""
        given = [*labels]
        for dim in reversed(range(len(given))):
            if x.array.shape[dim] != sizes[given[dim]]:
                x = x.select(dim, 0)
                del given[dim]
        while len({*given}) < len(given):
            label = next(one for one in given if given.count(one) > 1)
            first = given.index(label)
            second = given.index(label, first + 1)
            x = x.diagonal(0, first, second)
            del given[second], given[first]
            given.append(label)
        return _Labelled(x, tuple(given))

    def summed(self, kept: set[str]) -> _Labelled:
        """It, summed over what is not kept."""
        dims = [place for place, label in enumerate(self.labels) if label not in kept]
        rest = tuple(label for label in self.labels if label in kept)
        return _Labelled(self.tensor.sum(dims), rest) if dims else self

    def turned(self, labels: Labels) -> Tensor:
        """Its dimensions in another order."""
        return self.tensor.permute([self.labels.index(label) for label in labels])


def _multiplied(a: _Labelled, b: _Labelled, kept: set[str], sizes: dict[str, int]) -> _Labelled:
    """The sum of products over labels that both have and nobody keeps, as a product of batches of matrices."""
    a, b = a.summed(kept | {*b.labels}), b.summed(kept | {*a.labels})
    both = [label for label in a.labels if label in b.labels]
    batch = tuple(label for label in both if label in kept)
    depth = tuple(label for label in both if label not in kept)
    rows = tuple(label for label in a.labels if label not in both)
    columns = tuple(label for label in b.labels if label not in both)

    def count(labels: Labels) -> int:
        return prod(sizes[label] for label in labels)

    x = a.turned((*batch, *rows, *depth)).reshape([count(batch), count(rows), count(depth)])
    y = b.turned((*batch, *depth, *columns)).reshape([count(batch), count(depth), count(columns)])
    labels = (*batch, *rows, *columns)
    return _Labelled(x.bmm(y).view([sizes[label] for label in labels]), labels)


def einsum(placed: Hosted, operands: Sequence[Any]) -> Tensor:
    """`aten::einsum` of real numbers; what is wrong is left to the host's kernel."""
    equation, tensors, *_ = operands
    text = equation.replace(" ", "")
    alike = {(one.dtype, one.is_cuda) for one in tensors}
    fits = len(text.partition("->")[0].split(",")) == len(tensors) and len(alike) == 1
    if not fits or not are_multiplied(tensors[0].dtype):
        return placed.on_host(operands)
    shapes = tuple(one.array.shape for one in tensors)
    found = labels_of(text, shapes)
    if found is None:
        return placed.on_host(operands)
    sizes: dict[str, int] = {}
    for labels, shape in zip(found.operands, shapes, strict=True):
        for label, size in zip(labels, shape, strict=True):
            sizes[label] = size if size != 1 else sizes.get(label, 1)
    first, *rest = (
        _Labelled.of(x, labels, sizes) for x, labels in zip(tensors, found.operands, strict=True)
    )
    for number, other in enumerate(rest, 1):
        later = {label for one in rest[number:] for label in one.labels}
        first = _multiplied(first, other, {*found.result} | later, sizes)
    return first.summed({*found.result}).turned(found.result)


PRODUCTS: dict[str, Callable[[Any, Sequence[Any]], Tensor]] = {
    "aten::matmul": matmul,
    "aten::linalg_matmul": matmul,
    "aten::einsum": einsum,
    "aten::mv": _vectors((2, 1)),
    "aten::dot": _vectors((1, 1)),
    "aten::vdot": _vectors((1, 1)),
}
