"""Weights divided by their largest singular value, computed anew before each call (PyTorch: torch/nn/utils/spectral_norm.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from typing import Any, TypeVar

from torchscript_dialect import torch
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter, is_lazy
from torchscript_dialect.torch.nn.utils._weight_hooks import remove_weight_hook, weight_hook

_M = TypeVar("_M", bound=Module)


class SpectralNorm:
    """A hook that sets the weight of a module; in training each call improves what is known of its singular vectors."""

    def __init__(
        self,
        name: str = "weight",
        n_power_iterations: int = 1,
        dim: int = 0,
        eps: float = 1e-12,
    ) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got"
                f" n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.dim = dim
        self.eps = eps

    def reshape_weight_to_matrix(self, weight: Any) -> Any:
        """The weight with `dim` as rows."""
        return weight.movedim(self.dim, 0).reshape(weight.size(self.dim), -1)

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Any:
        """The weight, after better singular vectors if `do_power_iteration`."""
        weight = getattr(module, f"{self.name}_orig")
        u, v = getattr(module, f"{self.name}_u"), getattr(module, f"{self.name}_v")
        matrix = self.reshape_weight_to_matrix(weight)
        with torch.no_grad():
            for _ in range(self.n_power_iterations if do_power_iteration else 0):
                v.copy_(F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps))
                u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps))
        return weight / torch.dot(u, torch.mv(matrix, v))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))

    def remove(self, module: Module) -> None:
        """Make the weight a parameter again."""
        weight = self.compute_weight(module, False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        setattr(module, self.name, Parameter(weight))


def spectral_norm(
    module: _M,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> _M:
    """Let `name_orig` be the parameter, and the weight that divided by its largest singular value.

    Raises:
        RuntimeError: it has that already.
        ValueError: there is no such weight, or it has no shape yet.
    """
    if weight_hook(module, SpectralNorm, name) is not None:
        raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    weight = module._parameters[name]
    if weight is None:
        raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    if is_lazy(weight):
        raise ValueError(
            "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run"
            " the dummy forward before applying spectral normalization"
        )
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    hook = SpectralNorm(name, n_power_iterations, dim, eps)
    rows, columns = hook.reshape_weight_to_matrix(weight).shape
    u = F.normalize(torch.empty(rows, dtype=weight.dtype).normal_(0, 1), dim=0, eps=eps)
    v = F.normalize(torch.empty(columns, dtype=weight.dtype).normal_(0, 1), dim=0, eps=eps)
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.detach())
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: _M, name: str = "weight") -> _M:
    """Undo `spectral_norm`; ValueError where there is none."""
    return remove_weight_hook(module, SpectralNorm, name, "spectral_norm")
