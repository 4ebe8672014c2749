"""Reductions over dimensions: sums, products, extremes, means, norms, and the softmax family.

Results are contiguous. float16 and bfloat16 reduce in float32 and round once (aten/src/ATen/native/ReduceOps.cpp).

Note [Reductions]
`reduction("sum.dim_IntList", "add", 0, summed, dim=1, keepdim=2, wanted=3)` declares how elements are combined, what an empty
reduction gives, and the dtype of the result; `finish` is a scalar body that makes the result of what was combined and of the number
of elements. Kernel, shape rule and compiled code follow, as they do from a scalar body (Note [Pointwise operators]).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND
from torchscript_dialect.ops.pointwise.numpy_math import NUMPY
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath, Value
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.ops.shapes import wrap as wrap_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import refuse_float8
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import check_numbers, opmath
from torchscript_dialect.types.tensor_type import Dims

Dim = int | Sequence[int] | None
Axes = tuple[int, ...]
Scalar = complex


_F32, _F64 = dtypes.float32.numpy_dtype, dtypes.float64.numpy_dtype


def axes_of(dim: Dim, ndim: int) -> Axes:
    """The dimensions to reduce, counted from the front; all of them for None and the empty list.

    Raises:
        RuntimeError: one appears twice.
        IndexError: there is no such dimension.
    """
    if dim is None:
        return tuple(range(ndim))
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    if not dims:
        return tuple(range(ndim))
    axes = [wrap_dim(d, ndim or 1) for d in dims]
    if len(set(axes)) != len(axes):
        twice = next(axis for axis in axes if axes.count(axis) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    return tuple(axes) if ndim else ()


def computed(array: NDArray[Any]) -> NDArray[Any]:
    """The array in the dtype in which its reductions compute."""
    if array.dtype is _F32 or array.dtype is _F64:
        return array
    element = dtypes.of_array(array)
    compute = opmath(element)
    return array if compute is element else array.astype(compute.numpy_dtype)


@ignores_float_errors
def stored(raw: Any, element: dtype) -> Tensor:
    """A contiguous tensor of this dtype."""
    wanted = element.numpy_dtype
    if issubclass(raw.__class__, np.generic):
        return tensor_of(np.asarray(raw).astype(wanted))
    if raw.__class__ is np.ndarray and raw.dtype is wanted and raw.flags.c_contiguous:
        array = raw
    else:
        array = np.ascontiguousarray(raw, wanted)
    return tensor_of(array.reshape(-1).reshape(np.shape(raw)))


@ignores_float_errors
def cast(x: Tensor, wanted: int | None) -> Tensor:
    if wanted is None:
        return x
    element = dtypes.from_scalar_type(wanted)
    if element is x.dtype:
        return x
    array = x.array
    if array.dtype.kind == "c" and not element.is_complex:
        array = np.real(array)
    return tensor_of(array.astype(element.numpy_dtype))


# Shape rules


def _axes_known(dim: Fact, rank: int) -> set[int] | None:
    if not is_known(dim):
        return None
    if dim is None or dim == []:
        return set(range(rank))
    dims = [dim] if isinstance(dim, int) else dim
    axes = [wrap_known(d, rank) for d in dims]
    return None if None in axes else {axis for axis in axes if axis is not None}


def reduced_sizes(sizes: Dims | None, dim: Fact, keepdim: Fact) -> Dims | None:
    """The sizes after a reduction, if the dimensions and `keepdim` are known."""
    if sizes is None or not is_known(keepdim):
        return () if sizes is None and dim is None and keepdim is False else None
    axes = _axes_known(dim, len(sizes))
    if axes is None:
        return None
    if keepdim:
        return tuple(1 if i in axes else size for i, size in enumerate(sizes))
    return tuple(size for i, size in enumerate(sizes) if i not in axes)


def reduction_rule(
    element_of: Callable[[dtype | None, Fact], dtype | None],
    dim: int | None = None,
    keepdim: int | None = None,
    wanted: int | None = None,
    outputs: int = 1,
) -> registry.ShapeRule:
    """A reduction's rule, from the places of the arguments `dim`, `keepdim` and `dtype`."""

    def rule(facts: Sequence[Fact]) -> Fact:
        x = facts[0]
        sizes = reduced_sizes(
            rank_known(x),
            None if dim is None else facts[dim],
            False if keepdim is None else facts[keepdim],
        )
        chosen = None if wanted is None else facts[wanted]
        first = fresh(element_of(dtype_of(x), chosen), sizes, x)
        if outputs == 1:
            return first
        return (first, fresh(dtypes.int64, sizes, x))

    return rule


def chosen_dtype(element: dtype | None, wanted: Fact) -> dtype | None:
    if wanted is None:
        return element
    return dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None


def _summed(element: dtype | None, wanted: Fact) -> dtype | None:
    if wanted is None and element is not None:
        if element.is_floating_point or element.is_complex:
            return element
        check_numbers(element)
        return dtypes.int64
    return chosen_dtype(element, wanted)


def _kept(element: dtype | None, _: Fact) -> dtype | None:
    return element


def _long(_element: dtype | None, _: Fact) -> dtype | None:
    return dtypes.int64


def _bits(_element: dtype | None, _: Fact) -> dtype | None:
    return dtypes.uint64


def _real(element: dtype | None, wanted: Fact) -> dtype | None:
    chosen = chosen_dtype(element, wanted)
    return None if chosen is None else chosen.to_real()


# Declarations

_COMBINE = {"add": np.add, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum}


@dataclass(frozen=True, slots=True)
class Reduction:
    """See Note [Reductions]. `combine` is a method of `ScalarMath`; `dim`, `keepdim` and `wanted` are the places of the arguments, None
    where the operator has none.
    """

    combine: str
    start: float | None
    """None where the reduction of nothing raises."""
    element_of: Callable[[dtype | None, Fact], dtype | None]
    """The dtype of the result, from that of the operand and the one that is wanted."""
    finish: Callable[[ScalarMath, Value, Value], Value] | None = None
    dim: int | None = None
    keepdim: int | None = None
    wanted: int | None = None

    def taken(self, result: dtype) -> dtype:
        """The dtype that elements are rounded to before they are combined; only what is finished after that is rounded once."""
        return result if self.finish is None else opmath(result)


def reduction(
    names: str,
    combine: str,
    start: float | None,
    element_of: Callable[[dtype | None, Fact], dtype | None],
    *,
    finish: Callable[[ScalarMath, Value, Value], Value] | None = None,
    check: Callable[[Tensor, Dim, dtype], None] | None = None,
    dim: int | None = None,
    keepdim: int | None = None,
    wanted: int | None = None,
) -> None:
    """Declare reductions of `aten` by name; `check` raises what the operator does for an operand, its dimensions and the dtype of
    the result.
    """
    declared = Reduction(combine, start, element_of, finish, dim, keepdim, wanted)
    rule = reduction_rule(element_of, dim, keepdim, wanted)
    for name in names.split():
        registry.attach(
            f"aten::{name}", reduction=declared, kernel=_kernel_of(declared, check), shape=rule
        )


def _kernel_of(
    declared: Reduction, check: Callable[[Tensor, Dim, dtype], None] | None
) -> registry.Kernel:
    reduce_: Any = _COMBINE[declared.combine].reduce
    finish = declared.finish
    dim_at, keepdim_at, wanted_at = declared.dim, declared.keepdim, declared.wanted

    def kernel(*operands: Any) -> Tensor:
        x: Tensor = operands[0]
        dim = None if dim_at is None else operands[dim_at]
        wanted = None if wanted_at is None else operands[wanted_at]
        result = declared.element_of(x.dtype, wanted)
        assert result is not None
        refuse_float8(result, f"{declared.combine}_cpu")
        if check is not None:
            check(x, dim, result)
        array = x.array
        axes = axes_of(dim, array.ndim)
        if array.dtype.kind == "c" and not result.is_complex:
            array = np.real(array)
        keepdim = keepdim_at is not None and bool(operands[keepdim_at])
        array = array.astype(declared.taken(result).numpy_dtype, copy=False)
        raw = reduce_(array, axes, opmath(result).numpy_dtype, None, keepdim)
        if finish is not None:
            raw = finish(NUMPY, raw, prod([array.shape[axis] for axis in axes]))
        return stored(raw, result)

    return ignores_float_errors(kernel)


# Sums, products, means


def _check_mean(x: Tensor, dim: Dim, result: dtype) -> None:
    if not (result.is_floating_point or result.is_complex):
        what = "Input" if result is x.dtype else "Optional"
        raise RuntimeError(
            f"mean(): could not infer output dtype. {what} dtype must be either a floating point or "
            f"complex dtype. Got: {result.type_name}"
        )


reduction("sum", "add", 0, _summed, wanted=1)
reduction("sum.dim_IntList", "add", 0, _summed, dim=1, keepdim=2, wanted=3)
reduction("prod", "mul", 1, _summed, wanted=1)
reduction("prod.dim_int", "mul", 1, _summed, dim=1, keepdim=2, wanted=3)


def _divide(m: ScalarMath, total: Value, count: Value) -> Value:
    return m.div(total, count)


_MEAN: dict[str, Any] = {"finish": _divide, "check": _check_mean}
reduction("mean", "add", 0, chosen_dtype, wanted=1, **_MEAN)
reduction("mean.dim", "add", 0, chosen_dtype, dim=1, keepdim=2, wanted=3, **_MEAN)


@registry.kernel("nansum", shape=reduction_rule(_summed, 1, 2, 3))
def nansum(x: Tensor, dim: Dim, keepdim: bool, wanted: int | None) -> Tensor:
    array = x.array
    known = tensor_of(np.where(array == array, array, 0).astype(array.dtype))
    return sum_dim(known, dim, keepdim, wanted)


@registry.kernel("nanmean", shape=reduction_rule(chosen_dtype, 1, 2, 3))
@ignores_float_errors
def nanmean(x: Tensor, dim: Dim, keepdim: bool, wanted: int | None) -> Tensor:
    array = x.array
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{x.dtype.type_name}"
        )
    total = nansum(x, dim, keepdim, wanted)
    if not (total.dtype.is_floating_point or total.dtype.is_complex):
        raise RuntimeError(
            f"result type Float can't be cast to the desired output type {total.dtype.type_name}"
        )
    counts = np.add.reduce(
        array == array, axis=axes_of(dim, array.ndim), dtype=np.int64, keepdims=keepdim
    )
    return stored(computed(total.array) / counts, total.dtype)


def sum_dim(x: Tensor, dim: Dim, keepdim: bool, wanted: int | None) -> Tensor:
    """The sum over dimensions."""
    operator = registry.find("aten::sum.dim_IntList")
    assert operator is not None and operator.kernel is not None
    return operator.kernel(x, dim, keepdim, wanted)


# Extremes


def _position(name: str, array: NDArray[Any], dim: int) -> NDArray[Any]:
    """The index of the first extreme element along a dimension; of the first NaN if there is one."""
    compute = computed(array)
    return np.argmax(compute, dim) if name in ("max", "argmax") else np.argmin(compute, dim)


def _check_nonempty(name: str, array: NDArray[Any], dim: int) -> None:
    if array.ndim and array.shape[dim] == 0:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


def _extreme_dim(name: str) -> None:
    @registry.kernel(f"{name}.dim", shape=reduction_rule(_kept, 1, 2, outputs=2))
    def _(x: Tensor, dim: int, keepdim: bool) -> tuple[Tensor, Tensor]:
        array = x.array
        dim = wrap_dim(dim, array.ndim or 1)
        if array.dtype.kind == "c":
            raise RuntimeError(f"{name}(): does not support complex input")
        _check_nonempty(name, array, dim)
        if not array.ndim:
            return tensor_of(array.copy()), tensor_of(np.zeros((), np.int64))
        places = np.expand_dims(_position(name, array, dim), dim)
        values = np.take_along_axis(array, places, dim)
        if not keepdim:
            places, values = places.squeeze(dim), values.squeeze(dim)
        return stored(values, x.dtype), stored(places, dtypes.int64)


def _extreme_arg(name: str) -> None:
    @registry.kernel(name, shape=reduction_rule(_long, 1, 2))
    def _(x: Tensor, dim: int | None, keepdim: bool) -> Tensor:
        array = x.array
        if array.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        if dim is None:
            if not array.size:
                raise IndexError(
                    f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
                )
            place = _position(name, array.reshape(-1), 0)
            shape = (1,) * array.ndim if keepdim else ()
            return tensor_of(np.asarray(place, np.int64).reshape(shape))
        dim = wrap_dim(dim, array.ndim or 1)
        _check_nonempty(name, array, dim)
        if not array.ndim:
            return tensor_of(np.zeros((), np.int64))
        places = _position(name, array, dim)
        return stored(np.expand_dims(places, dim) if keepdim else places, dtypes.int64)


def _extreme(name: str, combine: str) -> None:
    """`amax` over dimensions, and `max` over all."""

    def check(x: Tensor, dim: Dim, result: dtype) -> None:
        array = x.array
        if not array.size:
            if not dim:
                raise RuntimeError(
                    f"{name}(): Expected reduction dim to be specified for input.numel() == 0. "
                    "Specify the reduction dim with the 'dim' argument."
                )
            for axis in axes_of(dim, array.ndim):
                _check_nonempty(name, array, axis)
        if array.dtype.kind == "c":
            which = f"{name[1:]}_values_cpu" if name[0] == "a" else f"{name}_all"
            raise NotImplementedError(f"\"{which}\" not implemented for '{x.dtype.type_name}'")

    places: dict[str, Any] = {"dim": 1, "keepdim": 2} if name[0] == "a" else {}
    reduction(name, combine, None, _kept, check=check, **places)


_extreme("max", "maximum")
_extreme("min", "minimum")
_extreme_dim("max")
_extreme_dim("min")
_extreme_arg("argmax")
_extreme_arg("argmin")
_extreme("amax", "maximum")
_extreme("amin", "minimum")


@registry.kernel("aminmax", strict_out=True)
def aminmax(x: Tensor, dim: int | None, keepdim: bool) -> tuple[Tensor, Tensor]:
    array = x.array
    if dim is None and not array.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
    axes = axes_of(dim, array.ndim)
    for axis in axes:
        _check_nonempty("aminmax", array, axis)
    low = np.minimum.reduce(computed(array), axis=axes, keepdims=keepdim)
    high = np.maximum.reduce(computed(array), axis=axes, keepdims=keepdim)
    return stored(low, x.dtype), stored(high, x.dtype)


# Truth


def _truth_dtype(x: Tensor) -> dtype:
    return dtypes.uint8 if x.dtype is dtypes.uint8 else dtypes.bool_


def _truth(name: str, ufunc: np.ufunc) -> None:
    def reduce(x: Tensor, dim: Dim, keepdim: bool) -> Tensor:
        array = x.array
        truth = array if array.dtype.kind == "b" else array != 0
        raw = ufunc.reduce(truth, axis=axes_of(dim, array.ndim), keepdims=keepdim)
        return stored(raw, _truth_dtype(x))

    def element(of: dtype | None, _: Fact) -> dtype | None:
        return None if of is None else (dtypes.uint8 if of is dtypes.uint8 else dtypes.bool_)

    @registry.kernel(name, shape=reduction_rule(element))
    def _(x: Tensor) -> Tensor:
        return reduce(x, None, False)

    over_dims = reduction_rule(element, 1, 2)

    def dims_rule(facts: Sequence[Fact]) -> Fact:
        if facts[1] == []:
            return fresh(element(dtype_of(facts[0]), None), rank_known(facts[0]), facts[0])
        return over_dims(facts)

    @registry.kernel(f"{name}.dims", shape=dims_rule)
    def _(x: Tensor, dim: Dim, keepdim: bool) -> Tensor:
        if isinstance(dim, Sequence) and not dim:
            return stored(x.array != 0, _truth_dtype(x))
        return reduce(x, dim, keepdim)

    registry.implement(f"{name}.dim", reduce, shape=reduction_rule(element, 1, 2))


_truth("all", np.logical_and)
_truth("any", np.logical_or)


@registry.kernel("count_nonzero", shape=reduction_rule(_long, 1))
def count_nonzero(x: Tensor, dim: Dim) -> Tensor:
    return stored(
        np.add.reduce(x.array != 0, axis=axes_of(dim, x.array.ndim), dtype=np.int64), dtypes.int64
    )


registry.implement("count_nonzero.dim_IntList", count_nonzero, shape=reduction_rule(_long, 1))


# Bits


@registry.kernel("hash_tensor", shape=reduction_rule(_bits, 1, 2))
def hash_tensor(x: Tensor, dim: Dim, keepdim: bool, mode: int) -> Tensor:
    """The exclusive or of the bits of elements, floats as float64 and others as int64."""
    if mode:
        raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
    array = x.array
    if array.dtype.kind == "c":
        raise NotImplementedError(f"\"xor_sum_cpu\" not implemented for '{x.dtype.type_name}'")
    if not array.size and not dim:
        raise RuntimeError(
            "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim with the 'dim' argument."
        )
    wide = np.float64 if x.dtype.is_floating_point else np.int64
    bits = array.astype(wide).view(np.uint64)
    axes = axes_of(dim, array.ndim)
    for axis in axes:
        _check_nonempty("hash_tensor", array, axis)
    return stored(np.bitwise_xor.reduce(bits, axis=axes, keepdims=keepdim), dtypes.uint64)


# Variance


@ignores_float_errors
def _var_mean(
    x: Tensor, dim: Dim, correction: float, keepdim: bool
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Variance and mean in the compute dtype; sums of squares in float64, as Welford's algorithm is exact."""
    element = x.dtype
    if not (element.is_floating_point or element.is_complex):
        raise RuntimeError("std and var only support floating point and complex dtypes")
    array = x.array
    axes = axes_of(dim, array.ndim)
    count = 1
    for axis in axes:
        count *= array.shape[axis]
    wide = array.astype(np.complex128 if element.is_complex else np.float64)
    mean = np.true_divide(np.add.reduce(wide, axis=axes, keepdims=True), count)
    gap = np.abs(wide - mean)
    squares = np.add.reduce(gap * gap, axis=axes, keepdims=keepdim)
    variance = np.true_divide(squares, max(0.0, count - correction))
    return variance, mean if keepdim else np.squeeze(mean, axes)


def _spread(root: bool) -> None:
    name = "std" if root else "var"

    @ignores_float_errors
    def spread(x: Tensor, dim: Dim, correction: float, keepdim: bool) -> Tensor:
        variance, _ = _var_mean(x, dim, correction, keepdim)
        raw = np.sqrt(variance) if root else variance
        return stored(raw, x.dtype.to_real())

    @ignores_float_errors
    def with_mean(x: Tensor, dim: Dim, correction: float, keepdim: bool) -> tuple[Tensor, Tensor]:
        variance, mean = _var_mean(x, dim, correction, keepdim)
        raw = np.sqrt(variance) if root else variance
        mean = np.where(np.isfinite(mean), mean, np.nan)
        return stored(raw, x.dtype.to_real()), stored(mean, x.dtype)

    def default(correction: float | None) -> float:
        return 1.0 if correction is None else float(correction)

    lower = f"lowering.linalg.moments:{'StandardDeviation' if root else 'Variance'}"

    registry.implement(
        name,
        lambda x, unbiased: spread(x, None, float(unbiased), False),
        shape=reduction_rule(_real),
        lower=lower,
    )
    registry.implement(
        f"{name}.dim",
        lambda x, dim, unbiased, keepdim: spread(x, dim, float(unbiased), keepdim),
        shape=reduction_rule(_real, 1, 3),
        lower=lower,
    )
    registry.implement(
        f"{name}.correction",
        lambda x, dim, correction, keepdim: spread(x, dim, default(correction), keepdim),
        shape=reduction_rule(_real, 1, 3),
        lower=lower,
    )
    registry.implement(
        f"{name}_mean", lambda x, unbiased: with_mean(x, None, float(unbiased), False)
    )
    registry.implement(
        f"{name}_mean.dim",
        lambda x, dim, unbiased, keepdim: with_mean(x, dim, float(unbiased), keepdim),
    )
    registry.implement(
        f"{name}_mean.correction",
        lambda x, dim, correction, keepdim: with_mean(x, dim, default(correction), keepdim),
    )


_spread(root=False)
_spread(root=True)


# Sums back to a broadcast operand's shape


@registry.kernel("sum_to_size", aliases=MAY_BE_OPERAND)
def sum_to_size(x: Tensor, size: Sequence[int]) -> Tensor:
    """The tensor summed over the dimensions along which `size` was broadcast; itself where there are none."""
    array = x.array
    lead = array.ndim - len(size)
    if lead < 0 or any(n not in (1, m) for n, m in zip(size, array.shape[lead:])):
        raise RuntimeError(
            f"size {{{list(size)}}} is not expandable to size {{{list(array.shape)}}}."
        )
    if not size:
        return sum_dim(x, None, False, None)
    if tuple(size) == array.shape:
        return x
    axes = tuple(range(lead)) + tuple(
        dim + lead for dim, n in enumerate(size) if n == 1 and array.shape[dim + lead] != 1
    )
    total = sum_dim(x, axes, True, None) if axes else x
    return tensor_of(total.array.reshape(total.array.shape[lead:]))


@registry.kernel("_grad_sum_to_size", lower="lowering.linalg.sum_to_size:SumToSize")
def grad_sum_to_size(x: Tensor, size: Sequence[int] | None) -> Tensor:
    """`sum_to_size`, or the tensor itself where no size is given: what gradient graphs undo broadcasting with."""
    return x if size is None else sum_to_size(x, size)
