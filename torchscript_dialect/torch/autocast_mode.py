"""`torch.autocast`: a region of a program in which operators compute with another dtype (PyTorch: torch/amp/autocast_mode.py)."""

from __future__ import annotations

from contextlib import ContextDecorator
from typing import Any, Optional

from torchscript_dialect.ops.dispatch import function
from torchscript_dialect.tensor.dtype import dtype as _dtype
from torchscript_dialect.torch.jit import is_scripting

get_autocast_dtype: Any = function("get_autocast_dtype")


class autocast(ContextDecorator):
    """A region of a program, which `ts-autocast` spells out. Eager operators are not cast: to enter one outside of programs raises
    RuntimeError, unless it casts nothing here.
    """

    __torchscript_stands_for__ = "torch.amp.autocast_mode"

    def __init__(
        self,
        device_type: str,
        dtype: Optional[_dtype] = None,  # noqa: UP045
        enabled: bool = True,
        cache_enabled: Optional[bool] = None,  # noqa: UP045
    ):
        if not isinstance(device_type, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("Expected `device_type` of type `str`")
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        if is_scripting():
            self._enabled = enabled
            self.device = device_type
            return
        self._casts = enabled and device_type == "cpu"

    def __enter__(self):
        if is_scripting():
            return self
        if self._casts:
            raise RuntimeError(
                "torch.autocast of the stand-in is for programs: its eager operators are not cast"
            )
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any):
        if is_scripting():
            return
