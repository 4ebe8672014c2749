"""Why views must not be written to in place, in PyTorch's words (torch/csrc/autograd/variable.h, `CreationMeta`)."""

from __future__ import annotations

from functools import lru_cache

from torchscript_dialect.autograd.history import check_inference_write, known
from torchscript_dialect.autograd.node_names import default_name, listed_name
from torchscript_dialect.autograd.nodes import short_name
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.inference import is_inference_mode_enabled
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor

MADE_WITHOUT_GRADIENTS = (
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this "
    "use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view "
    "and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both "
    "outside (if you want the inplace to be tracked)."
)
"""Why a view that was made under `no_grad` must not be written to."""
MADE_IN_INFERENCE_MODE = (
    MADE_WITHOUT_GRADIENTS.replace("no_grad mode", "inference mode")
    .replace("with grad mode enabled", "in normal mode")
    .replace("no_grad", "inference_mode")
)


def made_without_gradients() -> str | None:
    """Why a view that is made here must not be written to where gradients are wanted; None where they are wanted here."""
    if grad_mode.is_grad_enabled():
        return None
    is_inference = is_inference_mode_enabled()
    return MADE_IN_INFERENCE_MODE if is_inference else MADE_WITHOUT_GRADIENTS


def check_plain_write(tensor: Tensor) -> None:
    """RuntimeError where a tensor without gradients is a view, made under `no_grad`, of what requires one, which a write would change
    behind its back, and where it is an inference tensor outside the mode.
    """
    own = known(tensor)
    if own is None:
        return
    check_inference_write(own)
    if own.view is None or own.view.objection is None:
        return
    if own.view.base.__class__ is TrackedTensor and grad_mode.is_grad_enabled():
        raise RuntimeError(own.view.objection)


@lru_cache(maxsize=256)
def is_of_several(operator: Operator, number: int) -> str:
    """Why views, of which this is the number of one, that an operator gives several of must not be written to."""
    name = short_name(listed_name(operator) or default_name(operator))
    return (
        f"Output {number} of {name} is a view and is being modified inplace. This view is the output of a function that "
        "returns multiple views. Such functions do not allow the output views to be modified inplace. You should "
        "replace the inplace operation by an out-of-place one."
    )
