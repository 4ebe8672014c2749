"""Parameters for which one number stands for as many as there are dimensions."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false
from __future__ import annotations

from torchscript_dialect import torch

BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = list
"""Their types, which the compiler knows by name."""


def _of_rank(value: list[int], rank: int) -> list[int]:
    """One number for each dimension; Python passes a single one."""
    if torch.jit.is_scripting():
        return value
    return [value] * rank if isinstance(value, int) else list(value)
