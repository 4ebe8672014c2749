"""`torch.stft` and `torch.cdist`, which look at their arguments before they call an operator (torch/functional.py). The compiler
calls these, and inlined they are PyTorch's graphs.
"""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportUndefinedVariable=false, reportTypeCommentUsage=false
from __future__ import annotations

from typing import Optional

from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import functional as F

_cdist = function("cdist")
_stft = function("stft")


def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """The distances of all rows of `x1`, (..., P, M), from all of `x2`, (..., R, M): (..., P, R).

    Raises:
        ValueError: another text for `compute_mode`, which says when euclidean distances are made by a product.
    """
    if compute_mode == "use_mm_for_euclid_dist_if_necessary":
        return _cdist(x1, x2, p, None)
    elif compute_mode == "use_mm_for_euclid_dist":
        return _cdist(x1, x2, p, 1)
    elif compute_mode == "donot_use_mm_for_euclid_dist":
        return _cdist(x1, x2, p, 2)
    else:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")


def stft(
    input: Tensor,
    n_fft: int,
    hop_length: Optional[int] = None,  # noqa: UP045
    win_length: Optional[int] = None,  # noqa: UP045
    window: Optional[Tensor] = None,  # noqa: UP045
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: Optional[bool] = None,  # noqa: UP045
    return_complex: Optional[bool] = None,  # noqa: UP045
    align_to_window: Optional[bool] = None,  # noqa: UP045
) -> Tensor:
    """Fourier transforms of overlapping parts of a signal (T) or of signals (B, T): (..., frequencies, parts), complex.

    With `center` the signal is padded at both ends, so that part i is around element `i * hop_length`.

    Raises:
        RuntimeError: `align_to_window` beside `center`; sizes that do not fit; a real signal without `return_complex`.
    """
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    if center:
        signal_dim = input.dim()
        extended_shape = [1] * (3 - signal_dim) + list(input.size())
        pad = int(n_fft // 2)
        input = F.pad(input.view(extended_shape), [pad, pad], pad_mode)
        input = input.view(input.shape[-signal_dim:])
    return _stft(
        input,
        n_fft,
        hop_length,
        win_length,
        window,
        normalized,
        onesided,
        return_complex=return_complex,
        align_to_window=align_to_window,
    )


for _function in (cdist, stft):  # names that archives hold
    _function.__module__ = "torch.functional"
