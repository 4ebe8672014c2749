"""`torch.nn`: modules, parameters, and `functional`."""

from torchscript_dialect.torch.nn import functional
from torchscript_dialect.torch.nn.containers import (
    ModuleDict,
    ModuleList,
    ParameterList,
    Sequential,
)
from torchscript_dialect.torch.nn.convolutions import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
)
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
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Tanh,
)
from torchscript_dialect.torch.nn.module import Module
from torchscript_dialect.torch.nn.normalization import (
    BatchNorm1d,
    BatchNorm2d,
    BatchNorm3d,
    GroupNorm,
    LayerNorm,
)
from torchscript_dialect.torch.nn.parameter import Parameter
from torchscript_dialect.torch.nn.pooling import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AvgPool2d,
    MaxPool2d,
    Upsample,
)

_HOMES = {
    "linear": (Linear, Identity),
    "sparse": (Embedding,),
    "activation": (ReLU, ReLU6, LeakyReLU, GELU, SiLU, Tanh, Sigmoid, Softmax),
    "dropout": (Dropout,),
    "flatten": (Flatten,),
    "rnn": (LSTMCell,),
    "container": (Sequential, ModuleList, ModuleDict, ParameterList),
    "conv": (Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d),
    "batchnorm": (BatchNorm1d, BatchNorm2d, BatchNorm3d),
    "normalization": (LayerNorm, GroupNorm),
    "pooling": (AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, AvgPool2d, MaxPool2d),
    "upsampling": (Upsample,),
    "module": (Module,),
}
"""The modules below `torch.nn.modules` that hold the classes in PyTorch: programs show them under these names."""

for _home, _classes in _HOMES.items():
    for _class in _classes:
        setattr(_class, "__torchscript_stands_for__", f"torch.nn.modules.{_home}")  # noqa: B010

__all__ = [
    "GELU",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AvgPool2d",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "Dropout",
    "Embedding",
    "Flatten",
    "GroupNorm",
    "Identity",
    "LSTMCell",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "MaxPool2d",
    "Module",
    "ModuleDict",
    "ModuleList",
    "Parameter",
    "ParameterList",
    "ReLU",
    "ReLU6",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Tanh",
    "Upsample",
    "functional",
]
