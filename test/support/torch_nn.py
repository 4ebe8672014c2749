"""Every class of torch.nn and every function of torch.nn.functional that torch.jit scripts, with small arguments."""

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn


def real(*shape: int) -> torch.Tensor:
    """Numbers around zero, all different."""
    count = torch.Size(shape).numel()
    return ((torch.arange(count) * 7 % (count + 1) - count / 2) / max(count, 1)).reshape(shape)


def probability(*shape: int) -> torch.Tensor:
    return real(*shape).mul(0.8).add(0.5)


def whole(high: int, *shape: int) -> torch.Tensor:
    """Whole numbers from zero to `high`, which is none of them."""
    return (torch.arange(torch.Size(shape).numel()) * 5 % high).reshape(shape)


@dataclass
class Layer:
    """A module class: what it is made with, and what `forward` is called with."""

    name: str
    args: tuple[Any, ...]
    inputs: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict[str, Any])

    def make(self) -> nn.Module:
        torch.manual_seed(0)
        return getattr(nn, self.name)(*self.args, **self.kwargs).eval()


_BODIES = {
    "ModuleList": "for part in self.parts: x = part(x)",
    "ModuleDict": "for name, part in self.parts.items(): x = part(x)",
    "ParameterList": "for part in self.parts: x = x * part",
    "ParameterDict": "x = x * self.parts['a']",
}
_X1, _X2, _X3 = real(2, 4, 6), real(2, 4, 6, 6), real(1, 4, 4, 4, 4)


def _by_dimension(
    name: str, args: tuple[Any, ...] = (), first: int = 1, **kwargs: Any
) -> list[Layer]:
    inputs = (_X1, _X2, _X3)
    return [Layer(f"{name}{n}d", args, (inputs[n - 1],), kwargs) for n in range(first, 4)]


def _plain(*names: str) -> list[Layer]:
    return [Layer(name, (), (real(2, 4),)) for name in names]


def _pool_indices(n: int) -> tuple[Any, ...]:
    pooled = nn.functional.__dict__[f"max_pool{n}d"]((_X1, _X2, _X3)[n - 1], 2, return_indices=True)
    return pooled


def _loss(name: str, target: Any, values: Any = None, *more: Any) -> Layer:
    return Layer(name, (), (real(3, 4) if values is None else values, target, *more))


LAYERS: list[Layer] = [
    *_by_dimension("Conv", (4, 2, 3)),
    *_by_dimension("ConvTranspose", (4, 2, 3)),
    *_by_dimension("AdaptiveAvgPool", (2,)),
    *_by_dimension("AdaptiveMaxPool", (2,)),
    *_by_dimension("AvgPool", (2,)),
    *_by_dimension("MaxPool", (2,)),
    *_by_dimension("LPPool", (2, 2)),
    *_by_dimension("BatchNorm", (4,)),
    *_by_dimension("InstanceNorm", (4,)),
    *_by_dimension("Dropout"),
    *_by_dimension("CircularPad", (1,)),
    *_by_dimension("ConstantPad", (1, 0.5)),
    *_by_dimension("ReflectionPad", (1,)),
    *_by_dimension("ReplicationPad", (1,)),
    *_by_dimension("ZeroPad", (1,)),
    *[Layer(f"MaxUnpool{n}d", (2,), _pool_indices(n)) for n in (1, 2, 3)],
    Layer("FractionalMaxPool2d", (2, 3), (_X2,)),
    Layer("FractionalMaxPool3d", (2, 2), (_X3,)),
    *_plain(
        "AlphaDropout",
        "CELU",
        "Dropout",
        "ELU",
        "FeatureAlphaDropout",
        "GELU",
        "GLU",
        "Hardshrink",
        "Hardsigmoid",
        "Hardswish",
        "Hardtanh",
        "Identity",
        "LeakyReLU",
        "LogSigmoid",
        "Mish",
        "PReLU",
        "RReLU",
        "ReLU",
        "ReLU6",
        "SELU",
        "SiLU",
        "Sigmoid",
        "Softplus",
        "Softshrink",
        "Softsign",
        "Tanh",
        "Tanhshrink",
        "Flatten",
    ),
    *[Layer(name, (1,), (real(2, 4),)) for name in ("LogSoftmax", "Softmax", "Softmin")],
    Layer("Softmax2d", (), (_X2,)),
    Layer("Threshold", (0.1, 20.0), (real(2, 4),)),
    Layer("Bilinear", (3, 4, 2), (real(2, 3), real(2, 4))),
    Layer("ChannelShuffle", (2,), (_X2,)),
    Layer("CosineSimilarity", (), (real(2, 4), real(2, 4) + 1)),
    Layer("PairwiseDistance", (), (real(2, 4), real(2, 4) * 2)),
    Layer("CrossMapLRN2d", (2,), (_X2,)),
    Layer("Embedding", (5, 3), (whole(5, 2, 3),)),
    Layer("EmbeddingBag", (5, 3), (whole(5, 2, 3),)),
    Layer("Fold", ((4, 4), (2, 2)), (real(1, 8, 9),)),
    Layer("Unfold", ((2, 2),), (_X2,)),
    Layer("Unflatten", (1, (2, 2)), (real(2, 4),)),
    Layer("GroupNorm", (2, 4), (_X2,)),
    Layer("LayerNorm", (6,), (_X1,)),
    Layer("RMSNorm", (6,), (_X1,)),
    Layer("LocalResponseNorm", (2,), (_X2,)),
    Layer("Linear", (4, 3), (real(2, 4),)),
    Layer("LSTM", (4, 3), (real(5, 2, 4),)),
    Layer(
        "LSTM",
        (4, 3),
        (real(2, 5, 4),),
        {"batch_first": True, "bidirectional": True, "num_layers": 2},
    ),
    Layer("GRU", (4, 3), (real(5, 2, 4),)),
    Layer("RNN", (4, 3), (real(5, 2, 4),)),
    Layer("LSTMCell", (4, 3), (real(2, 4),)),
    Layer("GRUCell", (4, 3), (real(2, 4),)),
    Layer("RNNCell", (4, 3), (real(2, 4),)),
    Layer("MultiheadAttention", (4, 2), (real(3, 2, 4), real(3, 2, 4), real(3, 2, 4))),
    Layer("PixelShuffle", (2,), (_X2,)),
    Layer("PixelUnshuffle", (2,), (_X2,)),
    Layer("Upsample", (), (_X2,), {"scale_factor": 2.0}),
    Layer("UpsamplingBilinear2d", (), (_X2,), {"scale_factor": 2.0}),
    Layer("UpsamplingNearest2d", (), (_X2,), {"scale_factor": 2.0}),
    Layer("SyncBatchNorm", (4,), (_X2,)),
    Layer("Transformer", (4, 2, 1, 1, 8), (real(3, 2, 4), real(3, 2, 4))),
    Layer("TransformerDecoderLayer", (4, 2, 8), (real(3, 2, 4), real(3, 2, 4))),
    Layer("TransformerEncoderLayer", (4, 2, 8), (real(3, 2, 4),)),
    Layer(
        "TransformerDecoder",
        (nn.TransformerDecoderLayer(4, 2, 8), 2),
        (real(3, 2, 4), real(3, 2, 4)),
    ),
    Layer("TransformerEncoder", (nn.TransformerEncoderLayer(4, 2, 8), 2), (real(3, 2, 4),)),
    Layer("Sequential", (nn.Linear(4, 3), nn.ReLU()), (real(2, 4),)),
    _loss("BCELoss", probability(3, 4), probability(3, 4)),
    _loss("BCEWithLogitsLoss", probability(3, 4)),
    _loss("CosineEmbeddingLoss", real(3, 4) + 1, real(3, 4), torch.tensor([1, -1, 1])),
    _loss("CrossEntropyLoss", whole(4, 3)),
    Layer(
        "CTCLoss",
        (),
        (
            real(5, 2, 4).log_softmax(2),
            whole(3, 2, 2) + 1,
            torch.tensor([5, 5]),
            torch.tensor([2, 2]),
        ),
    ),
    _loss("GaussianNLLLoss", real(3, 4) + 1, None, probability(3, 4)),
    _loss("HingeEmbeddingLoss", real(3, 4).sign()),
    _loss("HuberLoss", real(3, 4) + 1),
    _loss("KLDivLoss", probability(3, 4)),
    _loss("L1Loss", real(3, 4) + 1),
    _loss("MSELoss", real(3, 4) + 1),
    _loss("MarginRankingLoss", real(3) + 1, real(3), torch.tensor([1.0, -1.0, 1.0])),
    _loss("MultiLabelMarginLoss", torch.tensor([[3, 0, -1, 1]] * 3)),
    _loss("MultiLabelSoftMarginLoss", whole(2, 3, 4)),
    _loss("MultiMarginLoss", whole(4, 3)),
    _loss("NLLLoss", whole(4, 3)),
    _loss("NLLLoss2d", whole(4, 2, 6, 6), _X2),
    _loss("PoissonNLLLoss", probability(3, 4)),
    _loss("SmoothL1Loss", real(3, 4) + 1),
    _loss("SoftMarginLoss", real(3, 4).sign()),
    _loss("TripletMarginLoss", real(3, 4) + 1, real(3, 4), real(3, 4) * 3),
    _loss("TripletMarginWithDistanceLoss", real(3, 4) + 1, real(3, 4), real(3, 4) * 3),
    Layer("AdaptiveLogSoftmaxWithLoss", (4, 6, [2, 4]), (real(3, 4), whole(6, 3))),
    Layer("LinearCrossEntropyLoss", (4, 3), (real(2, 4), whole(3, 2))),
]
