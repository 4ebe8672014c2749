"""Parametrizations: orthogonal matrices, spectral norm, weight norm (PyTorch: torch/nn/utils/parametrizations.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from enum import Enum, auto
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.nn import functional as F
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.utils import parametrize


class _OrthMaps(Enum):
    matrix_exp = auto()
    cayley = auto()
    householder = auto()


class _WeightNorm(Module):
    """A length along a dimension times a direction."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Any, weight_v: Any) -> Any:
        return torch._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Any) -> tuple[Any, Any]:
        return torch.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Let the weight be a length times a direction. States of `torch.nn.utils.weight_norm` load, too."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def rename(state_dict: dict[str, Any], prefix: str, *_: Any) -> None:
        older = [f"{prefix}{name}_{part}" for part in "gv"]
        if all(key in state_dict for key in older):
            for number, key in enumerate(older):
                newer = f"{prefix}parametrizations.{name}.original{number}"
                state_dict[newer] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(rename)
    return module


class _SpectralNorm(Module):
    """Divided by the largest singular value, whose vectors each call in training knows better."""

    def __init__(
        self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        super().__init__()
        rank = weight.dim()
        if not -rank <= dim < rank:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{rank}, {rank - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got"
                f" n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % rank
        self.eps = eps
        if rank > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight)
            rows, columns = matrix.shape
            u = torch.empty(rows, dtype=weight.dtype).normal_(0, 1)
            v = torch.empty(columns, dtype=weight.dtype).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=eps))
            self._power_method(matrix, 15)

    def _matrix(self, weight: Any) -> Any:
        return weight.movedim(self.dim, 0).flatten(1)

    @torch.no_grad()
    def _power_method(self, matrix: Any, iterations: int) -> None:
        for _ in range(iterations):
            self._u.copy_(F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
            self._v.copy_(F.normalize(torch.mv(matrix.H, self._u), dim=0, eps=self.eps))

    def forward(self, weight: Any) -> Any:
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        # The next call changes the vectors, which this one goes back through.
        return weight / torch.vdot(self._u.clone(), torch.mv(matrix, self._v.clone()))

    def right_inverse(self, value: Any) -> Any:
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """Let the weight be divided by its largest singular value."""
    weight = _weight(module, name)
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    parametrize.register_parametrization(module, name, made)
    return module


def _weight(module: Module, name: str) -> Any:
    weight = getattr(module, name, None)
    if weight is None or not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


class _Orthogonal(Module):
    """A matrix with columns, or rows where there are fewer, at right angles, made of one without a condition."""

    def __init__(
        self, weight: Any, orthogonal_map: _OrthMaps, *, use_trivialization: bool = True
    ) -> None:
        super().__init__()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        is_wide = X.size(-2) < X.size(-1)
        if is_wide:
            X = X.mT
        rows, columns = X.size(-2), X.size(-1)
        if self.orthogonal_map is _OrthMaps.householder:
            reflectors = X.tril(diagonal=-1)
            lengths = 2.0 / (1.0 + (reflectors * reflectors).sum(dim=-2))
            result = torch.linalg.householder_product(reflectors, lengths)
            result = result * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            lower = X.tril()
            if rows != columns:
                zeros = torch.zeros([*X.shape[:-1], rows - columns], dtype=X.dtype)
                lower = torch.cat([lower, zeros], dim=-1)
            skew = lower - lower.mH
            if self.orthogonal_map is _OrthMaps.matrix_exp:
                result = torch.matrix_exp(skew)
            else:
                one = torch.eye(rows, dtype=X.dtype)
                result = torch.linalg.solve(one - 0.5 * skew, one + 0.5 * skew)
            result = result[..., :columns] if rows != columns else result
        if "base" in self._buffers:
            result = self.base @ result
        return result.mT if is_wide else result

    def right_inverse(self, Q: Any) -> Any:
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape"
                f" {Q.shape}."
            )
        is_wide = Q.size(-2) < Q.size(-1)
        matrix = Q.mT if is_wide else Q
        rows, columns = matrix.size(-2), matrix.size(-1)
        if "base" not in self._buffers:
            if self.orthogonal_map is not _OrthMaps.householder:
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley"
                    " parametrizations when use_trivialization=False."
                )
            reflectors, lengths = torch.geqrf(matrix)
            diagonal = reflectors.diagonal(dim1=-2, dim2=-1)
            signs = diagonal.sign()
            diagonal.copy_(torch.where(lengths == 0.0, -signs, signs))
            return reflectors.mT if is_wide else reflectors
        if rows == columns:
            base = matrix.clone() if _is_orthogonal(matrix) else _made_orthogonal(matrix)
        else:
            others = torch.randn([*matrix.shape[:-1], rows - columns], dtype=matrix.dtype)
            base = _made_orthogonal(torch.cat([matrix, others], dim=-1))
        self.base = base
        start = torch.zeros_like(Q)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0 if _is_householder(self) else 0.0)
        return start


def _is_householder(made: _Orthogonal) -> bool:
    return made.orthogonal_map is _OrthMaps.householder


def _is_orthogonal(matrix: Any) -> bool:
    columns = matrix.size(-1)
    one = torch.eye(columns, dtype=matrix.dtype)
    eps = 10.0 * columns * torch.finfo(matrix.dtype).eps
    return bool(torch.allclose(matrix.mH @ matrix, one, atol=eps))


def _made_orthogonal(matrix: Any) -> Any:
    """The nearest orthogonal matrix by Householder reflections, with the signs of PyTorch's."""
    reflectors, lengths = torch.geqrf(matrix)
    result = torch.linalg.householder_product(reflectors, lengths)
    return result * reflectors.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """Let the weight be an orthogonal matrix.

    Raises:
        ValueError: the map is unknown; the weight has fewer than two dimensions.
    """
    weight = _weight(module, name)
    if weight.dim() < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.dim()} dimensions."
        )
    if orthogonal_map is None:
        is_square = weight.size(-2) == weight.size(-1) or weight.is_complex()
        orthogonal_map = "matrix_exp" if is_square else "householder"
    found = getattr(_OrthMaps, orthogonal_map, None)
    if found is None:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got:'
            f" {orthogonal_map}"
        )
    if orthogonal_map == "householder" and weight.is_complex():
        raise ValueError("The householder parametrization does not support complex tensors.")
    made = _Orthogonal(weight, found, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module
