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

_HOMES = {
    "linear": (Linear, Identity),
    "sparse": (Embedding,),
    "activation": (ReLU, LeakyReLU, GELU, SiLU, Tanh, Sigmoid, Softmax),
    "dropout": (Dropout,),
    "flatten": (Flatten,),
    "rnn": (LSTMCell,),
    "container": (Sequential, ModuleList, ModuleDict),
    "module": (Module,),
}
"""The modules below `torch.nn.modules` that hold the classes in PyTorch: programs show them under these names."""

for _home, _classes in _HOMES.items():
    for _class in _classes:
        setattr(_class, "__torchscript_stands_for__", f"torch.nn.modules.{_home}")  # noqa: B010

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
