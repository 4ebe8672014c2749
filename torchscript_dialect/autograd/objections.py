"""Which writes in place gradients do not follow (PyTorch: `check_inplace` in torch/csrc/autograd/VariableTypeUtils.h)."""

from __future__ import annotations

from torchscript_dialect.autograd.history import (
    History,
    check_inference_write,
    grad_fn,
    is_leaf,
    known,
)
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor


def check_plain_write(tensor: Tensor) -> None:
    """RuntimeError where a tensor, to which nothing with a gradient is written, is a view that must not be written to, and where it
    is an inference tensor outside the mode.
    """
    own = known(tensor)
    if own is None:
        return
    check_inference_write(own)
    if tensor.__class__ is TrackedTensor and grad_mode.is_grad_enabled():
        _check_meta(tensor, own)


def _check_meta(tensor: Tensor, own: History) -> None:
    if own.view is not None and own.view.meta is not None:
        raise RuntimeError(own.view.meta.refusal(grad_fn(tensor), own.output_nr))


RESIZING = ("aten::resize_", "aten::resize_as_")
"""What tensors that require gradients refuse."""


def check_write(tensor: Tensor, *, resizes: bool) -> None:
    """RuntimeError where gradients do not follow a write to a tensor: to some views, to leaves, and to views of leaves."""
    if resizes and tensor.__class__ is TrackedTensor:
        raise RuntimeError("cannot resize variables that require grad")
    own = known(tensor)
    if own is not None:
        check_inference_write(own)
        _check_meta(tensor, own)
        base = None if own.view is None else own.view.base
        if isinstance(base, TrackedTensor) and is_leaf(base):
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place operation."
            )
    if tensor.__class__ is TrackedTensor and is_leaf(tensor):
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )
