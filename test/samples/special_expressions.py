"""Expressions over numbers at the edges: NaN, infinities, signed zeros, denormals, integers that overflow, division by zero.

What special_values.py does for pointwise operators and reductions of one tensor, this does for operators that order, accumulate, convert,
compare, normalize or multiply.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

INF, NAN = math.inf, math.nan
_FLOATS = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.5, 1e-40, -1e-40, 3e38, -3e38]
_ROWS = [
    [1.0, NAN, -2.0, INF], [INF, INF, -INF, 0.0], [-0.0, 0.0, -0.0, 0.0], [3e38, 3e38, -3e38, 1.0], [1e-40, -1e-40, 1e-45, 0.0],
    [-INF, -INF, -INF, -INF], [NAN, NAN, NAN, NAN], [5.0, -5.0, 0.5, -0.5],
]  # fmt: skip
_INTS = [0, 1, -1, 2, -7, 2**63 - 1, -(2**63), 2**62, -(2**62) - 1]
_SHORT = [0, 1, -1, 2, -7, 2**31 - 1, -(2**31), 2**30, 100000]
_BYTES = [0, 1, 2, 7, 127, 128, 200, 255]

_EXPRESSIONS = """
ordered: x.sort() | m.sort(-1) | m.sort(-1, True) | m.sort(0) | m.argsort(stable=True, dim=-1) | m.topk(2) | m.topk(3, -1, False) | m.kthvalue(2)
ordered: m.median(-1) | m.nanmedian(-1) | m.mode(-1) | m.cummax(-1) | m.cummin(-1) | m.max(-1) | m.min(-1) | m.argmax(-1) | m.argmin(0)
ordered: m.aminmax(dim=-1) | m.amax(0) | m.msort() | torch.unique(x[3:]) | torch.unique_consecutive(x) | n.sort() | n.topk(3) | n.cummax(0)
ordered: torch.searchsorted(x.sort()[0], x) | torch.bucketize(x, t([-1.0, 0.0, 1.0])) | torch.bucketize(x, t([-1.0, 0.0, INF]), right=True)
ordered: m.quantile(0.25, -1) | m.nanquantile(0.5, -1) | torch.isin(x, x[2:6]) | torch.histc(x[3:8], 4, -1, 1) | x.maximum(y) | x.fmin(y)
added: m.cumsum(-1) | m.cumprod(-1) | m.logcumsumexp(-1) | m.logsumexp(-1) | m.sum(-1) | m.nansum(-1) | m.nanmean(-1) | m.prod(0) | m.var(-1)
added: m.std(0) | m.mean(0) | m.norm(2, -1) | m.norm(1, -1) | m.norm(INF, -1) | m.norm(0, -1) | m.norm(-INF, -1) | m.diff() | m.trace()
added: n.sum() | n.prod() | n.cumsum(0) | n.cumprod(0) | k.sum() | k.cumsum(0) | u.sum() | u.cumprod(0) | u.prod() | h.sum() | h.mean() | h.cumsum(0)
shares: m.softmax(-1) | m.log_softmax(-1) | m.softmax(0) | F.softmin(m, -1) | F.layer_norm(m, (4,)) | F.normalize(m) | m.renorm(2, 0, 1.0)
shares: F.rms_norm(m, (4,)) | F.group_norm(m, 2) | F.gumbel_softmax(m[7:], hard=False) * 0 | F.cosine_similarity(m, m.flip(1), -1)
losses: F.mse_loss(x, y) | F.l1_loss(x, y, reduction='none') | F.smooth_l1_loss(x, y, reduction='none') | F.huber_loss(x, y, reduction='none')
losses: F.binary_cross_entropy_with_logits(x, y.abs().clamp(0, 1), reduction='none') | F.kl_div(x, y, reduction='none')
losses: F.binary_cross_entropy(t([0.0, 1.0, 0.5]), t([1.0, 0.0, 0.0]), reduction='none') | F.cross_entropy(m, t([0, 1, 2, 3, 0, 1, 2, 3]), reduction='none')
losses: F.nll_loss(m, t([0, 1, 2, 3, 0, 1, 2, 3]), reduction='none') | F.poisson_nll_loss(x, y, reduction='none') | F.soft_margin_loss(x, y, reduction='none')
chosen: torch.where(x > 0, x, y) | torch.lerp(x, y, 0.5) | torch.lerp(x, y, y) | torch.addcmul(x, x, y) | torch.addcdiv(x, y, x) | x.nan_to_num()
chosen: x.nan_to_num(1.0, 2.0, 3.0) | x.clamp(y, x.flip(0)) | x.clamp(-1.0, NAN) | x.clamp(min=0.0) | torch.isclose(x, y) | torch.isclose(x, x, equal_nan=True)
chosen: torch.allclose(x, x) | torch.equal(x, x) | x.nonzero() | x.count_nonzero() | x.any() | m.all(-1) | x.bool() | torch.logical_xor(x, y)
chosen: x.masked_fill(x.isnan(), INF) | m.gather(1, m.argmin(-1, keepdim=True)) | x.index_add(0, t([0, 3, 3]), t([1.0, INF, -INF]))
chosen: x.scatter_reduce(0, t([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]), y, 'amax') | x.scatter_reduce(0, t([0, 1, 2, 3]), y[:4], 'mean')
windows: F.max_pool1d(m, 2) | F.max_pool1d(m, 2, return_indices=True) | F.avg_pool1d(m, 2) | F.lp_pool1d(m.abs(), 2, 2) | F.adaptive_max_pool1d(m, 3)
windows: F.max_pool2d(m[None], 3, 1, 1) | F.conv1d(m[:, None], torch.ones(1, 1, 2)) | F.interpolate(m[None], scale_factor=2.0, mode='linear') | F.pad(m, (1, 1), value=NAN)
products: m @ m.t() | m.mv(t([0.0, 1.0, 0.0, 0.0])) | x.dot(y) | x.outer(y) | torch.zeros(2, 4) @ m.t() | torch.linalg.vector_norm(x) | torch.cdist(m, m[:3])
products: n.outer(n) | n.dot(n) | k @ k | torch.bmm(m[None], m.t()[None]) | torch.cross(m[:, :3], m[:, 1:], -1) | torch.linalg.det(torch.zeros(2, 2))
products: torch.linalg.inv(torch.zeros(2, 2)) | torch.linalg.slogdet(torch.zeros(2, 2)) | torch.linalg.cholesky(-torch.eye(2)) | torch.dist(x, y)
converted: x.half() | x.bfloat16() | x.double() | d.float() | n.int() | n.to(torch.int8) | n.float() | k.to(torch.uint8) | u.to(torch.int8) | h.float()
converted: t([3.7, -3.7, 0.0, -0.0]).long() | t([65504.0, 65519.0, 65520.0, 1e-8, 6e-8]).half() | h * 2 | h / 0 | h - h | (h * h).bfloat16() | n.bool()
integers: n + n | n - 1 | n * 2 | n * n | -n | n.abs() | n ** 2 | k + k | k * k | -k | k.abs() | k ** 3 | u + u | u - 201 | u * u | -u | ~n | n << 1
integers: n >> 63 | n << 64 | u << 4 | n // 2 | n // -2 | n % 7 | n % -7 | n.fmod(7) | torch.div(n, 3, rounding_mode='trunc') | n / 2 | n.sign() | n.square()
integers: n // 0 | n % 0 | n.fmod(0) | torch.div(n, 0, rounding_mode='floor') | n / 0 | u // 0 | k % torch.zeros_like(k) | n.gcd(t(6)) | n.bitwise_and(255)
floats: x / 0.0 | x // 0.0 | x % 0.0 | x.fmod(0.0) | x // y | x % y | x / y | torch.div(x, y, rounding_mode='trunc') | x ** 0.0 | x ** -1.0 | x ** 0.5 | 0.0 ** x
floats: x.pow(y) | (-2.0) ** x | x.hypot(y) | x.atan2(y) | x.copysign(y) | x.nextafter(y) | torch.frexp(x) | torch.ldexp(x, t(200)) | x.heaviside(y) | x.xlogy(y)
floats: x.float_power(2) | x.logit() | x.log1p() | x.expm1() | x.erfinv() | x.lgamma() | x.digamma() | torch.special.entr(x) | torch.special.i0e(x) | x.sinc() | x.signbit()
floats: x.round(decimals=1) | x.trunc() | x.frac() | x.sgn() | x.logaddexp(y) | torch.polar(x.abs(), y) | torch.complex(x, y).abs() | torch.complex(x, y).angle() | x.rsqrt()
in_place: x.add_(y) | x.mul_(0.0) | x.div_(0.0) | x.clamp_(-1.0, 1.0) | x.sqrt_() | n.mul_(2) | n.add_(1) | u.sub_(1) | k.neg_() | x.cumsum_(0) | m.relu_() | x.fill_(NAN)
"""
"""By kind: `x`, `d` and `h` are vectors of float32, float64 and float16, `y` another order of `x`, `m` a matrix of float32; `n`, `k` and `u`
vectors of int64, int32 and uint8, `t` is `torch.tensor`, `F` `torch.nn.functional`.
"""


DIFFERENT = {
    **dict.fromkeys(("m.topk(2)", "m.topk(3, -1, False)"), "the places of equals"),
    "m.nanmedian(-1)": "the place in a row of nothing but NaN",
    **dict.fromkeys(("m.aminmax(dim=-1)", "F.max_pool1d(m, 2)"), "which of two equal zeros it is"),
    "F.layer_norm(m, (4,))": "the sign of what is left of a row of zeros",
    "F.group_norm(m, 2)": "the same; and the variance of the largest numbers, which PyTorch takes from their squares",
    **dict.fromkeys(
        ("m @ m.t()", "torch.bmm(m[None], m.t()[None])"),
        "the order of sums that pass through infinity",
    ),
}
"""Expressions whose results differ, with the reason; some of them agree on other processors."""


def expressions() -> list[str]:
    """All of them."""
    lines = (line.partition(": ")[2] for line in _EXPRESSIONS.strip().splitlines())
    return [part.strip() for line in lines for part in line.split(" | ")]


def result(torch: Any, expression: str) -> Any:
    """What an expression gives, as JSON."""
    given = {
        "x": torch.tensor(_FLOATS),
        "y": torch.tensor([*_FLOATS[5:], *_FLOATS[:5]]),
        "d": torch.tensor([*_FLOATS, 5e-324, 1e308, -1e-310, 3.5e38], dtype=torch.float64),
        "h": torch.tensor([*_FLOATS[:8], 6e-8, 65504.0, -65504.0, 60000.0], dtype=torch.float16),
        "m": torch.tensor(_ROWS),
        "n": torch.tensor(_INTS),
        "k": torch.tensor(_SHORT, dtype=torch.int32),
        "u": torch.tensor(_BYTES, dtype=torch.uint8),
    }
    names = {**given, "t": torch.tensor, "torch": torch, "F": torch.nn.functional}
    torch.manual_seed(3)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = eval(expression, {**names, "INF": INF, "NAN": NAN})
    except (RuntimeError, ValueError, TypeError, IndexError, ZeroDivisionError) as error:
        return type(error).__name__.lstrip("_")
    return _plain(found)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if not hasattr(value, "tolist"):
        return _number(value)
    elements = [_number(one) for one in value.reshape(-1).tolist()]
    return {"dtype": str(value.dtype), "shape": list(value.shape), "elements": elements}


def _number(value: Any) -> Any:
    """A number: floats with the digits of a float32 and some, texts where they are none or have a sign that is lost."""
    if isinstance(value, complex):
        return [_number(value.real), _number(value.imag)]
    if not isinstance(value, float):
        return value
    is_told = math.isfinite(value) and (value or math.copysign(1.0, value) > 0)
    return float(f"{value:.9g}") if is_told else str(value)


def same(mine: Any, theirs: Any) -> bool:
    """Whether results agree, but for the last digits of what is no integer and what is denormal."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return mine.keys() == theirs.keys() and all(same(mine[key], theirs[key]) for key in mine)
    if isinstance(mine, list) and isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(same, mine, theirs))
    if isinstance(mine, float) and isinstance(theirs, float):
        return math.isclose(mine, theirs, rel_tol=1e-5, abs_tol=1e-44)
    return type(mine) is type(theirs) and mine == theirs
