"""Text to speech: letters attended to where they were attended to before, frames from a loop that a gate ends."""

from math import sqrt
from typing import List, Optional, Tuple

import numpy as np
from examples._torch import torch
from support.models import whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def _get_linear_layer(in_dim: int, out_dim: int, bias: bool = True):
    return nn.Linear(in_dim, out_dim, bias=bias)


def _get_mask_from_lengths(lengths: Tensor) -> Tensor:
    max_len = torch.max(lengths).item()
    ids = torch.arange(0, max_len, device=lengths.device, dtype=lengths.dtype)
    mask = (ids < lengths.unsqueeze(1)).byte()
    mask = torch.le(mask, 0)
    return mask


class _LocationLayer(nn.Module):
    def __init__(self, attention_n_filter: int, attention_kernel_size: int, hidden: int):
        super().__init__()
        padding = int((attention_kernel_size - 1) / 2)
        self.location_conv = nn.Conv1d(
            2, attention_n_filter, attention_kernel_size, padding=padding, bias=False
        )
        self.location_dense = _get_linear_layer(attention_n_filter, hidden, bias=False)

    def forward(self, attention_weights_cat: Tensor) -> Tensor:
        processed_attention = self.location_conv(attention_weights_cat)
        processed_attention = processed_attention.transpose(1, 2)
        return self.location_dense(processed_attention)


class _Attention(nn.Module):
    def __init__(self, rnn_dim: int, embedding_dim: int, hidden: int):
        super().__init__()
        self.query_layer = _get_linear_layer(rnn_dim, hidden, bias=False)
        self.memory_layer = _get_linear_layer(embedding_dim, hidden, bias=False)
        self.v = _get_linear_layer(hidden, 1, bias=False)
        self.location_layer = _LocationLayer(3, 3, hidden)
        self.score_mask_value = -float("inf")

    def _get_alignment_energies(
        self, query: Tensor, processed_memory: Tensor, attention_weights_cat: Tensor
    ) -> Tensor:
        processed_query = self.query_layer(query.unsqueeze(1))
        processed_attention_weights = self.location_layer(attention_weights_cat)
        energies = self.v(
            torch.tanh(processed_query + processed_attention_weights + processed_memory)
        )
        return energies.squeeze(2)

    def forward(
        self,
        attention_hidden_state: Tensor,
        memory: Tensor,
        processed_memory: Tensor,
        attention_weights_cat: Tensor,
        mask: Tensor,
    ) -> Tuple[Tensor, Tensor]:
        alignment = self._get_alignment_energies(
            attention_hidden_state, processed_memory, attention_weights_cat
        )
        alignment = alignment.masked_fill(mask, self.score_mask_value)
        attention_weights = F.softmax(alignment, dim=1)
        attention_context = torch.bmm(attention_weights.unsqueeze(1), memory)
        return attention_context.squeeze(1), attention_weights


class _Prenet(nn.Module):
    def __init__(self, in_dim: int, out_sizes: List[int]):
        super().__init__()
        in_sizes = [in_dim] + out_sizes[:-1]
        self.layers = nn.ModuleList(
            [_get_linear_layer(i, o, bias=False) for (i, o) in zip(in_sizes, out_sizes)]
        )

    def forward(self, x: Tensor) -> Tensor:
        for linear in self.layers:
            x = F.dropout(F.relu(linear(x)), p=0.5, training=self.training)
        return x


class _Postnet(nn.Module):
    def __init__(self, n_mels: int, dim: int, n_convolution: int):
        super().__init__()
        self.convolutions = nn.ModuleList()
        for i in range(n_convolution):
            in_channels = n_mels if i == 0 else dim
            out_channels = n_mels if i == (n_convolution - 1) else dim
            self.convolutions.append(
                nn.Sequential(
                    nn.Conv1d(in_channels, out_channels, 3, padding=1), nn.BatchNorm1d(out_channels)
                )
            )
        self.n_convs = len(self.convolutions)

    def forward(self, x: Tensor) -> Tensor:
        for i, conv in enumerate(self.convolutions):
            if i < self.n_convs - 1:
                x = F.dropout(torch.tanh(conv(x)), 0.5, training=self.training)
            else:
                x = F.dropout(conv(x), 0.5, training=self.training)
        return x


class _Decoder(nn.Module):
    def __init__(self, n_mels: int, dim: int, max_step: int):
        super().__init__()
        self.n_mels = n_mels
        self.dim = dim
        self.decoder_max_step = max_step
        self.gate_threshold = 0.5
        self.prenet = _Prenet(n_mels, [dim, dim])
        self.attention_rnn = nn.LSTMCell(2 * dim, dim)
        self.attention_layer = _Attention(dim, dim, 4)
        self.decoder_rnn = nn.LSTMCell(2 * dim, dim, True)
        self.linear_projection = _get_linear_layer(2 * dim, n_mels)
        self.gate_layer = _get_linear_layer(2 * dim, 1)

    def _initialize_decoder_states(
        self, memory: Tensor
    ) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
        batch_size = memory.size(0)
        max_time = memory.size(1)
        dtype = memory.dtype
        device = memory.device
        attention_hidden = torch.zeros(batch_size, self.dim, dtype=dtype, device=device)
        attention_cell = torch.zeros(batch_size, self.dim, dtype=dtype, device=device)
        decoder_hidden = torch.zeros(batch_size, self.dim, dtype=dtype, device=device)
        decoder_cell = torch.zeros(batch_size, self.dim, dtype=dtype, device=device)
        attention_weights = torch.zeros(batch_size, max_time, dtype=dtype, device=device)
        attention_weights_cum = torch.zeros(batch_size, max_time, dtype=dtype, device=device)
        attention_context = torch.zeros(batch_size, self.dim, dtype=dtype, device=device)
        processed_memory = self.attention_layer.memory_layer(memory)
        return (
            attention_hidden,
            attention_cell,
            decoder_hidden,
            decoder_cell,
            attention_weights,
            attention_weights_cum,
            attention_context,
            processed_memory,
        )

    @torch.jit.export
    def infer(
        self, memory: Tensor, memory_lengths: Tensor
    ) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        batch_size, device = memory.size(0), memory.device
        decoder_input = torch.zeros(batch_size, self.n_mels, dtype=memory.dtype, device=device)
        mask = _get_mask_from_lengths(memory_lengths)
        (
            attention_hidden,
            attention_cell,
            decoder_hidden,
            decoder_cell,
            attention_weights,
            attention_weights_cum,
            attention_context,
            processed_memory,
        ) = self._initialize_decoder_states(memory)
        mel_lengths = torch.zeros([batch_size], dtype=torch.int32, device=device)
        finished = torch.zeros([batch_size], dtype=torch.bool, device=device)
        specgrams: List[Tensor] = []
        gates: List[Tensor] = []
        alignments: List[Tensor] = []
        for _ in range(self.decoder_max_step):
            prenet_out = self.prenet(decoder_input)
            cell_input = torch.cat((prenet_out, attention_context), -1)
            attention_hidden, attention_cell = self.attention_rnn(
                cell_input, (attention_hidden, attention_cell)
            )
            attention_weights_cat = torch.cat(
                (attention_weights.unsqueeze(1), attention_weights_cum.unsqueeze(1)), dim=1
            )
            attention_context, attention_weights = self.attention_layer(
                attention_hidden, memory, processed_memory, attention_weights_cat, mask
            )
            attention_weights_cum += attention_weights
            decoder_hidden, decoder_cell = self.decoder_rnn(
                torch.cat((attention_hidden, attention_context), -1), (decoder_hidden, decoder_cell)
            )
            both = torch.cat((decoder_hidden, attention_context), dim=1)
            specgram = self.linear_projection(both)
            gate = self.gate_layer(both)
            specgrams.append(specgram.unsqueeze(0))
            gates.append(gate.transpose(0, 1))
            alignments.append(attention_weights)
            mel_lengths[~finished] += 1
            finished |= torch.sigmoid(gate.squeeze(1)) > self.gate_threshold
            if torch.all(finished):
                break
            decoder_input = specgram
        return (
            torch.cat(specgrams, dim=0).permute(1, 2, 0),
            mel_lengths,
            torch.cat(gates, dim=0).transpose(0, 1).contiguous(),
            torch.cat(alignments, dim=0),
        )

    def forward(self, memory: Tensor, memory_lengths: Tensor):
        return self.infer(memory, memory_lengths)


class Tacotron(nn.Module):
    def __init__(self, n_symbol: int = 9, n_mels: int = 4, dim: int = 6, max_step: int = 7):
        super().__init__()
        self.embedding = nn.Embedding(n_symbol, dim)
        std = sqrt(2.0 / (n_symbol + dim))
        self.embedding_scale = sqrt(3.0) * std
        self.encoder = nn.Conv1d(dim, dim, 3, padding=1)
        self.decoder = _Decoder(n_mels, dim, max_step)
        self.postnet = _Postnet(n_mels, dim, 2)

    def forward(self, tokens: Tensor, lengths: Optional[Tensor] = None):
        n_batch, max_length = tokens.shape
        if lengths is None:
            lengths = torch.tensor([max_length]).expand(n_batch).to(tokens.device, tokens.dtype)
        assert lengths is not None  # For TorchScript compiler
        embedded = self.embedding(tokens).transpose(1, 2) * self.embedding_scale
        memory = F.relu(self.encoder(embedded)).transpose(1, 2)
        mel, mel_lengths, gates, alignments = self.decoder(memory, lengths)
        mel_post = self.postnet(mel)
        mel_post = mel + mel_post
        alignments = alignments.unfold(0, n_batch, n_batch).transpose(0, 2)
        return mel_post, mel_lengths, gates, alignments


def make():
    return Tacotron()


CALLS = [
    (whole(0, 9, 2, 5), np.array([5, 3])),
    (whole(1, 9, 2, 5), np.array([5, 4])),
    (whole(2, 9, 1, 7), None),
]
