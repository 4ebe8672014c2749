"""Schedules of learning rates (PyTorch: torch/optim/lr_scheduler.py).

A schedule changes `group["lr"]` of each group at each `step()`, from what it is, so that several may work on one optimizer.
"""

from __future__ import annotations

from torchscript_dialect.torch.optim.lr_scheduler.base import (
    LRScheduler,
)
from torchscript_dialect.torch.optim.lr_scheduler.combined import (
    ChainedScheduler,
    SequentialLR,
)
from torchscript_dialect.torch.optim.lr_scheduler.cosine import (
    CosineAnnealingLR,
    CosineAnnealingWarmRestarts,
)
from torchscript_dialect.torch.optim.lr_scheduler.cycles import (
    CyclicLR,
    OneCycleLR,
)
from torchscript_dialect.torch.optim.lr_scheduler.factors import (
    ConstantLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from torchscript_dialect.torch.optim.lr_scheduler.plateau import (
    ReduceLROnPlateau,
)

_LRScheduler = LRScheduler

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]
