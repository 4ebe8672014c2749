"""Speech recognition: attention with relative positions between two half feed-forwards, and a convolution, over padded frames."""

import math
from typing import List, Optional, Tuple

import numpy as np
from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def _lengths_to_padding_mask(lengths: Tensor) -> Tensor:
    batch_size = lengths.shape[0]
    max_length = int(torch.max(lengths).item())
    padding_mask = torch.arange(max_length, device=lengths.device, dtype=lengths.dtype).expand(
        batch_size, max_length
    ) >= lengths.unsqueeze(1)
    return padding_mask


class RelPositionalEncoding(nn.Module):
    """Sines and cosines of distances from -T + 1 to T - 1; the table grows when longer inputs come."""

    pe: Tensor

    def __init__(self, d_model: int, max_len: int = 4):
        super().__init__()
        self.d_model = d_model
        self.xscale = math.sqrt(d_model)
        self.register_buffer("pe", torch.zeros(1, 1, d_model), persistent=False)
        self.max_len = max_len

    def extend_pe(self, length: int) -> None:
        if self.pe.size(1) >= length * 2 - 1:
            return
        pe_positive = torch.zeros(length, self.d_model)
        pe_negative = torch.zeros(length, self.d_model)
        position = torch.arange(0, length, dtype=torch.float32).unsqueeze(1)
        div_term = torch.exp(
            torch.arange(0, self.d_model, 2, dtype=torch.float32)
            * -(math.log(10000.0) / self.d_model)
        )
        pe_positive[:, 0::2] = torch.sin(position * div_term)
        pe_positive[:, 1::2] = torch.cos(position * div_term)
        pe_negative[:, 0::2] = torch.sin(-1 * position * div_term)
        pe_negative[:, 1::2] = torch.cos(-1 * position * div_term)
        pe_positive = torch.flip(pe_positive, [0]).unsqueeze(0)
        pe_negative = pe_negative[1:].unsqueeze(0)
        self.pe = torch.cat([pe_positive, pe_negative], dim=1)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        self.extend_pe(x.size(1))
        middle = self.pe.size(1) // 2
        pos_emb = self.pe[:, middle - x.size(1) + 1 : middle + x.size(1)]
        return x * self.xscale, pos_emb


class RelPositionMultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float):
        super().__init__()
        self.h = num_heads
        self.d_k = d_model // num_heads
        self.linear_q = nn.Linear(d_model, d_model)
        self.linear_k = nn.Linear(d_model, d_model)
        self.linear_v = nn.Linear(d_model, d_model)
        self.linear_pos = nn.Linear(d_model, d_model, bias=False)
        self.linear_out = nn.Linear(d_model, d_model)
        self.pos_bias_u = nn.Parameter(torch.zeros(num_heads, d_model // num_heads))
        self.pos_bias_v = nn.Parameter(torch.zeros(num_heads, d_model // num_heads))
        self.dropout = nn.Dropout(dropout)

    def rel_shift(self, x: Tensor) -> Tensor:
        """Each row moved so that its middle is at distance zero."""
        b, h, qlen, pos_len = x.size()
        x = F.pad(x, (1, 0))
        x = x.view(b, h, -1, qlen)
        x = x[:, :, 1:].view(b, h, qlen, pos_len)
        return x[:, :, :, : pos_len // 2 + 1]

    def forward(self, x: Tensor, pos_emb: Tensor, mask: Optional[Tensor]) -> Tensor:
        n_batch = x.size(0)
        q = self.linear_q(x).view(n_batch, -1, self.h, self.d_k)
        k = self.linear_k(x).view(n_batch, -1, self.h, self.d_k).transpose(1, 2)
        v = self.linear_v(x).view(n_batch, -1, self.h, self.d_k).transpose(1, 2)
        p = self.linear_pos(pos_emb).view(1, -1, self.h, self.d_k).transpose(1, 2)
        q_with_bias_u = (q + self.pos_bias_u).transpose(1, 2)
        q_with_bias_v = (q + self.pos_bias_v).transpose(1, 2)
        matrix_ac = torch.matmul(q_with_bias_u, k.transpose(-2, -1))
        matrix_bd = self.rel_shift(torch.matmul(q_with_bias_v, p.transpose(-2, -1)))
        scores = (matrix_ac + matrix_bd) / math.sqrt(self.d_k)
        if mask is not None:
            mask = mask[:, None, None, :]
            scores = scores.masked_fill(mask, -10000.0)
            attn = torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)
        else:
            attn = torch.softmax(scores, dim=-1)
        x = torch.matmul(self.dropout(attn), v)
        x = x.transpose(1, 2).reshape(n_batch, -1, self.h * self.d_k)
        return self.linear_out(x)


class ConvolutionModule(nn.Module):
    def __init__(self, channels: int, kernel_size: int):
        super().__init__()
        if (kernel_size - 1) % 2 != 0:
            raise ValueError("depthwise_kernel_size must be odd to achieve 'SAME' padding.")
        self.layer_norm = nn.LayerNorm(channels)
        self.pointwise1 = nn.Conv1d(channels, 2 * channels, 1)
        self.depthwise = nn.Conv1d(
            channels, channels, kernel_size, padding=(kernel_size - 1) // 2, groups=channels
        )
        self.norm = nn.BatchNorm1d(channels)
        self.pointwise2 = nn.Conv1d(channels, channels, 1)

    def forward(self, input: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = self.layer_norm(input).transpose(1, 2)
        x = F.glu(self.pointwise1(x), dim=1)
        if mask is not None:
            x = x.float().masked_fill(mask.unsqueeze(1), 0.0)
        x = self.depthwise(x)
        x = F.silu(self.norm(x))
        return self.pointwise2(x).transpose(1, 2)


class FeedForwardModule(nn.Module):
    def __init__(self, input_dim: int, hidden_dim: int):
        super().__init__()
        self.sequential = nn.Sequential(
            nn.LayerNorm(input_dim),
            nn.Linear(input_dim, hidden_dim),
            nn.SiLU(),
            nn.Dropout(0.1),
            nn.Linear(hidden_dim, input_dim),
        )

    def forward(self, input: Tensor) -> Tensor:
        return self.sequential(input)


class ConformerLayer(nn.Module):
    def __init__(self, dim: int, convolution_first: bool = False):
        super().__init__()
        self.ffn1 = FeedForwardModule(dim, 2 * dim)
        self.norm = nn.LayerNorm(dim)
        self.attention = RelPositionMultiHeadAttention(dim, 2, 0.1)
        self.conv_module = ConvolutionModule(dim, 3)
        self.ffn2 = FeedForwardModule(dim, 2 * dim)
        self.final_layer_norm = nn.LayerNorm(dim)
        self.convolution_first = convolution_first

    def _apply_convolution(self, input: Tensor, mask: Optional[Tensor]) -> Tensor:
        return input + self.conv_module(input, mask)

    def forward(self, input: Tensor, pos_emb: Tensor, key_padding_mask: Optional[Tensor]) -> Tensor:
        residual = input
        x = self.ffn1(input)
        x = x * 0.5 + residual
        if self.convolution_first:
            x = self._apply_convolution(x, key_padding_mask)
        residual = x
        x = self.attention(self.norm(x), pos_emb, key_padding_mask)
        x = x + residual
        if not self.convolution_first:
            x = self._apply_convolution(x, key_padding_mask)
        residual = x
        x = self.ffn2(x)
        x = x * 0.5 + residual
        return self.final_layer_norm(x)


class Conformer(nn.Module):
    def __init__(self, input_dim: int, dim: int, num_layers: int, vocabulary: int):
        super().__init__()
        self.subsample = nn.Conv1d(input_dim, dim, 3, stride=2, padding=1)
        self.position = RelPositionalEncoding(dim)
        self.conformer_layers = nn.ModuleList(
            [ConformerLayer(dim, convolution_first=i == 1) for i in range(num_layers)]
        )
        self.decoder = nn.Linear(dim, vocabulary)

    def forward(self, input: Tensor, lengths: Tensor) -> Tuple[Tensor, Tensor]:
        x = F.relu(self.subsample(input.transpose(1, 2))).transpose(1, 2)
        lengths = torch.div(lengths + 1, 2, rounding_mode="trunc")
        mask = _lengths_to_padding_mask(lengths)
        x, pos_emb = self.position(x)
        for layer in self.conformer_layers:
            x = layer(x, pos_emb, mask)
        return F.log_softmax(self.decoder(x), dim=-1), lengths


def make():
    return Conformer(5, 8, 2, 6)


CALLS = [
    (normal(0, 2, 10, 5), np.array([10, 7])),
    (normal(1, 2, 10, 5), np.array([8, 10])),
    (normal(2, 1, 14, 5), np.array([14])),
]
