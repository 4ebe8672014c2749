"""The kernels of pointwise operators, functional, in place and with `out`, and their short ways."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.out_dtypes import (
    OF_THE_RESULT,
    check_out_dtype,
    check_size_of_complex,
)
from torchscript_dialect.ops.large import LARGE, ForLarge, suits
from torchscript_dialect.ops.pointwise.numpy_math import NUMPY, only_ufunc
from torchscript_dialect.ops.pointwise.pointwise_declaration import (
    COMPLEX_TO_FLOAT,
    DEFAULT,
    INT_TO_FLOAT,
    LOWEST,
    Role,
)
from torchscript_dialect.ops.pointwise.pointwise_evaluator import Evaluator, is_one_of
from torchscript_dialect.ops.pointwise.pointwise_layouts import (
    Layouts,
    remembering,
    remembering_in_place,
    shares_memory,
)
from torchscript_dialect.ops.registry import Kernel, Operator, computing_form
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors, in_silence, is_silent
from torchscript_dialect.tensor.overlap import (
    assert_no_internal_overlap,
    assert_no_partial_overlap,
)
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    element_strides,
    has_odd_strides,
    resized,
)
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of
from torchscript_dialect.tensor.type_promotion import check_castable, opmath

_LARGE = 3e38
"""A little less than the largest float32."""
_PYTHON_NUMBERS = frozenset(("alpha", "exponent", "value"))
"""Numbers for which bodies on arrays have short cuts: they stay Python's."""


_F32 = dtypes.float32.numpy_dtype
_F64 = dtypes.float64.numpy_dtype


def make_kernel(operator: Operator) -> Kernel:
    """The kernel of a pointwise operator, of its in-place or of its `out` variant."""
    evaluator = Evaluator(operator)
    schema = operator.schema
    if not schema.is_mutable:
        return _functional(evaluator)
    return _inplace(evaluator) if schema.arguments[0].alias else _with_out(evaluator)


def _functional(evaluator: Evaluator) -> Kernel:
    def in_general(*operands: Any) -> Tensor:
        common, result = evaluator.dtypes(operands)
        out = evaluator.fresh(operands, common, result)
        raw = evaluator.run(operands, common)
        if (
            raw.__class__ is np.ndarray
            and raw.dtype == out.dtype
            and raw.strides == out.strides
            and raw.shape == out.shape
        ):
            return tensor_of(raw)
        _store(out, raw)
        return tensor_of(out)

    general = remembering(evaluator, in_general)
    by_numpy = _plain(evaluator, general, None) if _is_plain(evaluator) else general
    if not suits(evaluator.operator):
        return by_numpy
    large = ForLarge(evaluator.operator, by_numpy)
    if by_numpy is not general:
        return _plain(evaluator, general, large)

    def sized(x: Tensor, *rest: Any) -> Any:
        return general(x, *rest) if x.array.size < LARGE else large(x, *rest)

    return sized


def _plain(evaluator: Evaluator, general: Kernel, large: Kernel | None) -> Kernel:
    """The short way of contiguous float operands of one shape and dtype; `general` takes all others, `large` the large ones."""
    if evaluator.roles == (Role.TENSOR,):
        return _plain_unary(evaluator, general, large)
    ufunc = only_ufunc(evaluator.body, 2)
    has_alpha = evaluator.names[2:] == ["alpha"]
    of_two_tensors = evaluator.roles[:2] == (Role.TENSOR, Role.TENSOR)
    if ufunc is not None and of_two_tensors and (has_alpha or len(evaluator.roles) == 2):
        return _plain_binary(ufunc, has_alpha, general, large)
    several = _plain_several(evaluator, general, large)
    of_number = evaluator.roles[:2] == (Role.TENSOR, Role.NUMBER)
    is_typed = evaluator.names[1] not in _PYTHON_NUMBERS
    if ufunc is not None and of_number and is_typed and (has_alpha or len(evaluator.roles) == 2):
        return _plain_with_number(ufunc, several, large)
    return several


def _limited(general: Kernel, large: Kernel | None) -> tuple[int, Kernel]:
    """From how many elements on operands are for the kernel of large ones, and it."""
    return (sys.maxsize, general) if large is None else (LARGE, large)


def _plain_unary(evaluator: Evaluator, general: Kernel, large: Kernel | None) -> Kernel:
    limit, large = _limited(general, large)
    ufunc = only_ufunc(evaluator.body, 1)
    compute = partial(evaluator.body, NUMPY) if ufunc is None else ufunc
    strided = Layouts(compute, takes_out=ufunc is not None)

    def unary(x: Tensor) -> Tensor:
        array = x.array
        dtype = array.dtype
        if array.size >= limit:
            return large(x)
        if (dtype is _F32 or dtype is _F64) and array.flags.c_contiguous and array.shape:
            raw = compute(array) if is_silent() else in_silence(compute, array)
            if raw is not array and array.size:
                return tensor_of(raw)
        elif (dtype is _F32 or dtype is _F64) and array.size and array.shape:
            key = (dtype is _F32, array.shape, array.strides)
            return strided.run(key, (array,), general, x)
        return general(x)

    return unary


def _plain_binary(
    ufunc: Callable[..., Any], has_alpha: bool, general: Kernel, large: Kernel | None
) -> Kernel:
    strided = Layouts(ufunc, takes_out=True, large=large)
    limit, large = _limited(general, large)

    def binary(x: Tensor, y: Tensor, alpha: Any = 1) -> Tensor:
        a, b = x.array, y.array
        dtype = a.dtype
        if a.size >= limit:
            return large(x, y, alpha) if has_alpha else large(x, y)
        if (
            (dtype is _F32 or dtype is _F64)
            and b.dtype is dtype
            and a.size
            and b.size
            and alpha.__class__ is int
            and alpha == 1
        ):
            shape, other = a.shape, b.shape
            if shape == other and shape and a.flags.c_contiguous and b.flags.c_contiguous:
                return tensor_of(ufunc(a, b) if is_silent() else in_silence(ufunc, a, b))
            if (shape or other) and b.size < limit:
                key = (dtype is _F32, shape, a.strides, other, b.strides)
                operands = (x, y, alpha) if has_alpha else (x, y)
                return strided.run(key, (a, b), general, *operands)
        return general(x, y, alpha) if has_alpha else general(x, y)

    return binary


def _plain_with_number(ufunc: Callable[..., Any], several: Kernel, large: Kernel | None) -> Kernel:
    """The same for one ufunc of a tensor and a number, as `several` computes it."""
    limit = sys.maxsize if large is None else LARGE

    def with_number(x: Tensor, y: Any, *alpha: Any) -> Tensor:
        array = x.array
        dtype, shape = array.dtype, array.shape
        if (
            (dtype is _F32 or dtype is _F64)
            and (y.__class__ is float or y.__class__ is int)
            and -_LARGE < y < _LARGE
            and 0 < array.size < limit
            and shape
            and 1 not in shape
            and array.flags.c_contiguous
            and (not alpha or (alpha[0].__class__ is int and alpha[0] == 1))
        ):
            number = dtype.type(y)
            return tensor_of(
                ufunc(array, number) if is_silent() else in_silence(ufunc, array, number)
            )
        return several(x, y, *alpha)

    return with_number


def _plain_several(evaluator: Evaluator, general: Kernel, large: Kernel | None) -> Kernel:
    body = evaluator.body
    typed = [
        place
        for place, (role, name) in enumerate(zip(evaluator.roles, evaluator.names))
        if role is Role.NUMBER and name not in _PYTHON_NUMBERS
    ]
    bounded = [
        (place, LOWEST if evaluator.names[place] == evaluator.pointwise.negated else -_LARGE)
        for place in evaluator.bounded_places()
    ]
    with_strides = {
        place
        for place, (role, has_strides) in enumerate(zip(evaluator.roles, evaluator.has_strides))
        if role is Role.NUMBER and has_strides
    }
    strided = Layouts(partial(body, NUMPY), takes_out=False, large=large)
    limit, large = _limited(general, large)

    def several(*operands: Any) -> Tensor:
        shape = dtype = None
        is_strided = False
        values: list[Any] = []
        for place, operand in enumerate(operands):
            if operand.__class__ is Tensor:
                array = operand.array
                if shape is None:
                    shape = array.shape
                    dtype = array.dtype
                    if array.size >= limit:
                        return large(*operands)
                    if not shape or not (dtype is _F32 or dtype is _F64):
                        return general(*operands)
                elif array.dtype is not dtype or not array.shape or array.size >= limit:
                    return general(*operands)
                if array.shape != shape or not array.flags.c_contiguous:
                    is_strided = True
                values.append(array)
            elif operand.__class__ is complex or operand.__class__ is bool:
                return general(*operands)
            else:
                values.append(operand)
                if place in with_strides and not is_strided:
                    is_strided = has_odd_strides(values[0])
        for place, lowest in bounded:
            if values[place] is not None and not lowest < values[place] < _LARGE:
                return general(*operands)
        for place in typed:
            if values[place] is not None:
                values[place] = dtype.type(values[place])  # pyright: ignore[reportOptionalMemberAccess]
        if is_strided:
            arrays = [one.array for one in operands if one.__class__ is Tensor]
            if not all(array.size for array in arrays):
                return general(*operands)
            key = (dtype is _F32, *[(array.shape, array.strides) for array in arrays])
            return strided.run(key, values, general, *operands)
        raw = body(NUMPY, *values) if is_silent() else in_silence(body, NUMPY, *values)
        if raw.__class__ is np.ndarray and raw.size and not is_one_of(raw, values):
            return tensor_of(raw)
        return general(*operands)

    return several


def _is_plain(evaluator: Evaluator) -> bool:
    """Whether contiguous float operands of one shape and dtype give such a result with no further questions."""
    declared = evaluator.pointwise
    if any(evaluator.keeps) or evaluator.roles[0] is not Role.TENSOR:
        return False
    if declared.check is not None:
        try:
            declared.check(dtypes.float32)
        except (RuntimeError, NotImplementedError):
            return False
    return declared.check_operands is None or declared.floats_pass


def _inplace(evaluator: Evaluator) -> Kernel:
    is_real = evaluator.pointwise.promotion is COMPLEX_TO_FLOAT
    name = evaluator.name.partition("::")[2].removesuffix("_")

    def in_general(target: Tensor, *rest: Any) -> Tensor:
        if is_real and target.array.dtype.kind == "c":
            raise RuntimeError(f"In-place {name} is not supported for complex tensors.")
        _write(evaluator, (target, *rest), target.array)
        return target

    general = remembering_in_place(evaluator, in_general)
    if evaluator.pointwise.promotion not in (DEFAULT, INT_TO_FLOAT) or not _is_plain(evaluator):
        return general
    by_ufunc = _inplace_by_ufunc(evaluator)
    compute = None
    if evaluator.roles.count(Role.TENSOR) == 1:
        compute = _plain(evaluator, lambda *_: None, None)
    functional = registry.functional_form(evaluator.operator)

    def by_numpy(target: Tensor, *rest: Any) -> Tensor:
        array = target.array
        if shares_memory(array, rest):
            return in_general(target, *rest)
        if by_ufunc is not None and by_ufunc(array, *rest):
            return target
        found = None if compute is None else compute(target, *rest)
        if found is None or found.array.dtype is not array.dtype:
            return general(target, *rest)
        array[...] = found.array
        return target

    if functional is None or not suits(functional):
        return by_numpy
    large = ForLarge(functional, by_numpy, in_place=True)

    def kernel(target: Tensor, *rest: Any) -> Tensor:
        return (by_numpy if target.array.size < LARGE else large)(target, *rest)

    return kernel


def _inplace_by_ufunc(evaluator: Evaluator) -> Callable[..., bool] | None:
    """Computes in place where the body is one ufunc of two operands; says whether these operands are such that it could."""
    ufunc = only_ufunc(evaluator.body, 2)
    has_alpha = evaluator.names[2:] == ["alpha"]
    if ufunc is None or not (has_alpha or len(evaluator.roles) == 2):
        return None

    def run(array: NDArray[Any], other: Any, alpha: Any = 1) -> bool:
        dtype = array.dtype
        if not (dtype is _F32 or dtype is _F64) or not array.flags.forc:
            return False
        if alpha.__class__ is not int or alpha != 1:
            return False
        if other.__class__ is Tensor:
            value = other.array
            if value.dtype is not dtype:
                return False
        elif (other.__class__ is float or other.__class__ is int) and -_LARGE < other < _LARGE:
            value = dtype.type(other)
        else:
            return False
        try:
            if is_silent():
                ufunc(array, value, array)
            else:
                in_silence(ufunc, array, value, array)
        except ValueError:  # they cannot be broadcast
            return False
        return True

    return run


def _with_out(evaluator: Evaluator) -> Kernel:
    name = computing_form(evaluator.operator)

    def kernel(*operands: Any) -> Tensor:
        *inputs, target = operands
        if name == "aten::abs" and inputs[0].dtype.is_complex:
            check_size_of_complex(inputs[0].dtype, target.dtype)
        elif name in OF_THE_RESULT:
            check_out_dtype(name, evaluator.dtypes(inputs)[1], target.dtype)
        shapes = [x.array.shape for x in inputs if isinstance(x, Tensor)]
        shape = broadcast_shapes(*shapes)
        is_read = any(target is x for x in inputs)
        if target.array.shape != shape and not is_read:
            common, _ = evaluator.dtypes(inputs)
            made = evaluator.fresh(inputs, common, target.dtype)
            give_array(target, resized(target.array, shape, element_strides(made)))
        _write(evaluator, inputs, target.array)
        return target

    return kernel


def _write(evaluator: Evaluator, operands: Sequence[Any], target: NDArray[Any]) -> None:
    """Compute and store into `target`.

    Raises:
        RuntimeError: memory of operands overlaps with the target's in a way that matters, the shape of the result is
            not the target's, or its dtype cannot be cast to the target's.
    """
    if target.dtype.kind not in evaluator.pointwise.shares:
        assert_no_internal_overlap(target)
    shapes: list[tuple[int, ...]] = []
    for operand in operands:
        if isinstance(operand, Tensor):
            assert_no_partial_overlap(target, operand.array)
            shapes.append(operand.array.shape)
    shape = broadcast_shapes(*shapes)
    if shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(shape)}"
        )
    common, result = evaluator.dtypes(operands)
    check_castable(result, dtypes.of_array(target))
    raw = evaluator.run(operands, common)
    if common is not opmath(common) and raw.dtype == opmath(common).numpy_dtype:
        rounded = np.empty(raw.shape, common.numpy_dtype)
        _store(rounded, raw)
        raw = rounded
    _store(target, raw)


@ignores_float_errors
def _store(target: NDArray[Any], raw: Any) -> None:
    """Cast and copy; what is too large becomes infinite without a warning."""
    np.copyto(target, raw, casting="unsafe")
