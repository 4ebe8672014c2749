"""Joined tensors: `cat`, `stack`, what is made of them, and the ranks that they ask for (`atleast_2d`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND, Aliasing, Origin
from torchscript_dialect.ops.shapes import (
    Dims,
    Fact,
    fresh,
    is_known,
    known_ints,
    promote,
    wrap,
)
from torchscript_dialect.ops.views.views import unsqueeze
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.layout import contiguous_format, memory_format
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    element_strides,
    empty_strided,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import result_type
from torchscript_dialect.types.tensor_type import TensorProperties


def _tensor_facts(fact: Fact) -> list[TensorProperties] | None:
    if not isinstance(fact, (list, tuple)):
        return None
    facts: list[TensorProperties] = [f for f in fact if isinstance(f, TensorProperties)]  # pyright: ignore[reportUnknownVariableType]
    return facts if facts and len(facts) == len(fact) else None  # pyright: ignore[reportUnknownArgumentType]


def _shared_format(layouts: Sequence[tuple[Sequence[int], Sequence[int]]]) -> memory_format:
    """The memory format that all these (sizes, strides) suggest, the contiguous one if they differ."""
    formats = {suggest_memory_format(sizes, strides) for sizes, strides in layouts}
    return formats.pop() if len(formats) == 1 else contiguous_format


def _joined_fact(
    element: dtypes.dtype | None, sizes: Dims, tensors: list[TensorProperties]
) -> TensorProperties:
    """A join, of which the strides are known where those of the parts, in the order of the result, are."""
    exact = known_ints(sizes)
    parts = [(known_ints(t.sizes), known_ints(t.strides)) for t in tensors]
    layouts = [(n, s) for n, s in parts if n is not None and s is not None]
    result = fresh(element, sizes, *tensors)
    if len(layouts) != len(tensors) or exact is None:
        return result if len(sizes) not in (4, 5) else replace(result, strides=None)
    return replace(result, strides=strides_for_format(exact, _shared_format(layouts)))


def _cat_shape(facts: Sequence[Fact]) -> Fact:
    tensors = _tensor_facts(facts[0])
    if tensors is None or not is_known(facts[1]):
        return TensorProperties()
    element = promote(tensors)
    used = [sizes for t in tensors if (sizes := t.sizes) != (0,)]
    if not used or any(sizes is None or len(sizes) != len(used[0] or ()) for sizes in used):
        return fresh(element, None, *tensors)
    rank = len(used[0] or ())
    dim = wrap(facts[1], rank)
    result: list[int | None] = []
    for axis in range(rank):
        column = [sizes[axis] for sizes in used if sizes is not None]
        if axis == dim:
            known = [size for size in column if size is not None]
            result.append(sum(known) if len(known) == len(column) else None)
        else:
            result.append(next((size for size in column if size is not None), None))
    return _joined_fact(element, tuple(result), tensors)


registry.declare("cat stack vstack hstack dstack", copies_elements=True)
registry.attach("aten::cat", lower="lowering.linalg.views:Concatenation")
registry.attach("aten::stack", lower="lowering.linalg.views:Stack")


@registry.kernel("cat concat concatenate", shape=_cat_shape, strict_out=True)
def cat(tensors: Sequence[Tensor], dim: int) -> Tensor:
    """The tensors one after the other along a dimension. One-dimensional tensors without elements do not count."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    arrays = [tensor.array for tensor in tensors]
    if _are_plain(arrays) and -arrays[0].ndim <= dim < arrays[0].ndim:
        try:
            return tensor_of(np.concatenate(arrays, dim))
        except ValueError:
            pass  # sizes that do not fit: told below
    for position, array in enumerate(arrays):
        if not array.ndim:
            raise RuntimeError(
                f"zero-dimensional tensor (at position {position}) cannot be concatenated"
            )
    used = [(i, array) for i, array in enumerate(arrays) if array.shape != (0,)]
    element = result_type(tensors).numpy_dtype
    if not used:
        return tensor_of(np.empty((0,), element))
    first = used[0][1]
    dim = wrap_dim(dim, first.ndim)
    for position, array in used[1:]:
        if array.ndim != first.ndim:
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {first.ndim} and {array.ndim}"
            )
        for axis in range(first.ndim):
            if axis != dim and array.shape[axis] != first.shape[axis]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size "
                    f"{first.shape[axis]} but got size {array.shape[axis]} for tensor number "
                    f"{position} in the list."
                )
    shape = list(first.shape)
    shape[dim] = sum(array.shape[dim] for _, array in used)
    out = _empty_joined(shape, arrays, np.dtype(element))
    np.concatenate([array for _, array in used], dim, out=out, casting="unsafe")
    return tensor_of(out)


def _empty_joined(
    shape: Sequence[int], arrays: Sequence[NDArray[Any]], element: np.dtype[Any]
) -> NDArray[Any]:
    """An array for a join of others."""
    if len(shape) not in (4, 5):
        return np.empty(shape, element)
    return empty_strided(shape, joined_strides(shape, arrays), element)


def joined_strides(shape: Sequence[int], arrays: Sequence[NDArray[Any]]) -> tuple[int, ...]:
    """The strides of a join of arrays, in the memory format that these share: one other than the contiguous has 4 or 5 dimensions."""
    if len(shape) not in (4, 5):
        return contiguous_strides(shape)
    format = _shared_format([(array.shape, element_strides(array)) for array in arrays])
    return strides_for_format(shape, format)


def _stack_shape(facts: Sequence[Fact]) -> Fact:
    tensors = _tensor_facts(facts[0])
    if tensors is None or not is_known(facts[1]):
        return TensorProperties()
    sizes = next((t.sizes for t in tensors if t.sizes is not None), None)
    element = promote(tensors)
    dim = None if sizes is None else wrap(facts[1], len(sizes) + 1)
    if sizes is None or dim is None:
        return fresh(element, None, *tensors)
    shape = (*sizes[:dim], len(tensors), *sizes[dim:])
    if dim == len(sizes):
        return fresh(element, shape, *tensors)
    size: int | None = sizes[dim]
    count = None if size is None else size * len(tensors)
    joined = _joined_fact(element, (*sizes[:dim], count, *sizes[dim + 1 :]), tensors)
    exact, strides = known_ints(sizes), known_ints(joined.strides)
    if exact is None or strides is None:
        return replace(joined, sizes=shape, strides=None)
    return replace(joined, sizes=shape, strides=_split_strides(strides, dim, exact[dim]))


def _split_strides(strides: Sequence[int], dim: int, size: int) -> tuple[int, ...]:
    """The strides of a view that makes two dimensions of one, the inner of this size."""
    return (*strides[:dim], size * strides[dim], *strides[dim:])


def _are_plain(arrays: Sequence[NDArray[Any]]) -> bool:
    """Whether arrays have one dtype and rank, and lie in memory as their elements are counted: what they are joined to does, too.

    With 4 and 5 dimensions, strides of sizes of 1 tell memory formats apart.
    """
    element, rank = arrays[0].dtype, arrays[0].ndim
    return rank > 0 and all(
        array.dtype is element
        and array.ndim == rank
        and array.flags.c_contiguous
        and (rank < 4 or _are_row_major(array.shape, array.strides, element.itemsize))
        for array in arrays
    )


@lru_cache(maxsize=4096)
def _are_row_major(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    """Whether the strides of a tensor that has elements are the contiguous ones, those of sizes of 1 included. They are in bytes."""
    exact = [itemsize * stride for stride in contiguous_strides(shape)]
    return 0 not in shape and [*strides] == exact


@registry.kernel("stack", shape=_stack_shape)
def stack(tensors: Sequence[Tensor], dim: int) -> Tensor:
    """The tensors side by side along a new dimension."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = tensors[0].array.shape
    dim = wrap_dim(dim, len(first) + 1)
    for position, tensor in enumerate(tensors):
        if tensor.array.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
                f"{list(tensor.array.shape)} at entry {position}"
            )
    shape = (*first[:dim], len(tensors), *first[dim:])
    arrays = [tensor.array for tensor in tensors]
    if _are_plain(arrays) and dim < len(first):
        widened = (*first[:dim], 1, *first[dim:])
        return tensor_of(np.concatenate([array.reshape(widened) for array in arrays], dim))
    element = arrays[0].dtype
    is_contiguous = dim == len(first) or (len(first) not in (4, 5) and 0 not in first)
    if is_contiguous and all(array.dtype is element for array in arrays):
        out = np.empty(shape, element)
        places = (slice(None),) * dim
        for place, array in enumerate(arrays):
            out[(*places, place)] = array
        return tensor_of(out)
    element = result_type(tensors).numpy_dtype
    out = empty_strided(shape, _stacked_strides(tensors, dim), element)
    np.stack(arrays, dim, out=out, casting="unsafe")
    return tensor_of(out)


def _stacked_strides(tensors: Sequence[Tensor], dim: int) -> tuple[int, ...]:
    """The strides of a view of the concatenation along the dimension, as PyTorch makes it, but behind the last one."""
    first, count = tensors[0].array.shape, len(tensors)
    if dim == len(first):
        return contiguous_strides((*first, count))
    shape = (*first[:dim], count * first[dim], *first[dim + 1 :])
    format = _shared_format([(t.array.shape, element_strides(t.array)) for t in tensors])
    return _split_strides(strides_for_format(shape, format), dim, first[dim])


def _at_least(tensors: Sequence[Tensor], rank: int) -> list[Tensor]:
    shaped = {1: np.atleast_1d, 2: np.atleast_2d, 3: np.atleast_3d}[rank]
    return [tensor_of(shaped(tensor.array)) for tensor in tensors]


def _check_list(name: str, tensors: Sequence[Tensor]) -> None:
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")


@registry.kernel("hstack")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    _check_list("hstack", tensors)
    tensors = _at_least(tensors, 1)
    return cat(tensors, 0 if tensors[0].array.ndim == 1 else 1)


@registry.kernel("vstack row_stack")
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    _check_list("vstack", tensors)
    return cat(_at_least(tensors, 2), 0)


@registry.kernel("dstack")
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    _check_list("dstack", tensors)
    return cat(_at_least(tensors, 3), 2)


@registry.kernel("atleast_1d", aliases=MAY_BE_OPERAND)
def atleast_1d(x: Tensor) -> Tensor:
    return x if x.array.ndim else unsqueeze(x, 0)


@registry.kernel("atleast_2d", aliases=MAY_BE_OPERAND)
def atleast_2d(x: Tensor) -> Tensor:
    return x if x.array.ndim > 1 else unsqueeze(atleast_1d(x), 0)


@registry.kernel("atleast_3d", aliases=MAY_BE_OPERAND)
def atleast_3d(x: Tensor) -> Tensor:
    return x if x.array.ndim > 2 else unsqueeze(atleast_2d(x), -1)


for _name, _function in (
    ("atleast_1d", atleast_1d),
    ("atleast_2d", atleast_2d),
    ("atleast_3d", atleast_3d),
):
    registry.implement(
        f"{_name}.Sequence",
        lambda tensors, function=_function: [function(tensor) for tensor in tensors],
        aliases=Aliasing(results=Origin.ANYWHERE, keeps=(0,)),
    )
