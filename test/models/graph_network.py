"""Messages along edges: layers that gather, scatter and normalize by target, over batches that are named tuples."""

from typing import Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from examples._torch import torch
from support.models import normal, whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class Index(Tensor):
    """Whole numbers that name nodes: to the program, a tensor."""


class GraphBatch(NamedTuple):
    x: Tensor
    edge_index: Tensor
    edge_attr: Optional[Tensor]
    batch: Tensor


OptTensor = Optional[Tensor]
PairTensor = Tuple[Tensor, Tensor]
Size = Optional[Tuple[int, int]]


def maybe_num_nodes(index: Tensor, num_nodes: Optional[int] = None) -> int:
    """As many as said, or one more than the largest index."""
    if num_nodes is not None:
        return num_nodes
    return int(index.max()) + 1 if index.numel() > 0 else 0


def broadcast(src: Tensor, ref: Tensor, dim: int) -> Tensor:
    dim = ref.dim() + dim if dim < 0 else dim
    size = [1] * dim + [-1] + [1] * (ref.dim() - dim - 1)
    return src.view(size).expand_as(ref)


def scatter(
    src: Tensor, index: Tensor, dim: int = 0, dim_size: Optional[int] = None, reduce: str = "sum"
) -> Tensor:
    """The elements that share an index, reduced."""
    if index.dim() != 1:
        raise ValueError(
            f"The `index` argument must be one-dimensional (got {index.dim()} dimensions)"
        )
    dim = src.dim() + dim if dim < 0 else dim
    if dim < 0 or dim >= src.dim():
        raise ValueError(f"The `dim` argument must lay between 0 and {src.dim() - 1} (got {dim})")
    if dim_size is None:
        dim_size = int(index.max()) + 1 if index.numel() > 0 else 0
    size = src.size()[:dim] + [dim_size] + src.size()[dim + 1 :]
    if reduce == "sum" or reduce == "add":
        index = broadcast(index, src, dim)
        return src.new_zeros(size).scatter_add_(dim, index, src)
    if reduce == "mean":
        count = src.new_zeros(dim_size)
        count.scatter_add_(0, index, src.new_ones(src.size(dim)))
        count = count.clamp(min=1)
        index = broadcast(index, src, dim)
        out = src.new_zeros(size).scatter_add_(dim, index, src)
        return out / broadcast(count, out, dim)
    if reduce == "max":
        index = broadcast(index, src, dim)
        return src.new_zeros(size).scatter_reduce_(
            dim, index, src, reduce="amax", include_self=False
        )
    raise ValueError(f"Encountered invalid `reduce` argument '{reduce}'")


def softmax(src: Tensor, index: Tensor, num_nodes: Optional[int] = None) -> Tensor:
    """A softmax among the elements of each index."""
    n = maybe_num_nodes(index, num_nodes)
    src_max = scatter(src.detach(), index, 0, dim_size=n, reduce="max")
    out = src - src_max.index_select(0, index)
    out = out.exp()
    out_sum = scatter(out, index, 0, dim_size=n, reduce="sum") + 1e-16
    out_sum = out_sum.index_select(0, index)
    return out / out_sum


def add_self_loops(edge_index: Index, num_nodes: int) -> Tensor:
    loop = torch.arange(0, num_nodes, device=edge_index.device)
    return torch.cat([edge_index, loop.unsqueeze(0).repeat(2, 1)], dim=1)


class GCNConv(nn.Module):
    def __init__(self, in_channels: int, out_channels: int):
        super().__init__()
        self.lin = nn.Linear(in_channels, out_channels, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_channels))

    def norm(self, edge_index: Tensor, num_nodes: int) -> Tuple[Tensor, Tensor]:
        edge_index = add_self_loops(edge_index, num_nodes)
        row, col = edge_index[0], edge_index[1]
        deg = scatter(torch.ones(edge_index.size(1)), col, 0, num_nodes, "sum")
        deg_inv_sqrt = deg.pow_(-0.5)
        deg_inv_sqrt.masked_fill_(deg_inv_sqrt == float("inf"), 0)
        return edge_index, deg_inv_sqrt[row] * deg_inv_sqrt[col]

    def message(self, x_j: Tensor, edge_weight: OptTensor) -> Tensor:
        return x_j if edge_weight is None else edge_weight.view(-1, 1) * x_j

    def propagate(self, edge_index: Tensor, x: Tensor, edge_weight: OptTensor) -> Tensor:
        out = self.message(x.index_select(0, edge_index[0]), edge_weight)
        return torch.zeros_like(x).index_add_(0, edge_index[1], out)

    def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
        edge_index, weight = self.norm(edge_index, x.size(0))
        return self.propagate(edge_index, self.lin(x), weight) + self.bias


class GATConv(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, heads: int = 2, concat: bool = True):
        super().__init__()
        self.heads, self.out_channels, self.concat = heads, out_channels, concat
        self.negative_slope = 0.2
        self.dropout = 0.1
        self.lin = nn.Linear(in_channels, heads * out_channels, bias=False)
        self.lin_edge = nn.Linear(2, heads * out_channels, bias=False)
        self.att_src = nn.Parameter(torch.zeros(1, heads, out_channels))
        self.att_dst = nn.Parameter(torch.zeros(1, heads, out_channels))
        self.att_edge = nn.Parameter(torch.zeros(1, heads, out_channels))

    def edge_update(
        self, alpha_j: Tensor, alpha_i: OptTensor, edge_attr: OptTensor, index: Tensor, n: int
    ) -> Tensor:
        alpha = alpha_j if alpha_i is None else alpha_j + alpha_i
        if index.numel() == 0:
            return alpha
        if edge_attr is not None:
            if edge_attr.dim() == 1:
                edge_attr = edge_attr.view(-1, 1)
            edge_attr = self.lin_edge(edge_attr).view(-1, self.heads, self.out_channels)
            alpha = alpha + (edge_attr * self.att_edge).sum(dim=-1)
        alpha = F.leaky_relu(alpha, self.negative_slope)
        alpha = softmax(alpha, index, n)
        return F.dropout(alpha, p=self.dropout, training=self.training)

    def forward(
        self,
        x: Union[Tensor, PairTensor],
        edge_index: Tensor,
        edge_attr: OptTensor = None,
        size: Size = None,
    ) -> Tensor:
        H, C = self.heads, self.out_channels
        if isinstance(x, Tensor):
            assert x.dim() == 2, "Static graphs not supported in 'GATConv'"
            x_src = x_dst = self.lin(x).view(-1, H, C)
        else:
            x_src, x_dst = self.lin(x[0]).view(-1, H, C), self.lin(x[1]).view(-1, H, C)
        alpha_src = (x_src * self.att_src).sum(dim=-1)
        alpha_dst = (x_dst * self.att_dst).sum(-1)
        n = x_dst.size(0) if size is None else size[1]
        alpha = self.edge_update(
            alpha_src[edge_index[0]], alpha_dst[edge_index[1]], edge_attr, edge_index[1], n
        )
        out = scatter(alpha.unsqueeze(-1) * x_src[edge_index[0]], edge_index[1], 0, n)
        return out.view(-1, H * C) if self.concat else out.mean(dim=1)


class GraphNet(nn.Module):
    def __init__(self, channels: int = 4):
        super().__init__()
        self.first = GCNConv(3, channels)
        self.convs = nn.ModuleList(
            [GATConv(channels, 2), GATConv(channels, channels, concat=False)]
        )
        self.readout = nn.Linear(2 * channels, 2)

    def forward(self, data: GraphBatch) -> Tuple[Tensor, Dict[str, Tensor]]:
        x = F.relu(self.first(data.x, data.edge_index))
        seen: Dict[str, Tensor] = {}
        for i, conv in enumerate(self.convs):
            x = F.elu(conv(x, data.edge_index, data.edge_attr))
            seen[f"layer{i}"] = x
        pooled = torch.cat(
            [scatter(x, data.batch, 0, reduce="mean"), scatter(x, data.batch, 0, reduce="max")],
            dim=-1,
        )
        return self.readout(pooled), seen


def make():
    return GraphNet()


def _graph(seed: int, nodes: int, edges: int) -> tuple:
    batch = np.sort(whole(seed, 2, nodes))
    attributes = None if seed == 2 else normal(seed + 10, edges, 2)
    return (GraphBatch(normal(seed, nodes, 3), whole(seed, nodes, 2, edges), attributes, batch),)


CALLS = [_graph(0, 6, 10), _graph(1, 6, 10), _graph(2, 8, 9)]
