"""Transforms of parts of tensors, each its own (torch/distributions/transforms.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.transform import Transform
from torchscript_dialect.torch.distributions.utils import lazy_property, sum_rightmost


class _JoinedTransform(Transform):
    """A transform for each of the parts of a tensor along a dimension."""

    def __init__(self, tseq: Sequence[Any], dim: int, cache_size: int) -> None:
        if not all(isinstance(one, Transform) for one in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        super().__init__(cache_size=cache_size)
        self.transforms: list[Any] = [
            one.with_cache(cache_size) if cache_size else one for one in tseq
        ]
        self.dim = dim

    @property
    def bijective(self) -> bool:
        return all(one.bijective for one in self.transforms)

    def _parts(self, x: Any, name: str) -> Sequence[Any]:
        raise NotImplementedError

    def _join(self, parts: list[Any]) -> Any:
        raise NotImplementedError

    def _call(self, x: Any) -> Any:
        return self._join([one(part) for one, part in self._pairs(x, "x")])

    def _inverse(self, y: Any) -> Any:
        return self._join([one.inv(part) for one, part in self._pairs(y, "y")])

    def _pairs(self, x: Any, name: str) -> Any:
        return zip(self.transforms, self._parts(x, name), strict=True)

    def _check(self, x: Any, name: str, size: int, what: str) -> None:
        """AssertionError if the tensor does not have so many parts."""
        dim = self.dim
        if not -x.dim() <= dim < x.dim():
            raise AssertionError(f"dim {dim} out of range for tensor with {x.dim()} dimensions")
        if x.size(dim) != size:
            raise AssertionError(f"{name}.size({dim}) = {x.size(dim)} must equal {what} {size}")

    def _stretched(self, x: Any, y: Any) -> list[Any]:
        pairs = zip(self.transforms, self._parts(x, "x"), self._parts(y, "y"), strict=True)
        return [one.log_abs_det_jacobian(*parts) for one, *parts in pairs]


class CatTransform(_JoinedTransform):
    """Transforms of the parts, of `lengths`, that `torch.cat` joins."""

    def __init__(
        self,
        tseq: Sequence[Any],
        dim: int = 0,
        lengths: Sequence[int] | None = None,
        cache_size: int = 0,
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        counts = len(self.lengths), len(self.transforms)
        if counts[0] != counts[1]:
            raise AssertionError(f"lengths ({counts[0]}) must match transforms ({counts[1]})")

    @property
    def event_dim(self) -> int:
        return max(one.event_dim for one in self.transforms)

    @lazy_property
    def length(self) -> int:
        return sum(self.lengths)

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _parts(self, x: Any, name: str) -> Sequence[Any]:
        self._check(x, name, self.length, "length")
        return torch.split(x, self.lengths, self.dim)

    def _join(self, parts: list[Any]) -> Any:
        return torch.cat(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        found = [
            sum_rightmost(stretched, self.event_dim - one.event_dim)
            for one, stretched in zip(self.transforms, self._stretched(x, y), strict=True)
        ]
        dim = (self.dim - x.dim() if self.dim >= 0 else self.dim) + self.event_dim
        return torch.cat(found, dim=dim) if dim < 0 else sum(found)

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.cat([one.domain for one in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.cat([one.codomain for one in self.transforms], self.dim, self.lengths)


class StackTransform(_JoinedTransform):
    """Transforms of the parts that `torch.stack` joins."""

    def __init__(self, tseq: Sequence[Any], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return StackTransform(self.transforms, self.dim, cache_size)

    def _parts(self, x: Any, name: str) -> Sequence[Any]:
        self._check(x, name, len(self.transforms), "len(transforms)")
        return torch.unbind(x, self.dim)

    def _join(self, parts: list[Any]) -> Any:
        return torch.stack(parts, dim=self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return self._join(self._stretched(x, y))

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.stack([one.domain for one in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.stack([one.codomain for one in self.transforms], self.dim)
