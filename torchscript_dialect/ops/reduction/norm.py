"""Norms, and the softmax family: reductions that compute with floats.

Results are contiguous. float16 and bfloat16 compute in float32 and round once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import Aliasing
from torchscript_dialect.ops.pointwise.steps import rounded
from torchscript_dialect.ops.reduction.reduction import (
    Axes,
    Dim,
    axes_of,
    cast,
    chosen_dtype,
    computed,
    reduction_rule,
    stored,
)
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import refuse_float8
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import opmath


def _real(element: dtype | None, wanted: Fact) -> dtype | None:
    chosen = chosen_dtype(element, wanted)
    return None if chosen is None else chosen.to_real()


# Norms


@ignores_float_errors
def vector_norm(
    x: Tensor, p: float, dim: Dim, keepdim: bool, wanted: int | None, name: str
) -> Tensor:
    """The p-norm over dimensions."""
    element = x.dtype
    if isinstance(p, complex):
        raise RuntimeError(
            "linalg.vector_norm: Expected a non-complex scalar as the order of norm."
        )
    if not (element.is_floating_point or element.is_complex):
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {element.type_name}"
        )
    x = cast(x, wanted)
    result = x.dtype.to_real()
    array = computed(x.array)
    axes = axes_of(dim, array.ndim)
    size = np.abs(array)
    if (p < 0 or p == float("inf")) and not array.size:
        _check_norm_nonempty(name, array, axes, dim, p)
    if p == 2:
        raw = np.sqrt(np.add.reduce(size * size, axis=axes, keepdims=keepdim))
    elif p == 1:
        raw = np.add.reduce(size, axis=axes, keepdims=keepdim)
    elif p == 0:
        raw = np.add.reduce(size != 0, axis=axes, keepdims=keepdim, dtype=size.dtype)
    elif p in (float("inf"), float("-inf")):
        extreme = np.maximum if p > 0 else np.minimum
        raw = extreme.reduce(size, axis=axes, keepdims=keepdim)
    else:
        if abs(p) > np.finfo(size.dtype).max:  # powers are of the dtype of the numbers
            p = float("inf") if p > 0 else float("-inf")
        raw = np.add.reduce(size**p, axis=axes, keepdims=keepdim) ** (1 / p)
    return stored(raw, result)


def _check_norm_nonempty(name: str, array: NDArray[Any], axes: Axes, dim: Dim, p: float) -> None:
    empty = [axis for axis in axes if array.shape[axis] == 0]
    if empty:
        where = f"on the dimension {empty[0]}because this dimension is empty and" if dim else ""
        raise RuntimeError(
            f"{name} cannot compute the {p:g} norm {where or 'on an empty tensor because'} the operation does not have "
            "an identity"
        )


def _norm(x: Tensor, p: float | None, dim: Dim, keepdim: bool, wanted: int | None = None) -> Tensor:
    return vector_norm(x, 2 if p is None else p, dim, keepdim, wanted, "norm")


_LOWER = "lowering.linalg.moments:Norm"
registry.implement(
    "norm.Scalar", lambda x, p: _norm(x, p, None, False), shape=reduction_rule(_real), lower=_LOWER
)
registry.implement("norm.ScalarOpt_dim", _norm, shape=reduction_rule(_real, 2, 3), lower=_LOWER)
registry.implement("norm.ScalarOpt_dim_dtype", _norm, shape=reduction_rule(_real, 2, 3, 4))
registry.implement(
    "norm.ScalarOpt_dtype",
    lambda x, p, wanted: _norm(x, p, None, False, wanted),
    shape=reduction_rule(_real, wanted=2),
)
registry.implement(
    "frobenius_norm.dim",
    lambda x, dim, keepdim: _norm(x, 2, dim, keepdim),
    shape=reduction_rule(_real, 1, 2),
)
registry.implement(
    "linalg_vector_norm",
    lambda x, p, dim, keepdim, wanted: vector_norm(
        x, p, dim, keepdim, wanted, "linalg.vector_norm"
    ),
    shape=reduction_rule(_real, 2, 3, 4),
    lower=_LOWER,
)


# Softmax


def _logsumexp(array: NDArray[Any], axes: Axes, element: dtype) -> NDArray[Any]:
    """log of the sum of exponentials, dimensions kept. As in PyTorch each step has the dtype of the elements."""
    real: Any = np.real(array)
    top = np.maximum.reduce(real, axis=axes, keepdims=True, initial=-np.inf)
    top = np.where(np.isinf(top), real.dtype.type(0), top)
    powers = rounded(np.exp(rounded(array - top, element)), element)
    total = rounded(np.add.reduce(powers, axis=axes, keepdims=True), element)
    return rounded(np.log(total), element) + top


def _float(element: dtype | None, _: Fact) -> dtype | None:
    if element is None or element.is_floating_point or element.is_complex:
        return element
    return dtypes.get_default_dtype()


@registry.kernel(
    "logsumexp",
    shape=reduction_rule(_float, 1, 2),
    lower="lowering.linalg.moments:LogSumExp",
)
@ignores_float_errors
def logsumexp(x: Tensor, dim: Sequence[int], keepdim: bool) -> Tensor:
    element = _float(x.dtype, None)
    assert element is not None
    array = x.array.astype(opmath(element).numpy_dtype, copy=False)
    axes = axes_of(dim, array.ndim)
    raw = _logsumexp(array, axes, element)
    return stored(raw if keepdim else np.squeeze(raw, axes), element)


def _softmax_shape(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    wanted = facts[2] if len(facts) > 2 and not isinstance(facts[2], bool) else None
    return fresh(chosen_dtype(dtype_of(x), wanted), rank_known(x), x)


def _softmax(name: str, log: bool) -> Callable[[Tensor, int, int | None], Tensor]:
    """Sums along the last dimension and their logarithms have the dtype of the elements, and so have exponentials along another, as in
    PyTorch (native/cpu/SoftMaxKernel.cpp: vec_log_softmax_lastdim_chunk_kernel, vec_softmax); all else is computed in float32.
    """

    @ignores_float_errors
    def kernel(x: Tensor, dim: int, wanted: int | None) -> Tensor:
        x = cast(x, wanted)
        element = x.dtype
        refuse_float8(element, f"{name}_lastdim_kernel_impl")
        if x.array.size and not element.is_floating_point:
            raise NotImplementedError(
                f"\"{name}_lastdim_kernel_impl\" not implemented for '{element.type_name}'"
            )
        array = computed(x.array)
        dim = wrap_dim(dim, array.ndim or 1)
        if not array.size:
            return tensor_of(np.empty(array.shape, element.numpy_dtype))
        axes = (dim,) if array.ndim else ()
        shifted = array - np.maximum.reduce(array, axis=axes, keepdims=True)
        powers = np.exp(shifted)
        total = np.add.reduce(powers, axis=axes, keepdims=True)
        along_last = dim == array.ndim - 1 or not array.ndim
        if not log:
            return stored((powers if along_last else rounded(powers, element)) / total, element)
        kept_in = element if along_last else opmath(element)
        logs = rounded(np.log(rounded(total, kept_in)), kept_in)
        return stored(shifted - logs, element)

    return kernel


softmax = _softmax("softmax", log=False)
log_softmax = _softmax("log_softmax", log=True)
registry.implement(
    "softmax.int special_softmax",
    softmax,
    shape=_softmax_shape,
    lower="lowering.linalg.softmax:Softmax",
)
registry.implement(
    "log_softmax.int special_log_softmax",
    log_softmax,
    shape=_softmax_shape,
    lower="lowering.linalg.softmax:LogSoftmax",
)
registry.implement("_softmax", lambda x, dim, _: softmax(x, dim, None), shape=_softmax_shape)
registry.implement(
    "_log_softmax", lambda x, dim, _: log_softmax(x, dim, None), shape=_softmax_shape
)


@registry.kernel("_softmax_backward_data", lower="lowering.linalg.softmax:SoftmaxGradient")
def softmax_backward(grad: Tensor, output: Tensor, dim: int, _input_dtype: int) -> Tensor:
    g, y = computed(grad.array), computed(output.array)
    axes = axes_of(dim, g.ndim)
    total = np.add.reduce(g * y, axis=axes, keepdims=True)
    return stored((g - total) * y, output.dtype)


@registry.kernel("_log_softmax_backward_data", lower="lowering.linalg.softmax:LogSoftmaxGradient")
def log_softmax_backward(grad: Tensor, output: Tensor, dim: int, _input_dtype: int) -> Tensor:
    g, y = computed(grad.array), computed(output.array)
    axes = axes_of(dim, g.ndim)
    return stored(g - np.exp(y) * np.add.reduce(g, axis=axes, keepdims=True), output.dtype)


# Running statistics are written to in training, of which schemas do not tell.
_STATISTICS = Aliasing(writes=((3, False), (4, False)))
for _name in (
    "batch_norm native_batch_norm _batch_norm_impl_index cudnn_batch_norm miopen_batch_norm".split()
):
    registry.attach(f"aten::{_name}", aliases=_STATISTICS, training="training")
registry.attach("aten::instance_norm", aliases=_STATISTICS, training="use_input_stats")
