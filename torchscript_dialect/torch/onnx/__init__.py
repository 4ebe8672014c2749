"""`torch.onnx`: programs ask whether they are being exported, which they are never here."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.onnx import operators as operators

__all__ = ["is_in_onnx_export"]


def is_in_onnx_export() -> bool:
    """Whether this runs for an export to ONNX."""
    return False


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)
