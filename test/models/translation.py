"""An encoder and a decoder with beams: what was computed of earlier steps is kept in dictionaries of dictionaries and reordered."""

import math
from typing import Dict, List, NamedTuple, Optional, Tuple

import numpy as np
from examples._torch import torch
from support.models import whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor

IncrementalState = Dict[str, Dict[str, Optional[Tensor]]]


class Finished:
    """A sentence and how good it is; sorted, the best comes first."""

    def __init__(self, score: float, tokens: List[int]):
        self.score = score
        self.tokens = tokens

    def __lt__(self, other: "Finished") -> bool:
        return self.score > other.score


class EncoderOut(NamedTuple):
    encoder_out: Tensor  # (B, T, C)
    encoder_padding_mask: Optional[Tensor]  # (B, T)
    encoder_states: List[Tensor]


def softmax(x: Tensor, dim: int, onnx_trace: bool = False) -> Tensor:
    if onnx_trace:
        return F.softmax(x.float(), dim=dim)
    else:
        return F.softmax(x, dim=dim, dtype=torch.float32)


class PositionalEncoding(nn.Module):
    def __init__(self, dim: int, max_len: int = 16):
        super().__init__()
        pe = torch.zeros(max_len, dim)
        position = torch.arange(0, max_len, dtype=torch.float32).unsqueeze(1)
        div_term = torch.exp(
            torch.arange(0, dim, 2, dtype=torch.float32) * (-math.log(10000.0) / dim)
        )
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Tensor, offset: int = 0) -> Tensor:
        return x + self.pe[offset : offset + x.size(1)]


class MultiheadAttention(nn.Module):
    def __init__(self, dim: int, num_heads: int, name: str, is_self: bool):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scaling = self.head_dim**-0.5
        self.q_proj = nn.Linear(dim, dim)
        self.k_proj = nn.Linear(dim, dim)
        self.v_proj = nn.Linear(dim, dim)
        self.out_proj = nn.Linear(dim, dim)
        self.key = name + ".attn_state"
        self.is_self = is_self

    def _get_input_buffer(
        self, incremental_state: Optional[IncrementalState]
    ) -> Dict[str, Optional[Tensor]]:
        if incremental_state is not None and self.key in incremental_state:
            return incremental_state[self.key]
        empty_result: Dict[str, Optional[Tensor]] = {}
        return empty_result

    def _set_input_buffer(
        self, incremental_state: IncrementalState, buffer: Dict[str, Optional[Tensor]]
    ) -> None:
        incremental_state[self.key] = buffer

    @torch.jit.export
    def reorder(self, incremental_state: IncrementalState, new_order: Tensor) -> None:
        input_buffer = self._get_input_buffer(incremental_state)
        if len(input_buffer) > 0:
            for k in input_buffer.keys():
                input_buffer_k = input_buffer[k]
                if input_buffer_k is not None:
                    input_buffer[k] = input_buffer_k.index_select(0, new_order)
            self._set_input_buffer(incremental_state, input_buffer)

    def _split(self, x: Tensor) -> Tensor:
        return x.view(x.size(0), -1, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(
        self,
        query: Tensor,
        key: Optional[Tensor],
        key_padding_mask: Optional[Tensor] = None,
        incremental_state: Optional[IncrementalState] = None,
        attn_mask: Optional[Tensor] = None,
    ) -> Tensor:
        saved = self._get_input_buffer(incremental_state)
        q = self._split(self.q_proj(query) * self.scaling)
        k: Optional[Tensor] = None
        v: Optional[Tensor] = None
        if not self.is_self and "prev_key" in saved:
            k, v = saved["prev_key"], saved["prev_value"]
        else:
            source = query if key is None else key
            k, v = self._split(self.k_proj(source)), self._split(self.v_proj(source))
            if "prev_key" in saved:
                prev_key, prev_value = saved["prev_key"], saved["prev_value"]
                assert prev_key is not None and prev_value is not None
                k = torch.cat([prev_key, k], dim=2)
                v = torch.cat([prev_value, v], dim=2)
        assert k is not None and v is not None
        if incremental_state is not None:
            saved["prev_key"] = k
            saved["prev_value"] = v
            self._set_input_buffer(incremental_state, saved)
        weights = torch.matmul(q, k.transpose(-2, -1))
        if attn_mask is not None:
            weights += attn_mask
        if key_padding_mask is not None:
            weights = weights.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
        out = torch.matmul(softmax(weights, dim=-1).type_as(weights), v)
        return self.out_proj(out.transpose(1, 2).reshape(query.size(0), -1, query.size(2)))


class EncoderLayer(nn.Module):
    def __init__(self, dim: int, name: str):
        super().__init__()
        self.attention = MultiheadAttention(dim, 2, name, is_self=True)
        self.norms = nn.ModuleList([nn.LayerNorm(dim), nn.LayerNorm(dim)])
        self.fc = nn.Sequential(nn.Linear(dim, 2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))

    def forward(self, x: Tensor, padding: Optional[Tensor]) -> Tensor:
        x = x + self.attention(self.norms[0](x), None, padding)
        return x + self.fc(self.norms[1](x))


class DecoderLayer(nn.Module):
    def __init__(self, dim: int, name: str):
        super().__init__()
        self.self_attn = MultiheadAttention(dim, 2, name + ".self", is_self=True)
        self.encoder_attn = MultiheadAttention(dim, 2, name + ".encoder", is_self=False)
        self.norms = nn.ModuleList([nn.LayerNorm(dim) for _ in range(3)])
        self.fc = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x: Tensor, encoded: EncoderOut, state: Optional[IncrementalState]) -> Tensor:
        x = x + self.self_attn(self.norms[0](x), None, None, state)
        x = x + self.encoder_attn(
            self.norms[1](x), encoded.encoder_out, encoded.encoder_padding_mask, state
        )
        return x + self.fc(self.norms[2](x))


class Translator(nn.Module):
    def __init__(self, vocabulary: int = 9, dim: int = 8, beam_size: int = 2, max_len: int = 4):
        super().__init__()
        self.pad, self.bos, self.eos = 0, 1, 2
        self.embed = nn.Embedding(vocabulary, dim)
        self.position = PositionalEncoding(dim)
        self.encoder = nn.ModuleList([EncoderLayer(dim, f"encoder.{i}") for i in range(1)])
        self.decoder = nn.ModuleList([DecoderLayer(dim, f"decoder.{i}") for i in range(2)])
        self.output = nn.Linear(dim, vocabulary, bias=False)
        self.beam_size, self.max_len, self.len_penalty = beam_size, max_len, 1.0

    def encode(self, source: Tensor) -> EncoderOut:
        padding = source.eq(self.pad)
        has_pads = bool(padding.any())
        x = self.position(self.embed(source) * math.sqrt(self.embed.embedding_dim))
        states: List[Tensor] = []
        for layer in self.encoder:
            x = layer(x, padding if has_pads else None)
            states.append(x)
        return EncoderOut(x, padding if has_pads else None, states)

    def reorder(self, encoded: EncoderOut, state: IncrementalState, order: Tensor) -> EncoderOut:
        for layer in self.decoder:
            layer.self_attn.reorder(state, order)
            layer.encoder_attn.reorder(state, order)
        mask = encoded.encoder_padding_mask
        if mask is not None:
            mask = mask.index_select(0, order)
        return EncoderOut(encoded.encoder_out.index_select(0, order), mask, encoded.encoder_states)

    def step(
        self, token: Tensor, index: int, encoded: EncoderOut, state: IncrementalState
    ) -> Tensor:
        x = self.position(self.embed(token) * math.sqrt(self.embed.embedding_dim), index)
        for layer in self.decoder:
            x = layer(x, encoded, state)
        return F.log_softmax(self.output(x[:, -1]), dim=-1)

    def forward(self, source: Tensor) -> List[List[Tuple[List[int], float]]]:
        results: List[List[Tuple[List[int], float]]] = []
        for i in range(source.size(0)):
            state = torch.jit.annotate(Dict[str, Dict[str, Optional[Tensor]]], {})
            encoded = self.encode(source[i : i + 1])
            encoded = self.reorder(encoded, state, torch.zeros(self.beam_size, dtype=torch.long))
            tokens = torch.full([self.beam_size, 1], self.bos, dtype=torch.long)
            scores = torch.tensor([0.0] + [-1e9] * (self.beam_size - 1))
            finished: List[Finished] = []
            for step in range(self.max_len):
                logits = self.step(tokens[:, -1:], step, encoded, state)
                logits[:, self.pad] = -math.inf
                candidates = (scores.unsqueeze(1) + logits).view(-1)
                best, where = candidates.topk(self.beam_size)
                beams = torch.div(where, logits.size(1), rounding_mode="floor")
                words = where.fmod(logits.size(1))
                tokens = torch.cat([tokens[beams], words.unsqueeze(1)], dim=1)
                scores = best
                encoded = self.reorder(encoded, state, beams)
                for b in range(self.beam_size):
                    if words[b] == self.eos or step == self.max_len - 1:
                        rated = float(scores[b]) / (step + 1) ** self.len_penalty
                        line: List[int] = tokens[b].tolist()
                        finished.append(Finished(rated, line))
                        scores[b] = -math.inf
                if bool(torch.isinf(scores).all()):
                    break
            finished.sort()
            results.append([(one.tokens, one.score) for one in finished])
        return results


def make():
    return Translator()


CALLS = [
    (np.array([[3, 5, 4, 0], [6, 3, 7, 8]]),),
    (np.array([[4, 4, 5, 6], [8, 3, 0, 0]]),),
    (2 + whole(2, 7, 1, 6),),
]
