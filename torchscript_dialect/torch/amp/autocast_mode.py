"""`torch.autocast`: a region of a program in which operators compute with another dtype (PyTorch: torch/amp/autocast_mode.py)."""

from __future__ import annotations

import warnings
from contextlib import ContextDecorator, ExitStack
from typing import Any, Optional

from torchscript_dialect.ops.recording import RECORDERS
from torchscript_dialect.runtime.cuda.driver import is_available
from torchscript_dialect.runtime.native.entry import without_native_calls
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.autocast_region import REGION, region
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import bfloat16, float16, from_name
from torchscript_dialect.tensor.dtype import dtype as _dtype
from torchscript_dialect.torch.jit import is_scripting

_KINDS = ("cpu", "cuda", "mps", "xpu", "hpu", "ipu", "xla", "privateuseone", "mtia", "maia")
"""Of devices that PyTorch has regions for."""


_NO_DEVICE = "CUDA is not available or torch_xla is imported. Disabling autocast."
_NOT_CAST = "operators on devices compute with the dtypes of their operands: torch.autocast('cuda') casts nothing here"


def is_autocast_available(device_type: str) -> bool:
    """Whether there are regions for a kind of device."""
    if not isinstance(device_type, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            "_is_autocast_available(): argument 'device_type' (position 1) must be str, not "
            f"{type(device_type).__name__}"
        )
    return Device(device_type).type in _KINDS


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether eager operators on a kind of device are cast."""
    return Device(device_type).type == "cpu" and bool(REGION.dtype)


def get_autocast_dtype(device_type: str) -> _dtype:
    """What a region that begins here computes with on a kind of device; RuntimeError if there are no such regions for it."""
    return from_name(pytorch_state.autocast_dtype(Device(device_type).type))


for _function in (is_autocast_enabled, get_autocast_dtype):
    _function.__torchscript_op__ = f"aten::{_function.__name__}"  # type: ignore[attr-defined]


def get_autocast_cpu_dtype() -> _dtype:
    """`get_autocast_dtype("cpu")`, with a warning."""
    return _asked("cpu", "cpu")


def get_autocast_gpu_dtype() -> _dtype:
    """`get_autocast_dtype("cuda")`, with a warning."""
    return _asked("gpu", "cuda")


def _asked(name: str, device: str) -> _dtype:
    warnings.warn(
        f"torch.get_autocast_{name}_dtype() is deprecated. Please use torch.get_autocast_dtype('{device}') instead.",
        DeprecationWarning,
        stacklevel=3,
    )
    return get_autocast_dtype(device)


class autocast(ContextDecorator):
    """A region of a program, which `ts-autocast` spells out, or of eager Python, whose operators on the CPU are cast as they are
    called (ops/autocast_calls.py). A dtype that the CPU has no regions for casts nothing, with a warning.
    """

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
        self._region = _region(device_type, self.fast_dtype, enabled)
        self._entered: list[ExitStack] = []

    def __enter__(self):
        if is_scripting():
            return self
        entered = ExitStack()
        if self._region is not None:
            RECORDERS.append(self)
            entered.callback(RECORDERS.remove, self)
            entered.enter_context(without_native_calls())
            entered.enter_context(region(self._region, self.fast_dtype.name))
        self._entered.append(entered)
        return self

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any):
        if is_scripting():
            return
        self._entered.pop().close()


def _region(device: str, dtype: _dtype, enabled: bool) -> str | None:
    """The name of the dtype of eager operators on the CPU; empty if they are not cast, None if the region is another device's, which
    casts nothing.
    """
    if Device(device).type == "cuda" and enabled:
        warnings.warn(_NOT_CAST if is_available() else _NO_DEVICE, stacklevel=3)
    if device != "cpu":
        return None
    if enabled and dtype not in (bfloat16, float16):
        warnings.warn(
            "In CPU autocast, but the target dtype is not supported. Disabling autocast.\nCPU Autocast only supports dtype of "
            "torch.bfloat16, torch.float16 currently.",
            stacklevel=3,
        )
        return ""
    return dtype.name if enabled else ""
