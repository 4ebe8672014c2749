"""Weights as a length times a direction, computed anew before each call (PyTorch: torch/nn/utils/weight_norm.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import warnings
from typing import Any, TypeVar

from torchscript_dialect import torch
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter, is_lazy
from torchscript_dialect.torch.nn.utils._weight_hooks import remove_weight_hook, weight_hook

_M = TypeVar("_M", bound=Module)


class WeightNorm:
    """A hook that sets the weight of a module to `g * v / |v|`."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Module) -> Any:
        """The weight."""
        g, v = getattr(module, f"{self.name}_g"), getattr(module, f"{self.name}_v")
        return torch._weight_norm(v, g, self.dim)

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        delattr(module, f"{self.name}_g")
        delattr(module, f"{self.name}_v")
        setattr(module, self.name, Parameter(weight))


def weight_norm(module: _M, name: str = "weight", dim: int | None = 0) -> _M:
    """Let `name_g` (the lengths along `dim`) and `name_v` be parameters in the place of a weight.

    Raises:
        RuntimeError: it has that already.
        ValueError: the weight has no shape yet.
    """
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of"
        " `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    if weight_hook(module, WeightNorm, name) is not None:
        raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    weight = getattr(module, name)
    if is_lazy(weight):
        raise ValueError(
            "The module passed to `WeightNorm` can't have uninitialized parameters. Make sure to run the"
            " dummy forward before applying weight normalization"
        )
    hook = WeightNorm(name, dim)
    delattr(module, name)
    lengths = torch.norm_except_dim(weight, 2, hook.dim)
    module.register_parameter(f"{name}_g", Parameter(lengths))
    module.register_parameter(f"{name}_v", Parameter(weight))
    setattr(module, name, hook.compute_weight(module))
    module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: _M, name: str = "weight") -> _M:
    """Undo `weight_norm`; ValueError where there is none."""
    return remove_weight_hook(module, WeightNorm, name, "weight_norm")
