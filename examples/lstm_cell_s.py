"""One LSTM cell on separate arguments: four products, a chunk and the gates."""

import numpy as np

from examples._torch import show, torch


def LSTMCellS(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    gates = x.mm(w_ih.t()) + hx.mm(w_hh.t()) + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
    ingate = torch.sigmoid(ingate)
    forgetgate = torch.sigmoid(forgetgate)
    cellgate = torch.tanh(cellgate)
    outgate = torch.sigmoid(outgate)
    cy = (forgetgate * cx) + (ingate * cellgate)
    hy = outgate * torch.tanh(cy)
    return hy, cy


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    shapes = [(1, 3), (1, 2), (1, 2), (8, 3), (8, 2), (8,), (8,)]
    show(LSTMCellS, *(rng.standard_normal(shape).astype(np.float32) for shape in shapes))
