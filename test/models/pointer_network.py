"""Tours through cities: a recurrent encoder, a decoder that points at what it has not taken, greedily or by a given order."""

import math
from typing import List, Optional, Tuple

from examples._torch import torch
from support.models import uniform

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class GRUCell(nn.Module):
    def __init__(self, input_size: int, hidden_size: int):
        super().__init__()
        self.x2h = nn.Linear(input_size, 3 * hidden_size)
        self.h2h = nn.Linear(hidden_size, 3 * hidden_size)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        gate_x, gate_h = self.x2h(x), self.h2h(hidden)
        i_r, i_i, i_n = gate_x.chunk(3, 1)
        h_r, h_i, h_n = gate_h.chunk(3, 1)
        resetgate = torch.sigmoid(i_r + h_r)
        inputgate = torch.sigmoid(i_i + h_i)
        newgate = torch.tanh(i_n + (resetgate * h_n))
        return newgate + inputgate * (hidden - newgate)


class Attention(nn.Module):
    """Where the decoder points: logits of all, with what was taken far below."""

    def __init__(self, dim: int, use_tanh: bool = False, C: float = 10.0):
        super().__init__()
        self.use_tanh = use_tanh
        self.project_query = nn.Linear(dim, dim)
        self.project_ref = nn.Conv1d(dim, dim, 1, 1)
        self.C = C
        self.v = nn.Parameter(torch.zeros(dim))

    def forward(self, query: Tensor, ref: Tensor) -> Tuple[Tensor, Tensor]:
        """query (B, D), ref (T, B, D)"""
        ref = ref.permute(1, 2, 0)
        q = self.project_query(query).unsqueeze(2)
        e = self.project_ref(ref)
        expanded_q = q.repeat(1, 1, e.size(2))
        v_view = self.v.unsqueeze(0).expand(expanded_q.size(0), len(self.v)).unsqueeze(1)
        u = torch.bmm(v_view, torch.tanh(expanded_q + e)).squeeze(1)
        if self.use_tanh:
            logits = self.C * torch.tanh(u)
        else:
            logits = u
        return e, logits


class Decoder(nn.Module):
    def __init__(self, dim: int, n_glimpses: int = 1):
        super().__init__()
        self.cell = GRUCell(dim, dim)
        self.pointer = Attention(dim, use_tanh=True, C=5.0)
        self.glimpse = Attention(dim)
        self.n_glimpses = n_glimpses

    def apply_mask_to_logits(
        self, logits: Tensor, mask: Tensor, prev_idxs: Optional[Tensor]
    ) -> Tuple[Tensor, Tensor]:
        maskk = mask.clone()
        if prev_idxs is not None:
            maskk[torch.arange(mask.size(0)), prev_idxs] = True
            logits[maskk] = -math.inf
        return logits, maskk

    def recurrence(
        self, x: Tensor, h: Tensor, mask: Tensor, prev: Optional[Tensor], context: Tensor
    ) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        h = self.cell(x, h)
        g_l = h
        for _ in range(self.n_glimpses):
            ref, logits = self.glimpse(g_l, context)
            logits, _ = self.apply_mask_to_logits(logits, mask, prev)
            g_l = torch.bmm(ref, F.softmax(logits, dim=-1).unsqueeze(2)).squeeze(2)
        _, logits = self.pointer(g_l, context)
        logits, mask = self.apply_mask_to_logits(logits, mask, prev)
        log_p = torch.log_softmax(logits, dim=1)
        return h, log_p, log_p.exp(), mask

    def decode(self, probs: Tensor, mask: Tensor) -> Tensor:
        _, idxs = probs.max(1)
        assert not mask.gather(1, idxs.unsqueeze(-1)).any(), "Decode greedy: infeasible action"
        return idxs

    def forward(
        self,
        start: Tensor,
        embedded: Tensor,
        h: Tensor,
        context: Tensor,
        eval_tours: Optional[Tensor] = None,
    ) -> Tuple[Tensor, Tensor]:
        batch_size = context.size(1)
        outputs: List[Tensor] = []
        selections: List[Tensor] = []
        mask = torch.zeros(batch_size, context.size(0), dtype=torch.bool)
        idxs: Optional[Tensor] = None
        x = start
        for i in range(context.size(0)):
            h, log_p, probs, mask = self.recurrence(x, h, mask, idxs, context)
            chosen = self.decode(probs, mask) if eval_tours is None else eval_tours[:, i]
            idxs = chosen.detach()
            where = chosen.view(1, -1, 1).expand(1, batch_size, embedded.size(2))
            x = torch.gather(embedded, 0, where).squeeze(0)
            outputs.append(log_p)
            selections.append(chosen)
        return torch.stack(outputs, 1), torch.stack(selections, 1)


class PointerNetwork(nn.Module):
    def __init__(self, dim: int = 6):
        super().__init__()
        self.embedding = nn.Parameter(torch.zeros(2, dim))
        self.encoder = GRUCell(dim, dim)
        self.decoder = Decoder(dim)
        self.decoder_in_0 = nn.Parameter(torch.zeros(dim))

    def tour_length(self, cities: Tensor, tours: Tensor) -> Tensor:
        n = cities.size(1)
        if not torch.equal(torch.arange(n).view(1, -1).expand_as(tours), tours.sort(1)[0]):
            raise ValueError("Invalid tour")
        d = cities.gather(1, tours.unsqueeze(-1).expand_as(cities))
        steps = (d[:, 1:] - d[:, :-1]).norm(p=2, dim=2).sum(1)
        return steps + (d[:, 0] - d[:, -1]).norm(p=2, dim=1)

    def forward(self, cities: Tensor, eval_tours: Optional[Tensor] = None):
        batch_size, n, _ = cities.size()
        embedded = torch.mm(cities.transpose(0, 1).reshape(-1, 2), self.embedding)
        embedded = embedded.view(n, batch_size, -1)
        h = torch.zeros(batch_size, embedded.size(2))
        hidden: List[Tensor] = []
        for x in embedded:
            h = self.encoder(x, h)
            hidden.append(h)
        start = self.decoder_in_0.unsqueeze(0).repeat(batch_size, 1)
        log_p, tours = self.decoder(start, embedded, h, torch.stack(hidden), eval_tours)
        ll = log_p.gather(2, tours.unsqueeze(-1)).squeeze(-1)
        ll = ll.masked_fill(ll < -1000, 0.0)
        return self.tour_length(cities, tours), ll.sum(1), tours


def make():
    return PointerNetwork()


def _order(seed: int, *shape: int):
    return uniform(seed, *shape).argsort(-1)


CALLS = [
    (uniform(0, 2, 5, 2),),
    (uniform(1, 2, 5, 2), _order(5, 2, 5)),
    (uniform(2, 1, 7, 2),),
]
