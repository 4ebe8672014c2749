"""Arguments of samples that are changed so that they may not fit: rank, sizes, dtype, numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

DTYPES = "float32 float64 int64 bool uint8 complex64 float16 int32".split()
SHAPES = [(), (0,), (1,), (3,), (2, 3), (3, 2), (2, 2, 2), (0, 3), (1, 2, 3, 4), (2, 3, 4, 5, 2)]


def spoiled(value: Any, draw: random.Random) -> Any:
    """An argument of the same kind that may not fit."""
    if isinstance(value, np.ndarray):
        dtype = draw.choice(DTYPES)
        if value.dtype.kind in "fiub" and draw.random() < 0.4:
            return value.astype(dtype)
        kept = value.dtype if value.dtype.kind in "fiubc" and draw.random() < 0.7 else dtype
        return np.ones(draw.choice(SHAPES)).astype(kept)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return draw.choice((value + 1, value - 1, -value, 0, 100, -100))
    if isinstance(value, list) and value:
        place = draw.randrange(len(value))
        one = [spoiled(each, draw) if at == place else each for at, each in enumerate(value)]
        return draw.choice((value[:-1], [*value, value[0]], one))
    return value
