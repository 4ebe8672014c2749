"""Modules on as many devices as there are: none or one (PyTorch: torch/nn/parallel/data_parallel.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchscript_dialect.runtime.cuda.driver import is_available
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.modules.module import Module

__all__ = ["DataParallel", "DistributedDataParallel"]


class DataParallel(Module):
    """A module whose calls go to the device, on which it is; without one, to the module as it is."""

    def __init__(
        self,
        module: Module,
        device_ids: Sequence[Any] | None = None,
        output_device: Any = None,
        dim: int = 0,
    ) -> None:
        """RuntimeError for other devices than the first, on which tensors cannot be."""
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []
        if not is_available():
            return
        self.device_ids = [_index(one) for one in ([0] if device_ids is None else device_ids)]
        if self.device_ids != [0]:
            raise RuntimeError(f"there are no devices {self.device_ids} that can be used: only [0]")
        self.dim = dim
        self.output_device = 0 if output_device is None else _index(output_device)
        self.src_device_obj = Device("cuda", 0)
        module.to(self.src_device_obj)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The result of the module, whose tensors go to the device.

        Raises:
            RuntimeError: a part of the module is elsewhere.
        """
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        for tensor in (*self.module.parameters(), *self.module.buffers()):
            if tensor.device != self.src_device_obj:
                raise RuntimeError(
                    f"module must have its parameters and buffers on device {self.src_device_obj} (device_ids[0]) "
                    f"but found one of them on device: {tensor.device}"
                )
        return self.module(*self._there(inputs), **self._there(kwargs))

    def _there(self, value: Any) -> Any:
        """A value whose tensors are on the device."""
        if isinstance(value, Tensor):
            return value.to(self.src_device_obj)
        if isinstance(value, dict):
            return {key: self._there(one) for key, one in value.items()}
        if type(value) in (list, tuple):
            return type(value)(map(self._there, value))
        return value


class DistributedDataParallel(Module):
    """A module that several processes train, which there are none of: no module is one."""

    def __init__(self, module: Module, *args: Any, **kwargs: Any) -> None:
        """RuntimeError."""
        raise RuntimeError("Requires distributed package to be available")


def _index(device: Any) -> int:
    return device if isinstance(device, int) else Device(device).index or 0
