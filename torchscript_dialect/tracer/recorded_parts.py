"""Operators that PyTorch's traces do not show: what they are made of is recorded in their place (PyTorch: native/RNN.cpp)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor.tensor import Tensor


def _lstm_cell(x: Tensor, hx: Sequence[Tensor], *parameters: Any) -> tuple[Tensor, Tensor]:
    hidden, cell = hx
    i, f, g, o = call("aten::unsafe_chunk", (_summed(x, hidden, parameters), 4, 1))
    i, f = call("aten::sigmoid_", (i,)), call("aten::sigmoid_", (f,))
    g, o = call("aten::tanh_", (g,)), call("aten::sigmoid_", (o,))
    kept, new = call("aten::mul", (f, cell)), call("aten::mul", (i, g))
    cell = call("aten::add_", (kept, new))
    return call("aten::mul", (o, call("aten::tanh", (cell,)))), cell


def _gru_cell(x: Tensor, hx: Tensor, *parameters: Any) -> Tensor:
    w_ih, w_hh, b_ih, b_hh = parameters
    of_x = call("aten::unsafe_chunk", (call("aten::linear", (x, w_ih, b_ih)), 3, 1))
    of_h = call("aten::unsafe_chunk", (call("aten::linear", (hx, w_hh, b_hh)), 3, 1))
    reset = call("aten::sigmoid_", (call("aten::add_", (of_h[0], of_x[0])),))
    update = call("aten::sigmoid_", (call("aten::add_", (of_h[1], of_x[1])),))
    new = call("aten::add", (of_x[2], call("aten::mul_", (of_h[2], reset))))
    new = call("aten::tanh_", (new,))
    change = call("aten::mul_", (call("aten::sub", (hx, new)), update))
    return call("aten::add_", (change, new))


def _summed(x: Tensor, hidden: Tensor, parameters: Any) -> Tensor:
    w_ih, w_hh, b_ih, b_hh = parameters
    of_hidden = call("aten::linear", (hidden, w_hh, b_hh))
    return call("aten::add_", (of_hidden, call("aten::linear", (x, w_ih, b_ih))))


def _rnn_cell(activation: str) -> Callable[..., Tensor]:
    def cell(x: Tensor, hx: Tensor, *parameters: Any) -> Tensor:
        return call(activation, (_summed(x, hx, parameters),))

    return cell


RECORDED_PARTS: dict[str, Callable[..., Any]] = {
    "aten::lstm_cell": _lstm_cell,
    "aten::gru_cell": _gru_cell,
    "aten::rnn_tanh_cell": _rnn_cell("aten::tanh"),
    "aten::rnn_relu_cell": _rnn_cell("aten::relu"),
}
"""What computes the same with the operators that a trace shows, from the same operands."""
