"""Names in sentences: letters and words, a mixture of experts, and a field of transitions decoded with masks."""

from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class CRF(nn.Module):
    def __init__(self, num_tags: int, batch_first: bool = False) -> None:
        if num_tags <= 0:
            raise ValueError(f"invalid number of tags: {num_tags}")
        super().__init__()
        self.num_tags = num_tags
        self.batch_first = batch_first
        self.start_transitions = nn.Parameter(torch.empty(num_tags))
        self.end_transitions = nn.Parameter(torch.empty(num_tags))
        self.transitions = nn.Parameter(torch.empty(num_tags, num_tags))

    def forward(
        self, emissions: Tensor, tags: Tensor, mask: Optional[Tensor] = None, reduction: str = "sum"
    ) -> Tensor:
        """The log likelihood of tags."""
        if reduction not in ("none", "sum", "mean", "token_mean"):
            raise ValueError(f"invalid reduction: {reduction}")
        if mask is None:
            mask = torch.ones_like(tags, dtype=torch.uint8)
        if mask.dtype != torch.uint8:
            mask = mask.byte()
        if self.batch_first:
            emissions = emissions.transpose(0, 1)
            tags = tags.transpose(0, 1)
            mask = mask.transpose(0, 1)
        numerator = self._compute_score(emissions, tags, mask)
        denominator = self._compute_normalizer(emissions, mask)
        llh = numerator - denominator
        if reduction == "none":
            return llh
        if reduction == "sum":
            return llh.sum()
        if reduction == "mean":
            return llh.mean()
        return llh.sum() / mask.float().sum()

    def _compute_score(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        assert emissions.dim() == 3 and tags.dim() == 2
        seq_length, batch_size = tags.shape
        mask = mask.float()
        score = self.start_transitions[tags[0]]
        score += emissions[0, torch.arange(batch_size), tags[0]]
        for i in range(1, seq_length):
            score += self.transitions[tags[i - 1], tags[i]] * mask[i]
            score += emissions[i, torch.arange(batch_size), tags[i]] * mask[i]
        seq_ends = mask.long().sum(dim=0) - 1
        last_tags = tags[seq_ends, torch.arange(batch_size)]
        score += self.end_transitions[last_tags]
        return score

    def _compute_normalizer(self, emissions: Tensor, mask: Tensor) -> Tensor:
        seq_length = emissions.size(0)
        score = self.start_transitions + emissions[0]
        for i in range(1, seq_length):
            next_score = score.unsqueeze(2) + self.transitions + emissions[i].unsqueeze(1)
            next_score = torch.logsumexp(next_score, dim=1)
            score = torch.where(mask[i].unsqueeze(1) != 0, next_score, score)
        score += self.end_transitions
        return torch.logsumexp(score, dim=1)

    @torch.jit.export
    def decode(self, emissions: Tensor, mask: Tensor) -> List[List[int]]:
        if self.batch_first:
            emissions = emissions.transpose(0, 1)
            mask = mask.transpose(0, 1)
        seq_length, batch_size = mask.shape
        score = self.start_transitions + emissions[0]
        history: List[Tensor] = []
        for i in range(1, seq_length):
            next_score = score.unsqueeze(2) + self.transitions + emissions[i].unsqueeze(1)
            next_score, indices = next_score.max(dim=1)
            score = torch.where(mask[i].unsqueeze(1) != 0, next_score, score)
            history.append(indices)
        score += self.end_transitions
        seq_ends = mask.long().sum(dim=0) - 1
        best_tags_list: List[List[int]] = []
        for idx in range(batch_size):
            _, best_last_tag = score[idx].max(dim=0)
            best_tags = [int(best_last_tag.item())]
            hist_count = int(seq_ends[idx])
            for hist in history[:hist_count][::-1]:
                best_last_tag = hist[idx][best_tags[-1]]
                best_tags.append(int(best_last_tag.item()))
            best_tags.reverse()
            best_tags_list.append(best_tags)
        return best_tags_list


class MixtureOfExperts(nn.Module):
    """Each token goes to its two best experts."""

    def __init__(self, dim: int, num_experts: int = 3, top_k: int = 2):
        super().__init__()
        self.gate = nn.Linear(dim, num_experts, bias=False)
        self.experts = nn.ModuleList(
            [
                nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim))
                for _ in range(num_experts)
            ]
        )
        self.top_k = top_k

    def forward(self, hidden: Tensor) -> Tuple[Tensor, Tensor]:
        shape = hidden.shape
        flat = hidden.view(-1, shape[-1])
        routing = F.softmax(self.gate(flat), dim=1, dtype=torch.float)
        routing, selected = torch.topk(routing, self.top_k, dim=-1)
        routing /= routing.sum(dim=-1, keepdim=True)
        final = torch.zeros_like(flat)
        mask = F.one_hot(selected, num_classes=len(self.experts)).permute(2, 1, 0)
        for i, expert in enumerate(self.experts):
            idx, top_x = torch.where(mask[i])
            if top_x.numel() > 0:
                current = expert(flat[None, top_x].reshape(-1, shape[-1]))
                current = current * routing[top_x, idx, None]
                final.index_add_(0, top_x, current.to(flat.dtype))
        load = mask.sum(dim=[1, 2])
        return final.view(shape), load


class Tagger(nn.Module):
    def __init__(self, words: int = 12, letters: int = 6, dim: int = 6, tags: int = 4):
        super().__init__()
        self.word_embedding = nn.Embedding(words, dim)
        self.char_embedding = nn.Embedding(letters, 3)
        self.char_conv = nn.Conv1d(3, dim, kernel_size=2)
        self.mixture = MixtureOfExperts(dim)
        self.hidden2tag = nn.Linear(dim, tags)
        self.crf = CRF(tags, batch_first=True)

    def forward(
        self, words: Tensor, chars: Tensor, lengths: List[int], gold: Optional[Tensor] = None
    ):
        batch, length, width = chars.shape
        letters = self.char_embedding(chars).view(batch * length, width, -1).transpose(1, 2)
        spelled = torch.relu(self.char_conv(letters)).max(dim=2)[0].view(batch, length, -1)
        hidden, load = self.mixture(self.word_embedding(words) + spelled)
        emissions = self.hidden2tag(hidden)
        mask = torch.zeros(batch, length, dtype=torch.bool)
        for row, n in enumerate(lengths):
            mask[row, :n] = True
        result: Dict[str, Tensor] = {"load": load}
        if gold is not None:
            result["likelihood"] = self.crf(emissions, gold, mask, reduction="token_mean")
        return self.crf.decode(emissions, mask), result


def make():
    return Tagger()


CALLS = [
    (whole(0, 12, 2, 5), whole(10, 6, 2, 5, 3), [5, 3], whole(20, 4, 2, 5)),
    (whole(1, 12, 2, 5), whole(11, 6, 2, 5, 3), [2, 5], whole(21, 4, 2, 5)),
    (whole(2, 12, 1, 6), whole(12, 6, 1, 6, 4), [6]),
]
