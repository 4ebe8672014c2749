"""Tensors of compiled modules that stand on the memory of PyTorch's.

Note [Lent tensors]
A module of PyTorch's and what is compiled of it have the same parameters and buffers: two objects on one memory. What is written to
the memory both see. What else becomes of one is told to the other: that PyTorch's tensor was given other memory (`module.double()`,
`parameter.data = ...`), or is to require gradients or no more, is looked for at each call and wherever tensors of the compiled module
are asked for (`follow`); what is done to the tensors of the compiled module by its own methods is done to PyTorch's at once (`lead`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from torchscript_dialect.runtime.for_pytorch import tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, lender_of

Shared = dict[int, tuple[Any, Tensor]]
"""By id, tensors of PyTorch's and what stands for them here: what several modules have is one tensor."""


class _Pair(NamedTuple):
    """A tensor of PyTorch's, what stands for it, and what was last seen of the former."""

    original: Any
    tensor: Tensor
    pointer: int
    requires_grad: bool


class LentTensors:
    """The tensors that PyTorch has lent to a compiled module and those inside it: Note [Lent tensors]."""

    def __init__(self) -> None:
        self._pairs: list[_Pair] = []

    def add(self, shared: Shared) -> None:
        """Watch over the tensors of PyTorch's among these."""
        torch = pytorch_state.loaded()
        for original, tensor in shared.values():
            if torch is not None and lender_of(tensor) is original:
                pointer = _pointer(original) if isinstance(original, torch.Tensor) else None
                if pointer is not None:
                    self._pairs.append(_Pair(original, tensor, pointer, original.requires_grad))

    def join(self, other: LentTensors) -> None:
        """Watch over what another module watches over."""
        self._pairs += other._pairs

    def follow(self) -> None:
        """Let our tensors be what PyTorch's have become."""
        for number, (original, _, pointer, requires_grad) in enumerate(self._pairs):
            if original.data_ptr() != pointer or original.requires_grad is not requires_grad:
                self._pairs[number] = _followed(self._pairs[number])


def _followed(pair: _Pair) -> _Pair:
    original, tensor, pointer, requires_grad = pair
    now = original.data_ptr()
    if now != pointer:
        setattr(tensor, "data", as_tensor(original.detach()))  # noqa: B010  (given by autograd)
    if original.requires_grad is not requires_grad:
        tensor.requires_grad_(original.requires_grad)
    return _Pair(original, tensor, now, original.requires_grad)


def _pointer(original: Any) -> int | None:
    """Where the memory of a tensor begins; None for one that has none."""
    try:
        return original.data_ptr()
    except RuntimeError:
        return None


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
