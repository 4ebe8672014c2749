"""The graphs of a forward and backward run, as text: test/golden/gradient_graphs, whose README says what differs from PyTorch's.

`REGENERATE=1 python -m pytest test/unit/autodiff/test_golden_graphs.py` writes them anew; read the difference.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import torchscript_dialect as ts
from support.loader import load_module
from torchscript_dialect import torch

GOLDEN = Path(__file__).parents[2] / "golden" / "gradient_graphs"


ratio_iou = load_module("ratio_iou", "ours").ratio_iou
lstm_cell = load_module("lstm_cell_s", "ours").LSTMCellS


def simple_lstm(inputs, hx, cx, w_ih, w_hh, b_ih, b_hh):
    hidden = (hx, cx)
    for step in inputs.unbind(0):
        hidden = lstm_cell(step, hidden[0], hidden[1], w_ih, w_hh, b_ih, b_hh)
    return hidden


def tanh(x):
    return torch.tanh(x) * 2


def loop(x):
    z = x
    for _ in range(2):
        z = z * z
    return z


def uniformity_loss(x):
    xnorm = torch.norm(x, p=2, dim=1).pow(2)
    sq_pdist = xnorm[None] + xnorm[:, None] - 2 * torch.mm(x, x.t())
    exp = sq_pdist.mul(-2).exp().tril(diagonal=-1)
    count = x.size(0)
    return exp.sum().mul(2 / (count * count - count)).log()


def _leaves(*shapes: tuple[int, ...]) -> list[Any]:
    return [torch.rand(shape).requires_grad_() for shape in shapes]


LSTM = [(3, 20), (3, 20), (80, 10), (80, 20), (80,), (80,)]
PROGRAMS = {
    "ratio_iou": (ratio_iou, [(100, 1000)] * 8),
    "lstm_cell": (lstm_cell, [(3, 10), *LSTM]),
    "simple_lstm": (simple_lstm, [(4, 3, 10), *LSTM]),
    "tanh": (tanh, [(3, 4)]),
    "loop": (loop, [(3, 4)]),
    "uniformity_loss": (uniformity_loss, [(8, 4)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_forward_and_backward_graphs_are_those_that_were_read(name: str) -> None:
    function, shapes = PROGRAMS[name]
    scripted, leaves = ts.script(function), _leaves(*shapes)
    for _ in range(4):  # types of elements of lists have to be observed
        scripted(*leaves)
    graph = scripted.graph_for(*leaves)
    nodes = graph.findAllNodes("prim::DifferentiableGraph")
    backward = "".join(node.g("ReverseSubgraph").str(False) for node in nodes)
    texts = {"forward": graph.str(False), "backward": backward}
    for way, text in texts.items():
        file = GOLDEN / f"{name}_{way}.txt"
        if os.environ.get("REGENERATE"):
            file.write_text(text)
        assert text == file.read_text(), f"{file.name} is another one"


def test_outputs_require_gradients_where_inputs_do() -> None:
    """PyTorch issue 49299: what earlier calls were given does not matter."""
    for first in (True, False):
        scripted = ts.script(ratio_iou)
        for wants in (first, not first):
            for _ in range(4):
                given = [torch.rand(3, 4, requires_grad=wants).exp() for _ in range(8)]
                assert scripted(*given).requires_grad is wants


def test_drawings_have_both_ways_and_show_groups() -> None:
    """A notebook shows them; neither Graphviz nor anything else has to be installed."""
    graph = ts.script(ratio_iou).graph_for(*_leaves(*[(3, 4)] * 8))
    dot = graph.dot()
    assert dot.count('label="forward"') == dot.count('label="backward"') == 1
    assert "df_" not in dot and "prim::GradOf" in dot
    (line,) = [line for line in dot.splitlines() if "= prim::TensorExprGroup(" in line]
    assert 'fillcolor="#fde0c5"' in line
    drawing = graph._repr_svg_()
    assert ">forward<" in drawing and ">backward<" in drawing and "#fde0c5" in drawing
