"""Softmax over many classes, of which the rare ones are in groups (PyTorch: torch/nn/modules/adaptive.py)."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules.container import ModuleList, Sequential
from torchscript_dialect.torch.nn.modules.linear import Linear
from torchscript_dialect.torch.nn.modules.module import Module

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """The first classes by themselves, the others in groups that have a share together and narrower layers of their own."""

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        is_rising = cutoffs == sorted(set(cutoffs)) and all(int(cut) == cut for cut in cutoffs)
        if not is_rising or cutoffs[0] <= 0 or cutoffs[-1] > n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order,"
                " where each value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        made: dict[str, Any] = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **made)
        self.tail = ModuleList()
        for cluster in range(self.n_clusters):
            inner = int(in_features // (div_value ** (cluster + 1)))
            size = self.cutoffs[cluster + 1] - self.cutoffs[cluster]
            self.tail.append(
                Sequential(
                    Linear(in_features, inner, bias=False, **made),
                    Linear(inner, size, bias=False, **made),
                )
            )

    def reset_parameters(self) -> None:
        self.head.reset_parameters()
        for cluster in self.tail:
            for layer in cluster:
                layer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        rank = target_.dim()
        if rank == 1:
            if input_.size(0) != target_.size(0):
                raise RuntimeError(
                    "Input and target should have the same size in the batch dimension."
                )
            if input_.dim() != 2:
                raise RuntimeError(
                    "1D target tensor expects 2D input tensors, but found inputs with size"
                    f" {input_.size()}"
                )
        elif rank == 0:
            if input_.dim() != 1:
                raise RuntimeError(
                    "0D target tensor expects 1D input tensors, but found inputs with size"
                    f" {input_.size()}"
                )
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        input = input_ if rank > 0 else input_.unsqueeze(0)
        target = target_ if rank > 0 else target_.unsqueeze(0)
        least, most = int(target.min()), int(target.max())
        if least < 0 or most >= self.n_classes:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range"
                f" [{least}, {most}] were found. "
            )
        full = self._get_full_log_prob(input, self.head(input))
        output = full.gather(1, target.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        if rank == 0:
            output = output.squeeze(0)
        return _ASMoutput(output, loss)

    def _get_full_log_prob(self, input: Tensor, head_output: Tensor) -> Tensor:
        """The logarithms of the probabilities of all classes."""
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for cluster, layer in enumerate(self.tail):
            share = head[:, self.shortlist_size + cluster].unsqueeze(1)
            parts.append(F.log_softmax(layer(input), dim=1) + share)
        return torch.cat(parts, 1)

    def log_prob(self, input: Tensor) -> Tensor:
        """The logarithms of the probabilities of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The most probable classes."""
        return self.log_prob(input).argmax(dim=1)
