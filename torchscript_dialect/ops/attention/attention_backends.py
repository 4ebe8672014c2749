"""Which algorithms attention may choose from (PyTorch: aten/src/ATen/native/transformers/sdp_utils_cpp.cpp).

On the host two of them do something: one kernel, and what is made of operators. They round differently, and so do the layouts of what
they give. Attention on devices is made of operators, whatever is enabled.
"""

from __future__ import annotations

from enum import Enum, IntEnum


class SDPBackend(IntEnum):
    """PyTorch's names of algorithms."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4

    __str__ = Enum.__str__


_ALL = frozenset(SDPBackend) - {SDPBackend.ERROR}


class _Setting:
    enabled: frozenset[SDPBackend] = _ALL


def enabled() -> frozenset[SDPBackend]:
    """What attention may choose from."""
    return _Setting.enabled


def enable(backends: frozenset[SDPBackend]) -> None:
    """Let attention choose from these."""
    _Setting.enabled = backends


def chosen(*, fits_kernel: bool) -> SDPBackend:
    """What attention on the host takes, whose operands one kernel takes or not.

    Raises:
        RuntimeError: nothing that is enabled does it.
    """
    has_kernel = SDPBackend.FLASH_ATTENTION in _Setting.enabled
    has_operators = SDPBackend.MATH in _Setting.enabled
    if has_kernel and fits_kernel:
        return SDPBackend.FLASH_ATTENTION
    if has_operators:
        return SDPBackend.MATH
    raise RuntimeError(
        "No available kernel.  Aborting execution."
        if has_kernel
        else "No viable backend for scaled_dot_product_attention was found. "
        "This is likely due to turning off both the math kernel and the fused kernels."
    )
