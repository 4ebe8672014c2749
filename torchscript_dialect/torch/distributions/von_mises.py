"""The von Mises distribution of angles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import Distribution, Parametric
from torchscript_dialect.torch.distributions.utils import broadcast_all

_SMALL = (
    (1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.360768e-1, 0.45813e-2),
    (0.5, 0.87890594, 0.51498869, 0.15084934, 0.2658733e-1, 0.301532e-2, 0.32411e-3),
)
_LARGE = (
    (
        *(0.39894228, 0.1328592e-1, 0.225319e-2, -0.157565e-2, 0.916281e-2),
        *(-0.2057706e-1, 0.2635537e-1, -0.1647633e-1, 0.392377e-2),
    ),
    (
        *(0.39894228, -0.3988024e-1, -0.362018e-2, 0.163801e-2, -0.1031555e-1),
        *(0.2282967e-1, -0.2895312e-1, 0.1787654e-1, -0.420059e-2),
    ),
)
"""Coefficients of the modified Bessel functions of order 0 and 1 (Abramowitz and Stegun, 9.8.1 to 9.8.4)."""


def _polynomial(y: Any, coefficients: Sequence[float]) -> Any:
    *rest, result = coefficients
    for coefficient in reversed(rest):
        result = coefficient + y * result
    return result


def _log_bessel(x: Any, order: int) -> Any:
    """The logarithm of the modified Bessel function of x > 0."""
    small = _polynomial((x / 3.75) * (x / 3.75), _SMALL[order])
    small = (x.abs() * small if order == 1 else small).log()
    large = x - 0.5 * x.log() + _polynomial(3.75 / x, _LARGE[order]).log()
    return torch.where(x < 3.75, small, large)


class VonMises(Parametric):
    """Angles around `loc`, from -pi to pi: the closer, the larger `concentration` is."""

    parameters = ("loc", "concentration")
    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "concentration": constraints.positive,
    }
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        Distribution.__init__(self, self.loc.shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        parameters = (getattr(self, name).expand(batch_shape) for name in self.parameters)
        return type(self)(*parameters, validate_args=self.__dict__.get("_validate_args"))

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        """The circular variance."""
        return 1 - (_log_bessel(self.concentration, 1) - _log_bessel(self.concentration, 0)).exp()

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        height = self.concentration * torch.cos(value - self.loc)
        return height - math.log(2 * math.pi) - _log_bessel(self.concentration, 0)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Angles of a wrapped Cauchy distribution, of which some are refused (Best and Fisher, 1979); in float64."""
        with torch.no_grad():
            loc, concentration = self.loc.double(), self.concentration.double()
            tau = 1 + (1 + 4 * concentration**2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * concentration)
            exact, series = (1 + rho**2) / (2 * rho), 1 / concentration + concentration
            width = torch.where(concentration < 1e-5, series, exact)
            shape = self._extended_shape(sample_shape)
            x = torch.empty(shape, dtype=loc.dtype, device=loc.device)
            done = torch.zeros(shape, dtype=torch.bool, device=loc.device)
            while not bool(done.all()):
                drawn = torch.rand((3, *shape), dtype=loc.dtype, device=loc.device)
                first, second, third = drawn.unbind()
                z = torch.cos(math.pi * first)
                f = (1 + width * z) / (width + z)
                c = concentration * (width - f)
                accepted = (c * (2 - c) - second > 0) | ((c / second).log() + 1 - c >= 0)
                x = torch.where(accepted, (third - 0.5).sign() * f.acos(), x)
                done = done | accepted
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)
