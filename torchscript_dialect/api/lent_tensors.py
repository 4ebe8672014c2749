"""Tensors of compiled modules that stand on the memory of PyTorch's.

Note [Lent tensors]
A module of PyTorch's and what is compiled of it have the same parameters and buffers: two objects on one memory. What is written to
the memory both see. What else becomes of one is told to the other: that PyTorch's tensor was given other memory (`module.double()`,
`parameter.data = ...`), or is to require gradients or no more, is looked for at each call and wherever tensors of the compiled module
are asked for (`follow`); what is done to the tensors of the compiled module by its own methods is done to PyTorch's at once (`lead`).

A module of PyTorch's that holds a compiled one takes it for a module, as `ScriptModule.__class__` says: it asks it for parameters and
buffers and for its state, and tells it of modes and dtypes. Where PyTorch asks, what it has lent is given, and of a module that was
loaded, tensors that are made then and count as lent (`lend`). So it is where PyTorch goes through what `parameters()` gives, as its
optimizers do; a program of Python that does so itself gets ours. Copies of a compiled module stand on copies of what was lent.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from functools import partial
from operator import attrgetter, methodcaller
from typing import Any

from torchscript_dialect.autograd.beside_pytorch import noting_writes
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.values.for_pytorch import tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, borrowed, lender_of

Shared = dict[int, tuple[Any, Tensor]]
"""By id, tensors of PyTorch's and what stands for them here: what several modules have is one tensor."""


_POINTER = methodcaller("data_ptr")
_REQUIRES_GRAD = attrgetter("requires_grad")


class LentTensors:
    """The tensors that PyTorch has lent to a compiled module and those inside it: Note [Lent tensors]."""

    def __init__(self) -> None:
        self._originals: list[Any] = []
        self._tensors: list[Tensor] = []
        """What stands for each."""
        self._pointers: list[int] = []
        """Where the memory of each was when it was last seen."""
        self._require_grad: list[bool] = []
        """Whether each required gradients then."""

    def add(self, shared: Shared) -> None:
        """Watch over the tensors of PyTorch's among these."""
        torch = pytorch_state.loaded()
        for original, tensor in shared.values():
            if torch is None or lender_of(tensor) is not original:
                continue
            if isinstance(original, torch.Tensor) and _has_memory(original):
                self._originals.append(original)
                self._tensors.append(tensor)
                self._pointers.append(original.data_ptr())
                self._require_grad.append(original.requires_grad)

    def join(self, other: LentTensors) -> None:
        """Watch over what another module watches over."""
        self._originals += other._originals
        self._tensors += other._tensors
        self._pointers += other._pointers
        self._require_grad += other._require_grad

    def lend(self, tensor: Tensor, *, is_parameter: bool) -> Any:
        """What PyTorch has of a parameter or buffer, made where there is none yet."""
        torch: Any = pytorch_state.loaded()
        lender = _lender(tensor)
        if lender is None:
            lender = tensor_for_pytorch(tensor, torch)
            if is_parameter:
                lender = torch.nn.Parameter(lender, requires_grad=tensor.requires_grad)
            self.add({id(lender): (lender, borrowed(tensor, lender))})
        return lender

    def copy(self, other: LentTensors, memo: dict[int, Any]) -> None:
        """Watch over copies of what another module watches over, whose copied tensors stand on the memory of copies of PyTorch's."""
        shared: Shared = {}
        for original, tensor in zip(other._originals, other._tensors, strict=True):
            made = memo.get(id(tensor))
            if isinstance(made, Tensor) and original.is_leaf:
                lender = copy.deepcopy(original, memo)
                setattr(made, "data", as_tensor(lender.detach()))  # noqa: B010  (given by autograd)
                shared[id(lender)] = lender, borrowed(made, lender)
        self.add(shared)

    def heard(self, executor: GraphExecutor, owner: Any) -> Callable[..., Any]:
        """What runs a method of a module, and lets PyTorch hear of what it writes while gradients are wanted, or the module trains.
        Where no tensor of the module requires gradients, it runs alone: plans are for memory that nobody watches.
        """
        torch = pytorch_state.loaded() if executor.may_write and any(self._require_grad) else None
        if torch is None or not (torch.is_grad_enabled() or getattr(owner, "training", True)):
            return executor
        return partial(noting_writes, executor, self._originals, self._tensors)

    def follow(self) -> None:
        """Let our tensors be what PyTorch's have become."""
        originals = self._originals
        pointers = list(map(_POINTER, originals))
        require_grad = list(map(_REQUIRES_GRAD, originals))
        if pointers == self._pointers and require_grad == self._require_grad:
            return
        for number, (original, tensor) in enumerate(zip(originals, self._tensors, strict=True)):
            if pointers[number] != self._pointers[number]:
                setattr(tensor, "data", as_tensor(original.detach()))  # noqa: B010  (given by autograd)
            if require_grad[number] is not self._require_grad[number]:
                tensor.requires_grad_(require_grad[number])
        self._pointers, self._require_grad = pointers, require_grad


def _has_memory(original: Any) -> bool:
    try:
        original.data_ptr()
    except RuntimeError:
        return False
    return True


def is_asked_by_pytorch() -> bool:
    """Whether PyTorch has called the function that asks this."""
    caller = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    return str(caller.f_globals.get("__name__", "")).partition(".")[0] == "torch"


def _lender(tensor: Tensor) -> Any:
    """The tensor of PyTorch's that a parameter or buffer stands for; None where it is no such tensor's."""
    torch = pytorch_state.loaded()
    lender: Any = lender_of(tensor)
    return lender if torch is not None and isinstance(lender, torch.Tensor) else None


def lead_memory(tensor: Tensor) -> None:
    """Let PyTorch's tensor, and the gradient that it has, be what ours has become: on its memory, and of its dtype."""
    original = _lender(tensor)
    if original is None:
        return
    torch: Any = pytorch_state.loaded()
    original.data = tensor_for_pytorch(tensor, torch)
    if original.grad is not None:
        original.grad.data = original.grad.data.to(original)


def lead_requires_grad(tensor: Tensor) -> None:
    """Let PyTorch's tensor require gradients, or no more, as ours does."""
    original = _lender(tensor)
    if original is not None and original.is_leaf:
        original.requires_grad_(tensor.requires_grad)


def lead_no_gradient(tensor: Tensor, *, is_zero: bool) -> None:
    """Let PyTorch's tensor forget its gradient, or make it zero."""
    original = _lender(tensor)
    if original is None or original.grad is None:
        return
    if is_zero:
        original.grad = original.grad.detach().zero_()
    else:
        original.grad = None
