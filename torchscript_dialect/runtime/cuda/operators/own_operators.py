"""Operators that are what they are because of devices: those that move tensors, and those that write what is elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import dense_order, memory
from torchscript_dialect.runtime.cuda.operators.alignments import ALIGNMENTS
from torchscript_dialect.runtime.cuda.operators.complex_numbers import COMPLEX
from torchscript_dialect.runtime.cuda.operators.composites import COMPOSITES
from torchscript_dialect.runtime.cuda.operators.convolutions import CONVOLUTIONS
from torchscript_dialect.runtime.cuda.operators.distances import DISTANCES
from torchscript_dialect.runtime.cuda.operators.embedding_bags import EMBEDDING_BAGS
from torchscript_dialect.runtime.cuda.operators.fake_quantization import FAKE_QUANTIZATION
from torchscript_dialect.runtime.cuda.operators.fourier import FOURIER
from torchscript_dialect.runtime.cuda.operators.fractional_pooling import FRACTIONAL_POOLING
from torchscript_dialect.runtime.cuda.operators.histograms import HISTOGRAMS
from torchscript_dialect.runtime.cuda.operators.indexing import INDEXING
from torchscript_dialect.runtime.cuda.operators.linear_algebra import LINEAR_ALGEBRA
from torchscript_dialect.runtime.cuda.operators.loss_scaling import LOSS_SCALING
from torchscript_dialect.runtime.cuda.operators.losses import LOSSES
from torchscript_dialect.runtime.cuda.operators.normalizations import NORMALIZATIONS
from torchscript_dialect.runtime.cuda.operators.padding import PADDING
from torchscript_dialect.runtime.cuda.operators.pooling import POOLING
from torchscript_dialect.runtime.cuda.operators.products import PRODUCTS
from torchscript_dialect.runtime.cuda.operators.random_numbers import RANDOM
from torchscript_dialect.runtime.cuda.operators.ranked import RANKED
from torchscript_dialect.runtime.cuda.operators.rearranged import REARRANGED, numbers
from torchscript_dialect.runtime.cuda.operators.recurrent_layers import RECURRENT_LAYERS
from torchscript_dialect.runtime.cuda.operators.sampling import SAMPLING
from torchscript_dialect.runtime.cuda.operators.scans import SCANS
from torchscript_dialect.runtime.cuda.operators.searching import SEARCHING
from torchscript_dialect.runtime.cuda.operators.segment_reduction import SEGMENT_REDUCTION
from torchscript_dialect.runtime.cuda.operators.sequences import PACKED, SEQUENCES
from torchscript_dialect.runtime.cuda.operators.sorting import SORTING
from torchscript_dialect.runtime.cuda.operators.statistics import STATISTICS
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.layout import memory_format, preserve_format
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap, assert_no_partial_overlap
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    element_strides,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim


class Placed(Protocol):
    """The operator that is run: see `PlacedOperator`."""

    operator: Operator
    kernel: Kernel
    """What runs it on the host."""

    def cast(self, x: Tensor, wanted: dtypes.dtype) -> Tensor:
        """A tensor on the device with another dtype."""
        ...

    def on_host(self, operands: Sequence[Any]) -> Any:
        """What the kernel of the host gives for copies of operands."""
        ...


Own = Callable[[Placed, Sequence[Any]], Any]


def _of_numbers(placed: Placed, operands: Sequence[Any]) -> Any:
    """A tensor of numbers, made on the host."""
    return placed.on_host(operands)


def _to(placed: Placed, operands: Sequence[Any]) -> Tensor:
    """`aten::to` and its like: another dtype, device or order of dimensions, and the tensor itself where nothing changes."""
    names = [argument.name for argument in placed.operator.schema.arguments]
    given = dict(zip(names, operands))
    x: Tensor = operands[0]
    other = given.get("other")
    where = x.device if other is None else other.device
    if given.get("device") is not None:
        where = device(given["device"])
    wanted = _dtype(placed.operator.name, given, x, other)
    is_copy = bool(given.get("copy", placed.operator.name == "aten::_to_copy"))
    format = given.get("memory_format")
    if where.type != x.device.type:
        if wanted is not x.dtype and x.device.type == "cpu":
            x = transfers.of_dtype(x, wanted)
        return _formatted(transfers.of_dtype(transfers.to_device(x, where), wanted), format)
    if where.type == "cuda":
        transfers.check_device(where)
    if wanted is x.dtype:
        has_format = format is None or format == preserve_format or _has_format(x, format)
        return x if has_format and not is_copy else _formatted(_clone(x), format)
    if x.device.type == "cpu":
        return placed.kernel(*[None if one.__class__ is device else one for one in operands])
    turned, order = _in_memory_order(x)
    made = placed.cast(turned, wanted)
    return _formatted(tensor_of(made.array.transpose(order)), format)


def _dtype(name: str, given: dict[str, Any], x: Tensor, other: Any) -> dtypes.dtype:
    if given.get("dtype") is not None:
        return dtypes.from_scalar_type(given["dtype"])
    if name.startswith("aten::_cast_"):
        return dtypes.from_name(name.removeprefix("aten::_cast_"))
    return x.dtype if other is None else other.dtype


def _has_format(x: Tensor, format: int) -> bool:
    found = suggest_memory_format(x.array.shape, element_strides(x.array))
    return found == memory_format(format)


def _formatted(x: Tensor, format: int | None) -> Tensor:
    """The tensor with its dimensions in an order that is asked for."""
    if format is None or format == preserve_format:
        return x
    strides = strides_for_format(x.array.shape, memory_format(format))
    if tuple(strides) == tuple(element_strides(x.array)):
        return x
    made = memory().empty(x.array.shape, x.array.dtype)
    made = made.restrided(x.array.shape, [stride * x.array.itemsize for stride in strides])
    memory().assign(made, x.array)
    return tensor_of(made)


def _in_memory_order(x: Tensor) -> tuple[Tensor, list[int]]:
    """The tensor with its dimensions in the order of its memory, and how to turn it back."""
    order = dense_order(x.array)
    return tensor_of(x.array.transpose(order)), [int(place) for place in np.argsort(order)]


def _clone(x: Tensor) -> Tensor:
    """A copy without gaps, with its dimensions in the same order in memory."""
    turned, order = _in_memory_order(x)
    return tensor_of(turned.array.copy().transpose(order))


def _copy_(placed: Placed, operands: Sequence[Any]) -> Tensor:
    """`aten::copy_`: either side may be on the host."""
    x, source = operands[:2]
    if not isinstance(source, Tensor):
        return _fill_(placed, operands)
    target, values = x.array, source.array
    if target is values:
        return x
    if target.__class__ is not DeviceArray:
        return placed.kernel(
            x, tensor_of(memory().to_host(cast("DeviceArray", values))), *operands[2:]
        )
    if broadcast_shapes(target.shape, values.shape) != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape "
            f"{list(broadcast_shapes(target.shape, values.shape))}"
        )
    assert_no_internal_overlap(target)
    if values.__class__ is DeviceArray:
        assert_no_partial_overlap(target, values)
    transfers.assign(x, source)
    return x


def _fill_(placed: Placed, operands: Sequence[Any]) -> Tensor:
    """`aten::fill_` and `aten::zero_`."""
    x = operands[0]
    value: Any = operands[1] if len(operands) > 1 else 0
    if x.array.__class__ is not DeviceArray:
        return placed.kernel(x, tensor_of(value.array.on_host()))
    if not isinstance(value, Tensor):
        check_fits(x.dtype, value)
        value = tensor_of(np.asarray(value).astype(x.array.dtype))
    if value.array.ndim:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{value.array.ndim} dimensions."
        )
    transfers.assign(x, value)
    return x


def _clone_operator(_: Placed, operands: Sequence[Any]) -> Tensor:
    """`aten::clone`."""
    x, format = operands
    return _formatted(_clone(x), format)


def _contiguous(_: Placed, operands: Sequence[Any]) -> Tensor:
    """`aten::contiguous`."""
    x, format = operands
    return x if x.is_contiguous(memory_format(format)) else _formatted(_ordered(x), format)


def _ordered(x: Tensor) -> Tensor:
    return tensor_of(x.array.copy())


def _empty_like(placed: Placed, operands: Sequence[Any]) -> Tensor:
    """`aten::empty_like`, `aten::new_empty` and those that make empty tensors of sizes: nothing is copied."""
    names = [argument.name for argument in placed.operator.schema.arguments]
    given = dict(zip(names, operands))
    x: Tensor | None = given.get("self")
    where = given.get("device") or (memory().device if x is None else x.device)
    like = [tensor_of(np.empty(0, one.array.dtype)) if _is_there(one) else one for one in operands]
    if x is not None and _is_there(x):
        on_host = np.lib.stride_tricks.as_strided(
            np.empty(1, x.array.dtype), x.array.shape, x.array.strides
        )
        like[0] = tensor_of(on_host)
    if "device" in names:
        like[names.index("device")] = None
    made: Tensor = placed.kernel(*like)
    where = device(where)
    if where.type == "cpu":
        return made
    transfers.check_device(where)
    found = memory().empty(made.array.shape, made.array.dtype)
    return tensor_of(found.restrided(made.array.shape, made.array.strides))


def _is_there(value: Any) -> bool:
    return isinstance(value, Tensor) and value.array.__class__ is DeviceArray


def _backward_of_slice(_: Placed, operands: Sequence[Any]) -> Tensor:
    """`aten::slice_backward` and `aten::select_backward`: the gradient among zeros."""
    grad, sizes, *where = operands
    made = tensor_of(memory().empty(sizes, grad.array.dtype))
    made.zero_()
    (made.select(*where) if len(where) == 2 else made.slice(*where)).copy_(grad)
    return made


def _place_of(extreme: str) -> Own:
    """`aten::argmax` or `aten::argmin`: the first place whose element is the largest or smallest one, or no number."""

    def run(placed: Placed, operands: Sequence[Any]) -> Tensor:
        x, dim, keepdim = operands
        rank = x.array.ndim
        if (
            not x.array.size
            or x.dtype is dtypes.bool_
            or not -max(rank, 1) <= (dim or 0) < max(rank, 1)
        ):
            return placed.on_host(operands)  # which says what is wrong
        rows = x.reshape([-1]) if dim is None or not rank else x
        axis = 0 if dim is None else wrap_dim(dim, rank or 1)
        length: int = rows.array.shape[axis]
        is_there = rows.eq(getattr(rows, extreme)([axis], True))
        if x.dtype.is_floating_point:
            is_there = is_there.logical_or(rows.isnan())
        shape: list[int] = [length if one == axis else 1 for one in range(rows.array.ndim)]
        places = numbers(length, shape)
        beyond = transfers.to_device(tensor_of(np.array(length)), memory().device)
        found = places.where(is_there, beyond).amin(
            [axis], keepdim and dim is not None and rank > 0
        )
        return found.view([1] * rank) if keepdim and dim is None else found

    return run


def _stacked(rank: int, dim: int) -> Own:
    """`aten::hstack` and its like: tensors of a rank at least, one behind the other."""

    def run(placed: Placed, operands: Sequence[Any]) -> Tensor:
        (tensors,) = operands
        if not all(map(_is_there, tensors)):
            return placed.on_host(operands)
        widened = [_of_rank(rank, one) for one in tensors]
        along = 0 if dim == 1 and widened[0].array.ndim == 1 else dim
        return call("aten::cat", (widened, along))

    return run


def _of_rank(rank: int, x: Tensor) -> Tensor:
    """A tensor of a rank at least, as `atleast_1d`, `atleast_2d` and `atleast_3d` give it."""
    if x.array.ndim >= rank:
        return x
    if rank == 3 and x.array.ndim == 2:
        return x.unsqueeze(2)
    return _of_rank(rank, x.unsqueeze(0))


OWN: dict[str, Own] = {
    **PRODUCTS,
    **RANDOM,
    **INDEXING,
    **SCANS,
    **SORTING,
    **RANKED,
    **SEARCHING,
    **REARRANGED,
    **LOSSES,
    **COMPOSITES,
    **NORMALIZATIONS,
    **CONVOLUTIONS,
    **PADDING,
    **POOLING,
    **FRACTIONAL_POOLING,
    **RECURRENT_LAYERS,
    **SAMPLING,
    **STATISTICS,
    **FAKE_QUANTIZATION,
    **PACKED,
    **ALIGNMENTS,
    **SEQUENCES,
    **DISTANCES,
    **EMBEDDING_BAGS,
    **HISTOGRAMS,
    **SEGMENT_REDUCTION,
    **LOSS_SCALING,
    **LINEAR_ALGEBRA,
    **COMPLEX,
    **FOURIER,
    **dict.fromkeys(
        ("aten::to", "aten::_to_copy", "aten::as_tensor", "aten::type_as", "aten::_autocast_to"),
        _to,
    ),
    **dict.fromkeys(
        (f"aten::as_tensor.{kind}" for kind in "bool int float complex list".split()), _of_numbers
    ),
    **{f"aten::_cast_{n}": _to for n in "Byte Char Double Float Int Long Short Half".split()},
    "aten::hstack": _stacked(1, 1),
    "aten::vstack": _stacked(2, 0),
    "aten::row_stack": _stacked(2, 0),
    "aten::dstack": _stacked(3, 2),
    "aten::argmax": _place_of("amax"),
    "aten::argmin": _place_of("amin"),
    "aten::copy_": _copy_,
    "aten::slice_backward": _backward_of_slice,
    "aten::select_backward": _backward_of_slice,
    "aten::fill_": _fill_,
    "aten::zero_": _fill_,
    "aten::clone": _clone_operator,
    "aten::contiguous": _contiguous,
    "aten::grad": lambda placed, operands: placed.kernel(*operands),
    "aten::cuda": lambda _, operands: transfers.to_device(operands[0], memory().device),
    "aten::cpu": lambda _, operands: transfers.to_device(operands[0], device("cpu")),
    **dict.fromkeys(
        ("aten::empty_like", "aten::new_empty", "aten::empty", "aten::empty_strided"), _empty_like
    ),
}
