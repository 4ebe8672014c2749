"""The loss of classification: the negative log likelihood of the class that a target names, and cross entropy on top of it
(PyTorch: native/LossNLL.cpp).

`reduction` is 0 for the elements themselves, 1 for the mean by weight, 2 for the sum. 16-bit floats compute in float32 and round once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.pooling.native_windows import are_native
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorProperties

Array = NDArray[Any]


def check_target(x: Tensor, target: Tensor, weight: Tensor | None) -> None:
    """All but the ranks: what the operators have in common."""
    array, at = x.array, target.array
    if array.ndim > 1 and (array.shape[0], *array.shape[2:]) != at.shape:
        raise RuntimeError(
            f"size mismatch (got input: {list(array.shape)}, target: {list(at.shape)})"
        )
    if target.dtype not in (dtypes.int64, dtypes.uint8):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {target.dtype.type_name}"
        )
    if not x.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"nll_loss_out_frame\" not implemented for '{x.dtype.type_name}'"
        )
    classes = array.shape[1 if array.ndim > 1 else 0]
    if weight is None:
        return
    if weight.array.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got "
            f"weight tensor of shape: {list(weight.array.shape)}"
        )
    if weight.dtype is not x.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.type_name} but found {weight.dtype.type_name}"
        )


@cache
def native_losses() -> Any:
    """The kernels for elements of classes."""
    return import_module("torchscript_dialect.runtime.kernels.handwritten.class_kernels")


@ignores_float_errors
def _loss(
    x: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignored: int
) -> tuple[Tensor, Tensor]:
    """The loss and the sum of the weights, which is 0 for a batch that is not reduced."""
    check_target(x, target, weight)
    if x.array.ndim > 1 and are_native(x):
        made = native_losses().picked(x, target, weight, ignored)
        if made is not None:
            losses, weights = (one.array.reshape(target.array.shape) for one in made)
            return _reduced(x, losses, np.add.reduce(weights, axis=None), reduction)
    compute = opmath(x.dtype).numpy_dtype
    array = x.array if x.array.ndim > 1 else x.array[None]
    at = target.array.astype(np.int64, copy=False).reshape((array.shape[0], *array.shape[2:]))
    if array.ndim == 2 and _are_all_classes(at, array.shape[1], ignored):
        losses = -array[np.arange(len(at)), at].astype(compute, copy=False)
        if weight is None:
            return _reduced(x, losses, losses.dtype.type(len(at)), reduction)
        weights = weight.array.astype(compute, copy=False)[at]
        return _reduced(x, losses * weights, np.add.reduce(weights), reduction)
    counts = at != ignored
    wrong = counts & ((at < 0) | (at >= array.shape[1]))
    if wrong.any():
        raise IndexError(f"Target {at[wrong][0]} is out of bounds.")
    at = np.where(counts, at, 0)
    weights: Array = counts.astype(compute)
    if weight is not None and counts.any():
        weights = weights * weight.array.astype(compute, copy=False)[at]
    losses: Array = np.zeros(at.shape, compute)
    if counts.any():
        picked = np.take_along_axis(array, at[:, None], 1)[:, 0].astype(compute, copy=False)
        losses = np.where(counts, -picked * weights, losses)
    return _reduced(x, losses, weights.sum(), reduction)


def _are_all_classes(at: Array, classes: int, ignored: int) -> bool:
    """Whether targets are classes that count, each of them."""
    if not at.size or 0 <= ignored < classes:
        return False
    # As unsigned integers negative ones are larger than all classes.
    return bool(np.maximum.reduce(at.view(np.uint64), axis=None) < classes)


def _reduced(x: Tensor, losses: Array, total: Any, reduction: int) -> tuple[Tensor, Tensor]:
    """The loss of the elements' losses, and the sum of their weights."""
    element = x.array.dtype
    if reduction == 0:
        raw = losses if x.array.ndim > 1 else losses.reshape(())
        total = total if x.array.ndim == 1 else 0
    else:
        raw = np.add.reduce(losses, axis=None)
        raw = raw / total if reduction == 1 else raw
    return tensor_of(np.asarray(raw, element)), tensor_of(np.asarray(total, element))


def check_flat(x: Tensor, target: Tensor) -> None:
    if x.array.ndim not in (1, 2):
        raise RuntimeError("input tensor should be 1D or 2D")
    if x.array.ndim == 1 and target.array.size != 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {target.array.size}"
        )
    if target.array.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")


def check_images(x: Tensor, target: Tensor) -> None:
    if target.array.ndim != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
            f"{target.array.ndim}"
        )
    if x.array.ndim != 4:
        raise RuntimeError(
            "only batches of spatial inputs supported (4D tensors), but got input of dimension: "
            f"{x.array.ndim}"
        )


def _check_any(x: Tensor, target: Tensor) -> None:
    if not x.array.ndim:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if x.array.ndim < 3:
        check_flat(x, target)


def _shape(facts: Sequence[Fact]) -> TensorProperties:
    x, _, _, reduction, _ = facts
    sizes = rank_known(x)
    if not is_known(reduction) or sizes is None:
        return NOTHING
    return fresh(
        dtype_of(x), (*sizes[:1], *sizes[2:]) if reduction == 0 and len(sizes) > 1 else (), x
    )


def _shapes(facts: Sequence[Fact]) -> tuple[TensorProperties, TensorProperties]:
    return (_shape(facts), fresh(dtype_of(facts[0]), (), facts[0]))


def _declare(name: str, check: Callable[[Tensor, Tensor], None]) -> None:
    def both(x: Tensor, target: Tensor, *arguments: Any) -> tuple[Tensor, Tensor]:
        check(x, target)
        return _loss(x, target, *arguments)

    def loss(x: Tensor, target: Tensor, *arguments: Any) -> Tensor:
        return both(x, target, *arguments)[0]

    registry.implement(name, loss, shape=_shape)
    if name != "nll_loss_nd":
        registry.implement(f"{name}_forward", both, shape=_shapes)


_declare("nll_loss", check_flat)
_declare("nll_loss2d", check_images)
_declare("nll_loss_nd", _check_any)

composite(
    "aten::cross_entropy_loss",
    """
def cross_entropy_loss(
    self: Tensor, target: Tensor, weight: Optional[Tensor], reduction: int, ignore_index: int,
    label_smoothing: float
) -> Tensor:
    if label_smoothing > 1.0:
        raise RuntimeError("label_smoothing must be between 0.0 and 1.0. Got: " + str(label_smoothing))
    dim = 0 if self.dim() == 1 else 1
    classes = self.size(dim)
    likely = torch.log_softmax(self, dim)
    scaled = likely
    if weight is not None and (self.size() == target.size() or label_smoothing > 0.0):
        scaled = likely * weight.reshape([classes] + [1] * (self.dim() - 1 - dim))
    if self.size() == target.size():
        if not target.is_floating_point():
            raise RuntimeError(
                "Expected floating point type for target with class probabilities")
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        chances = target
        if label_smoothing > 0.0:
            chances = target * (1 - label_smoothing) + label_smoothing / classes
        loss = -(scaled * chances).sum(dim)
        if reduction == 1:
            result = loss.sum() / (self.numel() / classes)
        elif reduction == 2:
            result = loss.sum()
        else:
            result = loss
    else:
        result = torch.nll_loss_nd(likely, target, weight, reduction, ignore_index)
        if label_smoothing > 0.0:
            hidden = target == ignore_index
            smooth = (-scaled.sum(dim)).masked_fill(hidden, 0.0)
            if reduction == 1:
                if weight is None:
                    total = torch.logical_not(hidden).sum().to(self.dtype)
                else:
                    known = target.masked_fill(hidden, 0).flatten()
                    total = weight.index_select(0, known).masked_fill(hidden.flatten(), 0.0).sum()
                smooth = smooth.sum() / total
            elif reduction == 2:
                smooth = smooth.sum()
            result = (1 - label_smoothing) * result + smooth * (label_smoothing / classes)
    return result
""",
)
