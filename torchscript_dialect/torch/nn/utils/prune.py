"""Weights of which a part is zero, times a mask before each call (PyTorch: torch/nn/utils/prune.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from torchscript_dialect import torch
from torchscript_dialect.torch.nn.modules.module import Module

_M = TypeVar("_M", bound=Module)


class BasePruningMethod(ABC):
    """A hook that sets a tensor of a module, of which the parameter `name_orig` and the buffer `name_mask` are parts."""

    PRUNING_TYPE: str
    """What the mask is computed of: elements that are left (`unstructured`), slices that are (`structured`), or all (`global`)."""
    _tensor_name: Any

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """A mask for a tensor, in which zeros of another one stay."""

    def apply_mask(self, module: Module) -> Any:
        """The tensor, pruned.

        Raises:
            AssertionError: nothing has said which one.
        """
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask = getattr(module, f"{self._tensor_name}_mask")
        original = getattr(module, f"{self._tensor_name}_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prune a tensor of a module, once more if it is pruned already; scores take its place where the mask is computed.

        Raises:
            AssertionError: the scores have another shape.
        """
        new = cls(*args, **kwargs)
        new._tensor_name = name
        before = _taken_off(module, name)
        method: BasePruningMethod = new
        if before is not None:
            method = before if isinstance(before, PruningContainer) else PruningContainer(before)
            method.add_pruning_method(new)
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, "
                f"got {scores.shape} vs {original.shape}"
            )
        if before is None:
            module.register_parameter(f"{name}_orig", original)
            del module._parameters[name]
            mask = torch.ones_like(original)
        else:
            mask = (
                getattr(module, f"{name}_mask")
                .detach()
                .clone(memory_format=torch.contiguous_format)
            )
        try:
            module.register_buffer(f"{name}_mask", method.compute_mask(scores, default_mask=mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if before is None:
                module.register_parameter(name, getattr(module, f"{name}_orig"))
                del module._parameters[f"{name}_orig"]
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """A tensor, pruned.

        Raises:
            AssertionError: the scores have another shape.
        """
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as tensor t, got {scores.shape} vs {t.shape}"
            )
        mask = torch.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=mask)

    def remove(self, module: Module) -> None:
        """Make the tensor a parameter again, pruned as it is.

        Raises:
            AssertionError: nothing has said which one.
        """
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original: Any = module._parameters[f"{name}_orig"]
        original.data = weight.data
        del module._parameters[f"{name}_orig"]
        del module._buffers[f"{name}_mask"]
        setattr(module, name, original)


def _of_tensor(module: Module, name: str) -> list[tuple[int, BasePruningMethod]]:
    """What prunes a tensor of a module, with the numbers of the hooks."""
    return [
        (number, hook)
        for number, hook in module._forward_pre_hooks.items()
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
    ]


def _taken_off(module: Module, name: str) -> BasePruningMethod | None:
    """What has pruned a tensor of a module, which no hook does any more."""
    found = _of_tensor(module, name)
    if len(found) > 1:
        raise AssertionError(
            f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
        )
    for number, method in found:
        del module._forward_pre_hooks[number]
        return method
    return None


class PruningContainer(BasePruningMethod):
    """What prunes a tensor that was pruned several times: the last method sees what those before have left."""

    _tensor_name = None

    def __init__(self, *args: BasePruningMethod) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: BasePruningMethod | None) -> None:
        """Let another method be the last one.

        Raises:
            TypeError: it is none.
            ValueError: it is for another tensor.
        """
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on "
                f"the parameter named '{self._tensor_name}' to PruningContainer {self}."
                f" Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)  # type: ignore[operator]

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask of the last method, computed of what is left.

        Raises:
            AttributeError, ValueError: it does not say of what.
            IndexError: there is no such dimension.
        """
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        place = self._left(method, t, mask)
        part = method.compute_mask(t[place], default_mask=mask[place])
        mask = mask.clone() if mask is default_mask else mask
        mask[place] = part.to(dtype=mask.dtype)
        return mask

    def _left(self, method: Any, t: Any, mask: Any) -> Any:
        """Where a method computes its mask."""
        rank = t.dim()
        place: list[Any] = [slice(None)] * rank
        if method.PRUNING_TYPE == "unstructured":
            return mask == 1
        if method.PRUNING_TYPE == "structured":
            if not hasattr(method, "dim"):
                raise AttributeError(
                    'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
                )
            dim = method.dim + rank if method.dim < 0 else method.dim
            if dim < 0:
                raise IndexError(f"Index is out of bounds for tensor with dimensions {rank}")
            place[dim] = mask.sum(dim=[d for d in range(rank) if d != dim]) != 0
        elif method.PRUNING_TYPE != "global":
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        return tuple(place)


class Identity(BasePruningMethod):
    """A mask of ones."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask as it is."""
        return default_mask


class _Unstructured(BasePruningMethod):
    """Zeros at single elements: an amount of them, or a part of all."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: Any) -> None:
        self.amount = _checked_amount(amount)

    @abstractmethod
    def _first(self, t: Any, count: int) -> Any:
        """The places of so many elements that are pruned."""

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask, with more zeros."""
        count = _count(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            mask.view(-1)[self._first(t, count)] = 0
        return mask


class RandomUnstructured(_Unstructured):
    """Elements that are drawn."""

    def _first(self, t: Any, count: int) -> Any:
        return torch.topk(torch.rand_like(t).view(-1), k=count).indices


class L1Unstructured(_Unstructured):
    """The smallest elements."""

    def _first(self, t: Any, count: int) -> Any:
        return torch.topk(torch.abs(t).view(-1), k=count, largest=False).indices


class _Structured(BasePruningMethod):
    """Zeros in whole slices along a dimension: an amount of them, or a part of all."""

    PRUNING_TYPE = "structured"
    dim: int
    amount: Any

    @abstractmethod
    def _kept(self, t: Any, size: int, count: int) -> Any:
        """Which slices stay, where so many are pruned."""

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """The mask, with more zeros.

        Raises:
            ValueError: the tensor has no slices, or not so many.
            IndexError: it has no such dimension.
        """
        if t.dim() <= 1:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                f"{t.shape} with {t.dim()} dims"
            )
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        size = t.shape[self.dim]
        count = _count(self.amount, size)
        if not count:
            return default_mask
        place: list[Any] = [slice(None)] * t.dim()
        place[self.dim] = self._kept(t, size, count)
        mask = torch.zeros_like(t)
        mask[tuple(place)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask


class RandomStructured(_Structured):
    """Slices that are drawn."""

    def __init__(self, amount: Any, dim: int = -1) -> None:
        self.amount = _checked_amount(amount)
        self.dim = dim

    def _kept(self, t: Any, size: int, count: int) -> Any:
        drawn = torch.rand(size)
        return drawn > torch.kthvalue(drawn, k=count).values


class LnStructured(_Structured):
    """The slices with the smallest norms."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        self.amount = _checked_amount(amount)
        self.n = n
        self.dim = dim

    def _kept(self, t: Any, size: int, count: int) -> Any:
        dims = list(range(t.dim()))
        dims.remove(dims[self.dim])
        norms = torch.norm(t, p=self.n, dim=dims)
        return torch.topk(norms, k=size - count, largest=True).indices


class CustomFromMask(BasePruningMethod):
    """A mask that is given."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Both masks; AssertionError if they have other shapes."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module: _M, name: str) -> _M:
    """Let a tensor be pruned, with a mask of ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: _M, name: str, amount: Any) -> _M:
    """Prune elements that are drawn."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: _M, name: str, amount: Any, importance_scores: Any = None) -> _M:
    """Prune the smallest elements."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: _M, name: str, amount: Any, dim: int) -> _M:
    """Prune slices that are drawn."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(
    module: _M, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None
) -> _M:
    """Prune the slices with the smallest norms."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: _M, name: str, mask: Any) -> _M:
    """Prune by a mask."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Prune elements of several tensors, given as modules and names, as if they were one.

    Raises:
        TypeError: the tensors, the scores or the method are none.
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs: list[tuple[Any, str]] = list(parameters)
    tensors = [getattr(module, name) for module, name in pairs]
    to_vector = torch.nn.utils.parameters_to_vector
    values = to_vector([scores.get(pair, one) for pair, one in zip(pairs, tensors, strict=True)])
    masks = to_vector(
        [
            getattr(module, f"{name}_mask", torch.ones_like(one))
            for (module, name), one in zip(pairs, tensors, strict=True)
        ]
    )
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. '
            f"Found method {pruning_method} of type {method.PRUNING_TYPE}"
        )
    method._tensor_name = "temp"
    mask = PruningContainer(method).compute_mask(values, masks)
    parts = mask.split([one.numel() for one in tensors])
    for (module, name), one, part in zip(pairs, tensors, parts, strict=True):
        custom_from_mask(module, name, mask=part.view_as(one))


def remove(module: _M, name: str) -> _M:
    """Make a tensor a parameter again, pruned as it is; ValueError if it is not."""
    for number, hook in _of_tensor(module, name):
        hook.remove(module)
        del module._forward_pre_hooks[number]
        return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
    )


def is_pruned(module: Module) -> bool:
    """Whether a tensor of a module, or of one inside, is pruned."""
    return any(
        isinstance(hook, BasePruningMethod)
        for inner in module.modules()
        for hook in inner._forward_pre_hooks.values()
    )


def _checked_amount(amount: Any) -> Any:
    """How much to prune; TypeError or ValueError if it is no part and no count."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    is_count = isinstance(amount, numbers.Integral)
    if float(amount) < 0 or (not is_count and float(amount) > 1):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )
    return amount


def _count(amount: Any, size: int) -> int:
    """How many of `size` are pruned; ValueError if there are not so many."""
    if not isinstance(amount, numbers.Integral):
        return round(amount * size)
    if int(amount) > size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to prune={size}"
        )
    return int(amount)
