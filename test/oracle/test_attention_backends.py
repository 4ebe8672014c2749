"""Which algorithm attention takes, beside PyTorch: `torch.nn.attention` and the flags of `torch.backends.cuda`."""

import warnings
from typing import Any

import torch
import torch.nn.attention

from torchscript_dialect import torch as stand_in


def program(t: Any) -> list[Any]:
    flags = t.backends.cuda
    kinds, sdpa_kernel = t.nn.attention.SDPBackend, t.nn.attention.sdpa_kernel
    attend, found = t.nn.functional.scaled_dot_product_attention, []
    q = t.arange(24.0).reshape(1, 2, 3, 4) / 24

    def note() -> None:
        names = "flash", "mem_efficient", "math", "cudnn"
        found.append([getattr(flags, f"{name}_sdp_enabled")() for name in names])
        for v in (q, q[..., :2]):
            try:
                chosen = t._fused_sdp_choice(q, q, v)
                result = attend(q.transpose(1, 2), q.transpose(1, 2), v.transpose(1, 2))
                found.append([chosen, result.stride(), (result * 1024).round().tolist()])
            except RuntimeError as error:
                found.append(str(error))

    note()
    for one in (kinds.MATH, kinds.FLASH_ATTENTION, [kinds.EFFICIENT_ATTENTION], list[Any]()):
        with sdpa_kernel(one):
            note()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with flags.sdp_kernel(enable_flash=False):
            note()
    flags.enable_flash_sdp(False)
    note()
    flags.enable_flash_sdp(True)
    try:
        with sdpa_kernel("math"):
            pass
    except AssertionError as error:
        found.append(str(error))
    return [*found, str(kinds.MATH), repr(kinds.ERROR), kinds.MATH.name, int(kinds.CUDNN_ATTENTION)]


def test_what_is_chosen() -> None:
    assert program(stand_in) == program(torch)
