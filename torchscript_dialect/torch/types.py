"""`torch.types`: names of types for annotations (PyTorch: torch/types.py)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, TypeAlias

from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.layout import layout, qscheme
from torchscript_dialect.tensor.storages import TypedStorage, UntypedStorage
from torchscript_dialect.tensor.tensor import Size, Tensor

_bool, _bytes, _complex, _float, _int, _str = bool, bytes, complex, float, int, str
_device, _dtype, _layout, _qscheme = device, dtype, layout, qscheme
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors: TypeAlias = Tensor | Sequence[Tensor | None]

Number: TypeAlias = int | float | bool
_Number = (int, float, bool)
FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
Device: TypeAlias = device | str | int | None
Storage: TypeAlias = TypedStorage | UntypedStorage

__all__ = ["Device", "FileLike", "Number", "Size", "Storage", "Tensor"]
