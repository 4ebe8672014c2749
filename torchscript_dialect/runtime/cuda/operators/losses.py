"""Losses on the device, made of operators that have kernels: `aten::nll_loss` of classes along the second dimension, or the only one. A
class that there is not ends the kernel, as in PyTorch. What is wrong with operands the kernels of the host say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.places import there
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor

NONE, MEAN = 0, 1
"""How PyTorch numbers reductions."""


def _rows(x: Tensor, target: Tensor, weight: Tensor | None) -> tuple[Tensor, Tensor] | None:
    """Classes (N, C, ...), and the one of each (N, ...); None for other operands."""
    if there(x) is None or there(target) is None or (weight is not None and there(weight) is None):
        return None
    if target.dtype not in (dtypes.int64, dtypes.uint8) or not x.dtype.is_floating_point:
        return None
    rank = x.array.ndim
    rows = x.unsqueeze(0) if rank == 1 else x
    chosen = target.unsqueeze(0) if rank == 1 and not target.array.ndim else target
    shape = rows.array.shape
    if len(shape) < 2 or chosen.array.shape != (*shape[:1], *shape[2:]):
        return None
    if weight is not None and (weight.array.shape != shape[1:2] or weight.dtype is not x.dtype):
        return None
    return rows, transfers.of_dtype(chosen, dtypes.int64)


def _weights(
    rows: Tensor, chosen: Tensor, weight: Tensor | None, ignored: int
) -> tuple[Tensor, Tensor, Tensor]:
    """The places of the classes among all (N, 1, ...), how much each counts, and which do not, whatever they are."""
    hidden = chosen.eq(ignored)
    safe = chosen.masked_fill(hidden, 0)
    counts = rows.new_ones([*chosen.array.shape])
    if weight is not None:
        counts = weight.take(safe)
    return safe.unsqueeze(1), counts.masked_fill(hidden, 0), hidden


def _forward(placed: Any, operands: Sequence[Any]) -> tuple[Tensor, Tensor]:
    """`aten::nll_loss_forward`: the loss, and how much all rows count."""
    x, target, weight, reduction, ignored = operands
    found = _rows(x, target, weight)
    if found is None:
        return placed.on_host(operands)
    rows, chosen = found
    places, counts, hidden = _weights(rows, chosen, weight, ignored)
    losses = rows.gather(1, places).squeeze(1).mul(counts).neg().masked_fill(hidden, 0)
    if reduction == NONE:
        is_single = x.array.ndim == 1
        total = counts.sum() if is_single else x.new_zeros([])
        return losses.reshape([] if is_single else [*target.array.shape]), total
    total = counts.sum()
    return (losses.sum().div(total) if reduction == MEAN else losses.sum()), total


def _loss(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::nll_loss` and its like."""
    x, target, weight = operands[:3]
    if _rows(x, target, weight) is None:
        return placed.on_host(operands)
    return _forward(placed, operands)[0]


def _backward(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::nll_loss_backward`."""
    grad, x, target, weight, reduction, ignored, total = operands
    found = _rows(x, target, weight)
    if found is None:
        return placed.on_host(operands)
    rows, chosen = found
    places, counts, hidden = _weights(rows, chosen, weight, ignored)
    given = grad.div(total) if reduction == MEAN else grad
    if given.array.ndim:
        given = given.reshape([*counts.array.shape])
    values = counts.mul(given).neg().masked_fill(hidden, 0)
    made = rows.new_zeros([*rows.array.shape]).scatter(1, places, values.unsqueeze(1))
    return cast("Tensor", made.reshape([*x.array.shape]))


# Margins


def _ahead(operands: Sequence[Any]) -> tuple[Tensor, Tensor, Tensor] | None:
    """By how much each class of a row is too close to the right one (N, classes), 0 of that, which one that is (N, 1), and the factors
    of rows (N, 1); None for other operands of `aten::multi_margin_loss`.
    """
    x, target, p, margin, weight = operands[:5]
    if there(x) is None or there(target) is None or (weight is not None and there(weight) is None):
        return None
    shape = x.array.shape
    is_fit = x.dtype in (dtypes.float32, dtypes.float64) and target.dtype is dtypes.int64
    if not is_fit or len(shape) not in (1, 2) or not x.array.size or p not in (1, 2):
        return None
    rows = x.reshape([-1, shape[-1]])
    if target.array.ndim > 1 or target.array.size != rows.array.shape[0]:
        return None
    if weight is not None and (weight.array.shape != shape[-1:] or weight.dtype is not x.dtype):
        return None
    at = target.reshape([-1, 1])
    gaps = rows.sub(rows.gather(1, at)).add(margin).clamp_min(0).scatter(1, at, 0)
    factor = rows.new_ones([rows.array.shape[0], 1]) if weight is None else weight.take(at)
    return gaps, at, factor.div(shape[-1])


def _multi_margin(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::multi_margin_loss`."""
    found = _ahead(operands)
    if found is None:
        return placed.on_host(operands)
    gaps, _, factor = found
    losses = (gaps if operands[2] == 1 else gaps.mul(gaps)).mul(factor).sum([1])
    if operands[5] == NONE:
        return cast("Tensor", losses.reshape([*operands[1].array.shape]))
    return losses.mean() if operands[5] == MEAN else losses.sum()


def _multi_margin_backward(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::multi_margin_loss_backward`."""
    grad, x, target, p, _, _, reduction = operands
    found = _ahead(operands[1:])
    if found is None:
        return placed.on_host(operands)
    gaps, at, factor = found
    slopes = (gaps.gt(0) if p == 1 else gaps.mul(2)).mul(factor)
    slopes = slopes.scatter(1, at, slopes.sum([1], True).neg())
    if reduction == MEAN:
        slopes = slopes.div(gaps.array.shape[0])
    given = grad.reshape([-1, 1]) if grad.array.shape == target.array.shape else grad
    return cast("Tensor", slopes.mul(given).reshape([*x.array.shape]))


LOSSES = {
    "aten::multi_margin_loss": _multi_margin,
    "aten::multi_margin_loss_backward": _multi_margin_backward,
    "aten::nll_loss": _loss,
    "aten::nll_loss2d": _loss,
    "aten::nll_loss_nd": _loss,
    "aten::nll_loss_forward": _forward,
    "aten::nll_loss2d_forward": _forward,
    "aten::nll_loss_backward": _backward,
    "aten::nll_loss2d_backward": _backward,
}
