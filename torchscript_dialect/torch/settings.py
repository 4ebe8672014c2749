"""What programs set for the whole process: threads, determinism, where and of what tensors are made, how they print."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.runtime.native import thread_pool
from torchscript_dialect.tensor import determinism, formatting
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import cpu
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.utils import tasks

set_printoptions = formatting.set_printoptions
get_num_threads = thread_pool.get_num_threads


def set_num_threads(number: int) -> None:
    """How many threads a parallel kernel may use, the calling one included; RuntimeError for less than one."""
    if number < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    thread_pool.set_num_threads(number)


def get_num_interop_threads() -> int:
    """How many threads `torch.jit.fork` may use."""
    return tasks.get_num_threads()


def set_num_interop_threads(number: int) -> None:
    """Sets what `get_num_interop_threads` returns; RuntimeError for less than one."""
    if number < 1:
        raise RuntimeError("set_num_interop_threads expects a positive integer")
    tasks.set_num_threads(number)


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for operators that give the same for the same operands, and for errors, or warnings, where PyTorch has none on devices."""
    determinism.set_mode(("warn" if warn_only else "error") if mode else "default")


def are_deterministic_algorithms_enabled() -> bool:
    """Whether a program has asked for deterministic operators."""
    return determinism.own_mode() != "default"


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether it has asked for a warning where there are none."""
    return determinism.own_mode() == "warn"


_warns_always = False


def set_warn_always(b: bool) -> None:
    """Ask for warnings each time that PyTorch gives once."""
    global _warns_always
    _warns_always = b


def is_warn_always_enabled() -> bool:
    """Whether a program has asked for that. Here all warnings come each time, but that of operators that go through the host."""
    return _warns_always


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same by number or name: 0, "default"; 1, "warn"; 2, "error".

    Raises:
        TypeError: neither a number nor a text.
        RuntimeError: none of these.
    """
    modes = determinism.MODES
    if not isinstance(debug_mode, (int, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in modes:
            raise RuntimeError(
                f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}"
            )
        determinism.set_mode(debug_mode)
        return
    if debug_mode not in range(3):
        raise RuntimeError(
            f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}"
        )
    determinism.set_mode(modes[debug_mode])


def get_deterministic_debug_mode() -> int:
    """The number of the mode that a program has set."""
    return determinism.MODES.index(determinism.own_mode())


def set_flush_denormal(mode: bool) -> bool:
    """Ask for denormal numbers to count as 0. They never do here: gives False."""
    return False


def get_default_device() -> Device:
    """Where tensors are made that are told no device."""
    return cpu


def set_default_device(device: Any) -> None:
    """Say where tensors are made that are told no device; NotImplementedError for another one than the host."""
    if device is not None:
        Device(device).require_host()


def set_default_tensor_type(t: Any) -> None:
    """The default dtype as a class of tensors: `torch.DoubleTensor`, or its name; TypeError for one whose elements are no floats."""
    name = t if isinstance(t, str) else getattr(t, "__name__", str(t))
    element = dtypes.from_name(name.removeprefix("torch.").removesuffix("Tensor"))
    if not element.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, not {name}")
    dtypes.set_default_dtype(element)
