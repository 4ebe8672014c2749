"""`torch.autograd.Function` in regions of `torch.autocast` (PyTorch: torch/amp/autocast_mode.py)."""

from __future__ import annotations

import functools
from collections import abc
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from torchscript_dialect.tensor.dtype import dtype as Dtype
from torchscript_dialect.tensor.dtype import float64
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.amp.autocast_mode import autocast
from torchscript_dialect.torch.amp.autocast_state import get_autocast_dtype, is_autocast_enabled


def custom_fwd(fwd: Any = None, *, device_type: str, cast_inputs: Dtype | None = None) -> Any:
    """Decorates `forward`: in a region, tensors become `cast_inputs`, if that is given, and nothing else is cast.

    Raises:
        ValueError: the device is no string.
    """
    _check(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorate_fwd(*args: Any, **kwargs: Any) -> Any:
        context, is_inside = args[0], is_autocast_enabled(device_type)
        context._dtype = get_autocast_dtype(device_type)
        context._fwd_used_autocast = is_inside and cast_inputs is None
        if cast_inputs is None or not is_inside:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(
                *_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs)
            )

    return decorate_fwd


def custom_bwd(bwd: Any = None, *, device_type: str) -> Any:
    """Decorates `backward`: it is in a region as its `forward` was.

    Raises:
        ValueError: the device is no string.
    """
    _check(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorate_bwd(*args: Any, **kwargs: Any) -> Any:
        with autocast(device_type, args[0]._dtype, args[0]._fwd_used_autocast):
            return bwd(*args, **kwargs)

    return decorate_bwd


def _check(device_type: Any) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def _cast(value: Any, device_type: str, dtype: Dtype) -> Any:
    """Tensors of a device, in containers too, with another dtype, if they are of floating point, and not of float64."""
    if isinstance(value, Tensor):
        is_cast = value.dtype.is_floating_point and value.dtype is not float64
        return value.to(dtype) if is_cast and value.device.type == device_type else value
    if isinstance(value, (str, bytes, np.ndarray)):
        return cast("Any", value)
    run: Callable[[Any], Any] = functools.partial(_cast, device_type=device_type, dtype=dtype)
    kind = value.__class__
    if isinstance(value, abc.Mapping):
        return {run(key): run(one) for key, one in cast("abc.Mapping[Any, Any]", value).items()}
    if isinstance(value, abc.Iterable):
        several = map(run, cast("abc.Iterable[Any]", value))
        return kind(several) if isinstance(value, (list, tuple)) else several
    return value
