"""How samples of the gamma and the Dirichlet distribution move with the parameters: implicit reparameterization, by the expansions of
PyTorch's native/Distributions.h.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import Fact, broadcast, dtype_of, fresh, rank_known
from torchscript_dialect.ops.special.gamma_functions import digamma_of as digamma
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.tensor_type import TensorProperties

Array = NDArray[Any]

_OF_GAMMA = np.array(
    [
        [
            0.16009398,
            -0.094634809,
            0.025146376,
            -0.0030648343,
            1,
            0.32668115,
            0.10406089,
            0.0014179084,
        ],
        [
            *(0.53487893, 0.1298071, 0.065735949, -0.0015649758),
            *(0.16639465, 0.020070113, -0.0035938915, -0.00058392623),
        ],
        [
            *(0.040121004, -0.0065914022, -0.0026286047, -0.0013441777),
            *(0.017050642, -0.0021309326, 0.00085092367, -1.5247877e-07),
        ],
    ]
)
"""A rational function of log(x / alpha), by row, and log(alpha): four coefficients above the bar, four below."""

_OF_BETA = np.array(
    [
        [
            [
                [1.003668233, -0.01061107488, -0.0657888334, 0.01201642863],
                [0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033],
                [-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013],
            ],
            [
                [0.221950385, -0.3187676331, 0.01799915743, 0.01074823814],
                [-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057],
                [0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05],
            ],
            [
                [-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565],
                [0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181],
                [0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05],
            ],
        ],
        [
            [
                [1, -0.02924021934, -0.04438342661, 0.007285809825],
                [0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521],
                [-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149],
            ],
            [
                [0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273],
                [0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956],
                [-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05],
            ],
            [
                [0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05],
                [0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05],
                [-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06],
            ],
        ],
    ]
)
"""Above and below the bar, by powers of log(x), of log(alpha / x), and of what remains of log(total)."""


def _by_case(cases: list[tuple[Array, Callable[..., Array]]], *operands: Array) -> Array:
    """Per element what the first function gives whose condition holds."""
    shape = operands[0].shape
    result, open_ = np.empty(shape), np.ones(shape, bool)
    for condition, function in cases:
        here = open_ & condition
        if here.any():
            result[here] = function(*(operand[here] for operand in operands))
        open_ &= ~condition
    return result


def _digamma(x: Array) -> Array:
    """The derivative of log gamma; infinite at 0, whatever its sign."""
    return np.where(x == 0, np.inf, digamma(x))


def _gamma_small(alpha: Array, x: Array) -> Array:
    """Taylor's series around 0."""
    power, below = np.ones_like(x), alpha.copy()
    first, second = power / below, power / (below * below)
    for order in range(1, 6):
        power *= -x / order
        below += 1
        first += power / below
        second += power / (below * below)
    scale = x**alpha
    slope = (np.log(x) - _digamma(alpha)) * (scale * first) - scale * second
    return np.nan_to_num(
        -slope / (x ** (alpha - 1) * np.exp(-x)), nan=0.0, posinf=np.inf, neginf=-np.inf
    )


def _gamma_middle(alpha: Array, x: Array) -> Array:
    """Rice's expansion around the saddle point, near the mean, where its terms cancel."""
    square = alpha * alpha
    other = 1440 * square + 6 * x * (53 - 120 * x) - 65 * x * x / alpha + alpha * (107 + 3600 * x)
    return (1 + 24 * alpha * (1 + 12 * alpha)) * other / (1244160 * square * square)


def _gamma_large(alpha: Array, x: Array) -> Array:
    """Rice's expansion around the saddle point."""
    root, ratio = np.sqrt(8 * alpha), np.log(x / alpha)
    near, far = root / (alpha - x), (x - alpha - alpha * ratio) ** -1.5
    sum_ = np.where(x < alpha, near - far, near + far)
    term = ratio * sum_ - np.sqrt(2 / alpha) * (alpha + x) / ((alpha - x) * (alpha - x))
    stirling = 1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha))
    return -stirling * x * term / root


def _gamma_rational(alpha: Array, x: Array) -> Array:
    u, v = np.log(x / alpha), np.log(alpha)
    c = [a + u * (b + u * c) for a, b, c in _OF_GAMMA.T]
    above = c[0] + v * (c[1] + v * (c[2] + v * c[3]))
    return np.exp(above / (c[4] + v * (c[5] + v * (c[6] + v * c[7]))))


def _gamma_slope(alpha: Array, x: Array) -> Array:
    """The derivative of a sample by its parameter."""
    is_large = alpha > 8
    is_middle = is_large & (x >= np.float32(0.9) * alpha) & (x <= np.float32(1.1) * alpha)
    cases = [
        (x < np.float32(0.8), _gamma_small),
        (is_middle, _gamma_middle),
        (is_large, _gamma_large),
        (np.ones(x.shape, bool), _gamma_rational),
    ]
    return _by_case(cases, alpha, x)


def _beta_small(x: Array, alpha: Array, total: Array) -> Array:
    """Taylor's series around 0, by the first parameter."""
    beta = total - alpha
    factor = _digamma(alpha) - _digamma(alpha + beta) - np.log(x)
    power = np.ones_like(x)
    series = power / alpha * (factor + 1 / alpha)
    for order in range(1, 11):
        power *= (order - beta) * x / order
        below = alpha + order
        series += power / below * (factor + 1 / below)
    result = x * (1 - x) ** -beta * series
    return np.where(np.isnan(result), 0, result)


def _beta_near_one(x: Array, alpha: Array, total: Array) -> Array:
    """Taylor's series around 1: around 0, by the second parameter, of what is missing to 1."""
    x, alpha, beta = 1 - x, total - alpha, alpha
    factor = _digamma(alpha + beta) - _digamma(beta)
    power, betas, slopes, series = (
        np.ones_like(x),
        np.ones_like(x),
        np.zeros_like(x),
        factor / alpha,
    )
    for order in range(1, 9):
        power *= -x / order
        slopes = slopes * (beta - order) + betas
        betas = betas * (beta - order)
        series += power / (alpha + order) * (slopes + factor * betas)
    result = (1 - x) ** (1 - beta) * series
    return np.where(np.isnan(result), 0, result)


def _beta_middle(x: Array, alpha: Array, total: Array) -> Array:
    """Rice's expansion around the saddle point, for two large parameters."""
    beta = total - alpha
    total = alpha + beta
    mean = alpha / total
    width = 0.1 * (np.sqrt(alpha * beta / (total + 1)) / total)
    cases = [
        ((mean - width <= x) & (x <= mean + width), _beta_at_mean),
        (np.ones(x.shape, bool), _beta_off_mean),
    ]
    return _by_case(cases, x, alpha, beta)


def _beta_at_mean(x: Array, alpha: Array, beta: Array) -> Array:
    total, square = alpha + beta, beta * beta
    inner = (453 + 1620 * beta * (1 - x) - 455 * x) * beta + alpha * (
        8 * (1 - x) * (135 * beta - 11)
    )
    inner = 3 * (59 + 180 * beta - 90 * x) * square + alpha * inner
    inner = (43 + 20 * (16 + 27 * beta) * x) * square * beta + alpha * inner
    polynomial = 47 * x * square * square + alpha * inner
    above = (1 + 12 * alpha) * (1 + 12 * beta) / (total * total)
    below = 12960 * alpha * alpha * alpha * beta * beta * (1 + 12 * total)
    return above / (1 - x) * polynomial / below


def _stirling(x: Array) -> Array:
    return 1 + 1 / (12 * x) + 1 / (288 * x * x)


def _beta_off_mean(x: Array, alpha: Array, beta: Array) -> Array:
    total = alpha + beta
    distance = alpha * (x - 1) + beta * x
    above = 2 * (alpha * alpha) * (x - 1) + alpha * beta * (x - 1) - x * (beta * beta)
    first = above / (np.sqrt(2 * alpha / beta) * total**1.5 * distance * distance)
    second = 0.5 * np.log(alpha / (total * x))
    third = np.sqrt(8 * alpha * beta / total) / distance
    entropy = beta * np.log(beta / (total * (1 - x))) + alpha * np.log(alpha / (total * x))
    fourth = np.where(x < alpha / total, 1, -1) * entropy**-1.5
    scale = _stirling(alpha) * _stirling(beta) / _stirling(total)
    return scale * (-x / np.sqrt(2 * alpha * beta / total)) * (first + second * (third + fourth))


def _beta_rational(x: Array, alpha: Array, total: Array) -> Array:
    u = np.log(x)
    a = np.log(alpha) - u
    b = np.log(total) - a
    above, below = np.zeros_like(x), np.zeros_like(x)
    for i in range(3):
        for j in range(3):
            power = u**i * a**j
            (p0, p1, p2, p3), (q0, q1, q2, q3) = _OF_BETA[:, i, j]
            above += power * (p0 + b * (p1 + b * (p2 + b * p3)))
            below += power * (q0 + b * (q1 + b * (q2 + b * q3)))
    return above / below * (x * (digamma(total) - digamma(alpha)) / (total - alpha))


def _dirichlet_slope(x: Array, alpha: Array, total: Array) -> Array:
    """-(d cdf / d alpha) / pdf / (1 - x) of the beta distribution of `alpha` and `total - alpha`."""
    beta, boundary = total - alpha, total * x * (1 - x)
    cases = [
        ((x <= 0.5) & (boundary < 2.5), _beta_small),
        ((x >= 0.5) & (boundary < 0.75), _beta_near_one),
        ((alpha > 6) & (beta > 6), _beta_middle),
        (np.ones(x.shape, bool), _beta_rational),
    ]
    return _by_case(cases, x, alpha, total)


def _floating(name: str, *operands: Tensor) -> tuple[Array, ...]:
    """The elements, broadcast, as float64."""
    element = operands[0].dtype
    for operand in operands:
        if operand.dtype is not element:
            raise RuntimeError(
                f"Found dtype {operand.dtype.type_name} but expected {element.type_name}"
            )
    if element not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(f"\"{name}\" not implemented for '{element.type_name}'")
    arrays = np.broadcast_arrays(*(operand.array for operand in operands))
    return tuple(array.astype(np.float64) for array in arrays)


def _broadcast(facts: Sequence[Fact]) -> Fact:
    element = dtype_of(facts[0]) if isinstance(facts[0], TensorProperties) else None
    return fresh(element, broadcast([rank_known(fact) for fact in facts]), *facts)


@registry.kernel("_standard_gamma_grad", shape=_broadcast)
@ignores_float_errors
def standard_gamma_grad(alpha: Tensor, sample: Tensor) -> Tensor:
    """The derivative of `sample` of `_standard_gamma(alpha)` by `alpha`.

    Raises:
        NotImplementedError: the dtype is not float32 or float64.
        RuntimeError: operands have different dtypes.
    """
    slope = _gamma_slope(*_floating("_standard_gamma_grad_cpu", alpha, sample))
    return tensor_of(slope.astype(alpha.array.dtype))


@registry.kernel("_dirichlet_grad", shape=_broadcast)
@ignores_float_errors
def dirichlet_grad(x: Tensor, alpha: Tensor, total: Tensor) -> Tensor:
    """How the share `x` of a sample of the Dirichlet distribution moves with its own parameter, where all parameters sum to `total`.

    Raises:
        NotImplementedError: the dtype is not float32 or float64.
        RuntimeError: operands have different dtypes.
    """
    slope = _dirichlet_slope(*_floating("_dirichlet_grad_cpu", x, alpha, total))
    return tensor_of(slope.astype(x.array.dtype))
