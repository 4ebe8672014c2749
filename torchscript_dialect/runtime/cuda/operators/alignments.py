"""`aten::ctc_loss` on the device: the recursions are a kernel each (`lowering/gpu/alignments.py`), all else is made of operators.
Lengths are numbers of the host, as in PyTorch, or tensors, for which it waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.places import there
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

INFINITY = float("inf")
Array = NDArray[np.int64]


def _there(array: Any, like: Tensor) -> Tensor:
    return transfers.to_device(tensor_of(np.ascontiguousarray(array)), like.device)


class _Alignments(NamedTuple):
    """The labels of targets between blanks (batch, 2 * longest + 1), of which some are behind the last one, how many steps and labels
    sequences have, and to which labels the one before the blank leads.
    """

    labels: Tensor
    beyond: Tensor
    inputs: list[int]
    lengths: list[int]
    skips: Tensor

    @staticmethod
    def of(
        log_probs: Tensor, targets: Tensor, inputs: Any, lengths: Any, blank: int
    ) -> _Alignments | None:
        """None where the host says what is wrong."""
        inputs, lengths = (
            [int(n) for n in one.cpu().array.reshape(-1)] if isinstance(one, Tensor) else list(one)
            for one in (inputs, lengths)
        )
        if there(log_probs) is None or log_probs.dtype not in (dtypes.float32, dtypes.float64):
            return None
        if (
            log_probs.array.ndim != 3
            or targets.array.ndim not in (1, 2)
            or not log_probs.array.size
        ):
            return None
        steps, batch, classes = log_probs.array.shape
        shape = targets.array.shape
        is_fit = len(inputs) == len(lengths) == batch and min(*inputs, *lengths) >= 0
        if targets.dtype not in (dtypes.int32, dtypes.int64) or not 0 <= blank < classes:
            return None
        if not is_fit or max(inputs) > steps:
            return None
        if len(shape) == 1 and sum(lengths) > shape[0]:
            return None
        if len(shape) == 2 and (shape[0] != batch or max(lengths) > shape[1]):
            return None
        along: Array = np.asarray(range(max(lengths)), np.int64)
        is_some = along < np.asarray(lengths)[:, None]
        starts: Array = np.asarray([sum(lengths[:row]) for row in range(batch)], np.int64)
        if len(shape) == 2:
            starts = np.asarray([row * shape[1] for row in range(batch)], np.int64)
        labels = call(
            "aten::new_full",
            (log_probs, [batch, 2 * len(along) + 1], blank),
            {"dtype": dtypes.int64},
        )
        if len(along):
            places = _there(np.where(is_some, starts[:, None] + along, 0), log_probs)
            given = transfers.of_dtype(transfers.to_device(targets, log_probs.device), dtypes.int64)
            own = given.take(places).masked_fill(_there(~is_some, log_probs), blank)
            labels[:, 1::2] = own
        skips = call("aten::zeros_like", (labels,), {"dtype": dtypes.bool_})
        if len(along) > 1:
            skips[:, 3::2] = labels[:, 3::2].ne(labels[:, 1:-2:2])
        beyond = np.arange(2 * len(along) + 1) > 2 * np.asarray(lengths)[:, None]
        return _Alignments(labels, _there(beyond, log_probs), inputs, lengths, skips)

    def states(self, log_probs: Tensor, *, is_forward: bool) -> Tensor:
        """What the kernel gives."""
        steps, batch, _ = log_probs.array.shape
        width = self.labels.array.shape[1]
        places = self.labels.unsqueeze(0).expand([steps, batch, width])
        chances = log_probs.gather(2, places).masked_fill(self.beyond, -INFINITY)
        leads = self.skips
        if not is_forward:
            leads = call("aten::zeros_like", (leads,))
            leads[:, :-2] = self.skips[:, 2:]
        jumps = log_probs.new_zeros([batch, width]).masked_fill(leads.logical_not(), -INFINITY)
        counts = _there(np.stack([self.inputs, self.lengths], 1).astype(np.int32), log_probs)
        found = log_probs.new_empty([batch, steps, width])
        arrays = [cast("DeviceArray", one.array) for one in (chances, jumps, counts, found)]
        form = (log_probs.dtype, is_forward)
        memory().launch("alignments", form, batch, arrays, [batch, steps, width])
        return found

    def without_steps(self, steps: int, like: Tensor) -> Tensor:
        """Which steps (steps, batch, 1) a sequence does not have."""
        return _there((np.arange(steps)[:, None] >= np.asarray(self.inputs))[..., None], like)


def _loss(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::_ctc_loss`: the negative logarithms of likelihoods, and the states of the recursion."""
    log_probs, targets, inputs, lengths, blank, _ = operands
    found = _Alignments.of(log_probs, targets, inputs, lengths, blank)
    if found is None:
        return placed.on_host(operands)
    alphas = found.states(log_probs, is_forward=True)
    _, steps, width = alphas.array.shape
    ends: Array = np.asarray(
        [
            (row * steps + max(used - 1, 0)) * width + 2 * length
            for row, (used, length) in enumerate(zip(found.inputs, found.lengths))
        ]
    )
    is_empty = np.asarray(found.lengths) == 0
    flat = alphas.view([-1])
    on_blank = flat.index_select(0, _there(ends, log_probs))
    on_label = flat.index_select(0, _there(np.where(is_empty, ends, ends - 1), log_probs))
    if is_empty.any():
        on_label = on_label.masked_fill(_there(is_empty, log_probs), -INFINITY)
    losses = call("aten::logaddexp", (on_blank, on_label)).neg()
    if not min(found.inputs):
        unused = np.asarray(found.inputs) == 0
        losses = losses.masked_fill(_there(unused & ~is_empty, log_probs), INFINITY)
        losses = losses.masked_fill(_there(unused & is_empty, log_probs), 0)
    return losses, alphas


def _backward(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::_ctc_loss_backward`."""
    grad, log_probs, targets, inputs, lengths, losses, alphas, blank, zero_infinity = operands
    found = _Alignments.of(log_probs, targets, inputs, lengths, blank)
    if found is None:
        return placed.on_host(operands)
    behind = found.states(log_probs, is_forward=False)
    of_losses = losses.view([-1, 1])
    occupied = alphas.add(behind).add(losses.view([-1, 1, 1])).exp().transpose(0, 1).contiguous()
    of_classes = of_losses.sub(log_probs).mul(0)
    places = found.labels.unsqueeze(0).expand([*occupied.array.shape])
    of_classes = of_classes.scatter_add(2, places, occupied)
    made = log_probs.exp().sub(of_classes).mul(grad.reshape([-1, 1]))
    made = made.masked_fill(found.without_steps(log_probs.array.shape[0], log_probs), 0)
    return made.masked_fill(of_losses.isinf(), 0) if zero_infinity else made


ALIGNMENTS: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::_ctc_loss": _loss,
    "aten::_ctc_loss_backward": _backward,
}
"""What runs operators some of whose operands are on the host, by their names."""
