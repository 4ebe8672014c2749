"""Rows of a table by their numbers, bags of them, and the gradients of both (PyTorch: native/Embedding.cpp, EmbeddingBag.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.native_code import NativeCode
from torchscript_dialect.ops.reduction.ranking import are_places
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.tensor.unstrided import coo

Array = NDArray[Any]
Bags = tuple[Tensor, Tensor, Tensor, Tensor]

SUM, MEAN, MAX = 0, 1, 2

NATIVE = NativeCode("torchscript_dialect.runtime.kernels.handwritten.bag_kernels", 1 << 18)
"""Counts elements of rows that are put into bags."""


def _check_indices(name: str, indices: Tensor) -> None:
    if indices.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(
            f"Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {indices.dtype.type_name} instead (while checking arguments for {name})"
        )


def _check_rows(places: Array, count: int) -> None:
    if not are_places(places, count):
        raise IndexError("index out of range in self")


# Rows


def _rows_shape(facts: Sequence[Fact]) -> Fact:
    weight, places = rank_known(facts[0]), rank_known(facts[1])
    if weight is None or places is None or len(weight) != 2:
        return fresh(dtype_of(facts[0]), None, facts[0])
    return fresh(dtype_of(facts[0]), (*places, weight[1]), facts[0])


@registry.kernel("embedding", shape=_rows_shape)
def embedding(
    weight: Tensor, indices: Tensor, _padding: int, _scale: bool, _sparse: bool
) -> Tensor:
    """The rows of `weight` that the indices name."""
    if weight.array.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    _check_indices("embedding", indices)
    _check_rows(indices.array, weight.array.shape[0])
    return tensor_of(weight.array.take(indices.array, 0))


def _table_shape(facts: Sequence[Fact]) -> Fact:
    grad, _, count, *_ = facts
    sizes = rank_known(grad)
    if not sizes or not is_known(count):
        return fresh(dtype_of(grad), None, grad)
    return fresh(dtype_of(grad), (count, sizes[-1]), grad)


@registry.kernel("embedding_dense_backward", shape=_table_shape)
@ignores_float_errors
def embedding_dense_backward(
    grad: Tensor, indices: Tensor, count: int, padding: int, by_frequency: bool
) -> Tensor:
    """To each row, the gradients of where it was used, divided by how often on request; none to the row `padding`."""
    _check_indices("embedding_backward", indices)
    at, width = indices.array.reshape(-1), grad.array.shape[-1]
    _check_rows(at, count)
    rows = grad.array.reshape(-1, width).astype(opmath(grad.dtype).numpy_dtype, copy=False)
    if by_frequency:
        rows = rows / np.bincount(at, minlength=count)[at].astype(rows.dtype)[:, None]
    total = np.zeros((count, width), rows.dtype)
    used = at != padding
    combine_at(np.add, total, at[used], rows[used])
    return tensor_of(total.astype(grad.array.dtype, copy=False))


@registry.kernel("embedding_sparse_backward")
def embedding_sparse_backward(
    grad: Tensor, indices: Tensor, count: int, padding: int, by_frequency: bool
) -> Tensor:
    """`embedding_dense_backward` with the rows that were used alone, each as often as it was."""
    if by_frequency:
        raise RuntimeError(
            "embedding_backward: scale_grad_by_freq not supported with sparse gradients"
        )
    at, width = indices.array.reshape(-1).astype(np.int64), grad.array.shape[-1]
    used = at != padding
    rows = grad.array.reshape(at.size, width)[used]
    return coo(at[used][None], rows, (count, width), is_unique=False)


composite(
    "aten::embedding_backward",
    """
def embedding_backward(
    grad: Tensor, indices: Tensor, num_weights: int, padding_idx: int, scale_grad_by_freq: bool,
    sparse: bool
) -> Tensor:
    if sparse:
        return torch.embedding_sparse_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)
    return torch.embedding_dense_backward(
        grad, indices, num_weights, padding_idx, scale_grad_by_freq)
""",
)


@registry.kernel("embedding_renorm_", shape=lambda facts: facts[0])
@ignores_float_errors
def embedding_renorm_(weight: Tensor, indices: Tensor, most: float, degree: float) -> Tensor:
    """Shrink the rows that the indices name to a norm of at most `most`."""
    if weight.array.ndim != 2:
        raise RuntimeError("self must be 2-D")
    _check_indices("embedding_renorm_", indices)
    _check_rows(indices.array, weight.array.shape[0])
    places = np.unique(indices.array)
    rows = weight.array[places].astype(opmath(weight.dtype).numpy_dtype, copy=False)
    norms = np.asarray(np.linalg.norm(rows, degree, axis=1, keepdims=True), rows.dtype)
    shrunk = rows * (rows.dtype.type(most) / (norms + rows.dtype.type(1e-7)))
    weight.array[places] = np.where(norms > most, shrunk, rows)
    return weight


# Bags


def check_bags(indices: Tensor, offsets: Tensor, include_last: bool) -> None:
    """Raise RuntimeError where indices and offsets are of other ranks, sizes or dtypes than those of bags."""
    at, starts = indices.array, offsets.array
    if at.ndim not in (1, 2):
        raise RuntimeError(
            f"input has to be a 1D or 2D Tensor, but got Tensor of dimension {at.ndim}"
        )
    if starts.ndim != 1:
        raise RuntimeError(
            f"offsets has to be a 1D Tensor, but got Tensor of dimension {starts.ndim}"
        )
    for name, tensor in (("indices", indices), ("offsets", offsets)):
        if tensor.dtype not in (dtypes.int64, dtypes.int32):
            raise RuntimeError(
                f"embedding_bag: {name} have to be of dtype Int or Long, but got "
                f"{tensor.dtype.type_name}"
            )
    if include_last and not starts.size:
        raise RuntimeError("include_last_offset: number of offsets should be at least 1")


@dataclass(frozen=True, slots=True)
class _Bagging:
    """Which indices make which bag."""

    at: Array
    """The indices, flat."""
    bag: NDArray[np.int64]
    """The bag of each."""
    count: int
    counts: NDArray[np.bool_] | None
    """Which indices are not those of padding; None where all are not."""

    @staticmethod
    def of(
        indices: Tensor, offsets: Tensor, include_last: bool, rows: int, padding: int
    ) -> _Bagging:
        """Raises RuntimeError where dtypes or offsets do not fit, IndexError where there is no such row."""
        check_bags(indices, offsets, include_last)
        at, starts = indices.array, offsets.array
        if starts.size and starts[0] != 0:
            raise RuntimeError(
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
                f"position 0. However, got {starts[0]}"
            )
        flat = at.reshape(-1)
        if starts.size and starts[-1] > flat.size:
            raise RuntimeError(
                f"offsets[-1] can not be greater than input's length ({flat.size}) but got offsets[-1] "
                f"of {starts[-1]}"
            )
        _check_rows(flat, rows)
        count = len(starts) - include_last
        bag = np.searchsorted(starts[:count], np.arange(flat.size), "right") - 1
        return _Bagging(flat, bag, count, None if padding < 0 else flat != padding)

    def used(self, each: Array) -> Array:
        """What there is of each index, padding left out."""
        return each if self.counts is None else each[self.counts]


def check_weights(weight: Tensor, indices: Tensor, mode: int, per_sample: Tensor | None) -> None:
    """Raise RuntimeError where rows, and the weights of samples, do not fit."""
    if not weight.dtype.is_floating_point:
        raise RuntimeError(
            f"expected weight to be of a floating point dtype, but got {weight.dtype.type_name}"
        )
    if mode not in (SUM, MEAN, MAX):
        raise RuntimeError(f"embedding_bag: there is no mode {mode}")
    if per_sample is None:
        return
    if mode != SUM:
        raise RuntimeError("embedding_bag: per_sample_weights was not None: mode has to be 'sum'")
    if per_sample.dtype is not weight.dtype or per_sample.array.shape != (indices.array.size,):
        raise RuntimeError(
            "expected per_sample_weights to be a 1D tensor of the dtype of weight with an element for "
            f"each index, but got {per_sample.dtype.type_name}{list(per_sample.array.shape)}"
        )


def tells_no_owners(weight: Tensor, mode: int, per_sample: Tensor | None, padding: int) -> bool:
    """Whether the kernel that PyTorch has for such sums leaves the bags of indices out."""
    array = weight.array
    samples = None if per_sample is None else per_sample.array
    return (
        mode == SUM
        and weight.dtype.itemsize < 8
        and padding < 0
        and array.strides[1] == array.itemsize
        and (samples is None or samples.strides == (samples.itemsize,))
    )


@ignores_float_errors
def _bags(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    mode: int,
    per_sample: Tensor | None,
    include_last: bool,
    padding: int,
    sized_as_offsets: bool,
) -> Bags:
    """The bags; the bag of each index; how many indices each bag holds; where the largest come from.

    PyTorch computes the last three only where a gradient or this mode needs them, and gives zeros otherwise.
    """
    check_weights(weight, indices, mode, per_sample)
    table = weight.array
    bagging = _Bagging.of(indices, offsets, include_last, table.shape[0], padding)
    compute = opmath(weight.dtype).numpy_dtype
    at, bag = bagging.used(bagging.at), bagging.used(bagging.bag)
    if mode == MAX:
        out, where = _largest(table, at, bag, bagging.count)
        sizes = np.bincount(bag, minlength=bagging.count)
        return _tensors(out.astype(table.dtype, copy=False), bagging, bagging.bag, sizes, where)
    out = np.zeros((bagging.count, table.shape[1]), compute)
    native = _native(table, at) if per_sample is None else None
    if native is None or not native.add_rows(table, _words(at), _words(bag), out):
        rows: Array = np.take(table, at, 0).astype(compute, copy=False)
        if per_sample is not None:
            rows = rows * bagging.used(per_sample.array).astype(compute, copy=False)[:, None]
        combine_at(np.add, out, bag, rows)
    if mode == MEAN:
        sizes = np.bincount(bag, minlength=bagging.count)
        out /= np.maximum(sizes, 1).astype(compute)[:, None]
        return _tensors(out.astype(table.dtype, copy=False), bagging, bagging.bag, sizes, sizes)
    unused = np.zeros(len(offsets.array) if sized_as_offsets else bagging.count, at.dtype)
    owner = bagging.bag
    if tells_no_owners(weight, mode, per_sample, padding):
        owner = owner[:0]
    return _tensors(out.astype(table.dtype, copy=False), bagging, owner, unused, unused)


def _tensors(out: Array, bagging: _Bagging, *about: Array) -> Bags:
    """The results, of which those about the bags have the dtype of the indices."""
    owner, sizes, where = (tensor_of(one.astype(bagging.at.dtype)) for one in about)
    return tensor_of(out), owner, sizes, where


def _native(table: Array, at: Array) -> Any:
    """The module of native functions, where these rows of a table may be theirs, and pay."""
    return NATIVE.for_work(len(at) * table.shape[1]) if table.flags.c_contiguous else None


def _words(numbers: Array) -> Array:
    return np.ascontiguousarray(numbers, np.int64)


def _largest(table: Array, at: Array, bag: Array, count: int) -> tuple[Array, Array]:
    """The largest elements of each bag and the rows that they come from; zeros for an empty bag. Elements compare in turn: NaN is
    larger than no number, and no number is larger than it where it is first.
    """
    out: Array = np.zeros((count, table.shape[1]), table.dtype)
    where: Array = np.zeros((count, table.shape[1]), np.int64)
    native = _native(table, at)
    if native is not None and native.keep_largest(table, _words(at), _words(bag), out, where):
        return out, where
    starts = np.flatnonzero(np.diff(bag, prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(bag)]):
        rows = table[at[start:end]]
        places = _comparable(rows).argmax(0)
        out[bag[start]] = np.take_along_axis(rows, places[None], 0)[0]
        where[bag[start]] = at[start:end][places]
    return out, where


def _comparable(rows: Array) -> Array:
    """The rows of a bag as they compare in turn."""
    is_nan = np.isnan(rows)
    if not is_nan[1:].any():
        return rows
    found = np.where(is_nan, -np.inf, rows)
    found[0] = rows[0]
    return found


def _bags_shape(facts: Sequence[Fact]) -> Fact:
    weight, _, offsets, *rest = facts
    columns, starts = rank_known(weight), rank_known(offsets)
    include_last = rest[4]
    if columns is None or starts is None or len(columns) != 2 or len(starts) != 1:
        return NOTHING, NOTHING, NOTHING, NOTHING
    count = starts[0]
    if not is_known(include_last):
        count = None
    elif count is not None:
        count -= include_last
    return fresh(dtype_of(weight), (count, columns[1]), weight), NOTHING, NOTHING, NOTHING


def _bag_kernel(*, sized_as_offsets: bool) -> registry.Kernel:
    def kernel(
        weight: Tensor,
        indices: Tensor,
        offsets: Tensor,
        _by_frequency: bool,
        mode: int,
        _sparse: bool,
        per_sample: Tensor | None,
        include_last: bool,
        padding: int = -1,
    ) -> Bags:
        return _bags(
            weight, indices, offsets, mode, per_sample, include_last, padding, sized_as_offsets
        )

    return kernel


_forward_only = _bag_kernel(sized_as_offsets=True)
registry.implement("_embedding_bag", _bag_kernel(sized_as_offsets=False), shape=_bags_shape)
registry.implement("_embedding_bag_forward_only embedding_bag", _forward_only, shape=_bags_shape)


@registry.kernel("embedding_bag.padding_idx", shape=_bags_shape)
def embedding_bag_with_padding(weight: Tensor, *arguments: Any) -> Bags:
    """`embedding_bag` that leaves out a row, counted from either end."""
    *rest, padding = arguments
    return _forward_only(weight, *rest, row_of_padding(weight, padding))


def row_of_padding(weight: Tensor, padding: int | None) -> int:
    """The row that is left out, counted from the front, or -1."""
    rows = weight.array.shape[0]
    if padding is None:
        return -1
    if not -rows <= padding < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, but got "
            f"{padding}"
        )
    return padding % rows


def _bag_table_shape(facts: Sequence[Fact]) -> Fact:
    return _table_shape([facts[0], None, facts[5]])


@registry.kernel("_embedding_bag_dense_backward", shape=_bag_table_shape)
@ignores_float_errors
def embedding_bag_dense_backward(
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
    """To each row, the gradients of the bags that hold it: of the elements that it gave to the largest, in that mode."""
    compute = opmath(grad.dtype).numpy_dtype
    total: Array = np.zeros((count, grad.array.shape[1]), compute)
    given = grad.array.astype(compute, copy=False)
    if mode == MAX:
        filled = sizes.array > 0
        columns = np.array(range(total.shape[1]))
        combine_at(np.add, total, (where.array[filled], columns), given[filled])
        return tensor_of(total.astype(grad.array.dtype, copy=False))
    at, bag = indices.array.reshape(-1), owner.array
    rows = given[bag]
    if mode == MEAN:
        rows = rows / sizes.array[bag].astype(compute)[:, None]
    if by_frequency:
        rows = rows / np.bincount(at, minlength=count)[at].astype(compute)[:, None]
    if per_sample is not None:
        rows = rows * per_sample.array.astype(compute, copy=False)[:, None]
    used = at != padding
    combine_at(np.add, total, at[used], rows[used])
    return tensor_of(total.astype(grad.array.dtype, copy=False))


@registry.kernel("_embedding_bag_per_sample_weights_backward")
@ignores_float_errors
def embedding_bag_per_sample_weights_backward(
    grad: Tensor,
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    _owner: Tensor,
    mode: int,
    padding: int,
) -> Tensor:
    """To each weight of a sample, the product of its row and of the gradient of its bag."""
    if mode != SUM:
        raise RuntimeError(
            "embedding_bag_backward: per_sample_weights only supported for mode='sum'"
        )
    bagging = _Bagging.of(indices, offsets, False, weight.array.shape[0], padding)
    compute = opmath(grad.dtype).numpy_dtype
    rows = weight.array[bagging.at].astype(compute, copy=False)
    result = np.einsum("ij,ij->i", rows, grad.array.astype(compute, copy=False)[bagging.bag])
    used = True if bagging.counts is None else bagging.counts
    return tensor_of(np.where(used, result, 0).astype(grad.array.dtype, copy=False))


composite(
    "aten::_embedding_bag_sparse_backward",
    """
def _embedding_bag_sparse_backward(
    grad: Tensor, indices: Tensor, offsets: Tensor, offset2bag: Tensor, bag_size: Tensor, num_weights: int,
    scale_grad_by_freq: bool, mode: int, per_sample_weights: Optional[Tensor], padding_idx: int
) -> Tensor:
    rows = grad.index_select(0, offset2bag)
    if mode == 1:
        rows = rows / bag_size.to(grad.dtype).unsqueeze(1).index_select(0, offset2bag)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    return torch.embedding_sparse_backward(rows, indices, num_weights, padding_idx, scale_grad_by_freq)
""",
)
composite(
    "aten::_embedding_bag_backward",
    """
def _embedding_bag_backward(
    grad: Tensor, indices: Tensor, offsets: Tensor, offset2bag: Tensor, bag_size: Tensor,
    maximum_indices: Tensor, num_weights: int, scale_grad_by_freq: bool, mode: int, sparse: bool,
    per_sample_weights: Optional[Tensor], padding_idx: int
) -> Tensor:
    owner = offset2bag
    if indices.numel() != 0 and offset2bag.numel() == 0:
        owner = torch.zeros([indices.size(0) + 1], dtype=indices.dtype, device=indices.device)
        owner = owner.index_add(0, offsets, torch.ones_like(offsets, dtype=owner.dtype)).cumsum(0)[:-1] - 1
    if sparse:
        return torch._embedding_bag_sparse_backward(
            grad, indices, offsets, owner, bag_size, num_weights, scale_grad_by_freq, mode, per_sample_weights,
            padding_idx)
    return torch._embedding_bag_dense_backward(
        grad, indices, owner, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode,
        per_sample_weights, padding_idx)
""",
)
