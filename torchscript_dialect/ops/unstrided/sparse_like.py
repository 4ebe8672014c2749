"""Sparse tensors like others, and of one number (PyTorch: native/TensorFactories.cpp, sparse/SparseCsrTensor.cpp)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torchscript_dialect.ops.unstrided.sparse_coo import (
    LAYOUT_NAMES,
    layout_name,
    strided_kernel,
    strided_of,
)
from torchscript_dialect.ops.unstrided.sparse_making import (
    BLOCKS,
    chosen,
    empty_compressed,
    empty_coo,
)
from torchscript_dialect.ops.unstrided.sparse_parts import block_of
from torchscript_dialect.ops.unstrided.sparse_views import cast, clone
from torchscript_dialect.ops.unstrided.unstrided import ON_CSR, ON_SPARSE
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import CompressedTensor, SparseTensor, UnstridedTensor


def zeros_like(x: UnstridedTensor, wanted: int | None = None, kind: int | None = None) -> Any:
    """A tensor of the same sizes that keeps nothing, of the layout that is asked for.

    Raises:
        RuntimeError: blocks, whose sizes a tensor without them does not tell, or strides of compressed rows.
    """
    element = x.dtype if wanted is None else chosen(wanted)
    own = x.layout if kind is None else layout(kind)
    is_coo = isinstance(x, SparseTensor)
    dense = x.ndim - (len(x.places) if is_coo else len(_batch(x)) + 2)
    if own is layout.sparse_coo:
        return empty_coo(x.sizes, x.ndim - dense, dense, element)
    if own is layout.strided:
        if not is_coo:
            raise _other_layout(x, own)
        return tensor_of(np.zeros(x.sizes, element.numpy_dtype))
    block = block_of(x) if isinstance(x, CompressedTensor) and x.is_blocked else None
    if (own in BLOCKS) != (block is not None):
        text = (
            f"blocksize cannot be specified for non-block layout {LAYOUT_NAMES[own]}"
            if block
            else "blocksize needs to be a tuple of size 2, but got 0"
        )
        raise RuntimeError(f"sparse_compressed_tensor_with_dims: {text}")
    index = x.bounds.dtype if isinstance(x, CompressedTensor) else np.int64
    return empty_compressed(own, x.sizes, element, block or (1, 1), dense, index)


def _batch(x: UnstridedTensor) -> tuple[int, ...]:
    assert isinstance(x, CompressedTensor)
    return x.batch


def _other_layout(x: Tensor, kind: layout) -> RuntimeError:
    return RuntimeError(
        f"empty_like with different sparse layout is not supported (self is {layout_name(x)} but you requested "
        f"{LAYOUT_NAMES[kind]})"
    )


ON_SPARSE.implement(
    "zeros_like", lambda x, wanted, kind, device, pin, format: zeros_like(x, wanted, kind)
)


@ON_SPARSE("empty_like")
def empty_like(
    x: Any, wanted: int | None, kind: int | None, _device: Any, _pin: Any, _format: Any
) -> Tensor:
    if isinstance(x, SparseTensor):
        return zeros_like(x, wanted, kind)
    if kind is not None and kind != x.layout:
        raise _other_layout(x, layout(kind))
    made: Any = clone(x, None)
    return made if wanted is None else cast(made, wanted)


@ON_CSR("full_like")
def full_like(x: Any, value: Any, wanted: int | None, kind: Any, *options: Any) -> Tensor:
    """The elements that are kept become the value: the others stay zeros, as in PyTorch."""
    return fill(empty_like(x, wanted, kind, *options), value)


@ON_CSR("ones_like")
def ones_like(x: Any, *options: Any) -> Tensor:
    return full_like(x, 1, *options)


@ON_CSR("fill_.Scalar fill_.Tensor")
def fill(x: Any, value: Any) -> Tensor:
    x.elements[...] = strided_of(value) if isinstance(value, Tensor) else value
    return x


@ON_SPARSE("new_zeros new_empty")
def new_zeros(
    x: Any, size: list[int], wanted: int | None, kind: int | None, device: Any, pin: Any
) -> Tensor:
    """A tensor of another size that keeps nothing, of the layout of this one unless another is asked for."""
    element = x.dtype.scalar_type if wanted is None else wanted
    return strided_kernel("zeros")(size, element, x.layout if kind is None else kind, device, pin)


@ON_SPARSE("zero_")
def zero(x: Any) -> Tensor:
    x.become(zeros_like(x))
    return x
