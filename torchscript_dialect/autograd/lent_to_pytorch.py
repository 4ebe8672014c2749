"""Gradients through Python functions that are written against PyTorch: see Note [Two tapes] in beside_pytorch.py."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from torchscript_dialect.autograd.history import gradient_edge, set_history
from torchscript_dialect.autograd.nodes import Edge, Grad, Node, fact
from torchscript_dialect.autograd.operator_node import FREED
from torchscript_dialect.runtime.values.for_pytorch import mapped, tensor_for_pytorch
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor

Leaf = tuple[Edge, Any]
"""A leaf of PyTorch's tape, and where its gradient goes on ours."""


class Loan:
    """The tensors that one call of a function written against PyTorch is given."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.lent: dict[int, tuple[Tensor, Any]] = {}
        """By id, tensors that require gradients and the leaves that stand for them."""

    def give(self, tensor: Tensor) -> Any:
        """What PyTorch gets for a tensor: a leaf of its tape, where gradients go through it."""
        if tensor.__class__ is not TrackedTensor or not self.torch.is_grad_enabled():
            return tensor_for_pytorch(tensor, self.torch)
        found = self.lent.get(id(tensor))
        if found is None:
            leaf = tensor_for_pytorch(tensor, self.torch).requires_grad_()
            found = self.lent[id(tensor)] = tensor, leaf
        return found[1]

    def take(self, result: Any) -> Any:
        """The result of the function, whose tensors that require gradients are ours, from one node of our tape."""
        if not self.torch.is_grad_enabled():
            return result
        known = {id(leaf): tensor for tensor, leaf in self.lent.values()}
        given: dict[int, Any] = {}

        def note(value: Any) -> Any:
            if isinstance(value, self.torch.Tensor) and value.requires_grad:
                given[id(value)] = value
            return value

        mapped(result, note)
        outs = [one for key, one in given.items() if key not in known]
        for one, tensor in zip(outs, taken(outs, self.leaves(), self.torch), strict=True):
            known[id(one)] = tensor
        return mapped(result, lambda value: known.get(id(value), value))

    def leaves(self) -> list[Leaf]:
        """The leaves that were given."""
        edges = ((gradient_edge(tensor), leaf) for tensor, leaf in self.lent.values())
        return [(edge, leaf) for edge, leaf in edges if edge is not None]


def taken(values: Sequence[Any], leaves: Sequence[Leaf], torch: Any) -> list[Tensor]:
    """Tensors of ours on the memory of PyTorch's, whose gradients go through PyTorch's tape to the leaves."""
    tensors = [as_tensor(one) for one in values]
    node = NodeOfPyTorch(values, leaves, torch)
    node.results = [fact(one) for one in tensors]
    for number, one in enumerate(tensors):
        set_history(one, node, number)
    return tensors


class NodeOfPyTorch(Node):
    """The gradient of what PyTorch has computed."""

    __slots__ = ("leaves", "outs", "torch")

    def __init__(self, outs: Sequence[Any], leaves: Sequence[Leaf], torch: Any) -> None:
        super().__init__([edge for edge, _ in leaves])
        self.leaves = [leaf for _, leaf in leaves]
        self.outs: Sequence[Any] | None = outs
        """The results, with PyTorch's history; None once that was let go of."""
        self.torch = torch

    def release(self) -> None:
        self.outs = None

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises RuntimeError: the graph was freed, or PyTorch finds fault with it."""
        if self.outs is None:
            raise RuntimeError(FREED)
        torch, creates = self.torch, grad_mode.is_grad_enabled()
        loan = Loan(torch)
        wanted = [
            (
                out,
                loan.give(grad)
                if grad.__class__ is TrackedTensor
                else tensor_for_pytorch(grad, torch).clone(),
            )
            for out, grad in zip(self.outs, grads, strict=True)
            if grad is not None
        ]
        with warnings.catch_warnings():  # of a circle of references, which is broken below
            warnings.simplefilter("ignore" if creates else "default", UserWarning)
            torch.autograd.backward(
                [out for out, _ in wanted],
                [grad for _, grad in wanted],
                retain_graph=True,
                create_graph=creates,
            )
        found = [leaf.grad for leaf in self.leaves]
        for leaf in self.leaves:
            leaf.grad = None
        tracked = [one for one in found if one is not None and one.requires_grad]
        pairs = [(edge, leaf) for edge, leaf in zip(self.edges, self.leaves) if edge is not None]
        crossed = iter(taken(tracked, [*pairs, *loan.leaves()], torch))
        return [
            None if one is None else next(crossed) if one.requires_grad else as_tensor(one)
            for one in found
        ]
