"""`torch.autocast`: a region of a program in which operators compute with another dtype (PyTorch: torch/amp/autocast_mode.py)."""

from __future__ import annotations

import warnings
from contextlib import ContextDecorator
from typing import Any, Optional

from torchscript_dialect.runtime.cuda.driver import is_available
from torchscript_dialect.tensor.autocast_region import REGION
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import bfloat16, float16
from torchscript_dialect.tensor.dtype import dtype as _dtype
from torchscript_dialect.torch.amp.autocast_state import (
    autocast_decrement_nesting,
    autocast_increment_nesting,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_available,
    is_autocast_cache_enabled,
    say,
    set_autocast_cache_enabled,
)
from torchscript_dialect.torch.jit import is_scripting

_NO_DEVICE = "CUDA is not available or torch_xla is imported. Disabling autocast."


class autocast(ContextDecorator):
    """A region of a program, which `ts-autocast` spells out, or of eager Python, whose operators on a kind of device are cast as they
    are called (ops/autocast/autocast_calls.py). Where there is no such device, or no such dtype for it, nothing is cast, with a
    warning.
    """

    def __init__(
        self,
        device_type: str,
        dtype: Optional[_dtype] = None,  # noqa: UP045
        enabled: bool = True,
        cache_enabled: Optional[bool] = None,  # noqa: UP045
    ):
        if not isinstance(device_type, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        if is_scripting():
            self._enabled = enabled
            self.device = device_type
            return
        self.device = device_type
        if not is_autocast_available(device_type):
            raise RuntimeError(
                f"User specified an unsupported autocast device_type '{device_type}'"
            )
        self._enabled = enabled and _can_cast(device_type, self.fast_dtype)
        self._cache_enabled = (
            is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        )
        self._before: list[tuple[Any, ...]] = []

    def __enter__(self):
        if is_scripting():
            return self
        kind = Device(self.device).type
        before = REGION.enabled.get(kind), REGION.dtypes.get(kind), REGION.cache_enabled
        self._before.append(before)
        say(kind, self._enabled, self.fast_dtype.name)
        autocast_increment_nesting()
        set_autocast_cache_enabled(self._cache_enabled)
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any):
        if is_scripting():
            return
        if autocast_decrement_nesting() == 0:
            clear_autocast_cache()
        enabled, dtype, cache_enabled = self._before.pop()
        say(Device(self.device).type, enabled, dtype)
        set_autocast_cache_enabled(cache_enabled)


def _can_cast(kind: str, dtype: _dtype) -> bool:
    """Whether operators on a kind of device can compute with a dtype; says so if not."""
    if kind == "cuda":
        if not is_available():
            warnings.warn(_NO_DEVICE, stacklevel=3)
        return is_available()
    if dtype in (bfloat16, float16):
        return True
    warnings.warn(
        f"In {kind.upper()} autocast, but the target dtype is not supported. Disabling autocast.\n"
        f"{kind.upper()} Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.",
        stacklevel=3,
    )
    return False
