"""Pointwise operators on sparse tensors (PyTorch: native/sparse/SparseUnaryOps.cpp, SparseTensorMath.cpp, SparseCsrTensorMath.cpp).

An operator of one operand that gives 0 for 0 runs on what is kept. So do products and sums of two, at the places that both, or either,
keep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.sparse_conversion import compress, coo_of_compressed
from torchscript_dialect.ops.unstrided.sparse_coo import (
    coalesced,
    layout_name,
    strided_kernel,
    strided_of,
)
from torchscript_dialect.ops.unstrided.sparse_making import as_chosen
from torchscript_dialect.ops.unstrided.sparse_masks import matches
from torchscript_dialect.ops.unstrided.sparse_parts import block_of
from torchscript_dialect.ops.unstrided.sparse_views import broadcast
from torchscript_dialect.ops.unstrided.unstrided import ON_COO, ON_CSR, ON_SPARSE
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import check_castable, result_type
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    SparseTensor,
    UnstridedTensor,
    coo,
)

KEEP_ZERO = (
    "abs absolute arcsin arcsinh arctan arctanh asin asinh atan atanh ceil deg2rad erf erfinv expm1 fix floor frac isinf isnan "
    "isneginf isposinf log1p neg negative rad2deg relu round sgn sign signbit sin sinh sqrt tan tanh trunc"
).split()
"""Operators of one operand that give 0 for 0."""

_COMPARISONS = frozenset("isinf isnan isneginf isposinf signbit".split())


def on_kept(name: str) -> Callable[..., Tensor]:
    """What runs an operator on the elements that a tensor keeps."""

    def run(x: Any, *rest: Any) -> Tensor:
        whole = coalesced(x) if isinstance(x, SparseTensor) else x
        return whole.twin(strided_kernel(name)(tensor_of(whole.elements), *rest).array)

    return run


def _in_place(name: str) -> Callable[..., Tensor]:
    run = on_kept(name)

    def write(x: Any, *rest: Any) -> Tensor:
        if isinstance(x, SparseTensor) and not x.is_unique:
            raise RuntimeError(f"{name}_ requires coalesced input")
        made: Any = run(x, *rest)
        x.elements[...] = as_chosen(made.elements, x.dtype.scalar_type)
        return x

    return write


for _name in KEEP_ZERO:
    ON_SPARSE(_name)(on_kept(_name))
    if _name not in _COMPARISONS:
        ON_SPARSE(f"{_name}_")(_in_place(_name))
ON_COO("nan_to_num")(on_kept("nan_to_num"))
ON_COO("nan_to_num_")(_in_place("nan_to_num"))
ON_CSR("angle")(on_kept("angle"))


def _into(run: Callable[..., Any]) -> Callable[..., Tensor]:
    """What writes the result to `out`, the last operand."""

    def write(*operands: Any) -> Tensor:
        *given, out = operands
        made = run(*given)
        check_castable(made.dtype, out.dtype)
        return _written(out, made)

    return write


ON_CSR("_conj_physical")(on_kept("conj_physical"))
ON_SPARSE("conj_physical")(on_kept("conj_physical"))
ON_SPARSE.implement("positive", lambda x: x)
ON_COO.implement("square", lambda x: on_kept("pow.Tensor_Scalar")(x, 2))


@ON_SPARSE("threshold_backward")
def threshold_backward(grad: Any, x: Any, threshold: Any) -> Tensor:
    if type(grad) is not type(x):
        raise RuntimeError("threshold_backward: grad and self must have the same layout")
    mine, theirs = (coalesced(grad), coalesced(x)) if isinstance(x, SparseTensor) else (grad, x)
    made = strided_kernel("threshold_backward")(
        tensor_of(mine.elements), tensor_of(theirs.elements), threshold
    )
    return mine.twin(made.array)


@ON_COO("pow.Tensor_Scalar")
def power(x: SparseTensor, exponent: Any) -> Tensor:
    if exponent == 0:
        raise RuntimeError(
            "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense"
        )
    return on_kept("pow.Tensor_Scalar")(x, exponent)


for _name in (*KEEP_ZERO, "conj_physical"):
    if registry.find(f"aten::{_name}.out") is not None:
        ON_SPARSE(f"{_name}.out")(_into(on_kept(_name)))


# Sums


@ON_SPARSE("add.Tensor")
def add(x: Any, y: Any, alpha: Any) -> Tensor:
    if isinstance(x, CompressedTensor) or isinstance(y, CompressedTensor):
        return _add_compressed(x, y, alpha)
    if not isinstance(x, SparseTensor):
        return strided_kernel("add.Tensor")(x, tensor_of(strided_of(y)), alpha)
    if not isinstance(y, SparseTensor):
        raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    if x.sizes != y.sizes:
        raise RuntimeError(
            f"add: expected sizes of 'self' and 'other' to match, but {list(x.sizes)} != {list(y.sizes)}"
        )
    if len(x.places) != len(y.places) and not (x.places.size and y.places.size):
        return _add_zeros(x, y, alpha)
    if len(x.places) != len(y.places):
        raise RuntimeError(
            "add: expected 'self' and 'other' to have same number of sparse dimensions, but "
            f"{len(x.places)} != {len(y.places)}"
        )
    element = result_type([tensor_of(x.elements), tensor_of(y.elements)]).scalar_type
    mine, theirs = as_chosen(x.elements, element), as_chosen(y.elements, element)
    scaled = strided_kernel("mul.Scalar")(tensor_of(theirs), alpha).array
    both = coo(
        np.concatenate((x.places, y.places), axis=1),
        np.concatenate((mine, as_chosen(scaled, element))),
        x.sizes,
        False,
    )
    is_unique = x.is_unique and y.is_unique
    return coalesced(both) if is_unique else both


def _add_zeros(x: SparseTensor, y: SparseTensor, alpha: Any) -> Tensor:
    """The sum of two of which one keeps nothing: it may have other sparse dimensions."""
    element = result_type([tensor_of(x.elements), tensor_of(y.elements)]).scalar_type
    one: Any = x if x.places.size else _scaled(y, alpha)
    return one.twin(as_chosen(one.elements, element).copy())


def _add_compressed(x: Any, y: Any, alpha: Any) -> Tensor:
    if not (isinstance(x, CompressedTensor) and isinstance(y, CompressedTensor)):
        if isinstance(x, SparseTensor) or isinstance(y, SparseTensor):
            raise RuntimeError(
                f"add: expected both tensors to have the same layout, but got {layout_name(x)} and {layout_name(y)}"
            )
        if isinstance(x, CompressedTensor):  # the factor goes to what is sparse, as in PyTorch
            x, y = y, x
        return strided_kernel("add.Tensor")(x, tensor_of(strided_of(y)), alpha)
    if x.sizes != y.sizes:
        raise RuntimeError(
            f"torch.add: Expected input tensors to have the same shape, but got tensor `self` with shape {list(x.sizes)} "
            f"and tensor `other` with shape {list(y.sizes)}"
        )
    made: Any = add(coo_of_compressed(x), coo_of_compressed(y), alpha)
    return compress(coalesced(made), x.kind, block_of(x), index=x.bounds.dtype)


@ON_COO("sub.Tensor subtract.Tensor")
def subtract(x: Any, y: Any, alpha: Any) -> Tensor:
    return add(x, y, -alpha)


@ON_CSR("sub.Tensor subtract.Tensor div.Tensor div.Scalar")
def _refused(x: Tensor, *_: Any) -> Tensor:
    raise RuntimeError(f"unsupported tensor layout: {layout_name(x)}")


ON_COO.implement("add.Scalar", lambda x, y, alpha: add(x, tensor_of(np.asarray(y)), alpha))
ON_COO.implement("sub.Scalar", lambda x, y, alpha: add(x, tensor_of(np.asarray(y)), alpha))


@ON_SPARSE("add_.Tensor")
def add_in_place(x: Any, y: Any, alpha: Any) -> Tensor:
    made: Any = add(x, y, alpha)
    return _written(x, made)


ON_COO.implement("sub_.Tensor", lambda x, y, alpha: _written(x, subtract(x, y, alpha)))


def _written(x: Any, made: Any) -> Tensor:
    if not isinstance(x, UnstridedTensor):
        x.array[...] = made.array
        return x
    if not isinstance(made, UnstridedTensor):
        raise RuntimeError("a tensor without strides cannot be given the elements of one with")
    made.elements = np.array(as_chosen(made.elements, x.dtype.scalar_type))
    x.become(made)
    return x


# Products


def _is_number(y: Any) -> bool:
    return not isinstance(y, Tensor) or (not isinstance(y, UnstridedTensor) and not y.array.ndim)


def _scaled(x: Any, y: Any) -> Tensor:
    name = "mul.Tensor" if isinstance(y, Tensor) else "mul.Scalar"
    return x.twin(strided_kernel(name)(tensor_of(x.elements), y).array)


@ON_SPARSE("mul.Tensor mul.Scalar multiply.Tensor multiply.Scalar")
def multiply(x: Any, y: Any) -> Tensor:
    if not isinstance(x, UnstridedTensor):
        x, y = y, x
    if _is_number(y):
        return _scaled(x, y)
    if isinstance(x, CompressedTensor) or isinstance(y, CompressedTensor):
        return _multiply_compressed(x, y)
    assert isinstance(x, SparseTensor)
    return _multiply_sparse(x, y) if isinstance(y, SparseTensor) else _masked(x, y)


def _multiply_sparse(x: SparseTensor, y: SparseTensor) -> Tensor:
    for scalar, other in ((x, y), (y, x)):
        if not scalar.sizes:
            return _scaled(other, tensor_of(strided_of(scalar)))
    if x.sizes != y.sizes:
        sizes = list(np.broadcast_shapes(x.sizes, y.sizes))
        x, y = broadcast(x, sizes), broadcast(y, sizes)  # type: ignore[assignment]
    mine, theirs = coalesced(x), coalesced(y)
    if len(mine.places) != len(theirs.places):
        raise RuntimeError(
            "mul: expected 'self' and 'other' to have the same number of sparse dimensions, but got "
            f"{len(mine.places)} and {len(theirs.places)}"
        )
    found = matches(mine, theirs)
    product = strided_kernel("mul.Tensor")(
        tensor_of(mine.elements[found.of_first]), tensor_of(theirs.elements[found.of_second])
    )
    return coo(
        np.ascontiguousarray(mine.places[:, found.of_first]), product.array, mine.sizes, True
    )


def _masked(x: SparseTensor, y: Tensor) -> Tensor:
    """The product with a strided tensor, at the places of the sparse one."""
    sizes = np.broadcast_shapes(x.sizes, y.array.shape)
    if sizes != x.sizes:
        x = broadcast(x, list(sizes))  # type: ignore[assignment]
    other = np.broadcast_to(y.array, x.sizes)[tuple(x.places)]
    product = strided_kernel("mul.Tensor")(
        tensor_of(x.elements), tensor_of(np.ascontiguousarray(other))
    )
    return x.twin(product.array)


def _multiply_compressed(x: Any, y: Any) -> Tensor:
    if not isinstance(x, CompressedTensor):
        x, y = y, x
    if isinstance(y, SparseTensor):
        raise RuntimeError(
            f"mul(sparse_csr, sparse): unsupported layouts {x.layout} and {y.layout}"
        )
    other: Any = coo_of_compressed(y) if isinstance(y, CompressedTensor) else y
    if tuple(np.broadcast_shapes(x.sizes, tuple(y.shape))) != x.sizes:
        raise RuntimeError(
            f"mul(): expected sizes that broadcast to {list(x.sizes)}, got {list(y.shape)}"
        )
    if (
        isinstance(y, Tensor)
        and not isinstance(y, UnstridedTensor)
        and not x.is_blocked
        and not x.batch
    ):
        mine = coo_of_compressed(x)
        made: Any = _masked(mine, y)
        return compress(coalesced(made), x.kind)
    made = multiply(coo_of_compressed(x), other)
    return compress(coalesced(made), x.kind, block_of(x))


@ON_SPARSE("mul_.Tensor mul_.Scalar")
def multiply_in_place(x: Any, y: Any) -> Tensor:
    return _written(x, multiply(x, y))


def _divided(x: Any, y: Any, *rest: Any) -> Tensor:
    if not _is_number(y):
        raise RuntimeError(
            "Sparse division requires a scalar or zero-dim dense tensor divisor (got shape "
            f"{list(y.shape)} for divisor)"
        )
    divisor = y if isinstance(y, Tensor) else tensor_of(np.asarray(y))
    whole = coalesced(x) if rest and not x.is_unique else x
    name = "div.Tensor_mode" if rest else "div.Tensor"
    if not isinstance(y, Tensor):
        name = name.replace("Tensor", "Scalar")
        return whole.twin(strided_kernel(name)(tensor_of(whole.elements), y, *rest).array)
    return whole.twin(strided_kernel(name)(tensor_of(whole.elements), divisor, *rest).array)


for _name in ("div", "divide"):
    _forms = ("Tensor", "Scalar", "Tensor_mode", "Scalar_mode")
    ON_COO(" ".join(f"{_name}.{form}" for form in _forms))(_divided)
ON_COO("true_divide.Tensor true_divide.Scalar")(_divided)


ON_SPARSE("add.out")(_into(add))
ON_SPARSE("mul.out")(_into(multiply))
ON_COO("sub.out")(_into(subtract))
ON_COO("div.out div.out_mode div.Scalar_out div.Scalar_mode_out")(_into(_divided))
ON_COO.implement("floor_divide floor_divide.Scalar", lambda x, y: _divided(x, y, "floor"))


@ON_COO("floor_divide_.Tensor floor_divide_.Scalar")
def floor_divide_in_place(x: Any, y: Any) -> Tensor:
    return _written(x, _divided(x, y, "floor"))


@ON_COO("div_.Tensor div_.Scalar div_.Tensor_mode div_.Scalar_mode")
def divide_in_place(x: Any, y: Any, *rest: Any) -> Tensor:
    return _written(x, _divided(x, y, *rest))
