"""A recommender: categories by bags of embeddings, numbers by a perceptron, and the products of each with each."""

from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import normal, whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class KeyedJagged:
    """Lists of different lengths one behind the other, for several keys."""

    def __init__(self, keys: List[str], values: Tensor, lengths: Tensor):
        self.keys = keys
        self.values = values
        self.lengths = lengths

    def offsets(self) -> Tensor:
        zero = torch.zeros(1, dtype=self.lengths.dtype)
        return torch.cat([zero, self.lengths.cumsum(0)])

    def split(self) -> Dict[str, Tuple[Tensor, Tensor]]:
        per_key = self.lengths.numel() // len(self.keys)
        offsets = self.offsets()
        found: Dict[str, Tuple[Tensor, Tensor]] = {}
        for i, key in enumerate(self.keys):
            begin, end = int(offsets[i * per_key]), int(offsets[(i + 1) * per_key])
            own = offsets[i * per_key : (i + 1) * per_key] - begin
            found[key] = (self.values[begin:end], own)
        return found


class EmbeddingBag(nn.Module):
    def __init__(self, num_embeddings: int, dim: int, mode: str = "sum"):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(num_embeddings, dim))
        self.mode = mode

    def forward(self, values: Tensor, offsets: Tensor) -> Tensor:
        ends = torch.cat([offsets[1:], torch.tensor([values.numel()])])
        bags = torch.repeat_interleave(torch.arange(offsets.numel()), ends - offsets)
        rows = F.embedding(values, self.weight)
        out = torch.zeros(offsets.numel(), self.weight.size(1)).index_add_(0, bags, rows)
        if self.mode == "mean":
            out = out / (ends - offsets).clamp(min=1).unsqueeze(1)
        return out


def mlp(sizes: List[int], sigmoid_layer: int = -1):
    layers: List[nn.Module] = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1], bias=True))
        layers.append(nn.Sigmoid() if i == sigmoid_layer else nn.ReLU())
    return nn.Sequential(*layers)


class InteractionArch(nn.Module):
    """The dense vector beside the products of all pairs."""

    def __init__(self, num_sparse: int, itself: bool = False):
        super().__init__()
        self.F = num_sparse
        offset = 0 if itself else -1
        self.register_buffer(
            "tril_indices",
            torch.tril_indices(self.F + 1, self.F + 1, offset=offset),
            persistent=False,
        )

    def forward(self, dense_features: Tensor, sparse_features: Tensor) -> Tensor:
        if self.F <= 0:
            return dense_features
        combined = torch.cat((dense_features.unsqueeze(1), sparse_features), dim=1)
        interactions = torch.bmm(combined, torch.transpose(combined, 1, 2))
        flat = interactions[:, self.tril_indices[0], self.tril_indices[1]]
        return torch.cat((dense_features, flat), dim=1)


class CrossNet(nn.Module):
    """x0 (W x + b) + x, several times."""

    def __init__(self, in_features: int, num_layers: int, low_rank: int = 2):
        super().__init__()
        self.num_layers = num_layers
        self.W = nn.ParameterList(
            [nn.Parameter(torch.zeros(in_features, low_rank)) for _ in range(num_layers)]
        )
        self.V = nn.ParameterList(
            [nn.Parameter(torch.zeros(low_rank, in_features)) for _ in range(num_layers)]
        )
        self.bias = nn.ParameterList(
            [nn.Parameter(torch.zeros(in_features, 1)) for _ in range(num_layers)]
        )

    def forward(self, input: Tensor) -> Tensor:
        x_0 = input.unsqueeze(2)
        x_l = x_0
        for w, v, b in zip(self.W, self.V, self.bias):
            xl_v = torch.matmul(v, x_l)
            xl_w = torch.matmul(w, xl_v)
            x_l = x_0 * (xl_w + b) + x_l
        return torch.squeeze(x_l, dim=2)


class DLRM(nn.Module):
    def __init__(self, tables: Dict[str, int], dim: int = 4, dense: int = 5):
        super().__init__()
        self.embedding_bags = nn.ModuleDict(
            {
                name: EmbeddingBag(rows, dim, "mean" if i else "sum")
                for i, (name, rows) in enumerate(tables.items())
            }
        )
        self.bottom = mlp([dense, 6, dim])
        self.interaction = InteractionArch(len(tables))
        width = dim + (len(tables) * (len(tables) + 1)) // 2
        self.cross = CrossNet(width, 2)
        self.top = mlp([width, 6, 1], sigmoid_layer=1)

    def apply_emb(self, sparse: KeyedJagged) -> Tensor:
        parts = sparse.split()
        ly: List[Tensor] = []
        for name, bag in self.embedding_bags.items():
            values, offsets = parts[name]
            ly.append(bag(values, offsets))
        return torch.stack(ly, dim=1)

    def forward(self, dense: Tensor, keys: List[str], values: Tensor, lengths: Tensor):
        sparse = KeyedJagged(keys, values, lengths)
        x = self.bottom(dense)
        z = self.interaction(x, self.apply_emb(sparse))
        return self.top(self.cross(z)), sparse.offsets()


def make():
    return DLRM({"user": 7, "item": 9, "shop": 5})


KEYS = ["user", "item", "shop"]


def _batch(seed: int, size: int) -> tuple:
    lengths = whole(seed, 4, 3 * size)
    values = whole(seed + 1, 5, int(lengths.sum()))
    return (normal(seed, size, 5), KEYS, values, lengths)


CALLS = [_batch(0, 3), _batch(1, 3), _batch(2, 4)]
