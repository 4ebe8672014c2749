"""Tensors from nothing: zeros, ones, ranges, grids. Random ones are in `random.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil, isfinite
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.shapes import (
    Fact,
    dtype_of,
    fresh,
    is_known,
    known_ints,
    preserved,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import array_from_data, cast_array, check_fits
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import held_by, refuse_float8
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import memory_format, preserve_format
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    empty_like,
    empty_strided,
    strides_for_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.tensor_type import TensorProperties

Scalar = complex
Shape = Sequence[int]


def check_options(layout: int | None, device: Device | None, pin_memory: bool | None) -> None:
    """RuntimeError unless the options name a strided tensor on the cpu."""
    if device is not None and str(device) not in ("cpu", "cpu:0"):
        raise RuntimeError(f"tensors live on the cpu only, not on device '{device}'")
    if layout is not None and layout != 0:
        raise RuntimeError(f"tensors are strided only: layout {layout} is not supported")
    if pin_memory:
        raise RuntimeError("Cannot access accelerator device when none is available.")


_NO_OPTIONS = (None, None, None)


def factory(
    names: str, *, has_format: bool = False, shape: registry.ShapeRule | None = None, **known: Any
) -> Callable[[registry.KernelFunction], registry.KernelFunction]:
    """Attach a function as the kernel of operators that make tensors.

    The options behind the dtype, which are checked here, leave a tensor on the cpu no choice; the function takes what stands before
    them, and the memory format behind them if there is one.
    """

    def attach_to(function: registry.KernelFunction) -> registry.KernelFunction:
        def kernel(*operands: Any) -> Any:
            if operands[-3:] != _NO_OPTIONS:
                check_options(*operands[-3:])
            return function(*operands[:-3])

        def kernel_with_format(*operands: Any) -> Any:
            *given, layout, device, pin_memory, format = operands
            check_options(layout, device, pin_memory)
            return function(*given, format)

        chosen = kernel_with_format if has_format else kernel
        registry.kernel(names, shape=shape, **known)(chosen)
        return function

    return attach_to


def _chosen(wanted: int | None) -> dtype:
    return dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)


def check_size(size: Shape) -> tuple[int, ...]:
    """The shape as a tuple; RuntimeError for a negative size."""
    for number in size:
        if number < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {number}: {list(size)}"
            )
    return tuple(size)


def sized_rule(place: int, wanted_place: int) -> registry.ShapeRule:
    """The rule of an operator that is given its shape."""

    def rule(facts: Sequence[Fact]) -> Fact:
        wanted = facts[wanted_place]
        element = _chosen(wanted) if wanted is None or isinstance(wanted, int) else None
        size = facts[place]
        sizes = tuple(size) if is_known(size) else None
        return _on_device(fresh(element, sizes), facts[wanted_place + 2])

    return rule


def _on_device(made: TensorProperties, wanted: Fact) -> TensorProperties:
    """What is made without another tensor: on the processor, if nothing else is wanted."""
    return replace(made, device="cpu") if wanted is None else made


def _sized_rule_of_order(facts: Sequence[Fact]) -> Fact:
    return replace(sized_rule(0, 2)(facts), strides=None)


def filled(shape: Shape, value: Scalar, element: dtype) -> NDArray[Any]:
    """A contiguous array of one number."""
    size = check_size(shape)
    if value == 0 and isinstance(value, int):
        return np.zeros(size, element.numpy_dtype)
    made = np.empty(size, element.numpy_dtype)
    made.fill(_as_element(value, element))
    return made


@ignores_float_errors
def _as_element(value: Scalar, element: dtype) -> Any:
    check_fits(element, value)
    return held_by(element.numpy_dtype, np.asarray(value)).astype(element.numpy_dtype)


def _sized(name: str, value: Scalar) -> None:
    @factory(name, shape=sized_rule(0, 1))
    def _(
        size: Shape,
        wanted: int | None,
    ) -> Tensor:
        return tensor_of(filled(size, value, _chosen(wanted)))


_sized("zeros", 0)
_sized("ones", 1)


def _fill_dtype(value: Scalar, wanted: int | None) -> dtype:
    if wanted is not None:
        return dtypes.from_scalar_type(wanted)
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, int):
        return dtypes.int64
    default = dtypes.get_default_dtype()
    return default.to_complex() if isinstance(value, complex) else default


def _full_shape(facts: Sequence[Fact]) -> Fact:
    size, value, wanted = facts[0], facts[1], facts[2]
    known = is_known(wanted) and (wanted is not None or is_known(value))
    element = _fill_dtype(value, wanted) if known else None
    made = fresh(element, tuple(size) if is_known(size) else None)
    return _on_device(made, facts[4])


@factory("full", shape=_full_shape)
def full(
    size: Shape,
    value: Scalar,
    wanted: int | None,
) -> Tensor:
    return tensor_of(filled(size, value, _fill_dtype(value, wanted)))


# Memory is given as it is found.
registry.declare(
    "empty empty_like empty_strided empty_permuted new_empty new_empty_strided",
    effects=Effect.RANDOM,
)


@factory("empty.memory_format", shape=sized_rule(0, 1), has_format=True)
def empty(
    size: Shape,
    wanted: int | None,
    format: int | None,
) -> Tensor:
    element = _chosen(wanted).numpy_dtype
    shape = check_size(size)
    if format is None or format == 0:
        return tensor_of(np.empty(shape, element))
    return tensor_of(
        empty_strided(shape, strides_for_format(shape, memory_format(format)), element)
    )


@factory("empty_permuted", shape=_sized_rule_of_order)
def empty_permuted(size: Shape, order: Shape, wanted: int | None) -> Tensor:
    """A dense tensor whose dimensions lie in memory in this order, the slowest first."""
    sizes = check_size(size)
    _check_order(sizes, order)
    strides = [0] * len(sizes)
    inner = contiguous_strides([sizes[dim] for dim in order])
    for dim, stride in zip(order, inner):
        strides[dim] = stride
    return tensor_of(empty_strided(sizes, strides, _chosen(wanted).numpy_dtype))


def _check_order(sizes: Shape, order: Shape) -> None:
    rank = len(sizes)
    if len(order) != rank:
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. "
            f"len(size) = {rank} is not equal to len(physical_layout) = {len(order)}"
        )
    for place, dim in enumerate(order):
        if not 0 <= dim < rank:
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {rank - 1}, but got {dim} at "
                f"index {place}).  NB: negative dims not currently supported; file an issue if you want it."
            )
        if dim in order[:place]:
            raise RuntimeError("Duplicate dim not allowed")


@factory("empty_strided")
def empty_strided_(
    size: Shape,
    stride: Shape,
    wanted: int | None,
) -> Tensor:
    return tensor_of(empty_strided(check_size(size), stride, _chosen(wanted).numpy_dtype))


# Like another tensor


def like(array: NDArray[Any], wanted: int | None, format: int | None) -> NDArray[Any]:
    """An uninitialized array of the same shape; None and `preserve_format` keep the order of dimensions."""
    element = array.dtype if wanted is None else dtypes.from_scalar_type(wanted).numpy_dtype
    if format is None or format == preserve_format:
        return empty_like(array, element)
    strides = strides_for_format(array.shape, memory_format(format))
    return empty_strided(array.shape, strides, element)


def _like_rule(wanted_place: int) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        x, wanted, format = facts[0], facts[wanted_place], facts[-1]
        element = dtype_of(x)
        if wanted is not None:
            element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
        result = preserved(element, x)
        if format is None or format == preserve_format:
            return result
        sizes = known_ints(rank_known(x))
        if not is_known(format) or sizes is None:
            return replace(result, strides=None)
        try:
            return replace(result, strides=strides_for_format(sizes, memory_format(format)))
        except RuntimeError:
            return replace(result, strides=None)

    return rule


def like_op(name: str, fill: Callable[[NDArray[Any]], None]) -> None:
    """Declare an operator that fills a tensor like `self`."""

    @factory(name, shape=_like_rule(1), has_format=True)
    def _(
        x: Tensor,
        wanted: int | None,
        format: int | None,
    ) -> Tensor:
        out = like(x.array, wanted, format)
        fill(out)
        return tensor_of(out)


like_op(
    "zeros_like",
    lambda array: array.fill(0 if array.dtype.kind != "V" else np.zeros((), array.dtype)),
)
like_op("ones_like", lambda array: array.fill(1))
like_op("empty_like", lambda array: None)


@factory("full_like", shape=_like_rule(2), has_format=True)
def full_like(
    x: Tensor,
    value: Scalar,
    wanted: int | None,
    format: int | None,
) -> Tensor:
    out = like(x.array, wanted, format)
    out[...] = _as_element(value, dtypes.of_array(out))
    return tensor_of(out)


def _new_dtype(x: Tensor, wanted: int | None) -> dtype:
    return x.dtype if wanted is None else dtypes.from_scalar_type(wanted)


def _new_rule(wanted_place: int) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        wanted, size = facts[wanted_place], facts[1]
        element = dtype_of(facts[0])
        if wanted is not None:
            element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
        return fresh(element, tuple(size) if is_known(size) else None, facts[0])

    return rule


def _new(name: str, value: Scalar) -> None:
    @factory(name, shape=_new_rule(2))
    def _(
        x: Tensor,
        size: Shape,
        wanted: int | None,
    ) -> Tensor:
        return tensor_of(filled(size, value, _new_dtype(x, wanted)))


_new("new_zeros", 0)
_new("new_ones", 1)
_new("new_empty", 0)


@factory("new_empty_strided", shape=lambda facts: replace(_new_rule(3)(facts), strides=None))
def new_empty_strided(x: Tensor, size: Shape, stride: Shape, wanted: int | None) -> Tensor:
    return empty_strided_(size, stride, _new_dtype(x, wanted).scalar_type)


@factory("new_full", shape=_new_rule(3))
def new_full(
    x: Tensor,
    size: Shape,
    value: Scalar,
    wanted: int | None,
) -> Tensor:
    return tensor_of(filled(size, value, _new_dtype(x, wanted)))


# Ranges


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
    else:
        values = np.arange(count, dtype=np.float64) * float(step) + float(start)
    return tensor_of(values.astype(element.numpy_dtype, copy=False))


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
    return fresh(None, (count,))


@factory("arange", shape=_arange_shape)
def arange(
    end: Scalar,
    wanted: int | None,
) -> Tensor:
    if wanted is None and end.__class__ is int and (count := cast("int", end)) >= 0:
        return tensor_of(np.arange(count))
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
        element = _chosen(wanted)
    known = is_known(start, end, step) and element is not None and step
    if not known or element is dtypes.int64:  # whose bounds are rounded first
        return _on_device(fresh(element, (None,)), facts[-2])
    count = int((end - start) / step + 1)
    return _on_device(fresh(element, (count if count >= 0 else None,)), facts[-2])


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


def linspaced(start: Any, end: Any, steps: int, element: dtype) -> NDArray[Any]:
    """Evenly spaced numbers, computed from whichever end is nearer."""
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if steps == 1:
        return np.full(1, start).astype(element.numpy_dtype)
    if element.is_integral:
        start, end = int(start), int(end)
    wide = np.float64
    gap = (end - start) / max(steps - 1, 1)
    places = np.arange(steps, dtype=wide)
    from_start = start + gap * places
    from_end = end - gap * (steps - 1 - places)
    values = cast("Any", np).where(places < steps // 2, from_start, from_end)
    return values.astype(element.numpy_dtype)


def _check_ends(start: Scalar, end: Scalar, steps: int, element: dtype) -> None:
    """PyTorch looks at the ends of a range that it comes to."""
    for bound in (start, end)[: max(steps, 0)]:
        check_fits(element, bound)


def counted_rule(*places: int, element: dtype | None = None) -> registry.ShapeRule:
    """The rule of an operator that is given its sizes one by one; `element` is the default of its dtype."""

    def rule(facts: Sequence[Fact]) -> Fact:
        sizes = [facts[place] for place in places]
        wanted = facts[-4]
        made = element if wanted is None and element is not None else None
        if made is None and (wanted is None or isinstance(wanted, int)):
            made = _chosen(wanted)
        known = tuple(size if isinstance(size, int) else None for size in sizes)
        return _on_device(fresh(made, known), facts[-2])

    return rule


@factory("linspace", shape=counted_rule(2))
def linspace(
    start: Scalar,
    end: Scalar,
    steps: int,
    wanted: int | None,
) -> Tensor:
    element = _chosen(wanted)
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
    element = _chosen(wanted)
    _check_ends(start, end, steps, element)
    if element.is_integral:
        start, end = int(start.real), int(end.real)
    exponents = linspaced(
        start, end, steps, dtypes.float32 if element.is_integral else dtypes.float64
    )
    powers = cast("Any", np).power(float(base), exponents.astype(np.float64))
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


def _eye(rows: int, columns: int, wanted: int | None) -> Tensor:
    if rows < 0 or columns < 0:
        name = "n" if rows < 0 else "m"
        raise RuntimeError(
            f"{name} must be greater or equal to 0, got {rows if rows < 0 else columns}"
        )
    return tensor_of(np.eye(rows, columns, dtype=_chosen(wanted).numpy_dtype))


@factory("eye", shape=counted_rule(0, 0))
def eye(
    n: int,
    wanted: int | None,
) -> Tensor:
    return _eye(n, n, wanted)


@factory("eye.m", shape=counted_rule(0, 1))
def eye_m(
    n: int,
    m: int,
    wanted: int | None,
) -> Tensor:
    return _eye(n, m, wanted)


def _triangle_shape(facts: Sequence[Fact]) -> Fact:
    """Rows and columns, of as many places as elements decide."""
    wanted = facts[-4]
    known = wanted is None or isinstance(wanted, int)
    element = (dtypes.int64 if wanted is None else _chosen(wanted)) if known else None
    return _on_device(fresh(element, (2, None)), facts[-2])


def _triangle_indices(name: str, places: Callable[..., Any]) -> None:
    @factory(name, shape=_triangle_shape)
    def _(
        rows: int,
        columns: int,
        offset: int,
        wanted: int | None,
    ) -> Tensor:
        element = dtypes.int64 if wanted is None else dtypes.from_scalar_type(wanted)
        return tensor_of(np.stack(places(rows, offset, columns)).astype(element.numpy_dtype))


_triangle_indices("tril_indices", np.tril_indices)
_triangle_indices("triu_indices", np.triu_indices)


# From Python values


def _tensor_dtype(wanted: int | None) -> dtype | None:
    return None if wanted is None else dtypes.from_scalar_type(wanted)


@registry.kernel("tensor.bool tensor.int tensor.float tensor.complex tensor")
def tensor(data: Any, wanted: int | None, device: Device | None, requires_grad: bool) -> Tensor:
    """A tensor of a number, or of nested lists of numbers.

    As in PyTorch's interpreter, floats are rounded to the default dtype first, whatever dtype is wanted.
    """
    check_options(None, device, None)
    made = array_from_data(data, None)
    if isinstance(data, float | complex):
        check_fits(dtypes.of_array(made), data)
    element = _tensor_dtype(wanted)
    result = tensor_of(made if element is None else cast_array(made, element))
    return result.requires_grad_() if requires_grad else result


@registry.kernel("as_tensor.bool as_tensor.int as_tensor.float as_tensor.complex as_tensor.list")
def as_tensor_of_numbers(data: Any, wanted: int | None, device: Device | None) -> Tensor:
    """As `tensor`: numbers have no memory to share."""
    return tensor(data, wanted, device, False)


@factory("scalar_tensor")
def scalar_tensor(
    value: Scalar,
    wanted: int | None,
) -> Tensor:
    return tensor_of(np.asarray(_as_element(value, _chosen(wanted))))


def _scalar_shape(facts: Sequence[Fact]) -> Fact:
    if not is_known(facts[0]):
        return fresh(None, ())
    return fresh(number_to_tensor(facts[0]).dtype, ())


@registry.kernel("prim::NumToTensor.Scalar prim::NumToTensor.bool", shape=_scalar_shape)
def number_to_tensor(value: Scalar) -> Tensor:
    """A 0-d tensor; floats are float64, as PyTorch's `scalar_to_tensor` makes them."""
    if isinstance(value, bool):
        return tensor_of(np.asarray(value))
    if isinstance(value, int):
        return tensor_of(np.asarray(value, np.int64))
    return tensor_of(np.asarray(value, np.complex128 if isinstance(value, complex) else np.float64))
