"""Derivatives of recurrent layers, which go backwards through their steps."""

from dataclasses import dataclass

from torchscript_dialect.ops.derivatives.declaring import parts

_LAYERS = """
    directions = 2 if bidirectional else 1
    each = 4 if has_biases else 2
    is_projected = len(params) != num_layers * directions * each
    if is_projected:
        each += 1
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
            projection = params[(place + 1) * each - 1]
"""
_AFTER_LAYER = """
        x = torch.cat(sides, -1)
        if train and dropout > 0.0 and layer < num_layers - 1:
            x = torch.dropout(x, dropout, True)
"""
_DENSE = f"""
    x = input.transpose(0, 1) if batch_first else input
    steps = x.size(0)
{_LAYERS}
            h = {{hidden}}[place]
            {{first_cell}}
            ways: List[Tensor] = []
            for step in range(steps):
                now = x[step if side == 0 else steps - 1 - step]
                {{step}}
                ways.append(h)
            if side == 1:
                ways = [ways[steps - 1 - step] for step in range(steps)]
            sides.append(torch.stack(ways, 0))
            lasts.append(h)
            {{last_cell}}
{_AFTER_LAYER}
    if batch_first:
        x = x.transpose(0, 1)
    return x, torch.stack(lasts, 0){{cells}}
"""
_PACKED = f"""
    x = data
    steps = batch_sizes.size(0)
    counts = [int(batch_sizes[step]) for step in range(steps)]
    begins: List[int] = []
    total = 0
    for count in counts:
        begins.append(total)
        total += count
{_LAYERS}
            all_h = {{hidden}}[place]
            {{first_cells}}
            ways: List[Tensor] = []
            for step in range(steps):
                at = step if side == 0 else steps - 1 - step
                count = counts[at]
                now = x.narrow(0, begins[at], count)
                h = all_h.narrow(0, 0, count)
                {{cells_before}}
                {{step}}
                ways.append(h)
                all_h = torch.cat([h, all_h.narrow(0, count, all_h.size(0) - count)], 0)
                {{cells_after}}
            if side == 1:
                ways = [ways[steps - 1 - step] for step in range(steps)]
            sides.append(torch.cat(ways, 0))
            lasts.append(all_h)
            {{last_cells}}
{_AFTER_LAYER}
    return x, torch.stack(lasts, 0){{cells}}
"""
_REST = "params: List[Tensor], has_biases: bool, num_layers: int, dropout: float, train: bool, bidirectional: bool"
_INDENT = "\n" + " " * 16


@dataclass(frozen=True)
class _Network:
    """A kind of layer by the lines of a step: the next `h` and `c` of `now`, the weights `w`, `u` and the biases `p`, `q`."""

    name: str
    step: tuple[str, ...]
    has_cell: bool = False

    def declare(self) -> None:
        """Attach what the overloads go backwards through."""
        has_cell = self.has_cell
        common = {
            "hidden": "hx[0]" if has_cell else "hx",
            "step": _INDENT.join(self.step),
            "cells": ", torch.stack(cells, 0)" if has_cell else "",
        }
        dense = {"first_cell": "c = hx[1][place]", "last_cell": "cells.append(c)"}
        packed = {
            "first_cells": "all_c = hx[1][place]",
            "cells_before": "c = all_c.narrow(0, 0, count)",
            "cells_after": "all_c = torch.cat([c, all_c.narrow(0, count, all_c.size(0) - count)], 0)",
            "last_cells": "cells.append(all_c)",
        }
        if not has_cell:
            dense, packed = dict.fromkeys(dense, ""), dict.fromkeys(packed, "")
        state = "hx: List[Tensor]" if has_cell else "hx: Tensor"
        results = f"Tuple[{', '.join(['Tensor'] * (3 if has_cell else 2))}]"
        parts(
            f"{self.name}.input",
            f"input: Tensor, {state}, {_REST}, batch_first: bool",
            _DENSE.format(**common, **dense),
            results,
        )
        parts(
            f"{self.name}.data",
            f"data: Tensor, batch_sizes: Tensor, {state}, {_REST}",
            _PACKED.format(**common, **packed),
            results,
        )


for _network in (
    _Network(
        "lstm",
        (
            "gates = torch.linear(now, w, p) + torch.linear(h, u, q)",
            "i, f, g, o = gates.chunk(4, -1)",
            "c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)",
            "h = torch.sigmoid(o) * torch.tanh(c)",
            "if is_projected:",
            "    h = torch.linear(h, projection)",
        ),
        has_cell=True,
    ),
    _Network(
        "gru",
        (
            "a, b, c = torch.linear(now, w, p).chunk(3, -1)",
            "d, e, f = torch.linear(h, u, q).chunk(3, -1)",
            "gate = torch.sigmoid(b + e)",
            "fresh = torch.tanh(c + torch.sigmoid(a + d) * f)",
            "h = (h - fresh) * gate + fresh",
        ),
    ),
    _Network("rnn_tanh", ("h = torch.tanh(torch.linear(now, w, p) + torch.linear(h, u, q))",)),
    _Network("rnn_relu", ("h = torch.relu(torch.linear(now, w, p) + torch.linear(h, u, q))",)),
):
    _network.declare()
