"""Programs for old versions of PyTorch, from 1.0 on, of which tools/regenerate_old_archives.py makes the archives in
test/archives/pytorch_*. Needs PyTorch and nothing of this project; runs on Python 3.6. A version leaves out what it cannot make.
"""
# ruff: noqa
# pyright: basic, reportGeneralTypeIssues=false, reportAttributeAccessIssue=false, reportArgumentType=false, reportCallIssue=false
# pyright: reportPrivateImportUsage=false, reportUndefinedVariable=false, reportOptionalMemberAccess=false, reportReturnType=false

import importlib.util
import os
import shutil
import tempfile
from typing import Dict, List, NamedTuple, Optional, Tuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

VERSION = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])


def ramp(*shape, **options):
    values = (np.arange(int(np.prod(shape))) * 7 % 17 - 8) / 8.0
    return values.astype(options.get("dtype", "float32")).reshape(shape)


X = ramp(3, 4)
IMAGE = ramp(1, 2, 6, 6)
SEQUENCE = ramp(3, 2, 4)
SQUARE = ramp(3, 3) + 2 * np.eye(3, dtype="float32")
SYMMETRIC = SQUARE + SQUARE.T

TEXTS = {
    "division": (
        "def forward(self, x, y):\n  return x / y, x / 2, y / 3, 7 / y, x.clone().div_(y)",
        [X, X + 3],
    ),
    "integer_division": (
        "def forward(self, x, y):\n  return x / y, x / 2, x.div(3)",
        [np.array([7, -7, 9]), np.array([2, 2, -4])],
    ),
    "filled": (
        "def forward(self, n: int):\n  return torch.full([n], 3.), torch.linspace(0., 1., 5), torch.logspace(0., 1., 3)",
        [2],
    ),
    "normalized": (
        "def forward(self, x):\n  return F.normalize(x), F.layer_norm(x, [4]), x.norm()",
        [X],
    ),
    "norms": (
        "def forward(self, x):\n  return torch.norm(x), torch.norm(x, 1), torch.norm(x, 2, 0)",
        [X],
    ),
    "nearest": (
        "def forward(self, x):\n  return F.interpolate(x, scale_factor=2., mode='nearest')",
        [IMAGE],
    ),
    "bilinear": (
        "def forward(self, x):\n  return F.interpolate(x, size=[5, 7], mode='bilinear', align_corners=False)",
        [IMAGE],
    ),
    "bilinear_factor": (
        "def forward(self, x):\n  return F.interpolate(x, scale_factor=1.7, mode='bilinear', align_corners=True)",
        [IMAGE],
    ),
    "transforms": (
        "def forward(self, x):\n  y = torch.rfft(x, 1)\n  return y, torch.irfft(y, 1, False, True, [4]), torch.rfft(x, 2, True, False),"
        " torch.fft(y, 1), torch.ifft(y, 1, True)",
        [X],
    ),
    "decompositions": (
        "def forward(self, x, s):\n  e, v = torch.symeig(s, True)\n  f, w = torch.symeig(s)\n  a, b = torch.solve(x, s)\n"
        "  return e, v.abs(), f, a, torch.matrix_rank(x), torch.matrix_rank(x, 0.5)",
        [SQUARE, SYMMETRIC],
    ),
    "eigenvalues": (
        "def forward(self, x):\n  e, v = torch.eig(x, True)\n  return e, v.abs()",
        [SQUARE],
    ),
    "rank": (
        "def forward(self, x):\n  return torch.linalg.matrix_rank(x), torch.linalg.matrix_rank(x, 0.5)",
        [SQUARE],
    ),
    "singular_values": (
        "def forward(self, x):\n  return torch.linalg.svd(x, True, True)[1]",
        [SQUARE],
    ),
    "grid": (
        "def forward(self, x, t):\n  return F.grid_sample(x, F.affine_grid(t, [1, 2, 3, 3]))",
        [IMAGE, np.array([[[1, 0.2, 0.1], [-0.1, 0.9, 0]]], dtype="float32")],
    ),
    "losses": (
        "def forward(self, x, y, c):\n  return F.cross_entropy(x, c), F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y)),"
        " F.multi_margin_loss(x, c), F.smooth_l1_loss(x, y)",
        [X, X[::-1].copy(), np.array([0, 3, 1])],
    ),
    "indices": (
        "def forward(self, x, i):\n  return x[:, i], x[i, i], x[i % 2], x[1:, ::2], x[-1]",
        [X, np.array([0, 2])],
    ),
    "control_flow": (
        "def forward(self, x, n: int):\n  total = 0.\n  items = [1]\n  i = 0\n  while i < n:\n    if i % 2 == 0:\n      total = total + float(i)\n"
        "    else:\n      items.append(i)\n    i = i + 1\n  y = x\n  for k in range(n):\n    y = y + x * k\n"
        "  if bool(y.sum() > 0):\n    z = y\n  else:\n    z = -y\n  return z, total, items, len(items)",
        [X, 5],
    ),
    "texts": (
        'def forward(self, x, s: str):\n  print("no output")\n  return "a\\"annotate(Tensor, None)" + s, x',
        [X, "b"],
    ),
    "activations": (
        "def forward(self, x):\n  return F.selu(x), F.glu(x), F.softmax(x, 1), F.prelu(x, x[0, :1]), F.gelu(x)",
        [X],
    ),
}
if VERSION < (1, 2):  # a whole number then, a float since
    TEXTS["power"] = ("def forward(self, a: int, b: int) -> int:\n  return a ** b", [3, 4])
QUERY, KEY, VALUE = ramp(1, 2, 3, 4), ramp(1, 2, 5, 4)[..., ::-1].copy(), ramp(1, 2, 5, 4)
ALLOWED = np.tril(np.ones((3, 5), dtype=bool))
NEW_TEXTS = {
    "private_attention": (
        "def forward(self, q, k, v, m):\n"
        "  return F._scaled_dot_product_attention(q, k, v), F._scaled_dot_product_attention(q, k, v, None, 0., True, True),"
        " F._scaled_dot_product_attention(q, k, v, m)",
        [QUERY, KEY, VALUE, ALLOWED],
    ),
    "attention": (
        "def forward(self, q, k, v, m):\n  return F.scaled_dot_product_attention(q, k, v, m),"
        " F.scaled_dot_product_attention(q, k, v, is_causal=True)",
        [QUERY, KEY, VALUE, ALLOWED],
    ),
    "enlarged": (
        "def forward(self, x):\n  q = torch.quantize_per_tensor(x, 0.1, 2, torch.quint8)\n"
        "  return F.interpolate(q, scale_factor=2.).dequantize()",
        [IMAGE],
    ),
}
"""Programs for 1.13 and later, which make few of the others."""
TABLE = torch.tensor([[1.0, 2.0, 3.0, 4.0]])


def scripted(text):
    """A module or function of a text. Later versions find the names in it in a file only."""
    if VERSION < (1, 3):
        module = torch.jit.ScriptModule()
        module.define(text + "\n")
        return module
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "program.py")
    with open(path, "w") as file:
        file.write(
            "import torch\nimport torch.nn.functional as F\n" + text.replace("self, ", "") + "\n"
        )
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = torch.jit.script(module.forward)
    shutil.rmtree(folder)
    return function


class Tree(nn.Module):
    """Children with numbers, one of them in two places, and a tensor that is a part of another."""

    def __init__(self, shares):
        super(Tree, self).__init__()
        self.layers = nn.Sequential(nn.Linear(4, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 4)))
        self.first = self.layers[0] if shares else nn.Linear(4, 3)
        self.weight = nn.Parameter(torch.arange(6.0).reshape(2, 3).t())
        self.register_buffer("part", torch.arange(12.0).reshape(3, 4)[1:, ::2])
        self.register_buffer("count", torch.tensor(3))

    def forward(self, x):
        return (
            self.layers(x)
            + self.first(x).sum()
            + self.part.sum()
            + self.weight[0, 1]
            + self.count.float()
        )


class Convolutions(nn.Module):
    def __init__(self):
        super(Convolutions, self).__init__()
        self.body = nn.Sequential(
            nn.Conv2d(2, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2)
        )
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return F.log_softmax(self.head(self.body(x).mean(3).mean(2)), 1)


class Largest(nn.Module):
    def forward(self, x):
        return (
            x.argmax(),
            x.argmin(1),
            x.max(1)[0],
            torch.where(x > 0, x, -x),
            torch.norm(x),
            x.cumsum(1),
            x.std(),
            torch.stack([x, x]),
        )


class Last(nn.Module):
    def __init__(self, kind):
        super(Last, self).__init__()
        self.layer = kind(4, 3, 2)

    def forward(self, x):
        return self.layer(x)[0]


class Scripted(torch.jit.ScriptModule):
    """A module with constants, a list of children and a method that calls another."""

    __constants__ = ["factor", "children_of"]

    def __init__(self):
        super(Scripted, self).__init__()
        self.factor = 3
        self.children_of = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])
        self.weight = nn.Parameter(torch.ones(4))
        self.register_buffer("shift", torch.tensor([1.0, 2.0, 3.0, 4.0]))

    @torch.jit.script_method
    def scaled(self, x):
        return x * self.weight * self.factor

    @torch.jit.script_method
    def forward(self, x):
        # type: (Tensor) -> Tuple[Tensor, int]
        for child in self.children_of:
            x = torch.tanh(child(x))
        return self.scaled(x) + self.shift, self.factor


class Dtypes(nn.Module):
    def __init__(self):
        super(Dtypes, self).__init__()
        for kind in (
            "float64",
            "float32",
            "float16",
            "int64",
            "int32",
            "int16",
            "int8",
            "uint8",
            "bool",
        ):
            if hasattr(torch, kind) and not (kind == "bool" and VERSION < (1, 2)):
                self.register_buffer(kind + "_", torch.tensor([0, 1, 2]).to(getattr(torch, kind)))
        self.register_buffer("nothing", torch.zeros(0, 3))

    def forward(self, x):
        return tuple(one.clone() for one in self._buffers.values()) + (x + 1,)


class Constants(nn.Module):
    def forward(self, x):
        return x + TABLE, x * TABLE.sum(), torch.zeros(2, 4) + x[0]


if hasattr(torch.jit, "Attribute"):

    class Attributes(torch.jit.ScriptModule):
        def __init__(self):
            super(Attributes, self).__init__()
            given = torch.jit.Attribute
            self.table = given({"a": torch.ones(2), "b": torch.zeros(2)}, Dict[str, torch.Tensor])
            self.numbers = given([1, 2, 3], List[int])
            self.pair = given((1, "x"), Tuple[int, str])
            self.maybe = given(None, Optional[int])
            self.text = given("text", str)
            self.tensors = given([torch.ones(1), torch.zeros(2)], List[torch.Tensor])

        @torch.jit.script_method
        def forward(self, x):
            # type: (Tensor) -> Tuple[Tensor, List[int], str, Optional[int], int]
            self.numbers.append(4)
            return (
                x * self.table["a"].sum() + self.tensors[0],
                self.numbers,
                self.text,
                self.maybe,
                self.pair[0],
            )

    class State(torch.jit.ScriptModule):
        """What is kept by `__getstate__`."""

        def __init__(self):
            super(State, self).__init__()
            self.factor = torch.jit.Attribute(3, int)
            self.weight = nn.Parameter(torch.ones(2))

        @torch.jit.script_method
        def __getstate__(self):
            return (self.factor, self.weight * 2, self.training)

        @torch.jit.script_method
        def __setstate__(self, state):
            # type: (Tuple[int, Tensor, bool]) -> None
            self.factor = state[0] + 1
            self.weight = state[1]
            self.training = state[2]

        @torch.jit.script_method
        def forward(self, x):
            return x * self.factor + self.weight


class Box(NamedTuple):
    corner: torch.Tensor
    size: int


def boxes(x: torch.Tensor, n: int) -> Tuple[Box, Tuple[()]]:
    box = Box(x + 1, n)
    return Box(box.corner * 2, box.size + 1), ()


class Counter(object):
    def __init__(self, start: int):
        self.count = start
        self.seen = [start]

    def add(self, n: int) -> int:
        self.count = self.count + n
        self.seen.append(n)
        return self.count


def counted(n: int) -> Tuple[int, List[int]]:
    counter = Counter(n)
    counter.add(2)
    return counter.add(n), counter.seen


def with_counter():
    torch.jit.script(Counter)
    return torch.jit.script(counted)


def dynamic():
    layers = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    return torch.jit.script(
        torch.quantization.quantize_dynamic(layers, {nn.Linear}, dtype=torch.qint8)
    )


def static():
    kinds = torch.quantization
    layers = nn.Sequential(
        kinds.QuantStub(),
        nn.Conv2d(2, 3, 3),
        nn.BatchNorm2d(3),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        kinds.DeQuantStub(),
    ).eval()
    kinds.fuse_modules(layers, [["1", "2", "3"]], inplace=True)
    layers.qconfig = kinds.default_qconfig
    kinds.prepare(layers, inplace=True)
    layers(torch.from_numpy(IMAGE))
    kinds.convert(layers, inplace=True)
    return torch.jit.script(layers)


class Encoder(nn.Module):
    """Its layers are one operator where nothing requires gradients, on nested tensors where a mask leaves out words."""

    def __init__(self):
        super(Encoder, self).__init__()
        layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)

    def forward(self, x, mask):
        # type: (Tensor, Tensor) -> Tensor
        return self.layers(x, src_key_padding_mask=mask)


def traced(module, *args):
    return torch.jit.trace(module.eval(), tuple(map(torch.from_numpy, args)), check_trace=False)


MODULES = {
    "tree": (lambda: traced(Tree(False), X), [X]),
    "convolutions": (lambda: traced(Convolutions(), IMAGE), [IMAGE]),
    "largest": (lambda: traced(Largest(), X), [X]),
    "lstm": (lambda: traced(Last(nn.LSTM), SEQUENCE), [SEQUENCE]),
    "gru": (lambda: traced(Last(nn.GRU), SEQUENCE), [SEQUENCE]),
    "scripted": (lambda: Scripted(), [X]),
    "dtypes": (lambda: traced(Dtypes(), X), [X]),
    "constants": (lambda: traced(Constants(), X), [X]),
    "attributes": (lambda: Attributes(), [ramp(2, 2)]),
    "state": (lambda: State(), [ramp(2)]),
    "tree_scripted": (lambda: torch.jit.script(Tree(True)), [X]),
    "upsample": (
        lambda: torch.jit.script(
            nn.Upsample(scale_factor=1.5, mode="bilinear", align_corners=False)
        ),
        [IMAGE],
    ),
    "recurrent": (lambda: torch.jit.script(nn.LSTM(4, 3, 2)), [SEQUENCE]),
    "boxes": (lambda: torch.jit.script(boxes), [X, 3]),
    "counter": (with_counter, [3]),
    "dynamic": (dynamic, [X]),
    "static": (static, [IMAGE]),
}
WORDS = ramp(2, 3, 4)
LEFT_OUT = np.array([[False, False, False], [False, False, True]])
NEW_MODULES = {
    "encoder": (lambda: torch.jit.script(Encoder().eval()), [WORDS, LEFT_OUT]),
    "encoder_traced": (
        lambda: traced(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), WORDS),
        [WORDS],
    ),
    "frozen": (lambda: torch.jit.freeze(torch.jit.script(Convolutions().eval())), [IMAGE]),
}
if VERSION >= (1, 13):
    KEPT = ("tree", "lstm", "static", "dynamic", "attributes", "state", "boxes")
    MODULES = dict({name: MODULES[name] for name in KEPT}, **NEW_MODULES)
    TEXTS = NEW_TEXTS
PROGRAMS = dict(MODULES)
for _name, (_text, _args) in TEXTS.items():
    PROGRAMS[_name] = ((lambda text: lambda: scripted(text))(_text), _args)
