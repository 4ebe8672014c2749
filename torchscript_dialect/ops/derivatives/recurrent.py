"""Derivatives of recurrent layers, which go backwards through their steps."""

from torchscript_dialect.ops.derivatives.declaring import parts

_STEPS = """
    x = input.transpose(0, 1) if batch_first else input
    directions = 2 if bidirectional else 1
    each = 4 if has_biases else 2
    is_projected = len(params) != num_layers * directions * each
    if is_projected:
        each += 1
    steps = x.size(0)
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
            h = {hidden}[place]
            {begin}
            ways: List[Tensor] = []
            for step in range(steps):
                now = x[step if side == 0 else steps - 1 - step]
                {step}
                ways.append(h)
            if side == 1:
                ways = [ways[steps - 1 - step] for step in range(steps)]
            sides.append(torch.stack(ways, 0))
            lasts.append(h)
            {end}
        x = torch.cat(sides, -1)
        if train and dropout > 0.0 and layer < num_layers - 1:
            x = torch.dropout(x, dropout, True)
    if batch_first:
        x = x.transpose(0, 1)
    return x, torch.stack(lasts, 0){cells}
"""
_REST = (
    "params: List[Tensor], has_biases: bool, num_layers: int, dropout: float, train: bool, bidirectional: bool, "
    "batch_first: bool"
)
_INDENT = "\n" + " " * 16


def _lines(*lines: str) -> str:
    return _INDENT.join(lines)


parts(
    "lstm.input",
    f"input: Tensor, hx: List[Tensor], {_REST}",
    _STEPS.format(
        hidden="hx[0]",
        begin="c = hx[1][place]",
        step=_lines(
            "gates = torch.linear(now, w, p) + torch.linear(h, u, q)",
            "i, f, g, o = gates.chunk(4, -1)",
            "c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)",
            "h = torch.sigmoid(o) * torch.tanh(c)",
            "if is_projected:",
            "    h = torch.linear(h, projection)",
        ),
        end="cells.append(c)",
        cells=", torch.stack(cells, 0)",
    ),
    "Tuple[Tensor, Tensor, Tensor]",
)
parts(
    "gru.input",
    f"input: Tensor, hx: Tensor, {_REST}",
    _STEPS.format(
        hidden="hx",
        begin="",
        step=_lines(
            "a, b, c = torch.linear(now, w, p).chunk(3, -1)",
            "d, e, f = torch.linear(h, u, q).chunk(3, -1)",
            "gate = torch.sigmoid(b + e)",
            "fresh = torch.tanh(c + torch.sigmoid(a + d) * f)",
            "h = (h - fresh) * gate + fresh",
        ),
        end="",
        cells="",
    ),
    "Tuple[Tensor, Tensor]",
)
for _name in ("tanh", "relu"):
    parts(
        f"rnn_{_name}.input",
        f"input: Tensor, hx: Tensor, {_REST}",
        _STEPS.format(
            hidden="hx",
            begin="",
            step=f"h = torch.{_name}(torch.linear(now, w, p) + torch.linear(h, u, q))",
            end="",
            cells="",
        ),
        "Tuple[Tensor, Tensor]",
    )
