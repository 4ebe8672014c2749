"""What operators that are made of others are in a region of `torch.autocast` around a call, as TorchScript text.

PyTorch casts what such an operator calls, so what is cast depends on its arguments. `low(x)` is the tensor `x` with the dtype of
the region. Products of matrices add in float32 either way; what PyTorch rounds between them may be rounded less often here.
"""

from __future__ import annotations

import re

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
    text = text.replace("low(hx)", "hx.to(torch.float32)")
    return re.sub(r"low\((input|data|t)\)", r"low(\1).to(torch.float32)", text)


_TEXTS = {
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
    rounded = [low(t) for t in tensors]
    if len(with_last) > 0:
        return torch.einsum(equation, rounded)
    rounded = [t.to(torch.float32) for t in rounded]
    rounded[-1] = tensors[-1]
    return torch.einsum(equation, rounded)
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
    "aten::index_copy": """
def index_copy(self: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    if self.dtype == torch.float32 or source.dtype == torch.float32:
        return torch.index_copy(self.to(torch.float32), dim, index, source.to(torch.float32))
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
    states = [states[0].to(torch.float32), hx[1].to(torch.float32)]
    weights = [t.to(torch.float32) for t in weights]
    output, hidden, cell = torch.lstm(
        low(input).to(torch.float32), states, weights, has_biases, num_layers, dropout, train, bidirectional,
        batch_first)
    return low(output), low(hidden), cell
""",
    "aten::lstm.data": """
def lstm(data: Tensor, batch_sizes: Tensor, hx: List[Tensor], params: List[Tensor], has_biases: bool, num_layers: int,
        dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor, Tensor]:
    weights = [low(t).to(torch.float32) for t in params]
    states = [t.to(torch.float32) for t in hx]
    output, hidden, cell = torch.lstm(
        low(data).to(torch.float32), batch_sizes, states, weights, has_biases, num_layers, dropout, train,
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


def around(qualified_name: str, dtype: int) -> str | None:
    """What an operator is in a region with this dtype, by its number; None where it is what it is elsewhere."""
    text = _TEXTS.get(qualified_name)
    if text is None:
        return None
    cast = rf"torch._autocast_to_reduced_precision(\1, False, True, {dtype}, {dtype})"
    return re.sub(r"low\((\w+)\)", cast, text)


def names() -> set[str]:
    """The operators without their overloads."""
    return {name.removeprefix("aten::").partition(".")[0] for name in _TEXTS}
