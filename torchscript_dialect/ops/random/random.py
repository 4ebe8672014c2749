"""Random tensors. The same seed gives the numbers that PyTorch gives on the cpu.

Other distributions are in `distributions.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.creation_like import like_op
from torchscript_dialect.ops.creation.factories import check_size, counted_rule, factory, sized_rule
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.products.matmul import cpp_name
from torchscript_dialect.ops.shapes import Fact, fresh, is_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.generator import BLOCK, Generator, default_generator, seed_all
from torchscript_dialect.tensor.multiply_add import multiply_add
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

LONG = 1 << 28
"""Ranges of so many integers and more take 64 bits: `%` of 32 would make some too likely."""
Fill = Callable[[NDArray[Any], Generator], None]


@ignores_float_errors
def store_flat(target: NDArray[Any], values: NDArray[Any]) -> None:
    """Write flat values in the order that the elements have in memory.

    Raises:
        RuntimeError: elements share memory.
    """
    if target.flags.c_contiguous:
        target[...] = values.reshape(target.shape)
        return
    assert_no_internal_overlap(target)
    order = sorted(range(target.ndim), key=lambda dim: -target.strides[dim])
    ordered = target.transpose(order)
    ordered[...] = values.reshape(ordered.shape)


def _check_float(name: str, array: NDArray[Any]) -> dtypes.dtype:
    element = dtypes.of_array(array)
    if not element.is_floating_point or element.is_float8:
        raise NotImplementedError(f"\"{name}\" not implemented for '{element.type_name}'")
    return element


def _parts(target: NDArray[Any]) -> NDArray[Any]:
    """The real and imaginary parts of complex numbers that lie side by side, as their last dimension."""
    return target[..., None].view(np.float32 if target.itemsize == 8 else np.float64)


def fill_uniform(
    target: NDArray[Any], generator: Generator, low: float = 0.0, high: float = 1.0
) -> None:
    if target.dtype.kind == "c":
        fill_uniform(_parts(target), generator, low, high)
        return
    element = _check_float("check_uniform_bounds", target)
    numbers = generator.uniform(target.size, element is dtypes.float64)
    if low == 0 and high == 1:
        store_flat(target, numbers)
        return
    if element is not dtypes.float64:
        numbers = numbers.astype(np.float32)
        low, high = float(np.float32(low)), float(np.float32(high))
    drawn = multiply_add(numbers, high - low, low)
    if element.itemsize == 2:
        drawn = drawn.astype(target.dtype)
        drawn[drawn == target.dtype.type(high)] = low  # the range is without its end
    store_flat(target, drawn)


def fill_normal(
    target: NDArray[Any], generator: Generator, mean: float = 0.0, std: float = 1.0
) -> None:
    if target.dtype.kind == "c":
        fill_normal(_parts(target), generator, mean, std / 2**0.5)
        return
    if not target.size:
        return
    element = _check_float("normal_kernel_cpu", target)
    is_double = element is dtypes.float64
    if target.size < BLOCK or not target.flags.c_contiguous:
        numbers = generator.normals_one_by_one(target.size)
    elif element.itemsize < 4:
        numbers = generator.normal_by_block(target.size)
    else:
        numbers = generator.normal(target.size, is_double)
    if std != 1 or mean != 0:
        numbers = multiply_add(numbers, std, mean)
    store_flat(target, numbers)


def draw_integers(generator: Generator, count: int, low: int, high: int) -> NDArray[np.int64]:
    """Integers in [low, high)."""
    if high <= low:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    width = high - low
    words = generator.long_words(count) if width >= LONG else generator.words(count)
    return (words % np.uint64(width)).astype(np.int64) + low


def _sized_shape(facts: Sequence[Fact]) -> Fact:
    size, wanted = facts[0], facts[-4]
    chosen = wanted is None or isinstance(wanted, int)
    element = _chosen(wanted) if chosen else None
    return fresh(element, tuple(size) if is_known(size) else None)


def _chosen(wanted: int | None) -> dtypes.dtype:
    return dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)


def _sized(name: str, fill: Fill) -> None:
    @factory(f"{name}.generator", shape=_sized_shape)
    def make(size: Sequence[int], generator: Generator | None, wanted: int | None) -> Tensor:
        out = np.empty(check_size(size), _chosen(wanted).numpy_dtype)
        fill(out, generator or default_generator)
        return tensor_of(out)

    @factory(name, shape=_sized_shape)
    def _(size: Sequence[int], wanted: int | None) -> Tensor:
        return make(size, None, wanted)


_sized("rand", fill_uniform)
_sized("randn", fill_normal)
like_op("rand_like", lambda array: fill_uniform(array, default_generator))
like_op("randn_like", lambda array: fill_normal(array, default_generator))


@factory("randint.low_generator", shape=sized_rule(2, 4))
def _randint(
    low: int, high: int, size: Sequence[int], generator: Generator | None, wanted: int | None
) -> Tensor:
    out = tensor_of(np.empty(check_size(size), _chosen(wanted).numpy_dtype))
    return random_from(out, low, high, generator)


@factory("randint.low", shape=sized_rule(2, 3))
def randint_low(low: int, high: int, size: Sequence[int], wanted: int | None) -> Tensor:
    return _randint(low, high, size, None, wanted)


@factory("randint.generator", shape=sized_rule(1, 3))
def randint_generator(
    high: int, size: Sequence[int], generator: Generator | None, wanted: int | None
) -> Tensor:
    return _randint(0, high, size, generator, wanted)


@factory("randint", shape=sized_rule(1, 2))
def randint(high: int, size: Sequence[int], wanted: int | None) -> Tensor:
    return _randint(0, high, size, None, wanted)


@factory("randperm.generator", shape=counted_rule(0, element=dtypes.int64))
def _randperm(n: int, generator: Generator | None, wanted: int | None) -> Tensor:
    """A permutation by the shuffle of Fisher and Yates."""
    if n < 0:
        raise RuntimeError(f"n must be non-negative, got{n}")
    element = dtypes.int64 if wanted is None else dtypes.from_scalar_type(wanted)
    order = np.arange(n, dtype=np.int64)
    words = (generator or default_generator).words(max(n - 1, 0))
    for place, word in enumerate(words.tolist()):
        other = place + word % (n - place)
        order[place], order[other] = order[other], order[place]
    return tensor_of(order.astype(element.numpy_dtype))


@factory("randperm", shape=counted_rule(0, element=dtypes.int64))
def randperm(n: int, wanted: int | None) -> Tensor:
    return _randperm(n, None, wanted)


# In place


def _first_fact(facts: Sequence[Fact]) -> Fact:
    return facts[0]


@registry.kernel("uniform_", shape=_first_fact)
def uniform_(x: Tensor, low: float, high: float, generator: Generator | None) -> Tensor:
    check_fits(x.dtype, low)
    check_fits(x.dtype, high)
    limits: Any = getattr(ml_dtypes, "finfo")  # noqa: B009
    most = float(limits(x.dtype.numpy_dtype).max) if x.dtype.is_floating_point else math.inf
    for name, bound in (("from", low), ("to", high)):
        if not -most <= bound <= most:
            raise RuntimeError(f"{name} is out of bounds for {cpp_name(x.dtype)}")
    if not low <= high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if high - low > most:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{x.dtype.type_name}>::max(), but found"
            f" to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )
    fill_uniform(x.array, generator or default_generator, low, high)
    return x


@registry.kernel("normal_", shape=_first_fact)
def normal_(x: Tensor, mean: float, std: float, generator: Generator | None) -> Tensor:
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    fill_normal(x.array, generator or default_generator, mean, std)
    return x


def _check_bounds(element: dtypes.dtype, low: int, high: int) -> None:
    """Raises RuntimeError where the dtype cannot hold all integers in [low, high)."""
    if element.is_complex:
        raise RuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
    if low >= high:
        return
    least: float
    most: float
    if element is dtypes.bool_:
        least, most = 0, 1
    elif element.is_floating_point:
        wide = np.float64 if element is dtypes.float64 else np.float32
        most = 65504.0 if element is dtypes.float16 else float(np.finfo(wide).max)
        least = -most
    else:
        limits = np.iinfo(element.numpy_dtype)
        least, most = limits.min, limits.max
    for name, number in (("from", low), ("to - 1", high - 1)):
        if not least <= number <= most:
            raise RuntimeError(f"{name} is out of bounds for {cpp_name(element)}")


_DIGITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}
"""Of the significands."""


def representable(element: dtypes.dtype, low: int, high: int) -> tuple[int, int]:
    """The bounds, moved to where a float dtype that rounds them outwards tells integers apart."""
    if not element.is_floating_point:
        return low, high
    digits = _DIGITS.get(element.name, 8)
    first, last = (int(element.numpy_dtype.type(number)) for number in (low + 1, high - 1))
    if first < low:
        low = first + (1 << (abs(low + 1).bit_length() - digits))
    if last >= high:
        high = last - (1 << (abs(high - 1).bit_length() - digits))
    return low, high


@registry.kernel("random_.from", shape=_first_fact)
def random_from(x: Tensor, low: int, high: int | None, generator: Generator | None) -> Tensor:
    """Integers from `low` on: below `high`, or up to the largest of the dtype, or all of int64 from its least on."""
    source, count = generator or default_generator, x.array.size
    if high is None and low == -(1 << 63):
        if x.dtype.name not in _OF_ALL_INTEGERS:
            raise RuntimeError(
                "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16"
            )
        store_flat(x.array, source.long_words(count).view(np.int64))
        return x
    top = _largest(x.dtype) + 1 if high is None else high
    _check_bounds(x.dtype, low, top)
    low, top = representable(x.dtype, low, top)
    store_flat(x.array, draw_integers(source, count, low, top))
    return x


_OF_ALL_INTEGERS = frozenset(("int64", "float64", "float32", "bfloat16"))


def _largest(element: dtypes.dtype) -> int:
    """The largest integer that a dtype has; of floats the end of those that it tells apart."""
    if element.is_floating_point:
        return 1 << _DIGITS.get(element.name, 24)
    return 1 if element is dtypes.bool_ else int(np.iinfo(element.numpy_dtype).max)


registry.implement(
    "random_.to",
    lambda x, high, generator: random_from(x, 0, high, generator),
    shape=_first_fact,
)


@registry.kernel("bernoulli_.float", shape=_first_fact)
def bernoulli_(x: Tensor, p: float, generator: Generator | None) -> Tensor:
    """1 with probability p, else 0."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    if x.dtype.is_complex or x.dtype.is_float8:
        raise NotImplementedError(
            f"\"bernoulli_scalar_cpu_\" not implemented for '{x.dtype.type_name}'"
        )
    numbers = (generator or default_generator).uniform(x.array.size, double=True)
    store_flat(x.array, (numbers < p).astype(x.array.dtype))
    return x


def check_chances(chances: NDArray[Any]) -> None:
    """RuntimeError where one of them is no probability, as nan is none."""
    if not ((chances >= 0) & (chances <= 1)).all():
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")


@registry.kernel("bernoulli", strict_out=True)
def bernoulli(x: Tensor, generator: Generator | None) -> Tensor:
    """1 with the probability that the element is, else 0."""
    _check_float("bernoulli_tensor_cpu_p_", x.array)
    check_chances(x.array)
    out = np.empty(x.array.shape, x.array.dtype)
    numbers = (generator or default_generator).uniform(out.size, out.dtype == np.float64)
    store_flat(out, (numbers.reshape(out.shape) < x.array).astype(out.dtype))
    return tensor_of(out)


@registry.kernel("bernoulli.p")
def bernoulli_p(x: Tensor, p: float, generator: Generator | None) -> Tensor:
    return bernoulli_(tensor_of(np.empty(x.array.shape, x.array.dtype)), p, generator)


@registry.kernel("manual_seed")
def manual_seed(seed: int) -> None:
    seed_all(seed)


# What schemas do not tell of an operator that has no kernel

registry.declare("_dirichlet_grad", effects=Effect.RANDOM)
