"""Single samples by rejection, from as many numbers of a generator as that takes (PyTorch: ATen/native/Distributions.h)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.tensor.drawn_ahead import DrawnAhead


def poisson_sample(rate: float, uniform: Callable[[], float]) -> float:
    """By products of uniform numbers; from 10 up by transformed rejection (Hoermann, 1993)."""
    if not rate >= 0:
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    if rate < 10:
        if not rate:
            return 0
        count, product, least = 0, uniform(), math.exp(-rate)
        while product > least:
            product *= uniform()
            count += 1
        return count
    root, log_rate = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    most = 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= most:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        ratio = math.log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b)
        if ratio <= -rate + k * log_rate - math.lgamma(k + 1):
            return k


def _binomial_by_waiting(count: float, p: float, uniform: Callable[[], float]) -> float:
    """How many waiting times fit into `count` trials."""
    log_p, total, found = math.log1p(-p), 0.0, 0
    while True:
        total += math.ceil(math.log(uniform()) / log_p)
        if total > count:
            return found
        found += 1


_TAILS = (
    0.0810614667953272,
    0.0413406959554092,
    0.0276779256849983,
    0.02079067210376509,
    0.0166446911898211,
    0.0138761288230707,
    0.0118967099458917,
    0.0104112652619720,
    0.00925546218271273,
    0.00833056343336287,
)


def _stirling_tail(k: float) -> float:
    """What Stirling's formula lacks of log(k!)."""
    if k <= 9:
        return _TAILS[int(k)]
    square = (k + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


def _binomial_by_rejection(count: float, p: float, uniform: Callable[[], float]) -> float:
    """Transformed rejection with squeeze (Hoermann, 1993: BTRS)."""
    deviation = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    centre = count * p + 0.5
    most = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * deviation
    mode = math.floor((count + 1) * p)
    while True:
        u, v = uniform() - 0.5, uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + centre)
        if k < 0 or k > count:
            continue
        if us >= 0.07 and v <= most:
            return k
        v = math.log(v * alpha / (a / (us * us) + b))
        bound = (
            (mode + 0.5) * math.log((mode + 1) / (odds * (count - mode + 1)))
            + (count + 1) * math.log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _stirling_tail(mode)
            + _stirling_tail(count - mode)
            - _stirling_tail(k)
            - _stirling_tail(count - k)
        )
        if v <= bound:
            return k


def binomial_sample(count: float, p: float, uniform: Callable[[], float]) -> float:
    """How many of `count` trials succeed."""
    if count <= 0 or p <= 0:
        return 0
    if p >= 1:
        return count
    if p != p:
        return math.nan
    q = min(p, 1 - p)
    sample = _binomial_by_rejection if count * q >= 10 else _binomial_by_waiting
    found = sample(count, q, uniform)
    return found if p <= 0.5 else count - found


def gamma_sample(alpha: np.floating[Any], stream: DrawnAhead) -> float:
    """By squeezed rejection (Marsaglia and Tsang, 2000); `alpha` is a number of the tensor's own dtype, and rounded as one."""
    scale, one, single = 1.0, type(alpha)(1), np.float32
    if alpha < 1:
        if alpha == 0:
            return 0.0
        scale = (1 - stream.uniform()) ** float(one / alpha)
        alpha = alpha + one
    d = float(alpha - single(1) / single(3))
    c = 1 / math.sqrt(9 * d)
    while True:
        x = stream.normal()
        y = 1 + c * x
        if y <= 0:
            continue
        v = y * y * y
        u = 1 - stream.uniform()
        square = x * x
        if u < 1 - float(single(0.0331)) * square * square:
            return scale * d * v
        if math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v
