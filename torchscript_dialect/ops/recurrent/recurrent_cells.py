"""One step of a recurrent network, as decompositions (PyTorch: native/RNN.cpp)."""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

_PARAMETERS = "w_ih: Tensor, w_hh: Tensor, b_ih: Optional[Tensor], b_hh: Optional[Tensor]"
_CHECKS = """
    if input.dim() > 1 and input.size(1) != w_ih.size(1):
        raise RuntimeError(
            "input has inconsistent input_size: got " + str(input.size(1)) + " expected "
            + str(w_ih.size(1)))
    if input.size(0) != {state}.size(0):
        raise RuntimeError(
            "Input batch size " + str(input.size(0)) + " doesn't match hidden0 batch size "
            + str({state}.size(0)))
    if {state}.size(1) != w_hh.size(1):
        raise RuntimeError(
            "hidden0 has inconsistent hidden_size: got " + str({state}.size(1)) + ", expected "
            + str(w_hh.size(1)))
"""

composite(
    "aten::lstm_cell",
    f"""
def lstm_cell(
    input: Tensor, hx: List[Tensor], {_PARAMETERS}
) -> Tuple[Tensor, Tensor]:
    if len(hx) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    hidden, cell = hx[0], hx[1]
{_CHECKS.format(state="hidden")}
{_CHECKS.format(state="cell")}
    gates = torch.linear(input, w_ih, b_ih) + torch.linear(hidden, w_hh, b_hh)
    i, f, g, o = torch.unsafe_chunk(gates, 4, 1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell
""",
)
composite(
    "aten::gru_cell",
    f"""
def gru_cell(
    input: Tensor, hx: Tensor, {_PARAMETERS}
) -> Tensor:
{_CHECKS.format(state="hx")}
    reset_x, update_x, new_x = torch.unsafe_chunk(torch.linear(input, w_ih, b_ih), 3, 1)
    reset_h, update_h, new_h = torch.unsafe_chunk(torch.linear(hx, w_hh, b_hh), 3, 1)
    reset = torch.sigmoid(reset_x + reset_h)
    update = torch.sigmoid(update_x + update_h)
    new = torch.tanh(new_x + reset * new_h)
    return (hx - new) * update + new
""",
)
for _kind in ("tanh", "relu"):
    composite(
        f"aten::rnn_{_kind}_cell",
        f"""
def rnn_{_kind}_cell(
    input: Tensor, hx: Tensor, {_PARAMETERS}
) -> Tensor:
{_CHECKS.format(state="hx")}
    return torch.{_kind}(torch.linear(input, w_ih, b_ih) + torch.linear(hx, w_hh, b_hh))
""",
    )
