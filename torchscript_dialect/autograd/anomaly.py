"""Anomaly mode: nodes know where they were made, and gradients that are NaN are errors.

Follows torch/csrc/autograd/anomaly_mode.cpp.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from torchscript_dialect.autograd.nodes import TRACEBACK, Grad, Node, anomaly_mode


def set_mode(enabled: bool, check_nan: bool) -> None:
    """Turn the mode on or off."""
    anomaly_mode.is_on, anomaly_mode.checks_nan = enabled, check_nan


def hint() -> str:
    """What the error for a tensor that was written to advises."""
    if anomaly_mode.is_on:
        return (
            "Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in "
            "question was changed in there or anywhere later. Good luck!"
        )
    return (
        "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )


def applied(node: Node, apply: Callable[[Any], Sequence[Grad]], grads: Any) -> Sequence[Grad]:
    """What a node gives, which `apply` runs. Before an error is raised a warning tells where the node was made.

    Raises:
        RuntimeError: the node gave a NaN, which the mode looks for.
    """
    try:
        found = apply(grads)
        if anomaly_mode.checks_nan:
            _check(node, found)
    except Exception:
        warnings.warn(_place(node), UserWarning, stacklevel=2)
        raise
    return found


def _check(node: Node, found: Sequence[Grad]) -> None:
    for number, grad in enumerate(found):
        if grad is None or not (grad.dtype.is_floating_point or grad.dtype.is_complex):
            continue
        if np.isnan(grad.array).any():
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {number}th output."
            )


def _place(node: Node) -> str:
    lines: list[str] = node.metadata.get(TRACEBACK, [])
    if not lines:
        return (
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during forward "
            "pass for more information."
        )
    return (
        f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n"
        f"{''.join(lines)}"
    )
