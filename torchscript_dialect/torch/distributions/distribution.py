"""What all distributions have: shapes, checks of values, and what is derived of the rest (torch/distributions/distribution.py)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Size, Tensor
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.utils import (
    NUMBERS,
    Undefined,
    broadcast_all,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
)


class Distribution:
    """A batch of distributions, of the shape `batch_shape`; a sample of each has the shape `event_shape`.

    Values that are out of range raise ValueError unless `validate_args` is false.
    """

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args: bool = __debug__
    arg_constraints: ClassVar[Any] = Undefined()
    """The set of values of each parameter."""
    support: Any = Undefined()
    """The set of the samples."""

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether values are checked where `validate_args` is not given."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Sequence[int] = (),
        event_shape: Sequence[int] = (),
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape = Size(batch_shape)
        self._event_shape = Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()

    def _validate_parameters(self) -> None:
        try:
            wanted = self.arg_constraints
        except NotImplementedError:
            wanted: Any = {}
            warnings.warn(
                f"{self.__class__} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize "
                "the distribution with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
        for name, constraint in wanted.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue
            value = getattr(self, name)
            if not bool(constraint.check(value).all()):
                raise ValueError(
                    f"Expected parameter {name} ({_class_name(value)} of shape {tuple(value.shape)}) of distribution {self!r} "
                    f"to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """The same distributions, for a larger batch."""
        raise NotImplementedError

    @property
    def batch_shape(self) -> Size:
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        return self._event_shape

    @property
    def mean(self) -> Any:
        raise NotImplementedError

    @property
    def mode(self) -> Any:
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self) -> Any:
        raise NotImplementedError

    @property
    def stddev(self) -> Any:
        return self.variance.sqrt()

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Samples of `sample_shape + batch_shape + event_shape`, without gradients."""
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        """The same as functions of the parameters, which get their gradients."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Any:
        """`n` samples of each."""
        warnings.warn(
            "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return self.sample((n,))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density, or of the probability, at a value."""
        raise NotImplementedError

    def cdf(self, value: Any) -> Any:
        """The probability of what is at most a value."""
        raise NotImplementedError

    def icdf(self, value: Any) -> Any:
        """The inverse of `cdf`."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Any:
        """All values of a discrete distribution, in the first dimension."""
        raise NotImplementedError

    def entropy(self) -> Any:
        """The entropy of each distribution, in nats."""
        raise NotImplementedError

    def perplexity(self) -> Any:
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape: Sequence[int] = ()) -> Size:
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _enumerated(self, values: Any, expand: bool) -> Any:
        """Values in the first dimension, for each distribution of the batch or for all."""
        found = values.view((-1,) + (1,) * len(self._batch_shape))
        return found.expand((-1, *self._batch_shape)) if expand else found

    def _validate_sample(self, value: Any) -> None:
        """Raise ValueError for what is no sample."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, wanted = value.size(), (*self._batch_shape, *self._event_shape)
        if tuple(shape[len(shape) - len(self._event_shape) :]) != tuple(self._event_shape):
            raise ValueError(
                f"The right-most size of value must match event_shape: {shape} vs {self._event_shape}."
            )
        pairs = zip(reversed(shape), reversed(wanted), strict=False)
        if any(one != 1 and other != 1 and one != other for one, other in pairs):
            raise ValueError(
                f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {Size(wanted)}."
            )
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{self.__class__} does not define `support` to enable sample validation. Please initialize the distribution with "
                "`validate_args=False` to turn off validation.",
                stacklevel=2,
            )
            return
        if not bool(support.check(value).all()):
            raise ValueError(
                f"Expected value argument ({_class_name(value)} of shape {tuple(value.shape)}) to be within the support ({support!r}) "
                f"of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """What `expand` fills in: a new distribution, unless a subclass gives one.

        Raises:
            NotImplementedError: a subclass of `cls` has an `__init__` of its own, so that nothing is known of its attributes.
        """
        if _instance is not None:
            return _instance
        if type(self).__init__ is not cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method "
                "must also define a custom .expand() method."
            )
        return object.__new__(type(self))

    def _finish_expand(self, new: Any, batch_shape: Sequence[int]) -> Any:
        """The new distribution, with its shapes; its parameters were checked once."""
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def __repr__(self) -> str:
        given = {
            name: self.__dict__[name] for name in self.arg_constraints if name in self.__dict__
        }
        parts = [
            f"{name}: {value if value.numel() == 1 else value.size()}"
            for name, value in given.items()
        ]
        return f"{type(self).__name__}({', '.join(parts)})"


def _class_name(value: Any) -> str:
    return "Parameter" if isinstance(value, torch.nn.Parameter) else "Tensor"


class Parametric(Distribution):
    """A distribution given by tensors whose first sizes are those of the batch."""

    parameters: tuple[str, ...] = ()
    """The attributes that hold them; not all of them need to be there."""

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        declared = next(cls for cls in type(self).__mro__ if "parameters" in vars(cls))
        new = self._get_checked_instance(declared, _instance)
        of_batch = len(self._batch_shape)
        for name in self.parameters:
            if name in self.__dict__:
                value = self.__dict__[name]
                setattr(new, name, value.expand((*batch_shape, *value.shape[of_batch:])))
        return self._finish_expand(new, batch_shape)

    def _set_parameters(self, validate_args: bool | None, **values: Any) -> None:
        """Have these parameters, as tensors of one shape, which is that of the batch."""
        of_numbers = all(isinstance(value, NUMBERS) for value in values.values())
        for name, value in zip(values, broadcast_all(*values.values()), strict=True):
            setattr(self, name, value)
        batch_shape = Size() if of_numbers else getattr(self, next(iter(values))).size()
        Distribution.__init__(self, batch_shape, validate_args=validate_args)


class LocationScale(Parametric):
    """A distribution of real numbers around `loc`, as wide as `scale`, with one peak."""

    parameters = ("loc", "scale")
    arg_constraints: ClassVar[Any] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc: Any
        self.scale: Any
        self._set_parameters(validate_args, loc=loc, scale=scale)

    @property
    def mode(self) -> Any:
        return self.loc


class ByProbsOrLogits(Parametric):
    """A discrete distribution, given by probabilities or by their logits; the others are computed when they are asked for."""

    is_binary = True

    @staticmethod
    def _check_given(probs: Any, logits: Any) -> None:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")

    @lazy_property
    def logits(self) -> Any:
        return probs_to_logits(self.probs, self.is_binary)

    @lazy_property
    def probs(self) -> Any:
        return logits_to_probs(self.logits, self.is_binary)

    @property
    def _param(self) -> Any:
        """Those of the two that are there."""
        return self.__dict__["logits"] if "logits" in self.__dict__ else self.__dict__["probs"]

    @property
    def param_shape(self) -> Size:
        return self._param.size()
