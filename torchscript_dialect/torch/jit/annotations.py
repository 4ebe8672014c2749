"""`torch.jit.annotations`: types that programs took from here before Python's were enough (PyTorch: torch/jit/annotations.py)."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035

from torchscript_dialect.torch.nn.functional._types import (
    BroadcastingList1,
    BroadcastingList2,
    BroadcastingList3,
)

__all__ = [
    "Any",
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "Dict",
    "List",
    "Optional",
    "Tuple",
    "Union",
]
