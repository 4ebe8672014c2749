"""Derivatives of recurrent networks, which go backwards through their layers.

A layer of float32 or float64, without a projection, is one operator (`mkldnn_rnn_layer`, as in PyTorch for the LSTM); any
other one goes backwards through its steps. The gradient of that operator's gradient goes through the steps, too.
"""

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.derivatives.declaring import parts
from torchscript_dialect.ops.derivatives.helpers.recurrent import NETWORKS

_LAYERS = """
    directions = 2 if bidirectional else 1
    each = 4 if has_biases else 2
    is_projected = len(params) != num_layers * directions * each
    if is_projected:
        each += 1
    is_real = x.dtype == torch.float32 or x.dtype == torch.float64
    is_one = is_real and not is_projected
    lasts: List[Tensor] = []
    cells: List[Tensor] = []
    for layer in range(num_layers):
        sides: List[Tensor] = []
        for side in range(directions):
            place = layer * directions + side
            w, u = params[place * each], params[place * each + 1]
            p: Optional[Tensor] = None
            q: Optional[Tensor] = None
            if has_biases:
                p, q = params[place * each + 2], params[place * each + 3]
            h, c = {hidden}[place], {cell}[place]
            if is_one:
                first = torch.zeros([w.size(0)], dtype=x.dtype, device=x.device) if p is None else p
                second = first if q is None else q
                out, h, c, _ = torch.mkldnn_rnn_layer(
                    x, w, u, first, second, h, c, side == 1, counts, {mode}, h.size(-1), 1, has_biases, False, False, True)
            else:
                projection: Optional[Tensor] = None
                if is_projected:
                    projection = params[(place + 1) * each - 1]
                out, h, c = {name}_of_{kind}(x, counts, h, c, w, u, p, q, projection, side == 1)
            sides.append(out)
            lasts.append(h)
            cells.append(c)
        x = sides[0] if directions == 1 else torch.cat(sides, -1)
        if train and dropout > 0.0 and layer < num_layers - 1:
            x = torch.dropout(x, dropout, True)
"""
_PADDED = f"""
    x = input.transpose(0, 1) if batch_first else input
    counts: List[int] = []
{_LAYERS}
    if batch_first:
        x = x.transpose(0, 1)
    return x, torch.stack(lasts, 0){{cells}}
"""
_PACKED = f"""
    x = data
    counts = [int(batch_sizes[step]) for step in range(batch_sizes.size(0))]
{_LAYERS}
    return x, torch.stack(lasts, 0){{cells}}
"""
_REST = "params: List[Tensor], has_biases: bool, num_layers: int, dropout: float, train: bool, bidirectional: bool"

for _mode, _network in enumerate(NETWORKS):
    _has_cell = _network.has_cell
    _words = {
        "name": _network.name,
        "mode": _mode,
        "hidden": "hx[0]" if _has_cell else "hx",
        "cell": "hx[1]" if _has_cell else "hx.detach()",
        "cells": ", torch.stack(cells, 0)" if _has_cell else "",
    }
    _state = "hx: List[Tensor]" if _has_cell else "hx: Tensor"
    _results = f"Tuple[{', '.join(['Tensor'] * (3 if _has_cell else 2))}]"
    parts(
        f"{_network.name}.input",
        f"input: Tensor, {_state}, {_REST}, batch_first: bool",
        _PADDED.format(kind="padded", **_words),
        _results,
    )
    parts(
        f"{_network.name}.data",
        f"data: Tensor, batch_sizes: Tensor, {_state}, {_REST}",
        _PACKED.format(kind="packed", **_words),
        _results,
    )

registry.attach(
    "aten::mkldnn_rnn_layer",
    grad="""
    input, weight0, weight1, weight2, weight3, hx_, cx_: torch.mkldnn_rnn_layer_backward(
        input, weight0, weight1, weight2, weight3, hx_, cx_, result0, result1, result2, grad0, grad1, grad2, reverse, mode,
        hidden_size, num_layers, has_biases, train, bidirectional, batch_sizes, batch_first, result3)
    result3: not_differentiable
    """,
)
parts(
    "mkldnn_rnn_layer_backward",
    "input: Tensor, weight1: Tensor, weight2: Tensor, weight3: Tensor, weight4: Tensor, hx_: Tensor, cx_tmp: Tensor, output: Tensor, "
    "hy_: Tensor, cy_: Tensor, grad_output: Optional[Tensor], grad_hy: Optional[Tensor], grad_cy: Optional[Tensor], reverse: bool, "
    "mode: int, hidden_size: int, num_layers: int, has_biases: bool, train: bool, bidirectional: bool, batch_sizes: List[int], "
    "batch_first: bool, workspace: Tensor",
    """
    operands = [input, weight1, weight2, weight3, weight4, hx_, cx_tmp]
    given = [one.view_as(one) for one in operands]
    x, w, u, p, q, first, first_c = given
    out, last, last_c = layer_of_mode(x, batch_sizes, first, first_c, w, u, p, q, reverse, mode)
    grads: List[Optional[Tensor]] = [grad_output, grad_hy, grad_cy]
    results: List[Tensor] = []
    seeds: List[Optional[Tensor]] = []
    for result, grad in zip([out, last, last_c], grads):
        if result.requires_grad and grad is not None:
            results.append(result)
            seeds.append(grad)
    wanted: List[Tensor] = []
    for one in given:
        if one.requires_grad:
            wanted.append(one)
    found: List[Optional[Tensor]] = []
    if len(results) > 0:
        found = torch.grad(results, wanted, seeds, True, True, True)
    gradients: List[Tensor] = []
    number = 0
    for one in given:
        gradient: Optional[Tensor] = None
        if one.requires_grad and len(found) > 0:
            gradient = found[number]
            number += 1
        gradients.append(torch.zeros_like(one) if gradient is None else gradient)
    return gradients[0], gradients[1], gradients[2], gradients[3], gradients[4], gradients[5], gradients[6]
    """,
    "Tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]",
)
