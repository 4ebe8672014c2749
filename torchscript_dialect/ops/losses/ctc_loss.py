"""Connectionist temporal classification: the probability of all alignments of a target with the steps of an input, by the forward
and backward recursions of Graves et al. (PyTorch: native/LossCTC.cpp).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
Ints = Sequence[int]


def _check(log_probs: Tensor, targets: Tensor, inputs: Ints, lengths: Ints, blank: int) -> None:
    if log_probs.dtype not in (dtypes.float32, dtypes.float64):
        raise NotImplementedError(
            f"\"ctc_loss_cpu\" not implemented for '{log_probs.dtype.type_name}'"
        )
    if targets.dtype not in (dtypes.int32, dtypes.int64):
        raise RuntimeError("ctc_loss: targets must be of dtype Int or Long")
    if log_probs.array.ndim != 3:
        raise RuntimeError(
            f"Expected 3-dimensional tensor for argument log_probs, but got "
            f"{log_probs.array.ndim}-dimensional tensor"
        )
    steps, batch, classes = log_probs.array.shape
    if not steps or not batch:
        raise RuntimeError("log_probs tensor must not be empty")
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if len(inputs) != batch:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(lengths) != batch:
        raise RuntimeError("target_lengths must be of size batch_size")
    if min(inputs) < 0 or min(lengths) < 0:
        raise RuntimeError("Expected lengths to have values of at least 0")
    if max(inputs) > steps:
        raise RuntimeError(
            f"Expected input_lengths to have value at most {steps}, but got value {max(inputs)}"
        )
    if targets.array.ndim == 1 and sum(lengths) > targets.array.size:
        raise RuntimeError(
            f"Expected tensor to have size {sum(lengths)} at dimension 0, but got size "
            f"{targets.array.size} for argument targets"
        )
    if targets.array.ndim == 2 and (
        len(targets.array) != batch or max(lengths) > targets.array.shape[1]
    ):
        raise RuntimeError(
            f"Expected tensor to have size at least {max(lengths)} at dimension 1, but got size "
            f"{targets.array.shape[1]} for argument targets"
        )
    if targets.array.ndim not in (1, 2):
        raise RuntimeError("ctc_loss: targets must have one dimension or two")


def _labels(targets: Array, lengths: Ints, blank: int) -> tuple[Array, NDArray[np.bool_]]:
    """For each sequence its labels between blanks, (batch, 2 * longest + 1), and to which of them the label before the blank leads."""
    longest = max(lengths)
    labels: Array = np.full((len(lengths), 2 * longest + 1), blank, np.int64)
    starts = np.cumsum([0, *lengths[:-1]])
    for row, (start, length) in enumerate(zip(starts, lengths)):
        own = targets[start : start + length] if targets.ndim == 1 else targets[row, :length]
        labels[row, 1 : 2 * length + 1 : 2] = own
    skips = np.zeros(labels.shape, bool)
    skips[:, 3::2] = labels[:, 3::2] != labels[:, 1:-2:2]
    return labels, skips


def _beyond(labels: Array, lengths: Ints) -> NDArray[np.bool_]:
    """Which labels are behind the last one of their sequence."""
    return np.array(
        [[place > 2 * length for place in range(labels.shape[1])] for length in lengths]
    )


def _chances(log_probs: Array, labels: Array, lengths: Ints) -> Array:
    """The logarithms of the probabilities of labels, (steps, batch, labels); minus infinity behind the last one of a sequence."""
    chances = np.take_along_axis(log_probs, labels[None], 2)
    chances[:, _beyond(labels, lengths)] = -np.inf
    return chances


_log_of_sum = cast("Callable[[Array, Array], Array]", np.logaddexp)


def _sums(states: Array, jumps: Array) -> Array:
    """log(e^a + e^b + e^c) of each three neighbours, of which the last is reached by a jump: `jumps` is 0 or minus infinity."""
    near = _log_of_sum(states[:, 2:], states[:, 1:-1])
    return _log_of_sum(near, states[:, :-2] + jumps)


def _jumps(allowed: NDArray[np.bool_], like: Array) -> Array:
    jumps: Array = np.full(allowed.shape, -np.inf, like.dtype)
    jumps[allowed] = 0
    return jumps


NATIVE = "torchscript_dialect.runtime.kernels.handwritten.ctc_kernels"


def _natively(
    way: str, log_probs: Array, labels: Array, skips: NDArray[np.bool_], inputs: Ints, lengths: Ints
) -> Array | None:
    """The states (batch, steps, labels) of a recursion in native code; None where there is none, or something does not fit."""
    steps, batch, classes = log_probs.shape
    if labels.min() < 0 or labels.max() >= classes:
        return None
    if len(inputs) != batch or len(lengths) != batch or min(inputs) < 0 or max(inputs) > steps:
        return None
    return import_module(NATIVE).states_of(way, log_probs, labels, skips, inputs, lengths)


def _log_alphas(
    array: Array, labels: Array, skips: NDArray[np.bool_], inputs: Ints, lengths: Ints
) -> Array:
    """The logarithms of the forward variables (batch, steps, labels)."""
    found = _natively("forward", array, labels, skips, inputs, lengths)
    if found is not None:
        return found
    steps, batch, _ = array.shape
    chances = _chances(array, labels, lengths)
    jumps = _jumps(skips, array)
    states: Array = np.full((steps, batch, 2 + labels.shape[1]), -np.inf, array.dtype)
    states[0, :, 2:4] = chances[0, :, :2]
    for step in range(1, steps):
        np.add(_sums(states[step - 1], jumps), chances[step], out=states[step, :, 2:])
    alphas: Array = np.ascontiguousarray(states[:, :, 2:].swapaxes(0, 1))
    for row, used in enumerate(inputs):
        alphas[row, max(used, 1) :] = -np.inf
    return alphas


@ignores_float_errors
def _forward(
    log_probs: Tensor, targets: Tensor, inputs: Ints, lengths: Ints, blank: int
) -> tuple[Array, Array]:
    """The negative log likelihoods, and the logarithms of the forward variables (batch, step, label)."""
    _check(log_probs, targets, inputs, lengths, blank)
    labels, skips = _labels(targets.array, lengths, blank)
    alphas = _log_alphas(log_probs.array, labels, skips, inputs, lengths)
    return _losses(alphas, inputs, lengths), alphas


def _losses(alphas: Array, inputs: Ints, lengths: Ints) -> Array:
    """The negative log likelihoods: those of ending on the last blank, and on the last label."""
    _, steps, width = alphas.shape
    ends = [
        (row * steps + max(used - 1, 0)) * width + 2 * length
        for row, (used, length) in enumerate(zip(inputs, lengths))
    ]
    flat = alphas.reshape(-1)
    on_blank, on_label = flat[ends], flat[[end - 1 for end in ends]]
    if not min(lengths):
        on_label[[not length for length in lengths]] = -np.inf
    losses: Array = -_log_of_sum(on_blank, on_label)
    if not min(inputs):
        for row, (used, length) in enumerate(zip(inputs, lengths)):
            if not used:
                losses[row] = np.inf if length else 0
    return losses


def _log_betas(
    array: Array, labels: Array, skips: NDArray[np.bool_], inputs: Ints, lengths: Ints
) -> Array:
    """The logarithms of the probabilities of what follows a label at a step (batch, steps, labels)."""
    found = _natively("backward", array, labels, skips, inputs, lengths)
    if found is not None:
        return found
    steps, batch, _ = array.shape
    chances = _chances(array, labels, lengths)
    leads = np.zeros_like(skips)
    leads[:, :-2] = skips[:, 2:]
    jumps = _jumps(leads, array)[:, ::-1]
    behind = np.empty(chances.shape, array.dtype)
    states: Array = np.full((batch, 2 + labels.shape[1]), -np.inf, array.dtype)
    begins: dict[int, list[int]] = {}
    for row, used in enumerate(inputs):
        begins.setdefault(used - 1, []).append(row)
    for step in range(steps - 1, -1, -1):
        behind[step] = _sums(states[:, ::-1], jumps)[:, ::-1]
        for row in begins.get(step, ()):
            behind[step, row] = -np.inf
            behind[step, row, max(2 * lengths[row] - 1, 0) : 2 * lengths[row] + 1] = 0
        np.add(behind[step], chances[step], out=states[:, :-2])
    return behind.swapaxes(0, 1)


@ignores_float_errors
def _backward(
    grad: Tensor,
    log_probs: Tensor,
    targets: Tensor,
    inputs: Ints,
    lengths: Ints,
    losses: Tensor,
    log_alpha: Tensor,
    blank: int,
    zero_infinity: bool,
) -> Tensor:
    labels, skips = _labels(targets.array, lengths, blank)
    array = log_probs.array
    behind = _log_betas(array, labels, skips, inputs, lengths)
    occupied = np.exp(log_alpha.array + behind + losses.array[:, None, None]).swapaxes(0, 1)
    # Not a number where a probability is 0 or there is no alignment, as in PyTorch.
    of_classes = 0 * (losses.array[:, None] - array)
    rows = cast("Any", np).arange(array.shape[1])[:, None]
    combine_at(np.add, of_classes, (slice(None), rows, labels), occupied)
    out = (np.exp(array) - of_classes) * grad.array.reshape(-1, 1)
    for row, used in enumerate(inputs):
        out[used:, row] = 0
        if zero_infinity and np.isinf(losses.array[row]):
            out[:, row] = 0
    return tensor_of(out.astype(array.dtype, copy=False))


def _ints(lengths: Tensor) -> list[int]:
    if lengths.array.dtype.kind not in "iu":
        raise RuntimeError("input_lengths and target_lengths must be integral")
    return lengths.array.reshape(-1).tolist()


def _shapes(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    if sizes is None or len(sizes) != 3:
        return NOTHING, NOTHING
    element = dtype_of(facts[0])
    return fresh(element, (sizes[1],), facts[0]), fresh(
        element, (sizes[1], sizes[0], None), facts[0]
    )


@registry.kernel("_ctc_loss", shape=_shapes)
def ctc_loss(
    log_probs: Tensor, targets: Tensor, inputs: Ints, lengths: Ints, blank: int, _zero: bool
) -> tuple[Tensor, Tensor]:
    losses, alphas = _forward(log_probs, targets, inputs, lengths, blank)
    return tensor_of(losses), tensor_of(alphas)


@registry.kernel("_ctc_loss.Tensor", shape=_shapes)
def ctc_loss_of_tensors(
    log_probs: Tensor, targets: Tensor, inputs: Tensor, lengths: Tensor, blank: int, zero: bool
) -> tuple[Tensor, Tensor]:
    return ctc_loss(log_probs, targets, _ints(inputs), _ints(lengths), blank, zero)


def _like_probabilities(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[1]), rank_known(facts[1]), facts[1])


registry.kernel("_ctc_loss_backward", shape=_like_probabilities)(_backward)


@registry.kernel("_ctc_loss_backward.Tensor", shape=_like_probabilities)
def ctc_loss_backward_of_tensors(
    grad: Tensor, log_probs: Tensor, targets: Tensor, inputs: Tensor, lengths: Tensor, *rest: Any
) -> Tensor:
    return _backward(grad, log_probs, targets, _ints(inputs), _ints(lengths), *rest)


_BODY = """
    if log_probs.dim() == 3:
        probabilities = log_probs
    else:
        probabilities = log_probs.unsqueeze(1)
    losses, _ = torch._ctc_loss(
        probabilities, {targets}, input_lengths, target_lengths, blank, zero_infinity)
    if zero_infinity:
        losses = losses.masked_fill(losses == float("inf"), 0)
    if log_probs.dim() == 2:
        losses = losses.squeeze(0)
    if reduction == 1:
        result = (losses / {lengths}.clamp_min(1)).mean()
    elif reduction == 2:
        result = losses.sum()
    else:
        result = losses
    return result
"""
composite(
    "aten::ctc_loss.IntList",
    """
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: List[int], target_lengths: List[int],
    blank: int, reduction: int, zero_infinity: bool
) -> Tensor:
"""
    + _BODY.format(
        targets="targets",
        lengths="torch.tensor(target_lengths, dtype=losses.dtype).to(losses.device)",
    ),
)
composite(
    "aten::ctc_loss.Tensor",
    """
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int,
    reduction: int, zero_infinity: bool
) -> Tensor:
"""
    + _BODY.format(
        targets="targets.to(torch.int64)", lengths="target_lengths.to(losses.device, losses.dtype)"
    ),
)
