"""What operators that are made of others are in a region of `torch.autocast` around a call, as TorchScript text.

PyTorch casts what such an operator calls, so what is cast depends on its arguments. Of a tensor `x`, `low(x)` has the dtype of the
region, `full(x)` float32, and `rounded(x)` float32 after that of the region, where `is_cast(x)`: it is on the kind of device that the
region is for, and of floating point numbers that are no doubles. Products of matrices add in float32
either way; what PyTorch rounds between them may be rounded less often here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LAYERS = "gru", "rnn_tanh", "rnn_relu"
_RECURRENT = """
def recurrent(input: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor]:
    weights = [low(t) for t in params]
    return torch.{name}(
        low(input), low(hx), weights, has_biases, num_layers, dropout, train, bidirectional, batch_first)
"""
_PACKED = """
def packed(data: Tensor, batch_sizes: Tensor, hx: Tensor, params: List[Tensor], has_biases: bool, num_layers: int,
        dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor]:
    weights = [low(t) for t in params]
    return torch.{name}(
        low(data), batch_sizes, low(hx), weights, has_biases, num_layers, dropout, train, bidirectional)
"""


def _in_full(text: str) -> str:
    """The same where the states stay float32: only what goes into a product is rounded."""
    text = text.replace("low(hx)", "full(hx)")
    return re.sub(r"low\((input|data|t)\)", r"rounded(\1)", text)


_ON_ANY = {
    "aten::linalg_matrix_power": """
def linalg_matrix_power(self: Tensor, n: int) -> Tensor:
    if n > -2 and n < 2:
        return torch.linalg_matrix_power(self, n)
    base = self if n > 0 else torch.linalg_inv(self)
    return torch.linalg_matrix_power(low(base), abs(n))
""",
    "aten::matrix_power": """
def matrix_power(self: Tensor, n: int) -> Tensor:
    if n > -2 and n < 2:
        return torch.matrix_power(self, n)
    base = self if n > 0 else torch.linalg_inv(self)
    return torch.matrix_power(low(base), abs(n))
""",
    "aten::cov": """
def cov(self: Tensor, correction: int, fweights: Optional[Tensor], aweights: Optional[Tensor]) -> Tensor:
    found = torch.cov(self, correction=correction, fweights=fweights, aweights=aweights)
    return low(found)
""",
    "aten::corrcoef": """
def corrcoef(self: Tensor) -> Tensor:
    found = torch.corrcoef(self)
    return low(found)
""",
}
"""What is the same on all kinds of devices."""

_ON_CPU = {
    **_ON_ANY,
    "aten::einsum": """
def einsum(equation: str, tensors: List[Tensor], path: Optional[List[int]]) -> Tensor:
    sides = equation.replace(" ", "").split("->")
    terms = sides[0].split(",")
    shared: List[str] = []
    with_last: List[str] = []
    for i in range(len(terms)):
        for c in terms[i]:
            for j in range(i + 1, len(terms)):
                is_kept = c == "."
                if len(sides) > 1:
                    is_kept = is_kept or c in sides[1]
                else:
                    is_kept = is_kept or sides[0].count(c) == 1
                if "." not in terms[i]:
                    is_kept = is_kept or tensors[i].size(terms[i].find(c)) == 1
                if c in terms[j] and not is_kept:
                    shared.append(c)
                    if j == len(terms) - 1:
                        with_last.append(c)
    if len(shared) == 0:
        return torch.einsum(equation, tensors)
    if len(with_last) > 0:
        return torch.einsum(equation, [low(t) for t in tensors])
    factors = [rounded(t) for t in tensors]
    factors[-1] = tensors[-1]
    return torch.einsum(equation, factors)
""",
    "aten::tensordot": """
def tensordot(self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]) -> Tensor:
    return torch.tensordot(low(self), low(other), dims_self, dims_other)
""",
    "aten::inner": """
def inner(self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 0 or other.dim() == 0 or (self.dim() == 1 and other.dim() == 1):
        return torch.inner(self, other)
    return torch.inner(low(self), low(other))
""",
    "aten::chain_matmul": """
def chain_matmul(matrices: List[Tensor]) -> Tensor:
    if len(matrices) < 2:
        return torch.chain_matmul(matrices)
    return torch.chain_matmul([low(t) for t in matrices])
""",
    "aten::linalg_multi_dot": """
def linalg_multi_dot(tensors: List[Tensor]) -> Tensor:
    return torch.linalg_multi_dot([low(t) for t in tensors])
""",
    "aten::linalg_matmul": """
def linalg_matmul(self: Tensor, other: Tensor) -> Tensor:
    return torch.linalg_matmul(low(self), low(other))
""",
    "aten::index_copy": """
def index_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    if self.dtype == torch.float32 or source.dtype == torch.float32:
        return torch.index_copy(full(self), dim, index, full(source))
    return torch.index_copy(self, dim, index, source)
""",
    "aten::lstm.input": """
def lstm(input: Tensor, hx: List[Tensor], params: List[Tensor], has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor, Tensor]:
    weights = [low(t) for t in params]
    states = [low(t) for t in hx]
    if hx[0].size(2) == hx[1].size(2):
        return torch.lstm(
            low(input), states, weights, has_biases, num_layers, dropout, train, bidirectional, batch_first)
    states = [rounded(hx[0]), full(hx[1])]
    weights = [full(t) for t in weights]
    output, hidden, cell = torch.lstm(
        rounded(input), states, weights, has_biases, num_layers, dropout, train, bidirectional,
        batch_first)
    return low(output), low(hidden), cell
""",
    "aten::lstm.data": """
def lstm(data: Tensor, batch_sizes: Tensor, hx: List[Tensor], params: List[Tensor], has_biases: bool, num_layers: int,
        dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor, Tensor]:
    weights = [rounded(t) for t in params]
    states = [full(t) for t in hx]
    output, hidden, cell = torch.lstm(
        rounded(data), batch_sizes, states, weights, has_biases, num_layers, dropout, train,
        bidirectional)
    if hx[0].size(2) == hx[1].size(2):
        return output, hidden, cell
    return low(output), low(hidden), cell
""",
    "aten::gru.input": _in_full(_RECURRENT.format(name="gru")),
    "aten::gru.data": _in_full(_PACKED.format(name="gru")),
    "aten::rnn_tanh.input": _RECURRENT.format(name="rnn_tanh"),
    "aten::rnn_tanh.data": _PACKED.format(name="rnn_tanh"),
    "aten::rnn_relu.input": _RECURRENT.format(name="rnn_relu"),
    "aten::rnn_relu.data": _PACKED.format(name="rnn_relu"),
}


_LSTM = """
def lstm(input: Tensor, hx: List[Tensor], params: List[Tensor], has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool, batch_first: bool) -> Tuple[Tensor, Tensor, Tensor]:
    weights = [low(t) for t in params]
    states = [low(t) for t in hx]
    return torch.lstm(
        low(input), states, weights, has_biases, num_layers, dropout, train, bidirectional, batch_first)
"""
_PACKED_LSTM = """
def lstm(data: Tensor, batch_sizes: Tensor, hx: List[Tensor], params: List[Tensor], has_biases: bool, num_layers: int,
        dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor, Tensor]:
    weights = [low(t) for t in params]
    states = [low(t) for t in hx]
    return torch.lstm(
        low(data), batch_sizes, states, weights, has_biases, num_layers, dropout, train, bidirectional)
"""


def _in_half(text: str) -> str:
    """The same with float16, whatever the dtype of the region is: cuDNN's layers (aten/src/ATen/cudnn/AutocastRNN.cpp)."""
    return text.replace("low(", "half(")


_ON_CUDA = {
    **_ON_ANY,
    "aten::norm.Scalar": """
def norm(self: Tensor, p: number) -> Tensor:
    return torch.norm(self, p, dtype=torch.float32 if is_cast(self) else self.dtype)
""",
    "aten::norm.ScalarOpt_dim": """
def norm(self: Tensor, p: Optional[number], dim: List[int], keepdim: bool) -> Tensor:
    return torch.norm(self, p, dim, keepdim, dtype=torch.float32 if is_cast(self) else self.dtype)
""",
    "aten::inner": """
def inner(self: Tensor, other: Tensor) -> Tensor:
    if self.dim() == 0 or other.dim() == 0:
        return torch.inner(self, other)
    if self.dtype == torch.float32 or other.dtype == torch.float32:
        return torch.inner(full(self), full(other))
    return torch.inner(low(self), low(other))
""",
    "aten::pairwise_distance": """
def pairwise_distance(x1: Tensor, x2: Tensor, p: float, eps: float, keepdim: bool) -> Tensor:
    difference = x1 - x2 + eps
    return torch.norm(full(difference), p, [difference.dim() - 1], keepdim)
""",
    "aten::sum_to_size": """
def sum_to_size(self: Tensor, size: List[int]) -> Tensor:
    if self.size() == size:
        return self
    return torch.sum_to_size(full(self), size)
""",
    "aten::lstm.input": _in_half(_LSTM),
    "aten::lstm.data": _in_half(_PACKED_LSTM),
    **{f"aten::{n}.input": _in_half(_RECURRENT.format(name=n)) for n in _LAYERS},
    **{f"aten::{n}.data": _in_half(_PACKED.format(name=n)) for n in _LAYERS},
}

TEXTS: dict[str, dict[str, str]] = {"cpu": _ON_CPU, "cuda": _ON_CUDA}


def around(qualified_name: str, kind: str, dtype: int) -> str | None:
    """What an operator is in a region for a kind of device with this dtype, by its number; None where it is what it is elsewhere."""
    text = TEXTS[kind].get(qualified_name)
    return None if text is None else with_casts(text, kind, dtype)


def with_casts(text: str, kind: str, dtype: int) -> str:
    """A text whose casts are spelled out."""
    casts = _Casts(kind, dtype)
    return _CAST.sub(lambda match: casts.spelled_out(match[1], match[2]), text)


_CAST = re.compile(r"\b(low|half|full|rounded|is_cast)\(([\w\[\]]+)\)")
_HALVES = 5, 15
"""The numbers of float16 and bfloat16."""


class _Casts(NamedTuple):
    """The casts of regions for a kind of device, as expressions of few nodes."""

    kind: str
    dtype: int

    def spelled_out(self, name: str, x: str) -> str:
        if name == "is_cast":
            return self.condition(x)
        if name == "full":
            return self.full(x)
        low = self.low(x, _HALVES[0] if name == "half" else self.dtype)
        return self.full(low) if name == "rounded" else low

    def low(self, x: str, dtype: int) -> str:
        if dtype not in _HALVES:
            return f"({x}.to({dtype}) if {self.condition(x)} else {x})"
        other = sum(_HALVES) - dtype
        full = self.full(x, f"{x}.dtype == {other}")
        flags = self.flags("True")
        return f"torch._autocast_to_reduced_precision({full}, {flags}, {dtype}, {dtype})"

    def full(self, x: str, condition: str = "True") -> str:
        return f"torch._autocast_to_full_precision({x}, {self.flags(condition)})"

    def flags(self, condition: str) -> str:
        return f"{condition}, False" if self.kind == "cuda" else f"False, {condition}"

    def condition(self, x: str) -> str:
        return f"({x}.is_{self.kind} and {x}.is_floating_point() and {x}.dtype != torch.float64)"


def names(kind: str) -> set[str]:
    """The operators without their overloads."""
    return {name.removeprefix("aten::").partition(".")[0] for name in TEXTS[kind]}
