"""Writes to tensors that have a history: the node of the write comes before what was there.

Follows torch/csrc/autograd/functions/tensor.cpp (`CopySlices`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from sys import getrefcount

import numpy as np

from torchscript_dialect.autograd.history import (
    View,
    gradient_edge,
    known,
    set_history,
)
from torchscript_dialect.autograd.nodes import Grad, Node, fact
from torchscript_dialect.autograd.operator_node import FREED, OperatorNode
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.strides import element_strides
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.versions import is_watched
from torchscript_dialect.utils.errors import TorchScriptError


def rebase(written: Tensor, node: OperatorNode, output_nr: int) -> None:
    """Let a tensor that was written to be a result of the node; where it is a view, through the tensor that it is a view of."""
    own = known(written)
    if own is None or own.view is None:
        is_detached = own is not None and own.is_detached
        if written.__class__ is Tensor and not is_detached and _is_seen_elsewhere(written):
            raise TorchScriptError(
                f"{node.operator.qualified_name} writes what requires gradients to a view whose base is not known: it was made "
                "before anything required gradients, or by a compiled function. Make the view anew, or write to a clone of it."
            )
        set_history(written, node, output_nr)
        return
    view = own.view
    whole = CopySlices(view, node, output_nr)
    set_history(view.base, whole, 0)


def _is_seen_elsewhere(tensor: Tensor) -> bool:
    """Whether the memory of a tensor that has none of its own has other users."""
    if tensor.array.base is None:
        return False
    owner, own = root(tensor.array), known(tensor)
    counter = None if own is None else own.version
    is_counted = (counter is not None and counter.owner is owner) or is_watched(owner)
    del owner
    return _references(tensor) > _references_of_one_user() + is_counted


def _references(tensor: Tensor) -> int:
    """The references to the array whose memory that of a tensor is a part of."""
    return getrefcount(root(tensor.array))


@cache
def _references_of_one_user() -> int:
    """What is counted where the tensor is the only user, which is up to the interpreter."""
    return _references(tensor_of(np.empty(2)[:1]))


class CopySlices(Node):
    """The gradient of a write to a part of a tensor: what was there gets none of it, but for what the write's own gradient says."""

    __slots__ = ("inner", "is_freed", "output_nr", "strides", "view", "written")

    scope = "torch::autograd::"

    def __init__(self, view: View, inner: OperatorNode, output_nr: int) -> None:
        base = view.base
        self.written = [
            place for place, slot in enumerate(inner.slots) if slot.place == 0 and slot.item is None
        ]
        edges = [gradient_edge(base)]
        for place, edge in enumerate(inner.edges):
            if place not in self.written:
                edges.append(edge)
            elif edges[0] is not None:
                inner.edges[place] = edges[0]  # asks the formula for what the part had before
        super().__init__(edges)
        self.inner = inner
        self.is_freed = False
        self.output_nr = output_nr
        self.view = View(base=_Nothing, path=view.path)
        self.strides = list(element_strides(base.array))
        self.results = [fact(base)]

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        found = super().next_functions
        return (*found, (None, 0)) if self.inner.keeps_numbers else found

    def release(self) -> None:
        self.inner.release()
        self.is_freed = True

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises RuntimeError: the write's own gradient is freed, with all that it keeps or not."""
        if self.is_freed:
            raise RuntimeError(FREED)
        (grad,) = grads
        if grad is None:
            return [None] * len(self.edges)
        options = {"dtype": grad.dtype, "device": grad.device}
        whole = call("aten::empty_strided", (list(grad.shape), self.strides), options)
        call("aten::copy_", (whole, grad))
        part = self.view.apply(whole)
        given: list[Grad] = [None] * len(self.inner.results)
        given[self.output_nr] = call("aten::clone", (part,))
        found = self.inner.apply(given)
        before: Grad = None
        for place in self.written:
            before = found[place]
        if before is None:
            call("aten::zero_", (part,))
        else:
            call("aten::copy_", (part, before))
        rest = [one for place, one in enumerate(found) if place not in self.written]
        return [whole, *rest]


_Nothing = Tensor.__new__(Tensor)
"""Stands for a base that a view must not keep alive."""
