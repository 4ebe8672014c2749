"""Complex tensors: made of parts, conjugated, and seen as tensors of real numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import COMPARISON
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.ops.shapes import (
    Fact,
    broadcast,
    dtype_of,
    fresh,
    preserved,
    rank_known,
)
from torchscript_dialect.ops.views.view_copies import in_order
from torchscript_dialect.ops.views.views import matrix_transpose, restride
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.strides import element_strides, empty_like, empty_like_operands
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

# Conjugates


def _conjugated(x: Tensor) -> Tensor:
    result = empty_like(x.array)
    np.conjugate(x.array, out=result)
    return tensor_of(result)


def _like_operand(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    element = dtype_of(x)
    if element is None or not element.is_complex:
        return x if element is not None else fresh(None, rank_known(x), x)
    return preserved(element, x)


@registry.kernel("conj", shape=_like_operand, lower="lowering.linalg.complex_parts:Conjugate")
def conj(x: Tensor) -> Tensor:
    """The conjugate: the tensor itself where it is real. PyTorch's shares memory and conjugates when it is read; ours is a copy that
    cannot be written to, so that no write is lost.
    """
    if x.array.dtype.kind != "c":
        return x
    result = _conjugated(x)
    result.array.flags.writeable = False
    return result


registry.implement("_conj", conj, shape=_like_operand)
registry.implement("_conj_copy", lambda x: in_order(_conjugated(x)))


@registry.kernel(
    "conj_physical",
    shape=_like_operand,
    aliases=MAY_BE_OPERAND,
    lower="lowering.linalg.complex_parts:PhysicalConjugate",
)
def conj_physical(x: Tensor) -> Tensor:
    return _conjugated(x) if x.array.dtype.kind == "c" else x


@registry.kernel("conj_physical_", shape=lambda facts: facts[0])
def conj_physical_(x: Tensor) -> Tensor:
    if x.array.dtype.kind == "c":
        assert_no_internal_overlap(x.array)
        np.conjugate(x.array, out=x.array)
    return x


def adjoint(x: Tensor) -> Tensor:
    """The transposed conjugates of matrices."""
    if x.array.ndim == 1:
        raise RuntimeError(
            "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor."
        )
    return conj(matrix_transpose(x))


def hermitian(x: Tensor) -> Tensor:
    """`tensor.H`: the transposed conjugate of one matrix."""
    if x.array.ndim not in (0, 2):
        raise RuntimeError(
            "tensor.H is only supported on matrices (2-D tensors). "
            f"Got {x.array.ndim}-D tensor. For batches of matrices, consider using tensor.mH"
        )
    return conj(matrix_transpose(x))


registry.implement("adjoint mH mH.a", adjoint)
registry.implement("matrix_H matrix_H.a", hermitian)

# Parts


def _made_of(first: Tensor, second: Tensor, taken: tuple[dtype, ...]) -> Any:
    """An array for the complex numbers that two real tensors give, whose dtype must be one of `taken`."""
    if first.dtype not in taken or second.dtype not in taken:
        names = ", ".join(element.type_name for element in taken[:-1])
        raise RuntimeError(
            f"Expected both inputs to be {names} or {taken[-1].type_name} tensors but got "
            f"{first.dtype.type_name} and {second.dtype.type_name}"
        )
    if first.dtype is not second.dtype:
        raise RuntimeError(
            f"Expected object of scalar type {first.dtype.type_name} but got scalar type "
            f"{second.dtype.type_name} for second argument"
        )
    element = first.dtype.to_complex()
    return empty_like_operands([first.array, second.array], element.numpy_dtype)


_FLOATS = (dtypes.float32, dtypes.float64)


@ignores_float_errors
def complex_(real: Tensor, imag: Tensor) -> Tensor:
    """The complex numbers with these parts."""
    result = _made_of(real, imag, (dtypes.float16, *_FLOATS))
    result.real[...], result.imag[...] = real.array, imag.array
    return tensor_of(result)


@ignores_float_errors
def polar(size: Tensor, angle: Tensor) -> Tensor:
    """The complex numbers with these absolute values and angles."""
    result = _made_of(size, angle, _FLOATS)
    result.real[...] = size.array * np.cos(angle.array)
    result.imag[...] = size.array * np.sin(angle.array)
    return tensor_of(result)


def _parts_shape(facts: Sequence[Fact]) -> Fact:
    element = dtype_of(facts[0])
    sizes = broadcast([rank_known(facts[0]), rank_known(facts[1])])
    is_real = element is not None and element in (dtypes.float16, *_FLOATS)
    strides = None if sizes is None else (None,) * len(sizes)
    return fresh(
        element.to_complex() if element and is_real else None, sizes, *facts, strides=strides
    )


registry.implement("complex", complex_, shape=_parts_shape, strict_out=True)
registry.implement("polar", polar, shape=_parts_shape, strict_out=True)


def _angle_shape(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    element = dtype_of(x)
    if element is None:
        return replace(fresh(None, rank_known(x), x), strides=None)
    if element.is_complex:
        return fresh(element.to_real(), rank_known(x), x)
    return preserved(_real_float(element), x)


def _real_float(element: dtype) -> dtype:
    if element.is_floating_point or element.is_complex:
        return element.to_real()
    return dtypes.get_default_dtype()


@registry.kernel("angle", shape=_angle_shape, lower="lowering.linalg.complex_parts:Angle")
@ignores_float_errors
def angle(x: Tensor) -> Tensor:
    """The angles of complex numbers, NaN where a part is; of real ones pi where they are negative, NaN where they are, 0 elsewhere."""
    array = x.array
    element = _real_float(x.dtype).numpy_dtype
    if array.dtype.kind == "c":
        result = np.empty(array.shape, element)
        np.arctan2(np.imag(array), np.real(array), out=result)
        return tensor_of(result)
    result = empty_like(array, element)
    result[...] = np.where(array != array, array, np.where(array < 0, np.pi, 0))
    return tensor_of(result)


def view_as_complex(x: Tensor) -> Tensor:
    """A view of pairs of real numbers, the last dimension, as complex ones."""
    array = x.array
    if x.dtype not in (dtypes.float16, *_FLOATS):
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor "
            f"of scalar type: {x.dtype.type_name}"
        )
    if not array.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if array.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    strides = element_strides(array)
    if strides[-1] != 1:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any(stride % 2 for stride in strides[:-1]):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    halves = tuple(stride // 2 for stride in strides[:-1])
    pairs = array.view(x.dtype.to_complex().numpy_dtype)[..., 0]
    return tensor_of(restride(pairs, array.shape[:-1], halves))


registry.implement("view_as_complex", view_as_complex)


def _is_real(m: ScalarMath, x: Any) -> Any:
    """Whether the imaginary part is 0."""
    if m.kind(x) == "c":
        return np.equal(x.imag, 0)
    return m.bit_or(m.eq(x, x), m.ne(x, x))


pointwise("isreal", COMPARISON, _is_real)
