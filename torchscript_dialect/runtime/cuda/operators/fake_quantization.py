"""Fake quantization on the device, and its gradients: see `ops/quantized/fake_quantize.py`. A mask tells which numbers were between the
ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.fused_functions import fused
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, wrap_dim


@fused
def _quantized(*tensors: Tensor, low: int, high: int) -> list[Tensor]:
    """Numbers by the nearest steps of a scale, and which were between the ends."""
    x, scale, zero = tensors
    steps = x.mul(scale.reciprocal()).add(zero).round()
    is_between = steps.ge(low).logical_and(steps.le(high))
    held = steps.clamp(low, high).masked_fill(steps.isnan(), low)
    return [held.sub(zero).mul(scale), is_between]


def _run(x: Tensor, scale: Tensor, zero: Tensor, low: int, high: int) -> Any:
    if low > high or not x.dtype.is_floating_point:
        return NOTHING
    given = [transfers.of_dtype(one, dtypes.float32) for one in (x, scale, zero)]
    found, mask = _quantized(*given, low=low, high=high)
    return transfers.of_dtype(found, x.dtype), mask


def _of_numbers(x: Tensor, scale: float, zero: int, low: int, high: int) -> Any:
    """`aten::fake_quantize_per_tensor_affine_cachemask`."""
    if not low <= zero <= high:
        return NOTHING
    options = {"dtype": dtypes.float32}
    return _run(x, x.new_full([], scale, **options), x.new_full([], zero, **options), low, high)


def _of_tensors(
    x: Tensor, scale: Tensor, zero: Tensor, enabled: Tensor, low: int, high: int
) -> Any:
    """`aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams`, which the host tells whether it is enabled."""
    if not scale.array.size or not zero.array.size or low > high:
        return NOTHING
    if not bool(enabled.reshape([-1])[0].item()):
        return x.clone(), call("aten::ones_like", (x,), {"dtype": dtypes.bool_})
    return _run(x, scale.reshape([-1])[0], zero.reshape([-1])[0], low, high)


def _of_channels(x: Tensor, scale: Tensor, zero: Tensor, axis: int, low: int, high: int) -> Any:
    """`aten::fake_quantize_per_channel_affine_cachemask`."""
    rank = x.array.ndim
    if scale.array.ndim != 1 or scale.array.shape != zero.array.shape or not -rank <= axis < rank:
        return NOTHING
    axis = wrap_dim(axis, rank)
    kinds = (dtypes.int32, dtypes.float32, dtypes.float16)
    if scale.array.size != x.array.shape[axis] or zero.dtype not in kinds:
        return NOTHING
    if scale.dtype is not dtypes.float32 or not x.array.size:
        return NOTHING
    if zero.dtype is dtypes.int32 and bool(zero.lt(low).logical_or(zero.gt(high)).any().item()):
        return NOTHING
    shape = [-1, *(1,) * (rank - 1 - axis)]
    return _run(x, scale.view(shape), zero.view(shape), low, high)


def _without_mask(make: Callable[..., Any]) -> Callable[..., Any]:
    def run(*operands: Any) -> Any:
        found = make(*operands)
        return found if found is NOTHING else found[0]

    return run


def _of_tensors_alone(x: Tensor, scale: Tensor, zero: Tensor, low: int, high: int) -> Any:
    if not scale.array.size or not zero.array.size:
        return NOTHING
    return _run(x, scale.reshape([-1])[0], zero.reshape([-1])[0], low, high)


def _backward(grad: Tensor, mask: Tensor) -> Any:
    if mask.dtype is not dtypes.bool_ or mask.array.shape != grad.array.shape:
        return NOTHING
    return grad.mul(mask)


MADE: dict[str, Callable[..., Any]] = {
    "aten::fake_quantize_per_tensor_affine_cachemask": _of_numbers,
    "aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams": _of_tensors,
    "aten::fake_quantize_per_tensor_affine.tensor_qparams": _without_mask(_of_tensors_alone),
    "aten::fake_quantize_per_tensor_affine": _without_mask(_of_numbers),
    "aten::fake_quantize_per_channel_affine_cachemask": _of_channels,
    "aten::fake_quantize_per_channel_affine": _without_mask(_of_channels),
    "aten::fake_quantize_per_tensor_affine_cachemask_backward": _backward,
    "aten::fake_quantize_per_channel_affine_cachemask_backward": _backward,
}
FAKE_QUANTIZATION = {name: own(make) for name, make in MADE.items()}
"""What runs operators, by their names or qualified names."""
