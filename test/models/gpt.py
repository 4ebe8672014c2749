"""A decoder that keeps keys and values: rotated positions, norms by root mean square, groups of heads, tokens by rank."""

import math
from dataclasses import dataclass
from typing import List, Optional, Tuple

from examples._torch import torch
from support.models import whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


@dataclass
class ModelArgs:
    dim: int = 8
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: Optional[int] = 2
    vocab_size: int = 11
    norm_eps: float = 1e-5
    max_seq_len: int = 12


class RMSNorm(nn.Module):
    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x: Tensor) -> Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x: Tensor) -> Tensor:
        output = self._norm(x.float()).type_as(x)
        return output * self.weight


def precompute_freqs(dim: int, end: int, theta: float = 10000.0) -> Tuple[Tensor, Tensor]:
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end)
    freqs = torch.outer(t.float(), freqs)
    return torch.cos(freqs), torch.sin(freqs)


def reshape_for_broadcast(freqs: Tensor, x: Tensor) -> Tensor:
    ndim = x.ndim
    assert 0 <= 1 < ndim
    assert freqs.shape == (x.shape[1], x.shape[-1])
    shape = [d if i == 1 or i == ndim - 1 else 1 for i, d in enumerate(x.shape)]
    return freqs.view(shape)


def apply_rotary_emb(xq: Tensor, xk: Tensor, cos: Tensor, sin: Tensor) -> Tuple[Tensor, Tensor]:
    xq_r, xq_i = xq.float().reshape(xq.shape[:-1] + [-1, 2]).unbind(-1)
    xk_r, xk_i = xk.float().reshape(xk.shape[:-1] + [-1, 2]).unbind(-1)
    cos = reshape_for_broadcast(cos, xq_r)
    sin = reshape_for_broadcast(sin, xq_r)
    xq_out = torch.stack([xq_r * cos - xq_i * sin, xq_r * sin + xq_i * cos], dim=-1).flatten(3)
    xk_out = torch.stack([xk_r * cos - xk_i * sin, xk_r * sin + xk_i * cos], dim=-1).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)


def repeat_kv(x: Tensor, n_rep: int) -> Tensor:
    bs, slen, n_kv_heads, head_dim = x.shape
    if n_rep == 1:
        return x
    return (
        x[:, :, :, None, :]
        .expand(bs, slen, n_kv_heads, n_rep, head_dim)
        .reshape(bs, slen, n_kv_heads * n_rep, head_dim)
    )


class Attention(nn.Module):
    cache_k: Tensor
    cache_v: Tensor

    def __init__(self, args: ModelArgs):
        super().__init__()
        self.n_kv_heads = args.n_heads if args.n_kv_heads is None else args.n_kv_heads
        self.n_heads = args.n_heads
        self.n_rep = self.n_heads // self.n_kv_heads
        self.head_dim = args.dim // args.n_heads
        self.wq = nn.Linear(args.dim, args.n_heads * self.head_dim, bias=False)
        self.wk = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, self.n_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(args.n_heads * self.head_dim, args.dim, bias=False)
        size = (1, args.max_seq_len, self.n_kv_heads, self.head_dim)
        self.register_buffer("cache_k", torch.zeros(size), persistent=False)
        self.register_buffer("cache_v", torch.zeros(size), persistent=False)

    def forward(
        self, x: Tensor, start: int, cos: Tensor, sin: Tensor, mask: Optional[Tensor]
    ) -> Tensor:
        bsz, seqlen, _ = x.shape
        xq = self.wq(x).view(bsz, seqlen, self.n_heads, self.head_dim)
        xk = self.wk(x).view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        xv = self.wv(x).view(bsz, seqlen, self.n_kv_heads, self.head_dim)
        xq, xk = apply_rotary_emb(xq, xk, cos=cos, sin=sin)
        self.cache_k[:bsz, start : start + seqlen] = xk
        self.cache_v[:bsz, start : start + seqlen] = xv
        keys = repeat_kv(self.cache_k[:bsz, : start + seqlen], self.n_rep).transpose(1, 2)
        values = repeat_kv(self.cache_v[:bsz, : start + seqlen], self.n_rep).transpose(1, 2)
        scores = torch.matmul(xq.transpose(1, 2), keys.transpose(2, 3)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores + mask
        scores = F.softmax(scores.float(), dim=-1).type_as(xq)
        output = torch.matmul(scores, values)
        output = output.transpose(1, 2).contiguous().view(bsz, seqlen, -1)
        return self.wo(output)


class FeedForward(nn.Module):
    def __init__(self, dim: int, hidden_dim: int, multiple_of: int = 4):
        super().__init__()
        hidden_dim = multiple_of * ((int(2 * hidden_dim / 3) + multiple_of - 1) // multiple_of)
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class TransformerBlock(nn.Module):
    def __init__(self, layer_id: int, args: ModelArgs):
        super().__init__()
        self.attention = Attention(args)
        self.feed_forward = FeedForward(args.dim, 2 * args.dim)
        self.layer_id = layer_id
        self.attention_norm = RMSNorm(args.dim, eps=args.norm_eps)
        self.ffn_norm = RMSNorm(args.dim, eps=args.norm_eps)

    def forward(self, x: Tensor, start: int, cos: Tensor, sin: Tensor, mask: Optional[Tensor]):
        h = x + self.attention(self.attention_norm(x), start, cos, sin, mask)
        return h + self.feed_forward(self.ffn_norm(h))


class GPT(nn.Module):
    def __init__(self, params: ModelArgs):
        super().__init__()
        self.vocab_size = params.vocab_size
        self.tok_embeddings = nn.Embedding(params.vocab_size, params.dim)
        self.layers = nn.ModuleList()
        for layer_id in range(params.n_layers):
            self.layers.append(TransformerBlock(layer_id, params))
        self.norm = RMSNorm(params.dim, eps=params.norm_eps)
        self.output = nn.Linear(params.dim, params.vocab_size, bias=False)
        cos, sin = precompute_freqs(params.dim // params.n_heads, params.max_seq_len)
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)

    def logits(self, tokens: Tensor, start: int) -> Tensor:
        seqlen = tokens.size(1)
        h = self.tok_embeddings(tokens)
        cos, sin = self.cos[start : start + seqlen], self.sin[start : start + seqlen]
        mask: Optional[Tensor] = None
        if seqlen > 1:
            mask = torch.full((seqlen, seqlen), float("-inf"), device=tokens.device)
            mask = torch.triu(mask, diagonal=1)
            mask = torch.hstack([torch.zeros((seqlen, start)), mask]).type_as(h)
        for layer in self.layers:
            h = layer(h, start, cos, sin, mask)
        return self.output(self.norm(h)).float()

    def sample(self, logits: Tensor, top_k: int, top_p: float, temperature: float) -> Tensor:
        """The token in the middle of those that are likely enough."""
        logits = logits / max(temperature, 1e-5)
        v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
        logits = logits.masked_fill(logits < v[..., -1:], -float("Inf"))
        probs = F.softmax(logits, dim=-1)
        probs_sort, probs_idx = torch.sort(probs, dim=-1, descending=True)
        probs_sum = torch.cumsum(probs_sort, dim=-1)
        probs_sort[probs_sum - probs_sort > top_p] = 0.0
        kept = int((probs_sort > 0).sum())
        return probs_idx[..., kept // 2 : kept // 2 + 1]

    def forward(self, tokens: Tensor, max_gen_len: int, top_k: int = 4, temperature: float = 0.8):
        start = 0
        first = self.logits(tokens, 0)
        generated: List[int] = []
        next_token = self.sample(first[:, -1], top_k, 0.9, temperature)
        start += tokens.size(1)
        for _ in range(max_gen_len):
            generated.append(int(next_token.item()))
            next_token = self.sample(self.logits(next_token, start), top_k, 0.9, temperature)[:, -1]
            start += 1
        return first, generated


def make():
    return GPT(ModelArgs())


CALLS = [(whole(0, 11, 1, 4), 3), (whole(1, 11, 1, 4), 3), (whole(2, 11, 1, 6), 4, 3)]
