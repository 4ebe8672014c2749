"""`torch.optim`: optimizers and schedules of their learning rates."""

from __future__ import annotations

from torchscript_dialect.torch.optim import lr_scheduler as lr_scheduler
from torchscript_dialect.torch.optim.adagrad import Adagrad
from torchscript_dialect.torch.optim.adam import Adam, Adamax, AdamW
from torchscript_dialect.torch.optim.optimizer import Optimizer
from torchscript_dialect.torch.optim.rmsprop import RMSprop
from torchscript_dialect.torch.optim.sgd import SGD

__all__ = ["SGD", "Adagrad", "Adam", "AdamW", "Adamax", "Optimizer", "RMSprop", "lr_scheduler"]
