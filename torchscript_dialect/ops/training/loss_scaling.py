"""Training with losses that are scaled up, so that gradients of 16 bits do not vanish (PyTorch: native/AmpKernels.cpp,
native/cpu/AmpGradKernels.cpp): gradients are scaled down and checked, and the scale grows while they are finite.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath


def check_number(name: str, x: Tensor, wanted: dtype, told: str) -> None:
    """RuntimeError for anything but one element of a dtype, which `told` names."""
    if x.array.size != 1:
        raise RuntimeError(f"{name} must be a 1-element tensor.")
    if x.dtype is not wanted:
        raise RuntimeError(f"{name} must be {told} tensor.")


def check_gradient(gradient: Tensor) -> None:
    """NotImplementedError for anything but real floating point numbers."""
    if not gradient.dtype.is_floating_point:
        raise NotImplementedError(
            f'"_amp_foreach_non_finite_check_and_unscale_{gradient.device.type}" not implemented for '
            f"'{gradient.dtype.type_name}'"
        )


@registry.kernel("_amp_foreach_non_finite_check_and_unscale_")
@ignores_float_errors
def unscale(gradients: Sequence[Tensor], found_inf: Tensor, inverse: Tensor) -> None:
    """Multiply gradients by `inverse`, a float32 element; `found_inf` is 1 afterwards if one of them was not finite.

    Raises:
        RuntimeError: `found_inf` or `inverse` is not one float32 element.
        NotImplementedError: gradients are not real floating point numbers.
    """
    if not gradients:
        return
    check_number("inv_scale", inverse, dtypes.float32, "a float")
    check_number("found_inf", found_inf, dtypes.float32, "a float")
    factor = inverse.array.reshape(())
    for gradient in gradients:
        check_gradient(gradient)
        array = gradient.array
        wide = array.astype(opmath(gradient.dtype).numpy_dtype, copy=False)
        if not np.isfinite(wide).all():
            found_inf.array[...] = 1
        if factor != 1:
            array[...] = (wide * factor.astype(wide.dtype)).astype(array.dtype)


@registry.kernel("_amp_update_scale_", shape=lambda facts: facts[0])
@ignores_float_errors
def update_scale(
    scale: Tensor,
    tracker: Tensor,
    found_inf: Tensor,
    growth: float,
    backoff: float,
    interval: int,
) -> Tensor:
    """Shrink the scale where gradients were not finite, let it grow after `interval` steps in which they were.

    Raises:
        RuntimeError: `scale` and `found_inf` are not one float32 element, or `tracker` not one int32 element.
    """
    check_number("growth_tracker", tracker, dtypes.int32, "an int")
    check_number("current_scale", scale, dtypes.float32, "a float")
    check_number("found_inf", found_inf, dtypes.float32, "a float")
    steps = 0
    if found_inf.array.reshape(()) != 0:
        scale.array[...] = np.float32(scale.array.astype(np.float64) * backoff)
    else:
        steps = int(tracker.array.reshape(())) + 1
        if steps == interval:
            grown = (scale.array.astype(np.float64) * growth).astype(np.float32)
            if np.isfinite(grown).all():
                scale.array[...] = grown
            steps = 0
    tracker.array[...] = steps
    return scale
