"""Factories of ranges: arange, range, linspace, logspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, isfinite
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.factories import (
    Scalar,
    chosen_dtype,
    counted_rule,
    factory,
    on_device,
)
from torchscript_dialect.ops.pointwise.steps import rounded
from torchscript_dialect.ops.shapes import (
    Fact,
    fresh,
    is_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import refuse_float8
from torchscript_dialect.tensor.multiply_add import multiply_add_whole
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath


def _range_dtype(numbers: Sequence[Scalar], wanted: int | None) -> dtype:
    if wanted is not None:
        return dtypes.from_scalar_type(wanted)
    exact = all(isinstance(number, int) for number in numbers)
    return dtypes.int64 if exact else dtypes.get_default_dtype()


def _arange(
    start: Any, end: Any, step: Any, wanted: int | None, *, inclusive: bool = False
) -> Tensor:
    if inclusive and wanted is None:
        element = dtypes.get_default_dtype()
    else:
        element = _range_dtype((start, end, step), wanted)
    refuse_float8(element, "arange_cpu")
    if not isfinite(start) or not isfinite(end):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (step > 0 and start > end) or (step < 0 and start < end):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if element is dtypes.int64:
        start, end, step = int(start), int(end), int(step)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    count = int((end - start) / step + 1) if inclusive else ceil((end - start) / step)
    if element is dtypes.int64 and start == 0 and step == 1:
        return tensor_of(np.arange(count))
    if element.is_integral:
        values = np.arange(count, dtype=np.int64) * int(step) + int(start)
    elif not inclusive and not (float(start).is_integer() and float(step).is_integer()):
        values = _in_vectors(count, start, step, element)
    else:
        values = np.arange(count, dtype=np.float64) * float(step) + float(start)
    return tensor_of(values.astype(element.numpy_dtype, copy=False))


def _in_vectors(count: int, start: float, step: float, element: dtype) -> NDArray[Any]:
    """A range as PyTorch's kernel computes it: vectors of 32 bytes from their first element, which is rounded; what two of them do not
    cover is computed one by one.
    """
    lanes, wide = 32 // element.itemsize, opmath(element).numpy_dtype.type
    add = multiply_add_whole if element is dtypes.float64 else _rounded_sum
    if element is dtypes.float32:
        wide = np.float64
    first, gap, narrow = wide(start), wide(step), element.numpy_dtype
    whole = count - count % (2 * lanes)
    bases = add(np.arange(0, whole, lanes, dtype=wide), gap, first).astype(narrow).astype(wide)
    vectors = add(np.arange(lanes, dtype=wide), gap, bases[:, None]).astype(narrow)
    rest = add(np.arange(whole, count, dtype=wide), gap, first).astype(narrow)
    return np.concatenate([vectors.ravel(), rest])


def _rounded_sum(places: NDArray[Any], factor: Any, to: Any) -> NDArray[Any]:
    """`to + factor * places`."""
    return to + factor * places


def _arange_shape(facts: Sequence[Fact]) -> Fact:
    numbers, wanted = facts[:-4], facts[-4]
    if not is_known(*numbers):
        element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
        return fresh(element, (None,))
    if isinstance(wanted, int) and dtypes.from_scalar_type(wanted) is dtypes.int64:
        numbers = [int(number) for number in numbers]
    start, end, step = {1: (0, *numbers, 1), 2: (*numbers, 1), 3: tuple(numbers)}[len(numbers)]
    try:
        count = max(ceil((end - start) / step), 0)
    except (ArithmeticError, ValueError):
        return fresh(None, (None,))
    if isinstance(wanted, int) or wanted is None:
        return fresh(_range_dtype(numbers, wanted), (count,))
    return fresh(None, (count if all(isinstance(number, int) for number in numbers) else None,))


@factory("arange", shape=_arange_shape)
def arange(
    end: Scalar,
    wanted: int | None,
) -> Tensor:
    if wanted is None and type(end) is int and end >= 0:
        return tensor_of(np.arange(end))
    return _arange(0, end, 1, wanted)


@factory("arange.start", shape=_arange_shape)
def arange_start(
    start: Scalar,
    end: Scalar,
    wanted: int | None,
) -> Tensor:
    return _arange(start, end, 1, wanted)


@factory("arange.start_step", shape=_arange_shape)
def arange_step(
    start: Scalar,
    end: Scalar,
    step: Scalar,
    wanted: int | None,
) -> Tensor:
    return _arange(start, end, step, wanted)


def _range_shape(facts: Sequence[Fact]) -> Fact:
    """As many numbers as a range has that holds its end."""
    start, end, step = facts[:3] if len(facts) > 6 else (*facts[:2], 1)
    wanted = facts[-4]
    element = None
    if wanted is None or isinstance(wanted, int):
        element = chosen_dtype(wanted)
    known = is_known(start, end, step) and element is not None and step
    if not known or element is dtypes.int64:  # whose bounds are rounded first
        return on_device(fresh(element, (None,)), facts[-2])
    count = int((end - start) / step + 1)
    return on_device(fresh(element, (count if count >= 0 else None,)), facts[-2])


@factory("range.step", shape=_range_shape)
def range_step(
    start: Scalar,
    end: Scalar,
    step: Scalar,
    wanted: int | None,
) -> Tensor:
    return _arange(start, end, step, wanted, inclusive=True)


@factory("range", shape=_range_shape)
def range_(
    start: Scalar,
    end: Scalar,
    wanted: int | None,
) -> Tensor:
    return _arange(start, end, 1, wanted, inclusive=True)


def _arange_out(start: Scalar, end: Scalar, step: Scalar, out: Tensor) -> Tensor:
    if out.dtype.is_integral and step and not int(step.real):
        raise ValueError("step must be nonzero")
    raw = _arange(start, end, step, out.dtype.scalar_type).array
    if raw.shape == out.array.shape:
        out.array[...] = raw
    else:
        out.array = raw
    return out


registry.implement("arange.start_out", _arange_out)
registry.implement("arange.out", lambda end, out: _arange_out(0, end, 1, out))


Spread = Callable[[Any, Any, int, NDArray[Any]], NDArray[Any]]
"""Gives what is at some places between a number and the place after the last, which another number is at."""


def linspaced(start: Any, end: Any, steps: int, element: dtype) -> NDArray[Any]:
    """Evenly spaced numbers, rounded as in PyTorch's kernels."""
    if element.is_integral:
        start, end = int(start), int(end)
    if element.is_complex:
        of_parts, a, b = element.to_real(), complex(start), complex(end)
        real, imag = (
            linspaced(a.real, b.real, steps, of_parts),
            linspaced(a.imag, b.imag, steps, of_parts),
        )
        return (real + 1j * imag).astype(element.numpy_dtype)
    if opmath(element) is not element:
        spread: Spread = partial(_in_steps, element)
    else:
        spread = _in_float32 if element is dtypes.float32 else _in_float64
    return _from_nearer_end(spread, start, end, steps).astype(element.numpy_dtype)


def _from_nearer_end(spread: Spread, start: Any, end: Any, steps: int) -> NDArray[Any]:
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if steps == 1:
        return np.full(1, start)
    places = np.arange(steps, dtype=np.float64)
    half, gaps = steps // 2, max(steps - 1, 1)
    from_end = spread(end, start, gaps, (gaps - places)[half:])
    return np.concatenate([spread(start, end, gaps, places[:half]), from_end])


def _plainly(start: Any, end: Any, gaps: int, places: NDArray[Any]) -> NDArray[Any]:
    return start + (end - start) / gaps * places


def _in_float64(start: float, end: float, gaps: int, places: NDArray[Any]) -> NDArray[Any]:
    return multiply_add_whole(places, (end - start) / gaps, float(start))


def _in_float32(start: float, end: float, gaps: int, places: NDArray[Any]) -> NDArray[Any]:
    """Products are exact in float64, so that they are rounded with their sums."""
    first, last = np.float32(start), np.float32(end)
    values = float((last - first) / np.float32(gaps)) * places
    values += float(first)
    return values


def _in_steps(
    element: dtype, start: float, end: float, gaps: int, places: NDArray[Any]
) -> NDArray[Any]:
    """Each step is rounded."""

    def step(value: Any) -> Any:
        return rounded(np.asarray(value, np.float32), element)

    first = step(start)
    gap = step(step(step(end) - first) / step(gaps))
    return first + step(gap * step(places))


def _between(name: str, start: Scalar, end: Scalar, wanted: int | None) -> dtype:
    """The dtype of a range: a complex one where an end is complex."""
    if not isinstance(start, complex) and not isinstance(end, complex):
        return chosen_dtype(wanted)
    default = dtypes.get_default_dtype().to_complex()
    element = default if wanted is None else dtypes.from_scalar_type(wanted)
    if not element.is_complex:
        named = "c10::complex<double>" if default is dtypes.complex128 else "c10::complex<float>"
        raise RuntimeError(
            f"torch.{name}(): inferred dtype {named} can't be safely cast to passed dtype {element.type_name}"
        )
    return element


def _check_ends(start: Scalar, end: Scalar, steps: int, element: dtype) -> None:
    """PyTorch looks at the ends of a range that it comes to."""
    for bound in (start, end)[: max(steps, 0)]:
        check_fits(element, bound)


@factory("linspace", shape=counted_rule(2))
def linspace(
    start: Scalar,
    end: Scalar,
    steps: int,
    wanted: int | None,
) -> Tensor:
    element = _between("linspace", start, end, wanted)
    _check_ends(start, end, steps, element)
    return tensor_of(linspaced(start, end, steps, element))


@factory("logspace", shape=counted_rule(2))
def logspace(
    start: Scalar,
    end: Scalar,
    steps: int,
    base: float,
    wanted: int | None,
) -> Tensor:
    element = _between("logspace", start, end, wanted)
    _check_ends(start, end, steps, element)
    if element.is_integral:
        start, end = int(start.real), int(end.real)
    wide = np.complex128 if element.is_complex else np.float64
    exponents = _from_nearer_end(_plainly, start, end, steps)
    if element.is_integral:
        exponents = exponents.astype(np.float32)
    powers = cast("Any", np).power(float(base), exponents.astype(wide))
    return tensor_of(powers.astype(element.numpy_dtype))


def _bound(value: Any) -> Scalar:
    """A bound that may be a tensor without dimensions."""
    if not isinstance(value, Tensor):
        return value
    if value.array.ndim:
        raise RuntimeError(
            f"linspace only supports 0-dimensional start and end tensors, but got {value.array.ndim}-dimensional ones"
        )
    return value.array.item()


def _between_tensors(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def kernel(start: Any, end: Any, *rest: Any) -> Tensor:
        return function(_bound(start), _bound(end), *rest)

    return kernel


for _overload in ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor"):
    factory(f"linspace.{_overload}", shape=counted_rule(2))(_between_tensors(linspace))
    factory(f"logspace.{_overload}", shape=counted_rule(2))(_between_tensors(logspace))
