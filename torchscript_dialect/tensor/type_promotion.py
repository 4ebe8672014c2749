"""The dtype of a result of mixed operands (c10/core/ScalarType.cpp `promoteTypes`,
ATen/native/TypeProperties.cpp).

Operands fall into three ranks: tensors with dimensions, 0-d tensors, Python numbers. A lower rank
changes the result only where its category (bool < integer < floating < complex) is higher than that
of all ranks above it.
"""

from __future__ import annotations

from collections.abc import Iterable

from torchscript_dialect.tensor.dtype import (
    bool_,
    complex64,
    complex128,
    dtype,
    float32,
    float64,
    get_default_complex_dtype,
    get_default_dtype,
    int16,
    int64,
    uint16,
    uint32,
    uint64,
)
from torchscript_dialect.tensor.tensor import Scalar, Tensor
from torchscript_dialect.utils.memo import Memo

_WIDE_UNSIGNED = {uint16, uint32, uint64}
_promoted: Memo[tuple[dtype, dtype], dtype] = Memo(1024)


def promote_types(a: dtype, b: dtype) -> dtype:
    """The smallest dtype that both convert to; RuntimeError for pairs that PyTorch leaves
    undefined.
    """
    if a is b:
        return a
    found = _promoted.get((a, b))
    if found is None:
        found = _promoted[(a, b)] = _promote(a, b)
    return found


def _promote(a: dtype, b: dtype) -> dtype:
    if a.is_float8 or b.is_float8:
        raise RuntimeError(
            f"Promotion for Float8 Types is not supported, attempted to promote {_names(a, b)}"
        )
    if a.is_floating_point and b.is_floating_point:
        if a.itemsize == b.itemsize:  # float16 with bfloat16
            return float32
        return a if a.itemsize > b.itemsize else b
    if a in _WIDE_UNSIGNED or b in _WIDE_UNSIGNED:
        if a.is_floating_point or b.is_floating_point:
            return a if a.is_floating_point else b
        raise RuntimeError(
            "Promotion for uint16, uint32, uint64 types is not supported, "
            f"attempted to promote {_names(a, b)}"
        )
    if a is bool_ or b is bool_:
        return b if a is bool_ else a
    if a.is_complex or b.is_complex:
        return complex128 if {a, b} & {float64, complex128} else complex64
    if a.is_floating_point or b.is_floating_point:
        return a if a.is_floating_point else b
    if a.is_signed and b.is_signed:
        return a if a.itemsize > b.itemsize else b
    signed = a if a.is_signed else b  # the other is uint8
    return signed if signed.itemsize > 1 else int16


def _names(a: dtype, b: dtype) -> str:
    return f"{a.type_name} and {b.type_name}"


def can_cast(source: dtype, target: dtype) -> bool:
    """Whether an in-place or `out` operator may store a `source` result into a `target` tensor."""
    if source.is_complex and not target.is_complex:
        return False
    if source.is_floating_point and not (target.is_floating_point or target.is_complex):
        return False
    return source is bool_ or target is not bool_


def scalar_dtype(value: Scalar) -> dtype:
    """The dtype of a Python number: bool, int64, or the default floating or complex dtype."""
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return int64
    return get_default_dtype() if isinstance(value, float) else get_default_complex_dtype()


def result_type(operands: Iterable[Tensor | Scalar]) -> dtype:
    """The dtype that an operator computes in for these operands; RuntimeError where there is no
    common one.
    """
    dims: dtype | None = None
    zeros: dtype | None = None
    numbers: dtype | None = None
    for operand in operands:
        if isinstance(operand, Tensor):
            current = operand.dtype
            if operand.array.ndim:
                dims = current if dims is None else promote_types(dims, current)
            else:
                zeros = current if zeros is None else promote_types(zeros, current)
        else:
            current = scalar_dtype(operand)
            numbers = current if numbers is None else promote_types(numbers, current)
    return combine_ranks(dims, zeros, numbers)


def combine_ranks(dims: dtype | None, zeros: dtype | None, numbers: dtype | None) -> dtype:
    """`result_type` from the promoted dtype of each rank, None where the rank has no operand; for
    shape analyses.
    """
    combined = _combine(dims, _combine(zeros, numbers))
    if combined is None:
        raise RuntimeError("result_type needs at least one operand")
    return combined


def _combine(higher: dtype | None, lower: dtype | None) -> dtype | None:
    if higher is None or lower is None:
        return higher if lower is None else lower
    if higher.is_complex:
        return higher
    if higher.is_floating_point:
        return higher.to_complex() if lower.is_complex else higher
    if lower.is_complex:
        return lower
    if higher is bool_ or lower.is_floating_point:
        return promote_types(higher, lower)
    return higher


def check_numbers(element: dtype) -> None:
    """NotImplementedError for the elements of a quantized tensor, which are no numbers."""
    if element.is_quantized:
        raise NotImplementedError(
            f"an operator on numbers cannot run on a quantized tensor ({element.type_name})"
        )


def opmath(common: dtype) -> dtype:
    """The dtype in which an operator computes: the common dtype, or float32 for smaller floats."""
    check_numbers(common)
    return float32 if common.is_floating_point and common.itemsize < 4 else common


def check_castable(result: dtype, target: dtype) -> None:
    """RuntimeError unless a result of one dtype may be stored in a tensor of the other."""
    if result is not target and result is not bool_ and not can_cast(result, target):
        raise RuntimeError(
            f"result type {result.type_name} can't be cast to the desired output type "
            f"{target.type_name}"
        )
