"""What PyTorch does with tensors of ours: its functions run on their memory, and its archives hold tensors of its own.

Note [Functions of PyTorch's]
A function of PyTorch's that is given a tensor of ours asks it for `__torch_function__`, and runs on a tensor of PyTorch's on the same
memory. A parameter that PyTorch has lent (Note [Lent tensors] in api/lent_tensors.py) is the one that it lent. The results are
PyTorch's, but where gradients go to a tensor of ours: then those that require gradients are ours, on our tape, and going back from
them goes along PyTorch's (Note [Two tapes] in beside_pytorch.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torchscript_dialect.runtime.values.for_pytorch import mapped, tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.tensor import Tensor, lender_of
from torchscript_dialect.tensor.tracked import TrackedTensor


def torch_function(
    _class: type[Tensor],
    function: Callable[..., Any],
    _types: Sequence[type],
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """Call a function of PyTorch's: Note [Functions of PyTorch's]."""
    # Loaded when they are needed: importing the package makes no operators of the tape.
    from torchscript_dialect.autograd.lent_to_pytorch import Loan

    torch = pytorch_state.loaded()
    loan = Loan(torch)

    def give(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return value
        lender: Any = lender_of(value)
        if isinstance(lender, torch.Tensor) and _is_the_same(value, lender):
            return lender
        return loan.give(value)

    given: dict[str, Any] = mapped(dict(kwargs or {}), give)
    result = function(*mapped(tuple(args), give), **given)
    return loan.take(result) if loan.lent else result


def _is_the_same(tensor: Tensor, lender: Any) -> bool:
    """Whether the tensor is what PyTorch lent, and neither a view of it nor detached from it."""
    return (
        lender.requires_grad is (tensor.__class__ is TrackedTensor)
        and lender.data_ptr() == tensor.data_ptr()
        and (lender.shape, lender.stride()) == (tensor.shape, tensor.stride())
    )


def reduce_ex(tensor: Tensor, protocol: Any) -> Any:
    """How to pickle a tensor: for `torch.save` as a tensor of PyTorch's, which its `torch.load` knows."""
    torch = pytorch_state.loaded()
    caller = sys._getframe(1).f_globals  # pyright: ignore[reportPrivateUsage]
    if torch is None or caller.get("__name__") != "torch.serialization":
        return object.__reduce_ex__(tensor, protocol)
    made = tensor_for_pytorch(tensor, torch)
    return made.requires_grad_(tensor.__class__ is TrackedTensor).__reduce_ex__(protocol)
