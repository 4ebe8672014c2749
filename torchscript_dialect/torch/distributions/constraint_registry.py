"""Transforms from all real numbers to the sets that parameters are in (torch/distributions/constraint_registry.py).

Sets are looked up by their class: `positive` and `greater_than` are one entry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from torchscript_dialect.torch.distributions import constraints, transforms
from torchscript_dialect.torch.distributions.utils import NUMBERS

Factory = Callable[[Any], Any]


class ConstraintRegistry:
    """Makes a transform to a set; `register` says how for a class of sets."""

    def __init__(self) -> None:
        self._registry: dict[Any, Factory] = {}

    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Let `factory` make the transforms for sets of a class, of which one may be given; a decorator without `factory`."""
        if factory is None:
            return partial(self.register, constraint)
        class_: Any = (
            type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        )
        if not isinstance(class_, type) or not issubclass(class_, constraints.Constraint):
            raise TypeError(
                f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}"
            )
        self._registry[class_] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        """The transform to a set; NotImplementedError where nobody has said how."""
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to = ConstraintRegistry()
"""Gives bijections."""
transform_to = ConstraintRegistry()
"""Gives transforms that suit optimizers, which need not be bijections."""


def _shifted(bound: Any, way: int) -> Any:
    """Numbers above a bound, or below."""
    parts = [transforms.ExpTransform(), transforms.AffineTransform(bound, way)]
    return transforms.ComposeTransform(parts)


def _between(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    is_unit = isinstance(low, NUMBERS) and low == 0 and isinstance(high, NUMBERS) and high == 1
    sigmoid = transforms.SigmoidTransform()
    if is_unit:
        return sigmoid
    return transforms.ComposeTransform([sigmoid, transforms.AffineTransform(low, high - low)])


_BOTH: tuple[tuple[Any, Factory], ...] = (
    (constraints.real, lambda _: transforms.identity_transform),
    (constraints.greater_than, lambda one: _shifted(one.lower_bound, 1)),
    (constraints.greater_than_eq, lambda one: _shifted(one.lower_bound, 1)),
    (constraints.less_than, lambda one: _shifted(one.upper_bound, -1)),
    (constraints.interval, _between),
    (constraints.half_open_interval, _between),
    (constraints.corr_cholesky, lambda _: transforms.CorrCholeskyTransform()),
)


def _register_parts(registry: ConstraintRegistry) -> None:
    """Transforms of sets that are made of others."""

    def independent(one: Any) -> Any:
        base = registry(one.base_constraint)
        return transforms.IndependentTransform(base, one.reinterpreted_batch_ndims)

    def cat(one: Any) -> Any:
        return transforms.CatTransform([*map(registry, one.cseq)], one.dim, one.lengths)

    def stack(one: Any) -> Any:
        return transforms.StackTransform([*map(registry, one.cseq)], one.dim)

    registry.register(constraints.independent, independent)
    registry.register(constraints.cat, cat)
    registry.register(constraints.stack, stack)


for _registry in (biject_to, transform_to):
    for _constraint, _factory in _BOTH:
        _registry.register(_constraint, _factory)
    _register_parts(_registry)
biject_to.register(constraints.simplex, lambda _: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda _: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda _: transforms.LowerCholeskyTransform())
for _matrices in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_matrices, lambda _: transforms.PositiveDefiniteTransform())
