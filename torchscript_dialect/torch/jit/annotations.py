"""`torch.jit.annotations`: types that programs took from here before Python's were enough (PyTorch: torch/jit/annotations.py)."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035

__all__ = ["Any", "Dict", "List", "Optional", "Tuple", "Union"]
