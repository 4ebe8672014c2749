"""Shares whose breaking points are normal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.normal import Normal
from torchscript_dialect.torch.distributions.transformed_distribution import (
    TransformedDistribution,
)
from torchscript_dialect.torch.distributions.transforms import StickBreakingTransform


class LogisticNormal(TransformedDistribution):
    """What `StickBreakingTransform` makes of rows of normal numbers."""

    arg_constraints: ClassVar[Any] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base: Any = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand((1,))
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = self._get_checked_instance(LogisticNormal, _instance)
        return super().expand(batch_shape, _instance=new)

    @property
    def loc(self) -> Any:
        return self.base_dist.base_dist.loc

    @property
    def scale(self) -> Any:
        return self.base_dist.base_dist.scale
