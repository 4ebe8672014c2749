"""How PyTorch's `linear_cross_entropy` saves memory: kept, as programs make it, and without effect here."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """Into which parts the work is cut, and in which dtype sums are kept."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None
