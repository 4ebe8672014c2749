"""Leaves of our tape that stand on the memory of PyTorch's: see Note [Two tapes] in beside_pytorch.py."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any, cast

from torchscript_dialect.autograd.history import history
from torchscript_dialect.autograd.nodes import AccumulateGrad, Edge, Grad, Node, reached
from torchscript_dialect.runtime.for_pytorch import tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, borrowed, lender_of
from torchscript_dialect.tensor.tracked import TrackedTensor


def leaf_of_pytorch(node: Node, torch: Any) -> tuple[Any, Tensor] | None:
    """The tensor of PyTorch's that requires gradients, and the leaf on its memory, if that is where gradients go to from a node."""
    leaf = cast(AccumulateGrad, node).variable if node.__class__ is AccumulateGrad else None
    lender: Any = None if leaf is None else lender_of(leaf)
    if leaf is None or not isinstance(lender, torch.Tensor) or not lender.requires_grad:
        return None
    return lender, leaf


def gradient_of_lender(leaf: Tensor, lender: Any) -> Grad:
    """The `grad` of a leaf that stands on a tensor of PyTorch's: what PyTorch has, on its memory, so that what is done to it is done to
    what PyTorch's optimizers read.
    """
    own, given = history(leaf), lender.grad
    if given is None:
        own.grad = None
    elif own.grad is None or (own.grad.__class__ is Tensor and lender_of(own.grad) is not given):
        own.grad = borrowed(as_tensor(given.detach()), given)
    return own.grad


@contextmanager
def told_to_pytorch(edges: Iterable[Edge]) -> Generator[None]:
    """Adds the gradients that leaves get up in the `grad` of PyTorch's tensors, where they are looked for from then on."""
    torch = pytorch_state.loaded()
    nodes = () if torch is None else reached(edges)
    leaves = [pair for node in nodes if (pair := leaf_of_pytorch(node, torch)) is not None]
    for _, leaf in leaves:
        history(leaf).grad = None
    try:
        yield
    finally:
        for original, leaf in leaves:
            own = history(leaf)
            if own.grad is not None:
                grad = tensor_for_pytorch(own.grad, torch)
                kept = original.grad
                original.grad = grad.clone() if kept is None else kept + grad
            if own.grad.__class__ is not TrackedTensor:  # whose history PyTorch has not
                own.grad = None
