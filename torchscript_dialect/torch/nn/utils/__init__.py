"""`torch.nn.utils`: what is done to modules and to sequences; each part loads when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.torch.absent_names import absent

_HOMES = {
    "clip_grad": (
        "clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_",
        "get_total_norm",
    ),
    "convert_parameters": ("parameters_to_vector", "vector_to_parameters"),
    "fusion": (
        "fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval",
        "fuse_linear_bn_weights",
    ),
    "init": ("skip_init",),
    "memory_format": (
        "convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format",
    ),
    "_spectral_norm": ("remove_spectral_norm", "spectral_norm"),
    "_weight_norm": ("remove_weight_norm", "weight_norm"),
}  # fmt: skip
"""The functions by the file that holds them."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_PARTS = ("parametrizations", "parametrize", "prune", "rnn", "stateless")

__all__ = [*_HOME_OF, *_PARTS]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        home = import_module(f"torchscript_dialect.torch.nn.utils.{_HOME_OF[name]}")
        found = getattr(home, name)
    elif name in (*_HOMES, *_PARTS):
        found = import_module(f"torchscript_dialect.torch.nn.utils.{name}")
    else:
        raise absent(__name__, name)
    globals()[name] = found  # a function of the same name goes before its file
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF, *_PARTS})
