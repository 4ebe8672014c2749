"""What regions of `torch.autocast` set, by kind of device (PyTorch: torch/csrc/autograd/init.cpp)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from torchscript_dialect.ops.eager.recording import RECORDERS
from torchscript_dialect.runtime.native.entry import without_native_calls
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.autocast_region import DEFAULTS, REGION
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import dtype as _dtype
from torchscript_dialect.tensor.dtype import from_name


def is_autocast_available(device_type: str) -> bool:
    """Whether there are regions for a kind of device."""
    if not isinstance(device_type, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            "_is_autocast_available(): argument 'device_type' (position 1) must be str, not "
            f"{type(device_type).__name__}"
        )
    return Device(device_type).type in DEFAULTS


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether eager operators on a kind of device are cast."""
    return REGION.enabled.get(_kind(device_type), False)


def get_autocast_dtype(device_type: str) -> _dtype:
    """What a region that begins here computes with on a kind of device; RuntimeError if there are no such regions for it."""
    return from_name(pytorch_state.autocast_dtype(Device(device_type).type))


for _function in (is_autocast_enabled, get_autocast_dtype):
    _function.__torchscript_op__ = f"aten::{_function.__name__}"  # type: ignore[attr-defined]


def set_autocast_enabled(device_type: str | bool, enabled: bool | None = None) -> None:
    """Let eager operators on a kind of device, CUDA's if none is said, be cast or not."""
    if enabled is None:
        device_type, enabled = "cuda", bool(device_type)
    kind = _kind(device_type)
    say(kind, enabled or None, pytorch_state.autocast_dtype(kind))


def set_autocast_dtype(device_type: str, dtype: _dtype) -> None:
    """What regions that begin here compute with on a kind of device, if they are not told."""
    kind = _kind(device_type)
    say(kind, REGION.enabled.get(kind), dtype.name)


def say(kind: str, enabled: bool | None, dtype: str | None) -> None:
    """Let this thread compute so on a kind of device; None where regions say nothing. Calls heed it from here on."""
    REGION.set(kind, enabled, dtype)
    if REGION.enabled and REGION.native_calls is None:
        held = REGION.native_calls = ExitStack()
        RECORDERS.append(held)
        held.callback(RECORDERS.remove, held)
        held.enter_context(without_native_calls())
    elif not REGION.enabled and REGION.native_calls is not None:
        held, REGION.native_calls = REGION.native_calls, None
        held.close()


def is_autocast_cache_enabled() -> bool:
    """Whether weights are cast once in a region."""
    return REGION.cache_enabled


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Let weights be cast once in a region, or at each use."""
    REGION.cache_enabled = bool(enabled)


def clear_autocast_cache() -> None:
    """Forget what weights were cast to."""
    REGION.weights.clear()


def autocast_increment_nesting() -> int:
    """Enter a region; gives how many there are."""
    REGION.nesting += 1
    return REGION.nesting


def autocast_decrement_nesting() -> int:
    """Leave a region; gives how many there are."""
    REGION.nesting -= 1
    return REGION.nesting


def _kind(device_type: Any) -> str:
    """The kind of a device; RuntimeError if there are no regions for it."""
    kind = Device(device_type).type
    if kind not in DEFAULTS:
        raise RuntimeError(
            "unknown device type for autocast in get_autocast_dispatch_key_from_device_type"
        )
    return kind


def _older(name: str, now: str, arguments: str, kind: str) -> Callable[..., Any]:
    """A function from before the others took a device, with its warning."""
    run: Callable[..., Any] = globals()[now]
    said = f"'{kind}', {arguments}" if arguments else f"'{kind}'"

    def called(*args: Any) -> Any:
        warnings.warn(
            f"torch.{name}({arguments}) is deprecated. Please use torch.{now}({said}) instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        return run(kind, *args)

    called.__name__ = called.__qualname__ = name
    return called


get_autocast_cpu_dtype = _older("get_autocast_cpu_dtype", "get_autocast_dtype", "", "cpu")
get_autocast_gpu_dtype = _older("get_autocast_gpu_dtype", "get_autocast_dtype", "", "cuda")
get_autocast_ipu_dtype = _older("get_autocast_ipu_dtype", "get_autocast_dtype", "", "ipu")
get_autocast_xla_dtype = _older("get_autocast_xla_dtype", "get_autocast_dtype", "", "xla")
set_autocast_cpu_dtype = _older("set_autocast_cpu_dtype", "set_autocast_dtype", "dtype", "cpu")
set_autocast_gpu_dtype = _older("set_autocast_gpu_dtype", "set_autocast_dtype", "dtype", "cuda")
set_autocast_ipu_dtype = _older("set_autocast_ipu_dtype", "set_autocast_dtype", "dtype", "ipu")
set_autocast_xla_dtype = _older("set_autocast_xla_dtype", "set_autocast_dtype", "dtype", "xla")
is_autocast_ipu_enabled = _older("is_autocast_ipu_enabled", "is_autocast_enabled", "", "ipu")
is_autocast_xla_enabled = _older("is_autocast_xla_enabled", "is_autocast_enabled", "", "xla")
set_autocast_cpu_enabled = _older(
    "set_autocast_cpu_enabled", "set_autocast_enabled", "enabled", "cpu"
)
set_autocast_ipu_enabled = _older(
    "set_autocast_ipu_enabled", "set_autocast_enabled", "enabled", "ipu"
)
set_autocast_xla_enabled = _older(
    "set_autocast_xla_enabled", "set_autocast_enabled", "enabled", "xla"
)
