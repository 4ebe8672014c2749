"""A language model of recurrent layers written out: states are named tuples, layers and directions are handed in, steps go backwards."""

import warnings
from typing import List, NamedTuple, Optional, Tuple

from examples._torch import torch
from support.models import whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class LSTMState(NamedTuple):
    hx: Tensor
    cx: Tensor


def reverse(lst: List[Tensor]) -> List[Tensor]:
    out = torch.jit.annotate(List[Tensor], [])
    start = len(lst) - 1
    end = -1
    step = -1
    for i in range(start, end, step):
        out += [lst[i]]
    return out


class LayerNorm(nn.Module):
    def __init__(self, size: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.bias = nn.Parameter(torch.zeros(size))
        self.normalized_shape = (size,)

    def compute_layernorm_stats(self, input: Tensor):
        mu = input.mean(-1, keepdim=True)
        sigma = input.std(-1, keepdim=True, unbiased=False)
        return mu, sigma

    def forward(self, input):
        mu, sigma = self.compute_layernorm_stats(input)
        return (input - mu) / sigma * self.weight + self.bias


class LayerNormLSTMCell(nn.Module):
    def __init__(self, input_size: int, hidden_size: int, decompose_layernorm: bool = False):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.weight_ih = nn.Parameter(torch.randn(4 * hidden_size, input_size))
        self.weight_hh = nn.Parameter(torch.randn(4 * hidden_size, hidden_size))
        ln = LayerNorm if decompose_layernorm else nn.Identity
        self.layernorm_i = ln(4 * hidden_size)
        self.layernorm_h = ln(4 * hidden_size)
        self.layernorm_c = ln(hidden_size)

    def forward(self, input: Tensor, state: LSTMState) -> Tuple[Tensor, LSTMState]:
        hx, cx = state
        igates = self.layernorm_i(torch.mm(input, self.weight_ih.t()))
        hgates = self.layernorm_h(torch.mm(hx, self.weight_hh.t()))
        gates = igates + hgates
        ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
        ingate = torch.sigmoid(ingate)
        forgetgate = torch.sigmoid(forgetgate)
        cellgate = torch.tanh(cellgate)
        outgate = torch.sigmoid(outgate)
        cy = self.layernorm_c((forgetgate * cx) + (ingate * cellgate))
        hy = outgate * torch.tanh(cy)
        return hy, LSTMState(hy, cy)


class LSTMLayer(nn.Module):
    def __init__(self, cell, *cell_args):
        super().__init__()
        self.cell = cell(*cell_args)

    def forward(self, input: Tensor, state: LSTMState) -> Tuple[Tensor, LSTMState]:
        inputs = input.unbind(0)
        outputs = torch.jit.annotate(List[Tensor], [])
        for i in range(len(inputs)):
            out, state = self.cell(inputs[i], state)
            outputs += [out]
        return torch.stack(outputs), state


class ReverseLSTMLayer(nn.Module):
    def __init__(self, cell, *cell_args):
        super().__init__()
        self.cell = cell(*cell_args)

    def forward(self, input: Tensor, state: LSTMState) -> Tuple[Tensor, LSTMState]:
        inputs = reverse(input.unbind(0))
        outputs = torch.jit.annotate(List[Tensor], [])
        for i in range(len(inputs)):
            out, state = self.cell(inputs[i], state)
            outputs += [out]
        return torch.stack(reverse(outputs)), state


class BidirLSTMLayer(nn.Module):
    __constants__ = ["directions"]

    def __init__(self, cell, *cell_args):
        super().__init__()
        self.directions = nn.ModuleList(
            [LSTMLayer(cell, *cell_args), ReverseLSTMLayer(cell, *cell_args)]
        )

    def forward(self, input: Tensor, states: List[LSTMState]) -> Tuple[Tensor, List[LSTMState]]:
        outputs = torch.jit.annotate(List[Tensor], [])
        output_states = torch.jit.annotate(List[LSTMState], [])
        i = 0
        for direction in self.directions:
            state = states[i]
            out, out_state = direction(input, state)
            outputs += [out]
            output_states += [out_state]
            i += 1
        return torch.cat(outputs, -1), output_states


class StackedLSTMWithDropout(nn.Module):
    __constants__ = ["layers", "num_layers"]

    def __init__(self, num_layers: int, size: int):
        super().__init__()
        self.layers = nn.ModuleList(
            [LSTMLayer(LayerNormLSTMCell, size, size, i % 2 == 0) for i in range(num_layers)]
        )
        self.num_layers = num_layers
        if num_layers == 1:
            warnings.warn("dropout lstm adds dropout layers after all but last recurrent layer")
        self.dropout_layer = nn.Dropout(0.4)

    def forward(self, input: Tensor, states: List[LSTMState]) -> Tuple[Tensor, List[LSTMState]]:
        output_states = torch.jit.annotate(List[LSTMState], [])
        output = input
        i = 0
        for rnn_layer in self.layers:
            state = states[i]
            output, out_state = rnn_layer(output, state)
            # Apply the dropout layer except the last layer
            if i < self.num_layers - 1:
                output = self.dropout_layer(output)
            output_states += [out_state]
            i += 1
        return output, output_states


class LanguageModel(nn.Module):
    def __init__(self, vocabulary: int = 7, size: int = 6, num_layers: int = 2):
        super().__init__()
        self.encoder = nn.Embedding(vocabulary, size)
        self.rnn = StackedLSTMWithDropout(num_layers, size)
        self.context = BidirLSTMLayer(LayerNormLSTMCell, size, size // 2)
        self.decoder = nn.Linear(size, vocabulary)
        self.decoder.weight = self.encoder.weight  # tied
        self.size, self.num_layers = size, num_layers

    def init_hidden(self, layers: int, batch: int, size: int) -> List[LSTMState]:
        weight = self.encoder.weight
        return [
            LSTMState(weight.new_zeros(batch, size), weight.new_zeros(batch, size))
            for _ in range(layers)
        ]

    @torch.jit.export
    def generate(self, token: Tensor, states: List[LSTMState], count: int) -> List[int]:
        found: List[int] = []
        for _ in range(count):
            out, states = self.rnn(self.encoder(token).unsqueeze(0), states)
            token = self.decoder(out[-1]).argmax(-1)
            found.append(int(token[0]))
        return found

    def forward(self, tokens: Tensor, targets: Optional[Tensor] = None):
        batch = tokens.size(1)
        emb = self.encoder(tokens)
        mixed, _ = self.context(emb, self.init_hidden(2, batch, self.size // 2))
        output, hidden = self.rnn(emb + mixed, self.init_hidden(self.num_layers, batch, self.size))
        decoded = F.log_softmax(self.decoder(output), dim=2)
        loss: Optional[Tensor] = None
        if targets is not None:
            picked = decoded.gather(2, targets.unsqueeze(2))
            loss = -picked.mean()
        return decoded, loss, hidden[-1].cx, self.generate(tokens[-1], hidden, 3)


def make():
    return LanguageModel()


CALLS = [
    (whole(0, 7, 4, 2), whole(5, 7, 4, 2)),
    (whole(1, 7, 4, 2), whole(6, 7, 4, 2)),
    (whole(2, 7, 6, 1),),
]
