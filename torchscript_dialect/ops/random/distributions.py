"""Samples of probability distributions, by the algorithms by which PyTorch draws them, so that the same seed gives the same numbers
(PyTorch: ATen/core/DistributionsHelper.h, native/Distributions.h and Distributions.cpp).

Most take one number of the generator for each element. Those that reject what they drew take as many as it takes, one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.creation_like import like
from torchscript_dialect.ops.creation.factories import factory
from torchscript_dialect.ops.eager.often import ELEMENTS, CompiledForm, Counted
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.random.random import (
    check_chances,
    fill_normal,
    fill_uniform,
    normal_,
    random_from,
    store_flat,
)
from torchscript_dialect.ops.random.samplers import binomial_sample, gamma_sample, poisson_sample
from torchscript_dialect.ops.shapes import Fact, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.drawn_ahead import DrawnAhead
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.generator import Generator, default_generator
from torchscript_dialect.tensor.multiply_add import multiply_add
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.strides import broadcast_shapes, empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
Maybe = Generator | None


def _same(facts: Sequence[Fact]) -> Fact:
    return facts[0]


def _refuse(name: str, x: Tensor) -> None:
    raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


def _check_float(name: str, x: Tensor) -> None:
    if not x.dtype.is_floating_point:
        _refuse(name, x)


# In place, by the inverse of the distribution function


def _uniform(x: Tensor, generator: Maybe) -> NDArray[np.float64]:
    return (generator or default_generator).uniform(x.array.size, double=True)


@registry.kernel("exponential_", shape=_same)
@ignores_float_errors
def exponential_(x: Tensor, rate: float, generator: Maybe) -> Tensor:
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    _check_float("exponential_cpu", x)
    store_flat(x.array, -1 / rate * np.log1p(-_uniform(x, generator)))
    return x


@registry.kernel("cauchy_", shape=_same)
@ignores_float_errors
def cauchy_(x: Tensor, median: float, sigma: float, generator: Maybe) -> Tensor:
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if not x.dtype.is_floating_point:
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating "
            f"point but you specified {x.dtype.type_name}"
        )
    tangents = np.tan(np.pi * (_uniform(x, generator) - 0.5))
    store_flat(x.array, multiply_add(tangents, sigma, median))
    return x


@registry.kernel("geometric_", shape=_same)
@ignores_float_errors
def geometric_(x: Tensor, p: float, generator: Maybe) -> Tensor:
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if x.dtype.is_complex or x.dtype is dtypes.bool_:
        _refuse("geometric_cpu", x)
    store_flat(x.array, np.ceil(np.log(_uniform(x, generator)) / np.log1p(-p)))
    return x


@registry.kernel("log_normal_", shape=_same)
@ignores_float_errors
def log_normal_(x: Tensor, mean: float, std: float, generator: Maybe) -> Tensor:
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    _check_float("log_normal_cpu", x)
    source = generator or default_generator
    normal = source.normals_one_by_one(x.array.size)
    store_flat(x.array, np.exp(multiply_add(normal, std, mean)))
    return x


@registry.kernel("random_", shape=_same)
def random_(x: Tensor, generator: Maybe) -> Tensor:
    """Whole numbers: all that an integer dtype holds from 0 up, and as many as a float dtype tells apart."""
    source, element, count = generator or default_generator, x.dtype, x.array.size
    if element.is_complex:
        _refuse("random_cpu", x)
    if element is dtypes.bool_:
        values = source.words(count) & np.uint64(1)
    elif element.is_floating_point:
        digits = {dtypes.float64: 53, dtypes.float32: 24, dtypes.float16: 11}.get(element, 8)
        words = source.long_words(count) if digits == 53 else source.words(count)
        values = words % np.uint64((1 << digits) + 1)
    else:
        most = int(np.iinfo(element.numpy_dtype).max)
        words = source.long_words(count) if most >= 1 << 32 else source.words(count)
        values = words % np.uint64(most + 1) if most < 1 << 63 else words
    store_flat(x.array, values.astype(element.numpy_dtype))
    return x


@registry.kernel("bernoulli_.Tensor", shape=_same)
def bernoulli_by_(x: Tensor, p: Tensor, generator: Maybe) -> Tensor:
    """1 with the probability that the element of `p` is, else 0."""
    if not p.dtype.is_floating_point:
        _refuse("bernoulli_tensor_cpu_p_", p)
    chances = np.broadcast_to(p.array, x.array.shape)
    check_chances(chances)
    numbers = (generator or default_generator).uniform(chances.size, p.dtype is dtypes.float64)
    assert_no_internal_overlap(x.array)
    x.array[...] = (numbers.reshape(chances.shape) < chances).astype(x.array.dtype)
    return x


@registry.kernel("bernoulli.Tensor", shape=_same, strict_out=True)
def bernoulli_by(x: Tensor, p: Tensor, generator: Maybe) -> Tensor:
    return bernoulli_by_(tensor_of(empty_like(x.array)), p, generator)


# Normal numbers about means


def _shifted(mean: Any, std: Any, generator: Maybe) -> Tensor:
    """std * normal + mean, of the size that both broadcast to."""
    arrays = [value.array for value in (mean, std) if isinstance(value, Tensor)]
    if isinstance(std, Tensor):
        if std.dtype.is_complex:
            raise RuntimeError("normal expects standard deviation to be non-complex")
        if not (std.array >= 0).all():
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    shape = broadcast_shapes(*[array.shape for array in arrays])
    out = np.empty(shape, arrays[0].dtype)
    fill_normal(out, generator or default_generator)
    mean, std = (value.array if isinstance(value, Tensor) else value for value in (mean, std))
    out[...] = out * np.asarray(std, out.dtype) + np.asarray(mean, out.dtype)
    return tensor_of(out)


@registry.kernel("normal_functional")
def normal_functional(x: Tensor, mean: float, std: float, generator: Maybe) -> Tensor:
    return normal_(tensor_of(empty_like(x.array)), mean, std, generator)


registry.implement("normal.Tensor_float normal.float_Tensor normal.Tensor_Tensor", _shifted)


@factory("normal.float_float")
def normal_of_size(
    mean: float, std: float, size: Sequence[int], generator: Maybe, wanted: int | None
) -> Tensor:
    element = dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)
    return normal_(tensor_of(np.empty(tuple(size), element.numpy_dtype)), mean, std, generator)


# Like a tensor


def _declare_like(name: str, fill: Callable[[Array, Generator], None]) -> None:
    @factory(f"{name}.generator", has_format=True)
    def _(x: Tensor, generator: Maybe, wanted: int | None, format: int | None) -> Tensor:
        out = like(x.array, wanted, format)
        fill(out, generator or default_generator)
        return tensor_of(out)


_declare_like("rand_like", fill_uniform)
_declare_like("randn_like", fill_normal)


def _integers_like(
    x: Tensor, low: int, high: int, generator: Maybe, wanted: int | None, format: int | None
) -> Tensor:
    out = like(x.array, wanted, format)
    return random_from(tensor_of(out), low, high, generator)


def _one_number(high: Tensor) -> int:
    if high.array.size != 1 or high.array.ndim:
        raise RuntimeError(
            f"high must be a scalar tensor and on CPU, but got a tensor of size {list(high.array.shape)}"
        )
    return int(high)


@factory("randint_like", has_format=True)
def randint_like(x: Tensor, high: int, *options: Any) -> Tensor:
    return _integers_like(x, 0, high, None, *options)


@factory("randint_like.low_dtype", has_format=True)
def randint_like_from(x: Tensor, low: int, high: int, *options: Any) -> Tensor:
    return _integers_like(x, low, high, None, *options)


@factory("randint_like.Tensor", has_format=True)
def randint_like_below(x: Tensor, high: Tensor, *options: Any) -> Tensor:
    return _integers_like(x, 0, _one_number(high), None, *options)


@factory("randint_like.generator", has_format=True)
def randint_like_of(x: Tensor, high: int, *rest: Any) -> Tensor:
    return _integers_like(x, 0, high, *rest)


@factory("randint_like.Tensor_generator", has_format=True)
def randint_like_below_of(x: Tensor, high: Tensor, *rest: Any) -> Tensor:
    return _integers_like(x, 0, _one_number(high), *rest)


@factory("randint_like.low_generator_dtype", has_format=True)
def randint_like_from_of(x: Tensor, low: int, high: int, *rest: Any) -> Tensor:
    return _integers_like(x, low, high, *rest)


# One by one


def _each(
    sample: Callable[..., Any],
    arrays: Sequence[Array],
    result: np.dtype[Any],
    generator: Maybe,
) -> Tensor:
    """A sample for the elements at each place: `sample` takes the numbers of the generator, and the elements."""
    wide = np.broadcast_arrays(*arrays)
    out = np.empty(wide[0].shape, result)
    flat = out.reshape(-1)
    with DrawnAhead(generator or default_generator) as stream:
        for place, values in enumerate(zip(*(array.reshape(-1) for array in wide))):
            flat[place] = sample(stream, *values)
    return tensor_of(out)


@registry.kernel("poisson", effects=Effect.RANDOM)
def poisson(x: Tensor, generator: Maybe) -> Tensor:
    _check_float("poisson_cpu", x)

    def sample(stream: DrawnAhead, rate: Any) -> float:
        return poisson_sample(float(rate), stream.uniform)

    return _each(sample, [x.array], x.array.dtype, generator)


@registry.kernel("binomial", effects=Effect.RANDOM)
def binomial(count: Tensor, p: Tensor, generator: Maybe) -> Tensor:
    _check_float("binomial_cpu", count)
    if p.dtype is not count.dtype:
        raise RuntimeError(
            f"expected scalar type {count.dtype.type_name} but found {p.dtype.type_name}"
        )
    if count.array.size and (count.array < 0).any():
        raise RuntimeError("binomial: counts must not be negative")

    def sample(stream: DrawnAhead, n: Any, chance: Any) -> float:
        return binomial_sample(float(n), float(chance), stream.uniform)

    return _each(sample, [count.array, p.array], count.array.dtype, generator)


@registry.kernel("_standard_gamma", effects=Effect.RANDOM)
def standard_gamma(x: Tensor, generator: Maybe) -> Tensor:
    if x.dtype not in (dtypes.float32, dtypes.float64):
        _refuse("gamma_cpu", x)
    least = np.finfo(x.array.dtype).tiny

    def sample(stream: DrawnAhead, alpha: Any) -> float:
        return max(least, gamma_sample(alpha, stream))

    return _each(sample, [x.array], x.array.dtype, generator)


@registry.kernel("_sample_dirichlet", effects=Effect.RANDOM)
@ignores_float_errors
def sample_dirichlet(x: Tensor, generator: Maybe) -> Tensor:
    """Gamma samples that are divided by their sum along the last dimension."""
    if x.dtype not in (dtypes.float32, dtypes.float64):
        _refuse("dirichlet", x)
    double = np.dtype(np.float64)

    def sample(stream: DrawnAhead, alpha: Any) -> float:
        return gamma_sample(alpha, stream)

    raw = _each(sample, [x.array.astype(double)], double, generator).array
    info = np.finfo(x.array.dtype)
    most = np.nextafter(x.array.dtype.type(1), x.array.dtype.type(0))
    shares = (raw / raw.sum(-1, keepdims=True)).astype(x.array.dtype)
    return tensor_of(np.clip(shares, info.tiny, most))


def _multinomial_shape(facts: Sequence[Fact]) -> Fact:
    sizes, count = rank_known(facts[0]), facts[1]
    if not sizes or not is_known(count):
        return fresh(dtypes.int64, None, facts[0])
    return fresh(dtypes.int64, (*sizes[:-1], count), facts[0])


@registry.kernel("multinomial", shape=_multinomial_shape, effects=Effect.RANDOM, strict_out=True)
@ignores_float_errors
def multinomial(x: Tensor, count: int, replacement: bool, generator: Maybe) -> Tensor:
    """Places along the last dimension, with probabilities in the ratio of the elements."""
    array = x.array
    if array.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not x.dtype.is_floating_point:
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, got: " + x.dtype.type_name
        )
    if count <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and count > array.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    rows = array.reshape(-1, array.shape[-1])
    if not np.isfinite(rows.astype(np.float64)).all() or (rows < 0).any():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if rows.size and (rows.sum(-1) == 0).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if not rows.size:
        return tensor_of(np.empty((*array.shape[:-1], count), np.int64))
    source = generator or default_generator
    if replacement and count > 1:
        whole = rows.cumsum(-1, dtype=rows.dtype if rows.dtype.itemsize >= 4 else np.float32)
        whole = whole / whole[:, -1:]
        draws = source.uniform(len(rows) * count, double=True).reshape(len(rows), count)
        places = np.stack([np.searchsorted(row[:-1], u) for row, u in zip(whole, draws)])
    else:  # the first ones in a race, which is PyTorch's way of a single draw, too
        waits = exponential_(tensor_of(empty_like(rows)), 1.0, source).array
        places = np.argsort(-(rows / waits), -1, kind="stable")[:, :count]
    return tensor_of(places.astype(np.int64).reshape(*array.shape[:-1], count))


# Leaky rectifiers with a random slope


def _rrelu(
    x: Tensor, noise: Tensor, lower: float, upper: float, train: bool, generator: Maybe
) -> Array:
    for name, bound in (("lower", lower), ("upper", upper)):
        if bound.__class__ is not float:
            check_fits(dtypes.float64, bound)
        if not math.isfinite(bound):
            raise RuntimeError(f"rrelu: {name} bound must be finite, got {bound:g}")
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not train:
        return _leaky_relu(x, _mean_of_bounds(lower, upper)).array
    _check_float("rrelu_with_noise_out_cpu", x)
    if x.dtype is dtypes.float16:
        _refuse("rrelu_with_noise_out_cpu", x)
    if x.dtype is not dtypes.float64:
        for bound in (lower, upper):
            check_fits(dtypes.float32, bound)
    below = x.array <= 0
    slopes = np.ones(x.array.shape)
    draws = (generator or default_generator).uniform(int(below.sum()), double=True)
    slopes[below] = draws * (upper - lower) + lower
    noise.array[...] = slopes.astype(x.array.dtype)
    return x.array * noise.array


def _leaky_relu(x: Tensor, slope: float) -> Tensor:
    counted = _counted_leaky_relu()
    counted.left -= 1 + x.array.size // ELEMENTS
    if counted.left < 0:
        counted.look(x, slope)
    return counted.run(x, slope)


@cache
def _counted_leaky_relu() -> Counted:
    """Note [Operators that are called often] in often.py."""
    operator = registry.find("aten::leaky_relu")
    assert operator is not None and operator.kernel is not None
    return Counted(CompiledForm(operator, False), operator.kernel)


def _mean_of_bounds(lower: float, upper: float) -> float:
    """That of 0-dim tensors of the two: a sum of bools is one, of ints has 64 bits, and its half is of the default dtype."""
    total: Any = np.add(lower, upper)
    mean = total / 2
    return float(
        mean if total.dtype.kind == "f" else dtypes.get_default_dtype().numpy_dtype.type(mean)
    )


@registry.kernel("rrelu_with_noise", training="training", effects=Effect.RANDOM)
def rrelu_with_noise(x: Tensor, noise: Tensor, *settings: Any) -> Tensor:
    return tensor_of(np.asarray(_rrelu(x, noise, *settings), order="C"))


@registry.kernel("rrelu_with_noise_", shape=_same, training="training", effects=Effect.RANDOM)
def rrelu_with_noise_(x: Tensor, noise: Tensor, *settings: Any) -> Tensor:
    assert_no_internal_overlap(x.array)
    x.array[...] = _rrelu(x, noise, *settings)
    return x


@registry.kernel("rrelu", training="training", effects=Effect.RANDOM)
def rrelu(x: Tensor, *settings: Any) -> Tensor:
    """x above 0, x times a slope below: a random one between two bounds in training, else their mean."""
    return rrelu_with_noise(x, tensor_of(empty_like(x.array)), *settings)


@registry.kernel("rrelu_", shape=_same, training="training", effects=Effect.RANDOM)
def rrelu_(x: Tensor, *settings: Any) -> Tensor:
    return rrelu_with_noise_(x, tensor_of(empty_like(x.array)), *settings)


# Generators


@registry.kernel("Generator")
def make_generator(device: Any, seed: int | None) -> Generator:
    made = Generator("cpu" if device is None else device)
    return made if seed is None else made.manual_seed(seed)


registry.implement("manual_seed.generator", lambda generator, seed: generator.manual_seed(seed))
registry.implement("seed", lambda generator: generator.seed(), effects=Effect.ACTS | Effect.RANDOM)
registry.implement(
    "initial_seed", lambda generator: generator.initial_seed(), effects=Effect.RANDOM
)


# As the functions of torch.nn.init call them


@registry.kernel("_no_grad_uniform_", shape=_same, effects=Effect.RANDOM)
def no_grad_uniform_(x: Tensor, low: float, high: float, generator: Maybe) -> Tensor:
    fill_uniform(x.array, generator or default_generator, low, high)
    return x


@registry.kernel("_no_grad_normal_", shape=_same, effects=Effect.RANDOM)
def no_grad_normal_(x: Tensor, mean: float, std: float, generator: Maybe) -> Tensor:
    fill_normal(x.array, generator or default_generator, mean, std)
    return x


@registry.kernel("_no_grad_fill_", shape=_same)
def no_grad_fill_(x: Tensor, value: float) -> Tensor:
    x.array.fill(value)
    return x


@registry.kernel("_no_grad_zero_", shape=_same)
def no_grad_zero_(x: Tensor) -> Tensor:
    x.array.fill(0)
    return x
