"""What derivatives of recurrent layers call: one direction of one layer, step by step, of padded and of packed sequences."""

from __future__ import annotations

from dataclasses import dataclass

_PARAMETERS = (
    "x: Tensor, counts: List[int], h: Tensor, c: Tensor, w: Tensor, u: Tensor, p: Optional[Tensor], q: Optional[Tensor], "
    "projection: Optional[Tensor], reverse: bool"
)
_PADDED = """
def {name}_of_padded({parameters}) -> Tuple[Tensor, Tensor, Tensor]:
    steps = x.size(0)
    x = torch.linear(x, w, p)
    ways: List[Tensor] = []
    for step in range(steps):
        now = x[steps - 1 - step if reverse else step]
        {step}
        ways.append(h)
    if reverse:
        ways = [ways[steps - 1 - step] for step in range(steps)]
    return torch.stack(ways, 0), h, c
"""
_PACKED = """
def {name}_of_packed({parameters}) -> Tuple[Tensor, Tensor, Tensor]:
    all_h, all_c = h, c
    x = torch.linear(x, w, p)
    steps = len(counts)
    begins: List[int] = []
    total = 0
    for count in counts:
        begins.append(total)
        total += count
    ways: List[Tensor] = []
    for step in range(steps):
        at = steps - 1 - step if reverse else step
        count = counts[at]
        now = x.narrow(0, begins[at], count)
        h, c = all_h.narrow(0, 0, count), all_c.narrow(0, 0, count)
        {step}
        ways.append(h)
        all_h = torch.cat([h, all_h.narrow(0, count, all_h.size(0) - count)], 0)
        {cells}
    if reverse:
        ways = [ways[steps - 1 - step] for step in range(steps)]
    return torch.cat(ways, 0), all_h, all_c
"""


@dataclass(frozen=True)
class Network:
    """A kind of layer by the lines of a step: the next `h` and `c` of `now`, which has been through the weights `w` and biases `p` with
    all other steps, and of the weights `u` and biases `q`.
    """

    name: str
    step: tuple[str, ...]
    has_cell: bool = False

    @property
    def source(self) -> str:
        """The functions of a layer; `c` is passed on where there are no cells."""
        cells = "all_c = torch.cat([c, all_c.narrow(0, count, all_c.size(0) - count)], 0)"
        return "".join(
            text.format(
                name=self.name,
                parameters=_PARAMETERS,
                step=f"\n{' ' * 8}".join(self.step),
                cells=cells if self.has_cell else "",
            )
            for text in (_PADDED, _PACKED)
        )


NETWORKS = (
    Network("rnn_relu", ("h = torch.relu(now + torch.linear(h, u, q))",)),
    Network("rnn_tanh", ("h = torch.tanh(now + torch.linear(h, u, q))",)),
    Network(
        "lstm",
        (
            "gates = now + torch.linear(h, u, q)",
            "i, f, g, o = gates.chunk(4, -1)",
            "c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)",
            "h = torch.sigmoid(o) * torch.tanh(c)",
            "if projection is not None:",
            "    h = torch.linear(h, projection)",
        ),
        has_cell=True,
    ),
    Network(
        "gru",
        (
            "i, j, k = now.chunk(3, -1)",
            "d, e, f = torch.linear(h, u, q).chunk(3, -1)",
            "gate = torch.sigmoid(j + e)",
            "fresh = torch.tanh(k + torch.sigmoid(i + d) * f)",
            "h = (h - fresh) * gate + fresh",
        ),
    ),
)
"""By their modes (PyTorch: native/RNN.h)."""

_EACH = "\n    el".join(
    f"""if mode == {mode}:
        if len(counts) == 0:
            out, last, last_c = {one.name}_of_padded(x, counts, h, c, w, u, p, q, None, reverse)
        else:
            out, last, last_c = {one.name}_of_packed(x, counts, h, c, w, u, p, q, None, reverse)"""
    for mode, one in enumerate(NETWORKS)
)
_LAYER = f"""
def layer_of_mode(
    x: Tensor, counts: List[int], h: Tensor, c: Tensor, w: Tensor, u: Tensor, p: Tensor, q: Tensor, reverse: bool, mode: int
) -> Tuple[Tensor, Tensor, Tensor]:
    out, last, last_c = x, h, c
    {_EACH}
    return out, last, last_c
"""
SOURCE = "\n".join([*(one.source for one in NETWORKS), _LAYER])
