"""Covariances on the device, as products of what is left of rows without their means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath, promote_types


def _weights(given: Tensor, count: int, *, are_counts: bool) -> bool:
    """Whether these are weights of so many observations."""
    is_fit = given.array.ndim <= 1 and given.array.size == count
    is_of_kind = given.dtype.is_integral and given.dtype is not dtypes.bool_
    if not is_fit or (are_counts and not is_of_kind) or given.dtype.is_complex:
        return False
    return bool(given.ge(0).all().item())


def _cov(x: Tensor, correction: int, counts: Tensor | None, weights: Tensor | None) -> Any:
    """`aten::cov`; the host says what is wrong."""
    if x.array.ndim > 2 or not x.array.size or x.dtype is dtypes.bool_ or x.dtype.is_complex:
        return NOTHING
    found = x.dtype if x.dtype.is_floating_point else dtypes.get_default_dtype()
    if weights is not None:
        found = promote_types(found, weights.dtype)
    wide = opmath(found)
    rows = transfers.of_dtype(x, wide)
    rows = rows.reshape([1, -1]) if x.array.ndim < 2 else rows
    count = rows.array.shape[1]
    every = [(counts, True), (weights, False)]
    if not all(
        one is None or _weights(one, count, are_counts=of_counts) for one, of_counts in every
    ):
        return NOTHING
    given = [transfers.of_dtype(one.reshape([-1]), wide) for one, _ in every if one is not None]
    if not given:
        left = rows.sub(rows.mean([1], True))
        product = left.mm(left.t()).div(max(count - correction, 0))
        return transfers.of_dtype(product.squeeze(), found)
    each = given[0] if len(given) == 1 else given[0].mul(given[1])
    total = each.sum()
    left = rows.sub(rows.mul(each).sum([1], True).div(total))
    lost: Any = correction
    if weights is not None and correction:
        lost = each.mul(given[-1]).sum().div(total).mul(correction)
    product = left.mul(each).mm(left.t()).div(total.sub(lost).clamp_min(0))
    return transfers.of_dtype(product.squeeze(), found)


def _corrcoef(x: Tensor) -> Any:
    """`aten::corrcoef`."""
    found: Any = NOTHING if x.array.ndim > 2 else _cov(x, 1, None, None)
    if found is NOTHING:
        return NOTHING
    if not found.array.ndim:
        return found.div(found)
    deviation = call("aten::sqrt", (found.diagonal(),))
    return found.div(deviation.unsqueeze(1)).div(deviation.unsqueeze(0))


MADE: dict[str, Callable[..., Any]] = {"aten::cov": _cov, "aten::corrcoef": _corrcoef}
STATISTICS = {name: own(make) for name, make in MADE.items()}
"""What runs operators, by their names."""
