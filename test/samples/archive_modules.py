"""Modules written against PyTorch, of which tools/regenerate_archives.py makes the archives in test/archives. Needs PyTorch.

`LAYERS` are one layer each, `MODULES` what else archives hold; both by name, with what makes the scripted module and the calls.
"""
# pyright: reportPrivateImportUsage=false, reportReturnType=false, reportAttributeAccessIssue=false
# pyright: reportOperatorIssue=false, reportIndexIssue=false, reportCallIssue=false

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union  # noqa: UP035

import numpy as np
import torch
from torch import nn
from torch.ao import quantization
from torch.nn import functional as F


def ramp(*shape: int, dtype: str = "float32") -> np.ndarray:
    count = int(np.prod(shape))
    return ((np.arange(count) % 17 - 8) / 8).astype(dtype).reshape(shape)


@dataclass
class Sample:
    """What makes a scripted or traced module, and the arguments of calls: each a method and what it is called with."""

    make: Callable[[], Any]
    calls: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)


def layer(module: Callable[[], nn.Module], *inputs: Any, trains: bool = False) -> Sample:
    def make() -> Any:
        made = module()
        return torch.jit.script(made if trains else made.eval())

    return Sample(make, [("forward", inputs)])


class Recurrent(nn.Module):
    """A layer that has overloads of `forward`."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)[0]


X = ramp(2, 4)
IMAGE = ramp(1, 2, 6, 6)
SIGNAL = ramp(2, 2, 8)
VOLUME = ramp(1, 2, 3, 4, 4)
SEQUENCE = ramp(3, 2, 4)
CLASSES = np.array([0, 3])
IDS = np.array([[1, 2, 0], [3, 3, 1]])

LAYERS: dict[str, Sample] = {
    "linear": layer(lambda: nn.Linear(4, 3), X),
    "linear_no_bias": layer(lambda: nn.Linear(4, 3, bias=False), X),
    "bilinear": layer(lambda: nn.Bilinear(4, 4, 2), X, X),
    "identity": layer(nn.Identity, X),
    "flatten": layer(nn.Flatten, IMAGE),
    "unflatten": layer(lambda: nn.Unflatten(1, [2, 2]), X),
    "conv1d": layer(lambda: nn.Conv1d(2, 3, 3, padding=1), SIGNAL),
    "conv2d": layer(lambda: nn.Conv2d(2, 3, 3, stride=2, padding=1), IMAGE),
    "conv2d_reflect": layer(lambda: nn.Conv2d(2, 2, 3, padding=1, padding_mode="reflect"), IMAGE),
    "conv2d_groups": layer(lambda: nn.Conv2d(2, 4, 3, groups=2, dilation=2), IMAGE),
    "conv2d_same": layer(lambda: nn.Conv2d(2, 3, 3, padding="same"), IMAGE),
    "conv3d": layer(lambda: nn.Conv3d(2, 2, 2), VOLUME),
    "conv_transpose1d": layer(lambda: nn.ConvTranspose1d(2, 3, 2, stride=2), SIGNAL),
    "conv_transpose2d": layer(lambda: nn.ConvTranspose2d(2, 3, 2, stride=2), IMAGE),
    "batch_norm1d": layer(lambda: nn.BatchNorm1d(2), SIGNAL),
    "batch_norm2d": layer(lambda: nn.BatchNorm2d(2), IMAGE),
    "batch_norm2d_train": layer(lambda: nn.BatchNorm2d(2), IMAGE, trains=True),
    "instance_norm2d": layer(lambda: nn.InstanceNorm2d(2, affine=True), IMAGE),
    "layer_norm": layer(lambda: nn.LayerNorm(4), X),
    "group_norm": layer(lambda: nn.GroupNorm(1, 2), IMAGE),
    "rms_norm": layer(lambda: nn.RMSNorm(4), X),
    "local_response_norm": layer(lambda: nn.LocalResponseNorm(2), IMAGE),
    "max_pool1d": layer(lambda: nn.MaxPool1d(2), SIGNAL),
    "max_pool2d": layer(lambda: nn.MaxPool2d(2, stride=1), IMAGE),
    "avg_pool1d": layer(lambda: nn.AvgPool1d(2), SIGNAL),
    "avg_pool2d": layer(lambda: nn.AvgPool2d(2), IMAGE),
    "adaptive_avg_pool2d": layer(lambda: nn.AdaptiveAvgPool2d((2, 2)), IMAGE),
    "adaptive_max_pool1d": layer(lambda: nn.AdaptiveMaxPool1d(2), SIGNAL),
    "lp_pool2d": layer(lambda: nn.LPPool2d(2, 2), IMAGE),
    "embedding": layer(lambda: nn.Embedding(5, 3, padding_idx=0), IDS),
    "embedding_bag": layer(lambda: nn.EmbeddingBag(5, 3, mode="mean"), IDS),
    "lstm": layer(lambda: Recurrent(nn.LSTM(4, 3, num_layers=2, bidirectional=True)), SEQUENCE),
    "gru": layer(lambda: Recurrent(nn.GRU(4, 3)), SEQUENCE),
    "rnn": layer(lambda: Recurrent(nn.RNN(4, 3, nonlinearity="relu")), SEQUENCE),
    "lstm_cell": layer(lambda: nn.LSTMCell(4, 3), X),
    "gru_cell": layer(lambda: nn.GRUCell(4, 3), X),
    "rnn_cell": layer(lambda: nn.RNNCell(4, 3), X),
    "relu": layer(lambda: nn.ReLU(inplace=True), X),
    "gelu": layer(nn.GELU, X),
    "gelu_tanh": layer(lambda: nn.GELU(approximate="tanh"), X),
    "silu": layer(nn.SiLU, X),
    "elu": layer(nn.ELU, X),
    "leaky_relu": layer(lambda: nn.LeakyReLU(0.2), X),
    "prelu": layer(lambda: nn.PReLU(4), X),
    "softplus": layer(nn.Softplus, X),
    "hardtanh": layer(nn.Hardtanh, X),
    "hardswish": layer(nn.Hardswish, X),
    "mish": layer(nn.Mish, X),
    "glu": layer(nn.GLU, X),
    "softmax": layer(lambda: nn.Softmax(dim=-1), X),
    "log_softmax": layer(lambda: nn.LogSoftmax(dim=1), X),
    "softmax2d": layer(nn.Softmax2d, IMAGE),
    "dropout": layer(nn.Dropout, X),
    "pixel_shuffle": layer(lambda: nn.PixelShuffle(2), ramp(1, 4, 2, 2)),
    "upsample": layer(lambda: nn.Upsample(scale_factor=2, mode="bilinear"), IMAGE),
    "zero_pad2d": layer(lambda: nn.ZeroPad2d(1), IMAGE),
    "reflection_pad1d": layer(lambda: nn.ReflectionPad1d(2), SIGNAL),
    "cosine_similarity": layer(nn.CosineSimilarity, X, X[::-1].copy()),
    "pairwise_distance": layer(nn.PairwiseDistance, X, X[::-1].copy()),
    "mse_loss": layer(nn.MSELoss, X, X[::-1].copy()),
    "cross_entropy_loss": layer(nn.CrossEntropyLoss, X, CLASSES),
    "nll_loss": layer(nn.NLLLoss, X, CLASSES),
    "bce_with_logits_loss": layer(nn.BCEWithLogitsLoss, X, (X > 0).astype("float32")),
    "smooth_l1_loss": layer(nn.SmoothL1Loss, X, X[::-1].copy()),
    "kl_div_loss": layer(lambda: nn.KLDivLoss(reduction="batchmean"), X, np.abs(X)),
    "multihead_attention": layer(
        lambda: nn.MultiheadAttention(4, 2), SEQUENCE, SEQUENCE, SEQUENCE
    ),
    "transformer_encoder_layer": layer(
        lambda: nn.TransformerEncoderLayer(4, 2, dim_feedforward=8, dropout=0.0), SEQUENCE
    ),
    "fold": layer(lambda: nn.Fold((3, 3), (2, 2)), ramp(1, 4, 4)),
    "unfold": layer(lambda: nn.Unfold((2, 2)), IMAGE),
}  # fmt: skip


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Pair(NamedTuple):
    first: torch.Tensor
    second: int = 3


@torch.jit.interface
class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pass


@torch.jit.script
class Counter:
    def __init__(self, start: int):
        self.count = start
        self.seen = [1.5]

    def add(self, more: int) -> int:
        self.count += more
        self.seen.append(float(more))
        return self.count


class Scale(nn.Module):
    factor: torch.jit.Final[float]

    def __init__(self, factor: float = 2.0) -> None:
        super().__init__()
        self.factor = factor
        self.register_buffer("offset", torch.arange(4.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.factor + self.offset


class ThroughInterface(nn.Module):
    layer: Layer

    def __init__(self) -> None:
        super().__init__()
        self.layer = Scale()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer.forward(x) + self.layer.forward(x)


class Attributes(nn.Module):
    """Every kind of attribute."""

    maybe: Optional[int]  # noqa: UP045
    either: Union[int, str]  # noqa: UP007
    table: Dict[str, List[int]]  # noqa: UP006
    nested: Tuple[int, str, Optional[torch.Tensor]]  # noqa: UP006, UP045
    pair: Pair

    def __init__(self) -> None:
        super().__init__()
        self.maybe = None
        self.either = "text"
        self.table = {"a": [1, 2], "b": []}
        self.nested = (1, "x", None)
        self.pair = Pair(torch.ones(2), 7)
        self.color = Color.GREEN
        self.tensors = [torch.zeros(1), torch.ones(2, 2)]
        self.flags = [True, False]
        self.numbers = [0.5, -1.5, float("inf")]
        self.by_number = torch.jit.Attribute({1: 2.5}, Dict[int, float])  # noqa: UP006
        self.where = torch.device("cpu")
        self.complex = 1 + 2j
        self.large = 2**40
        self.text = 'quotes " and \\ and \n'
        self.counter = Counter(3)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, int, str]:  # noqa: UP006
        self.table["a"].append(self.counter.add(1))
        if self.color == Color.GREEN:
            x = x + float(len(self.table["a"]))
        return x * self.numbers[0], self.pair.second, self.text

    @torch.jit.export
    def make_pair(self, x: torch.Tensor) -> Pair:
        return Pair(x, self.large)

    @torch.jit.export
    def color_of(self, index: int) -> Color:
        return Color.RED if index == 0 else self.color


class Constants(nn.Module):
    a: torch.jit.Final[int]
    b: torch.jit.Final[List[int]]  # noqa: UP006
    c: torch.jit.Final[Tuple[float, str]]  # noqa: UP006
    d: torch.jit.Final[Optional[int]]  # noqa: UP045

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.c, self.d = 3, [1, -2], (0.1, "t"), None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.d is None:
            x = x + self.b[1]
        return x * self.a * self.c[0]


class ControlFlow(nn.Module):
    def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
        total = torch.zeros_like(x)
        for i in range(n):
            if i % 2 == 0:
                continue
            total = total + x * i
            if float(total.sum()) > 100.0:
                break
        while n < 5:
            n += 1
            total = total - 1
        if n > 100:
            raise ValueError("too many")
        assert n >= 0, "too few"
        return total


class Forked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = Scale(), Scale(3.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one = torch.jit.fork(self.one, x)
        two = torch.jit.fork(self.two, x + 1)
        return torch.jit.wait(one) + torch.jit.wait(two)


class Containers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.list = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.dict = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Sequential(nn.Tanh(), Scale())})
        self.params = nn.ParameterList([nn.Parameter(torch.full((4,), float(i))) for i in range(2)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for each in self.list:
            x = each(x)
        for name, each in self.dict.items():
            x = each(x) if name == "a" else each(x) * 2
        for param in self.params:
            x = x + param
        return x


class Hooked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Scale()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)


def _pre_hook(self, inputs: Tuple[torch.Tensor]) -> Tuple[torch.Tensor]:  # noqa: UP006
    return (inputs[0] + 1,)


def _hook(self, inputs: Tuple[torch.Tensor], output: torch.Tensor) -> torch.Tensor:  # noqa: UP006
    return output * 2


def hooked() -> Any:
    module = Hooked()
    module.inner.register_forward_pre_hook(_pre_hook)
    module.inner.register_forward_hook(_hook)
    return torch.jit.script(module)


class WithState(nn.Module):
    weight: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.arange(4.0)
        self.training = False

    @torch.jit.export
    def __getstate__(self) -> Tuple[torch.Tensor, bool]:  # noqa: UP006
        return self.weight * 2, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[torch.Tensor, bool]) -> None:  # noqa: UP006
        self.weight = state[0] / 2
        self.training = state[1]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.weight


class Shared(nn.Module):
    """One memory in several places: tied weights, a view, a transposed and an expanded tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Linear(4, 4)
        self.two = nn.Linear(4, 4)
        self.two.weight = self.one.weight
        base = torch.arange(16.0).reshape(4, 4)
        self.register_buffer("base", base)
        self.register_buffer("row", base[1])
        self.register_buffer("turned", base.t())
        self.register_buffer("spread", torch.ones(1).expand(4))
        self.register_buffer("empty", torch.zeros(0, 4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.row += 1
        return self.two(self.one(x)) + self.base[1] + self.turned[0] + self.spread


class Dtypes(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        for name in (
            "uint8 int8 int16 int32 int64 float16 float32 float64 bfloat16 bool complex64 complex128 uint16"
            " uint32 uint64 float8_e5m2 float8_e4m3fn"
        ).split():
            numbers = torch.tensor([0.0, 1.0, 2.0])
            self.register_buffer(f"of_{name}", numbers.to(getattr(torch, name)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (
            x + self.of_float16.float().sum() + self.of_bfloat16.float().sum() + self.of_int8.sum()
        )


class Generic(nn.Module):
    """Functions of the library with unions, optionals and lists of tensors, f-strings and exceptions."""

    def forward(
        self, xs: list[torch.Tensor], scale: float | None = None
    ) -> Dict[str, torch.Tensor]:  # noqa: UP006
        done: Dict[str, torch.Tensor] = {}  # noqa: UP006
        for i, x in enumerate(xs):
            done[f"item {i}"] = x if scale is None else x * scale
        done["all"] = torch.cat([F.pad(x, [1, 1]) for x in xs])
        return done


def _free(x: torch.Tensor, n: int = 2) -> torch.Tensor:
    return x * n if n > 1 else x


class Calls(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return _free(_free(x), n=1) + _free(x, 5)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3)
        self.bn = nn.BatchNorm2d(3)
        self.fc = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.bn(self.conv(x)))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


class Mixed(nn.Module):
    """A scripted part in what is traced."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.jit.script(Calls())
        self.fc = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(self.fc(x)) + torch.tensor([[1.0, 2.0, 3.0, 4.0]])


def _traced(module: Callable[[], nn.Module], *inputs: np.ndarray) -> Callable[[], Any]:
    return lambda: torch.jit.trace(module().eval(), tuple(map(torch.from_numpy, inputs)))


def _script(module: Callable[[], nn.Module], *calls: tuple[str, tuple[Any, ...]]) -> Sample:
    return Sample(lambda: torch.jit.script(module()), list(calls))


def _forward(*inputs: Any) -> tuple[str, tuple[Any, ...]]:
    return ("forward", inputs)


class Quantizable(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.enter, self.leave = quantization.QuantStub(), quantization.DeQuantStub()
        self.conv, self.bn, self.relu = nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU()
        self.fc = nn.Linear(4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.relu(self.bn(self.conv(self.enter(x))))
        return self.leave(self.fc(x.mean([2, 3])))


def quantized() -> nn.Module:
    """A module whose weights and activations are quantized."""
    module = quantization.fuse_modules(Quantizable().eval(), [["conv", "bn", "relu"]])
    module.qconfig = quantization.get_default_qconfig("x86")
    prepared = quantization.prepare(module)
    prepared(torch.from_numpy(IMAGE))
    return quantization.convert(prepared)


def quantized_weights(module: nn.Module) -> nn.Module:
    """A module whose weights are quantized, and activations as they come."""
    kinds = {nn.Linear, nn.LSTM, nn.GRU, nn.LSTMCell}
    return quantization.quantize_dynamic(module.eval(), kinds)


MODULES: dict[str, Sample] = {
    "through_interface": _script(ThroughInterface, _forward(X)),
    "attributes": _script(
        Attributes, _forward(X), ("make_pair", (X,)), ("color_of", (0,)), ("color_of", (1,))
    ),
    "constants": _script(Constants, _forward(X)),
    "control_flow": _script(ControlFlow, _forward(X, 3), _forward(X, 9), _forward(X, 200)),
    "forked": _script(Forked, _forward(X)),
    "containers": _script(Containers, _forward(X)),
    "hooked": Sample(hooked, [_forward(X)]),
    "with_state": _script(WithState, _forward(X)),
    "shared": _script(Shared, _forward(X)),
    "dtypes": _script(Dtypes, _forward(X)),
    "generic": _script(Generic, _forward([X, X + 1]), _forward([X], 0.5)),
    "calls": _script(Calls, _forward(X)),
    "net": Sample(lambda: torch.jit.script(Net().eval()), [_forward(IMAGE)]),
    "net_traced": Sample(_traced(Net, IMAGE), [_forward(IMAGE)]),
    "net_frozen": Sample(lambda: torch.jit.freeze(torch.jit.script(Net().eval())), [_forward(IMAGE)]),
    "net_frozen_traced": Sample(lambda: torch.jit.freeze(_traced(Net, IMAGE)()), [_forward(IMAGE)]),
    "net_optimized": Sample(
        lambda: torch.jit.optimize_for_inference(torch.jit.script(Calls().eval())), [_forward(X)]
    ),
    "mixed": Sample(_traced(Mixed, X), [_forward(X)]),
    "lstm_traced": Sample(_traced(lambda: nn.LSTM(4, 3), SEQUENCE), [_forward(SEQUENCE)]),
    "transformer_traced": Sample(
        _traced(lambda: nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), SEQUENCE),
        [_forward(SEQUENCE)],
    ),
    "quantized": Sample(lambda: torch.jit.script(quantized()), [_forward(IMAGE)]),
    "quantized_traced": Sample(_traced(quantized, IMAGE), [_forward(IMAGE)]),
    "quantized_frozen": Sample(
        lambda: torch.jit.freeze(torch.jit.script(quantized())), [_forward(IMAGE)]
    ),
    "quantized_linear": _script(
        lambda: quantized_weights(nn.Sequential(nn.Linear(4, 3), nn.Tanh())), _forward(X)
    ),
    "quantized_lstm": _script(lambda: quantized_weights(Recurrent(nn.LSTM(4, 3))), _forward(SEQUENCE)),
    "quantized_gru": _script(lambda: quantized_weights(Recurrent(nn.GRU(4, 3))), _forward(SEQUENCE)),
    "function": Sample(lambda: torch.jit.script(_free), [_forward(X), _forward(X, 1)]),
    "function_traced": Sample(
        lambda: torch.jit.trace(torch.nn.functional.gelu, torch.from_numpy(X)), [_forward(X)]
    ),
}  # fmt: skip

SAMPLES = LAYERS | MODULES
