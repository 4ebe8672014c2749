"""Inference mode, and the tensors that are made in it (PyTorch: c10/core/InferenceMode.h, TensorImpl.h).

Note [Inference tensors]
What an operator or a compiled function makes in inference mode is an inference tensor for good, and so are views of it, wherever
they are made: it counts no writes, cannot be kept for a gradient, and is written to in the mode alone. Views of other tensors are what
these are. The slot `autograd` tells: `INFERENCE`, or a history that says so. The class stays `Tensor`, so that kernels and fast paths
take inference tensors as they are, in the mode and outside. Tensors are marked where results leave eager operators and compiled
functions, in the mode only: a result is new unless it stands on the memory of an operand. Native code, which knows that its results
are new, asks whether any thread is in the mode (`INSIDE`).

Views and writes outside the mode are looked at where those of tensors without gradients are, which begins with the first entry into
the mode (`begin_use` in tracked.py): before that nobody can have such a tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import local
from typing import Any

from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor, begin_use, contained


class _Mode(local):
    is_on: bool = False


_mode = _Mode()
INSIDE: list[bool] = []
"""An item for each thread in inference mode: where there is none, nobody has to ask for the mode of the thread."""
ENTERED: list[bool] = []
"""Empty until a thread has entered it: nobody has to look for inference tensors. Native code looks at the lengths of both."""


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode, in which no gradients are wanted either."""
    return _mode.is_on


def set_inference_mode(wanted: bool) -> None:
    """Say whether this thread is in inference mode from now on."""
    if wanted is _mode.is_on:
        return
    if wanted:
        INSIDE.append(True)
    else:
        INSIDE.pop()
    _mode.is_on = wanted
    if not ENTERED:
        ENTERED.append(True)
        begin_use()


class Inference:
    """What an inference tensor has until somebody asks for its history."""

    is_inference = True


INFERENCE = Inference()
slot: Callable[[Tensor], Any] = Tensor.__dict__["autograd"].__get__
"""What a tensor has in the slot; AttributeError where it has nothing."""


def is_inference(tensor: Tensor) -> bool:
    """Whether a tensor is an inference tensor."""
    try:
        known = slot(tensor)
    except AttributeError:
        return False
    return getattr(known, "is_inference", False)


def keep_normal(value: Any) -> None:
    """Let no tensor of a program's constant become an inference tensor where a call gives it: its slot is that of `x.data`."""
    if value.__class__ is Tensor:
        value.autograd = ()
    for one in contained(value):
        keep_normal(one)


def holds_inference(value: Any) -> bool:
    """Whether a runtime value is an inference tensor, or a container or object that holds one."""
    if value.__class__ is Tensor or value.__class__ is TrackedTensor:
        return is_inference(value)
    return any(map(holds_inference, contained(value)))


def holds_refused(value: Any) -> bool:
    """Whether a runtime value holds a tensor that must not be written to in place here."""
    return bool(ENTERED) and not _mode.is_on and holds_inference(value)


def made(tensor: Tensor) -> Tensor:
    """A tensor that nobody had before, which is an inference tensor if it was made in the mode."""
    if _mode.is_on:
        tensor.autograd = INFERENCE
    return tensor


def viewed(tensor: Tensor, of: Tensor) -> Tensor:
    """A new tensor on the memory of another one, which is an inference tensor if that is one."""
    if is_inference(of):
        tensor.autograd = INFERENCE
    return tensor


def mark_views(result: Any) -> None:
    """Let what are views of an inference tensor be such."""
    if result.__class__ is Tensor:
        result.autograd = INFERENCE
    else:
        for one in result:
            one.autograd = INFERENCE


def mark_results(result: Any, operands: Iterable[Any]) -> None:
    """Let tensors in the result of an operator or function be inference tensors where they are views of such an operand, and, in the
    mode, where they are new.
    """
    if result.__class__ is Tensor:
        if is_inference(result):
            return
        array = result.array
        if array.base is None:
            if _mode.is_on:
                _mark(result, array, operands)
        else:
            _mark(result, root(array), operands)
    elif result.__class__ is not TrackedTensor:
        for one in contained(result):
            mark_results(one, operands)


def _mark(result: Tensor, owner: Any, operands: Iterable[Any]) -> None:
    try:
        known = slot(result)
    except AttributeError:
        known = None
    if known == () or getattr(known, "apart", None) is not None:
        return  # a constant
    operand = _on_memory(owner, operands)
    if operand is None:
        made(result)
    elif operand is not result:
        viewed(result, operand)


def mark_new(result: Any, operands: Sequence[Any]) -> None:
    """`mark_results` in the mode for an operator that gives no views; it may give an operand as it is."""
    if result.__class__ is not Tensor:
        mark_results(result, operands)
        return
    for operand in operands:
        if operand is result:
            return
    result.autograd = INFERENCE


def _on_memory(owner: Any, values: Iterable[Any]) -> Tensor | None:
    """A tensor on the memory that this array owns: one of the values or of what they contain, or a gradient of one."""
    for value in values:
        class_ = value.__class__
        if class_ is Tensor or class_ is TrackedTensor:
            array = value.array
            if (array if array.base is None else root(array)) is owner:
                return value
            found = None if class_ is Tensor else _on_memory(owner, (value.autograd.grad,))
        else:
            found = _on_memory(owner, contained(value))
        if found is not None:
            return found
    return None
