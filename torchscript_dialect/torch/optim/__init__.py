"""`torch.optim`: optimizers and schedules of their learning rates."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.optim import lr_scheduler as lr_scheduler
from torchscript_dialect.torch.optim.adadelta import Adadelta
from torchscript_dialect.torch.optim.adafactor import Adafactor
from torchscript_dialect.torch.optim.adagrad import Adagrad
from torchscript_dialect.torch.optim.adam import Adam, Adamax, AdamW
from torchscript_dialect.torch.optim.lbfgs import LBFGS
from torchscript_dialect.torch.optim.muon import Muon
from torchscript_dialect.torch.optim.nadam import NAdam, RAdam
from torchscript_dialect.torch.optim.optimizer import Optimizer
from torchscript_dialect.torch.optim.rmsprop import RMSprop
from torchscript_dialect.torch.optim.rprop import ASGD, Rprop
from torchscript_dialect.torch.optim.sgd import SGD
from torchscript_dialect.torch.optim.sparse_adam import SparseAdam

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SparseAdam",
    "lr_scheduler",
]


def __getattr__(name: str) -> Any:
    if name == "swa_utils":  # needs modules
        return import_module(f"{__name__}.{name}")
    raise absent(__name__, name)
