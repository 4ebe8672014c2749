"""Warnings: of the program, and none from the compiler."""

import warnings

from examples._torch import torch
from support.corpus import case

Tensor = torch.Tensor


@case(1)
@case(3)
def one_warning(n: int) -> int:
    warnings.warn("take care")
    return n + 1


@case(1)
@case(3)
def warning_in_a_branch(n: int) -> int:
    if n > 2:
        warnings.warn("large", 3)
    else:
        warnings.warn("small")
    return n


@case(0)
@case(2)
def warning_in_a_loop(n: int) -> int:
    total = 0
    for i in range(n):
        warnings.warn(str(i))
        total += i
    return total
