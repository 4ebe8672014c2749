"""Scaling of losses on the device: the host waits for nothing (PyTorch: native/cuda/AmpKernels.cu)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.ops.training.loss_scaling import check_gradient, check_number
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath


def _check(name: str, x: Tensor, wanted: dtypes.dtype, told: str) -> None:
    if x.array.__class__ is not DeviceArray:
        raise RuntimeError(f"{name} must be a CUDA tensor.")
    check_number(name, x, wanted, told)


def _unscale(gradients: Sequence[Tensor], found_inf: Tensor, inverse: Tensor) -> Any:
    """`aten::_amp_foreach_non_finite_check_and_unscale_`."""
    _check("inv_scale", inverse, dtypes.float32, "a float")
    _check("found_inf", found_inf, dtypes.float32, "a float")
    for gradient in gradients:
        if gradient.array.__class__ is not DeviceArray:
            raise RuntimeError("scaled_grads must be CUDA tensors.")
        check_gradient(gradient)
        wide = transfers.of_dtype(gradient, opmath(gradient.dtype))
        is_wrong = wide.isfinite().all().logical_not().view(found_inf.array.shape)
        transfers.assign(found_inf, found_inf.masked_fill(is_wrong, 1))
        factor = transfers.of_dtype(inverse, wide.dtype).view([1] * wide.array.ndim)
        transfers.assign(gradient, transfers.of_dtype(wide.mul(factor), gradient.dtype))
    return None


def _update_scale(
    scale: Tensor,
    tracker: Tensor,
    found_inf: Tensor,
    growth: float,
    backoff: float,
    interval: int,
) -> Tensor:
    """`aten::_amp_update_scale_`."""
    _check("growth_tracker", tracker, dtypes.int32, "an int")
    _check("current_scale", scale, dtypes.float32, "a float")
    _check("found_inf", found_inf, dtypes.float32, "a float")
    shape, steps_shape = scale.array.shape, tracker.array.shape
    is_wrong = found_inf.ne(0).view(shape)
    steps = tracker.add(1).view(shape).masked_fill(is_wrong, 0)
    is_due = steps.eq(interval).logical_and(is_wrong.logical_not())
    wide = transfers.of_dtype(scale, dtypes.float64)
    shrunk, grown = (
        transfers.of_dtype(wide.mul(factor), dtypes.float32) for factor in (backoff, growth)
    )
    kept = grown.where(is_due.logical_and(grown.isfinite()), scale)
    transfers.assign(scale, shrunk.where(is_wrong, kept))
    transfers.assign(tracker, steps.masked_fill(is_due, 0).view(steps_shape))
    return scale


LOSS_SCALING: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::_amp_foreach_non_finite_check_and_unscale_": own(_unscale),
    "aten::_amp_update_scale_": own(_update_scale),
}
"""What runs operators, by their names or qualified names."""
