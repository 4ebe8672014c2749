"""`torch.nn`: modules, parameters, and `functional`."""

from torchscript_dialect.torch.nn import functional
from torchscript_dialect.torch.nn.containers import ModuleDict, ModuleList, Sequential
from torchscript_dialect.torch.nn.layers import (
    GELU,
    Dropout,
    Embedding,
    Flatten,
    Identity,
    LeakyReLU,
    Linear,
    LSTMCell,
    ReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Tanh,
)
from torchscript_dialect.torch.nn.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter

__all__ = [
    "GELU",
    "Dropout",
    "Embedding",
    "Flatten",
    "Identity",
    "LSTMCell",
    "LeakyReLU",
    "Linear",
    "Module",
    "ModuleDict",
    "ModuleList",
    "Parameter",
    "ReLU",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "functional",
]
