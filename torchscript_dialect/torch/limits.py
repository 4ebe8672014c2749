"""`torch.finfo` and `torch.iinfo`: the limits of element types."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from torchscript_dialect.tensor import dtype as dtypes


class finfo:
    """Limits of a floating-point dtype; the default one where none is given."""

    def __init__(self, dtype: Any = None) -> None:
        element = dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype).to_real()
        if not element.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                f"'{element!r}'"
            )
        finfo_of: Any = getattr(ml_dtypes, "finfo")  # noqa: B009  (its stub leaves the type open)
        limits = finfo_of(element.numpy_dtype)
        self.bits = int(limits.bits)
        # PyTorch has half of it for one dtype.
        self.eps = 0.125 if element is dtypes.float8_e5m2fnuz else float(limits.eps)
        self.max = float(limits.max)
        self.min = float(limits.min)
        self.tiny = self.smallest_normal = float(limits.smallest_normal)
        self.resolution = 1.0 if element.is_float8 else float(limits.resolution)
        self.dtype = element.name


class iinfo:
    """Limits of an integer dtype."""

    def __init__(self, dtype: Any) -> None:
        element = dtypes.as_dtype(dtype)
        if not element.is_integral:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                f"'{element!r}'"
            )
        limits = np.iinfo(element.numpy_dtype)
        self.bits = int(limits.bits)
        self.max = int(limits.max)
        self.min = int(limits.min)
        self.dtype = element.name
