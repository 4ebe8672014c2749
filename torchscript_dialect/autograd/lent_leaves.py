"""Leaves of our tape that stand on the memory of PyTorch's: see Note [Two tapes] in beside_pytorch.py."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any, cast

from torchscript_dialect.autograd.history import history
from torchscript_dialect.autograd.nodes import AccumulateGrad, Edge, Grad, Node, added, reached
from torchscript_dialect.runtime.for_pytorch import tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.tensor import Tensor, lender_of


def leaf_of_pytorch(node: Node, torch: Any) -> tuple[Any, Tensor] | None:
    """The tensor of PyTorch's that requires gradients, and the leaf on its memory, if that is where gradients go to from a node."""
    leaf = cast(AccumulateGrad, node).variable if node.__class__ is AccumulateGrad else None
    lender: Any = None if leaf is None else lender_of(leaf)
    if leaf is None or not isinstance(lender, torch.Tensor) or not lender.requires_grad:
        return None
    return lender, leaf


def is_forgotten(leaf: Tensor) -> bool:
    """Whether the tensor of PyTorch's on whose memory a leaf is has no gradient, as `zero_grad` leaves it: nor has the leaf then."""
    lender: Any = lender_of(leaf)
    return lender.grad is None


@contextmanager
def told_to_pytorch(edges: Iterable[Edge]) -> Generator[None]:
    """Adds the gradients that leaves get up in the `grad` of PyTorch's tensors, too, whose optimizers look there."""
    torch = pytorch_state.loaded()
    nodes = () if torch is None else reached(edges)
    leaves = [pair for node in nodes if (pair := leaf_of_pytorch(node, torch)) is not None]
    before: list[Grad] = [None if is_forgotten(leaf) else history(leaf).grad for _, leaf in leaves]
    for _, leaf in leaves:
        history(leaf).grad = None
    try:
        yield
    finally:
        for (original, leaf), old in zip(leaves, before, strict=True):
            own = history(leaf)
            if own.grad is not None:
                grad = tensor_for_pytorch(own.grad, torch)
                kept = original.grad
                original.grad = grad.clone() if kept is None else kept + grad
            own.grad = (
                own.grad if old is None else old if own.grad is None else added(old, own.grad)
            )
