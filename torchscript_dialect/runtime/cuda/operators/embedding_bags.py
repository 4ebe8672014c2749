"""Bags of rows of a table on the device, and their gradients: sums at places, and the largest elements there. What offsets hold is not
looked at, as that would wait for the device: an index in front of all bags ends the kernel, as does one of no row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.indexing import embedding
from torchscript_dialect.ops.indexing.embedding import MAX, MEAN, SUM
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.rearranged import numbers
from torchscript_dialect.runtime.cuda.operators.searching import places_in
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

Bags = tuple[Tensor, Tensor, Tensor, Tensor]


class _Bagging(NamedTuple):
    """Which indices make which bag."""

    at: Tensor
    """The indices, flat."""
    bag: Tensor
    """The bag of each."""
    bags: int
    is_left_out: Tensor
    """Which indices are those of padding (indices, 1)."""

    @staticmethod
    def of(indices: Tensor, offsets: Tensor, include_last: bool, padding: int) -> _Bagging:
        at = indices.reshape([-1])
        count, given = offsets.array.size - include_last, at.array.size
        bag = at.new_zeros([given], dtype=dtypes.int64)
        if given and count:
            starts = offsets.narrow(0, 0, count).contiguous()
            bag = places_in(starts, numbers(given, [given]), right=True).sub(1)
        elif given:
            bag = bag.sub(1)  # which are in no bag
        return _Bagging(at, bag, count, at.eq(padding).unsqueeze(1))

    def sizes(self) -> Tensor:
        """How many indices each bag holds, padding left out."""
        there = transfers.of_dtype(self.is_left_out.logical_not().squeeze(1), dtypes.int64)
        return there.new_zeros([self.bags]).index_add(0, self.bag, there)


def _bags(*, sized_as_offsets: bool) -> Callable[..., Any]:
    """`aten::_embedding_bag` and its like: the bags, the bag of each index, how many indices each holds, where the largest are from."""

    def run(
        weight: Tensor,
        indices: Tensor,
        offsets: Tensor,
        _by_frequency: bool,
        mode: int,
        _sparse: bool,
        per_sample: Tensor | None,
        include_last: bool,
        padding: int = -1,
    ) -> Any:
        if weight.array.ndim != 2:
            return NOTHING
        embedding.check_weights(weight, indices, mode, per_sample)
        embedding.check_bags(indices, offsets, include_last)
        bagging = _Bagging.of(indices, offsets, include_last, padding)
        wide, kind = opmath(weight.dtype), indices.dtype
        rows = transfers.of_dtype(weight.index_select(0, bagging.at), wide)
        if per_sample is not None:
            rows = rows.mul(transfers.of_dtype(per_sample, wide).unsqueeze(1))
        owner = transfers.of_dtype(bagging.bag, kind)
        if mode == MAX:
            found, where = _largest(rows, bagging)
            sizes = transfers.of_dtype(bagging.sizes(), kind)
            return transfers.of_dtype(found, weight.dtype), owner, sizes, where
        kept = rows.masked_fill(bagging.is_left_out, 0)
        found = kept.new_zeros([bagging.bags, kept.array.shape[1]])
        found = found.index_add(0, bagging.bag, kept)
        if mode == MEAN:
            sizes = bagging.sizes()
            found = found.div(transfers.of_dtype(sizes.clamp_min(1), wide).unsqueeze(1))
            sizes = transfers.of_dtype(sizes, kind)
            return transfers.of_dtype(found, weight.dtype), owner, sizes, sizes.clone()
        unused = [offsets.array.size if sized_as_offsets else bagging.bags]
        if embedding.tells_no_owners(weight, mode, per_sample, padding):
            owner = owner.new_empty([0])
        found = transfers.of_dtype(found, weight.dtype)
        return found, owner, indices.new_zeros(unused), indices.new_zeros(unused)

    return run


def _largest(rows: Tensor, bagging: _Bagging) -> tuple[Tensor, Tensor]:
    """The largest elements of each bag, and the rows of the table that they come from; zeros for an empty bag. They are found in turn:
    what is no number is larger than none, and none is larger than it where it is the first.
    """
    count, width = bagging.bags, rows.array.shape[1]
    bag, given = bagging.bag, rows.array.shape[0]
    in_turn = numbers(given, [given]).masked_fill(bagging.is_left_out.reshape([-1]), given)
    begins = bag.new_full([count], given).index_reduce(0, bag, in_turn, "amin")
    is_later = in_turn.ne(begins.index_select(0, bag)).unsqueeze(1)
    is_hidden = rows.isnan().logical_and(is_later).logical_or(bagging.is_left_out)
    kept = rows.masked_fill(is_hidden, float("-inf"))
    found = kept.new_full([count, width], float("-inf"))
    found = found.index_reduce(0, bag, kept, "amax")
    is_largest = kept.eq(found.index_select(0, bag)).logical_or(kept.isnan())
    is_largest = is_largest.logical_and(bagging.is_left_out.logical_not())
    places = numbers(given, [given, 1]).where(is_largest, rows.new_full([], given).long())
    first = bag.new_full([count, width], given).index_reduce(0, bag, places, "amin")
    is_empty = first.eq(given)
    where = bagging.at.new_zeros([count, width])
    if given:
        where = bagging.at.take(first.masked_fill(is_empty, 0)).masked_fill(is_empty, 0)
    return found.masked_fill(is_empty, 0), where


_forward_only = _bags(sized_as_offsets=True)


def _with_padding(weight: Tensor, *arguments: Any) -> Any:
    """`aten::embedding_bag.padding_idx`."""
    *rest, padding = arguments
    if weight.array.ndim != 2:
        return NOTHING
    return _forward_only(weight, *rest, embedding.row_of_padding(weight, padding))


def _backward(
    grad: Tensor,
    indices: Tensor,
    owner: Tensor,
    sizes: Tensor,
    where: Tensor,
    count: int,
    by_frequency: bool,
    mode: int,
    per_sample: Tensor | None,
    padding: int,
) -> Tensor:
    """`aten::_embedding_bag_dense_backward`: to each row the gradients of bags that hold it, of elements that were the largest."""
    wide = opmath(grad.dtype)
    given = transfers.of_dtype(grad, wide)
    total = given.new_zeros([count, given.array.shape[1]])
    if mode == MAX:
        kept = given.masked_fill(sizes.le(0).unsqueeze(1), 0)
        total = total.scatter_add(0, transfers.of_dtype(where, dtypes.int64), kept)
        return transfers.of_dtype(total, grad.dtype)
    at = indices.reshape([-1])
    rows = given.index_select(0, owner)
    if mode == MEAN:
        rows = rows.div(transfers.of_dtype(sizes.index_select(0, owner), wide).unsqueeze(1))
    if by_frequency:
        uses = given.new_zeros([count]).index_add(0, at, given.new_ones([at.array.size]))
        rows = rows.div(uses.index_select(0, at).unsqueeze(1))
    if per_sample is not None:
        rows = rows.mul(transfers.of_dtype(per_sample, wide).unsqueeze(1))
    kept = rows.masked_fill(at.eq(padding).unsqueeze(1), 0)
    return transfers.of_dtype(total.index_add(0, at, kept), grad.dtype)


def _backward_of_samples(
    grad: Tensor,
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    _owner: Tensor,
    mode: int,
    padding: int,
) -> Any:
    """`aten::_embedding_bag_per_sample_weights_backward`."""
    if mode != SUM or weight.array.ndim != 2:
        return NOTHING
    embedding.check_bags(indices, offsets, False)
    bagging = _Bagging.of(indices, offsets, False, padding)
    wide = opmath(grad.dtype)
    rows = transfers.of_dtype(weight.index_select(0, bagging.at), wide)
    products = rows.mul(transfers.of_dtype(grad, wide).index_select(0, bagging.bag))
    found = products.sum([1]).masked_fill(bagging.is_left_out.squeeze(1), 0)
    return transfers.of_dtype(found, grad.dtype)


def _renorm(weight: Tensor, indices: Tensor, most: float, degree: float) -> Any:
    """`aten::embedding_renorm_`: what a row named twice becomes is written twice."""
    is_fit = weight.array.ndim == 2 and indices.dtype in (dtypes.int32, dtypes.int64)
    if not is_fit or not weight.dtype.is_floating_point or not indices.array.size:
        return NOTHING
    at = transfers.of_dtype(indices.reshape([-1]), dtypes.int64)
    rows = transfers.of_dtype(weight.index_select(0, at), opmath(weight.dtype))
    norms = call("aten::linalg_vector_norm", (rows, degree, [1], True))
    shrunk = rows.mul(call("aten::reciprocal", (norms.add(1e-7),)).mul(most))
    kept = shrunk.where(norms.gt(most), rows)
    weight.index_copy_(0, at, transfers.of_dtype(kept, weight.dtype))
    return weight


def _renormed(weight: Tensor, *arguments: Any) -> Any:
    """`aten::embedding_renorm`."""
    return _renorm(weight.clone(), *arguments)


EMBEDDING_BAGS: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::_embedding_bag": own(_bags(sized_as_offsets=False)),
    "aten::_embedding_bag_forward_only": own(_forward_only),
    "aten::embedding_bag": own(_forward_only),
    "aten::embedding_bag.padding_idx": own(_with_padding),
    "aten::_embedding_bag_dense_backward": own(_backward),
    "aten::_embedding_bag_per_sample_weights_backward": own(_backward_of_samples),
    "aten::embedding_renorm_": own(_renorm),
    "aten::_no_grad_embedding_renorm_": own(_renorm),
    "aten::embedding_renorm": own(_renormed),
}
"""What runs operators, by their names or qualified names."""
