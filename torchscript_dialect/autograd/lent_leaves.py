"""Where gradients of our tape arrive that go to tensors of PyTorch's: see Note [Two tapes] in beside_pytorch.py."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, cast

from torchscript_dialect.autograd.history import history
from torchscript_dialect.autograd.nodes import AccumulateGrad, Edge, Grad, Node, fact, reached
from torchscript_dialect.runtime.values.for_pytorch import tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, borrowed, lender_of
from torchscript_dialect.tensor.tracked import TrackedTensor


class TensorOfPyTorch(Node):
    """Where the gradient of a tensor of PyTorch's arrives."""

    __slots__ = ("grad", "original", "stands_for_leaf")

    def __init__(self, tensor: Tensor, original: Any) -> None:
        super().__init__(())
        self.original: Any = original
        """None where a program has written to it since."""
        self.results = [fact(tensor)]
        self.grad: Grad = None
        self.stands_for_leaf = bool(original.is_leaf)

    def retains(self, number: int) -> bool:
        return self.original is not None and self.original.retains_grad

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        self.grad = grads[0]
        return ()


def leaf_of_pytorch(node: Node, torch: Any) -> tuple[Any, Tensor] | None:
    """The tensor of PyTorch's that requires gradients, and the leaf on its memory, if that is where gradients go to from a node."""
    leaf = cast("AccumulateGrad", node).leaf() if node.__class__ is AccumulateGrad else None
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
def told_to_pytorch(
    edges: Iterable[Edge], *, keep_graph: bool, create_graph: bool
) -> Generator[None]:
    """Adds the gradients that leaves get up in the `grad` of PyTorch's tensors, where they are looked for from then on, and lets those
    that arrive at tensors which the program was given go on along PyTorch's tape.

    Raises:
        RuntimeError: such gradients should have a history, or a program has written to the tensor.
    """
    torch = pytorch_state.loaded()
    nodes = () if torch is None else list(reached(edges))
    leaves = [pair for node in nodes if (pair := leaf_of_pytorch(node, torch)) is not None]
    given = [cast(TensorOfPyTorch, node) for node in nodes if node.__class__ is TensorOfPyTorch]
    if given and (create_graph or any(node.original is None for node in given)):
        raise RuntimeError(
            "backward() in a program, through a tensor of PyTorch's that the program was given, is not supported with create_graph, or "
            "where the program has written to the tensor: use torch.autograd.grad()"
        )
    for _, leaf in leaves:
        history(leaf).grad = None
    for node in given:
        node.grad = None
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
        arrived = [(node.original, node.grad) for node in given if node.grad is not None]
        for node in given:
            node.grad = None
    if torch is not None and arrived:
        tensors, grads = zip(*arrived, strict=True)
        own_grads = [tensor_for_pytorch(grad, torch).clone() for grad in grads]
        torch.autograd.backward(tensors, own_grads, retain_graph=keep_graph)
