"""How views were made, and why some must not be written to in place (PyTorch: torch/csrc/autograd/variable.h, `CreationMeta`)."""

from __future__ import annotations

from enum import Enum

from torchscript_dialect.autograd.nodes import Node, short_name
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.inference import is_inference_mode_enabled


class CreationMeta(Enum):
    """How a view was made that must not be written to where gradients are wanted."""

    MULTI_OUTPUT_NODE = "multiple views"
    NO_GRAD_MODE = "no_grad"
    INFERENCE_MODE = "inference_mode"

    def refusal(self, node: Node | None, output_nr: int, *, is_indirect: bool = False) -> str:
        """Why a view must not be written to, in PyTorch's words. `node` is what the view came from, if any; with `is_indirect` its base
        or another view was written to.
        """
        change = "its base or another view of its base has been" if is_indirect else "is being"
        is_several = self is CreationMeta.MULTI_OUTPUT_NODE
        name = "" if node is None else short_name(node.name())
        if name and is_several:
            what = f"Output {output_nr} of {name} is a view and {change} modified inplace."
        else:
            mode, where = "no_grad mode", "with grad mode enabled"
            if self is CreationMeta.INFERENCE_MODE:
                mode, where = "inference mode", "in normal mode"
            is_of = f"Output {output_nr} of {name} is a view of a view which" if name else "A view"
            what = f"{is_of} was created in {mode} and {change} modified inplace {where}."
        if is_several:
            return (
                f"{what} This view is the output of a function that returns multiple views. Such functions do not allow the output "
                "views to be modified inplace. You should replace the inplace operation by an out-of-place one."
            )
        return (
            f"{what} Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
            f"the view and the inplace either both inside the {self.value} block (if you don't want the inplace to be tracked) or both "
            "outside (if you want the inplace to be tracked)."
        )


def creation_meta(*, is_several: bool = False) -> CreationMeta | None:
    """How a view that is made here is made, one of several or alone; None where it may be written to."""
    if grad_mode.is_grad_enabled():
        return CreationMeta.MULTI_OUTPUT_NODE if is_several else None
    is_inference = is_inference_mode_enabled()
    return CreationMeta.INFERENCE_MODE if is_inference else CreationMeta.NO_GRAD_MODE
