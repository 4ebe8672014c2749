"""Random tensors. The same seed gives the numbers that PyTorch gives on the cpu, except for Bernoulli samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND
from torchscript_dialect.ops.creation import check_size, factory, like_op
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.generator import Generator, default_generator
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Fill = Callable[[NDArray[Any], Generator], None]


def _store(target: NDArray[Any], values: NDArray[Any]) -> None:
    """Write flat values in the order of the dimensions."""
    target[...] = values.reshape(target.shape)


def _check_float(name: str, array: NDArray[Any]) -> dtypes.dtype:
    element = dtypes.of_array(array)
    if not element.is_floating_point:
        raise NotImplementedError(f"\"{name}\" not implemented for '{element.type_name}'")
    return element


def fill_uniform(
    target: NDArray[Any], generator: Generator, low: float = 0.0, high: float = 1.0
) -> None:
    element = _check_float("check_uniform_bounds", target)
    numbers = generator.uniform(target.size, element is dtypes.float64)
    _store(target, numbers * (high - low) + low)


def fill_normal(
    target: NDArray[Any], generator: Generator, mean: float = 0.0, std: float = 1.0
) -> None:
    element = _check_float("normal_kernel_cpu", target)
    numbers = generator.normal(target.size, element is dtypes.float64)
    _store(target, numbers * numbers.dtype.type(std) + numbers.dtype.type(mean))


def _integers(generator: Generator, count: int, low: int, high: int) -> NDArray[np.int64]:
    """Integers in [low, high)."""
    if high <= low:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    width = high - low
    words = generator.long_words(count) if width >= 1 << 32 else generator.words(count)
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


@factory("randint.low_generator")
def _randint(
    low: int, high: int, size: Sequence[int], generator: Generator | None, wanted: int | None
) -> Tensor:
    element = dtypes.int64 if wanted is None else dtypes.from_scalar_type(wanted)
    shape = check_size(size)
    numbers = _integers(generator or default_generator, int(np.prod(shape)), low, high)
    return tensor_of(numbers.reshape(shape).astype(element.numpy_dtype))


@factory("randint.low")
def randint_low(low: int, high: int, size: Sequence[int], wanted: int | None) -> Tensor:
    return _randint(low, high, size, None, wanted)


@factory("randint.generator")
def randint_generator(
    high: int, size: Sequence[int], generator: Generator | None, wanted: int | None
) -> Tensor:
    return _randint(0, high, size, generator, wanted)


@factory("randint")
def randint(high: int, size: Sequence[int], wanted: int | None) -> Tensor:
    return _randint(0, high, size, None, wanted)


@factory("randperm.generator")
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


@factory("randperm")
def randperm(n: int, wanted: int | None) -> Tensor:
    return _randperm(n, None, wanted)


# In place


@registry.kernel("uniform_")
def uniform_(x: Tensor, low: float, high: float, generator: Generator | None) -> Tensor:
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    fill_uniform(x.array, generator or default_generator, low, high)
    return x


@registry.kernel("normal_")
def normal_(x: Tensor, mean: float, std: float, generator: Generator | None) -> Tensor:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    fill_normal(x.array, generator or default_generator, mean, std)
    return x


@registry.kernel("random_.from")
def random_from(x: Tensor, low: int, high: int | None, generator: Generator | None) -> Tensor:
    top = (1 << 63) - 1 if high is None else high
    _store(x.array, _integers(generator or default_generator, x.array.size, low, top))
    return x


registry.implement(
    "random_.to",
    lambda x, high, generator: random_from(x, 0, high, generator),
)


@registry.kernel("bernoulli_.float")
def bernoulli_(x: Tensor, p: float, generator: Generator | None) -> Tensor:
    """1 with probability p, else 0."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    numbers = (generator or default_generator).uniform(x.array.size, double=True)
    _store(x.array, (numbers < p).astype(x.array.dtype))
    return x


@registry.kernel("bernoulli")
def bernoulli(x: Tensor, generator: Generator | None) -> Tensor:
    """1 with the probability that the element is, else 0."""
    _check_float("bernoulli_tensor_cpu_p_", x.array)
    out = empty_like(x.array)
    numbers = (generator or default_generator).uniform(out.size, double=True)
    _store(out, (numbers.reshape(out.shape) < x.array).astype(out.dtype))
    return tensor_of(out)


@registry.kernel("bernoulli.p")
def bernoulli_p(x: Tensor, p: float, generator: Generator | None) -> Tensor:
    return bernoulli_(tensor_of(empty_like(x.array)), p, generator)


# Dropout

registry.declare(
    "dropout feature_dropout alpha_dropout feature_alpha_dropout",
    training="train",
    effects=Effect.RANDOM,
    aliases=MAY_BE_OPERAND,
)
registry.declare(
    "dropout_ feature_dropout_ alpha_dropout_ feature_alpha_dropout_ native_dropout",
    training="train",
    effects=Effect.RANDOM,
)


def _same(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), rank_known(facts[0]), facts[0])


def _mask(x: Tensor, p: float) -> NDArray[Any]:
    """0, or 1 / (1 - p) with probability 1 - p."""
    mask = bernoulli_(tensor_of(empty_like(x.array)), 1 - p, None).array
    mask *= mask.dtype.type(1 / (1 - p) if p < 1 else 0)
    return mask


def _check_probability(p: float) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


@registry.kernel("dropout feature_dropout", shape=_same)
def dropout(x: Tensor, p: float, train: bool) -> Tensor:
    """The tensor itself outside of training; otherwise elements become 0 with probability p and the others grow."""
    _check_probability(p)
    if not train or p == 0 or not x.array.size:
        return x
    return tensor_of(x.array * _mask(x, p))


@registry.kernel("dropout_", shape=_same)
def dropout_(x: Tensor, p: float, train: bool) -> Tensor:
    _check_probability(p)
    if train and p > 0:
        x.array[...] = x.array * _mask(x, p)
    return x


@registry.kernel("manual_seed")
def manual_seed(seed: int) -> None:
    default_generator.manual_seed(seed)


# What schemas do not tell of operators that have no kernel here

registry.declare("seed", effects=Effect.ACTS | Effect.RANDOM)
registry.declare("initial_seed _dirichlet_grad", effects=Effect.RANDOM)
