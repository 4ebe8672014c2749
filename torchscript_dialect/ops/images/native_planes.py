"""Padding and patches in native code, once many elements were gone over: `runtime/kernels/handwritten/plane_kernels.py`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from torchscript_dialect.ops.pooling.native_windows import are_native, has_usual_strides

NATIVE = "torchscript_dialect.runtime.kernels.handwritten.plane_kernels"

__all__ = ("are_native", "has_usual_strides", "native")


@cache
def native() -> Any:
    """What makes the kernels, two layers below."""
    return import_module(NATIVE)
