"""What a thread has said of gradients; `grad_mode.py` changes it."""

from __future__ import annotations

from threading import local

from torchscript_dialect.tensor import pytorch_state


class GradState(local):
    enabled: bool = True
    claim: object = None
    """Note [A thread without gradients]."""


STATE = GradState()


def is_grad_enabled() -> bool:
    """Whether gradients are wanted in this thread: PyTorch's mode while it is loaded."""
    torch = pytorch_state.loaded()
    return STATE.enabled if torch is None else torch.is_grad_enabled()
