"""One direction of one layer of a recurrent network on the device, and its gradients (`ops/recurrent/recurrent_layer.py`).

The inputs of all steps go through their weights in one product. A step is a product of the state, and one kernel of the body that the
host has (Note [Recurrent steps] in `ops/recurrent/recurrent_steps.py`). The way back computes the gates of all steps again, from states
that are known by then, in two products and a kernel; its own steps are a kernel and a product each, and the gradients of weights a
product each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.recurrent.recurrent_steps import STEPS, RecurrentSteps
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.fused_functions import fused_at_once
from torchscript_dialect.runtime.cuda.operators.complex_math import TensorPairs
from torchscript_dialect.runtime.cuda.operators.places import there
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


class _Math(TensorPairs):
    """Operators on real tensors; constants, of which bodies make gradients that are 0, are left out."""

    def constant(self, number: complex, like: Any, /) -> Any:
        return None

    @staticmethod
    def maximum(x: Any, number: Any, /) -> Any:
        return x.clamp_min(number)


_MATH: Any = _Math()


def _split(steps: RecurrentSteps, tensors: Sequence[Tensor]) -> list[Sequence[Tensor]]:
    """The gates' parts of the input and of the state, and what comes behind."""
    gates = steps.gates
    return [tensors[:gates], tensors[gates : 2 * gates], tensors[2 * gates :]]


@fused_at_once
def _after(*tensors: Tensor, mode: int) -> list[Tensor]:
    """The states after a step."""
    after, _ = STEPS[mode].step(_MATH, *_split(STEPS[mode], tensors))
    return list(after)  # pyright: ignore[reportArgumentType]


@fused_at_once
def _gates(*tensors: Tensor, mode: int) -> list[Tensor]:
    """What steps compute that the way back reads: all but the states before, and what is there already."""
    _, saved = STEPS[mode].step(_MATH, *_split(STEPS[mode], tensors))
    return [one for one in saved if not any(one is given for given in tensors)]  # pyright: ignore[reportReturnType]


@fused_at_once
def _back(*tensors: Tensor, mode: int) -> list[Tensor]:
    """The gradients of the gates' parts of the input and, where these differ, of the state, and of the states before that are not 0."""
    steps = STEPS[mode]
    saved, of_out, grads = tensors[: steps.saved], tensors[steps.saved], tensors[steps.saved + 1 :]
    of_x, of_h, states = steps.back(_MATH, saved, [grads[0].add(of_out), *grads[1:]])
    different = [] if steps.has_one_gradient else [of_h[-1]]
    return [*of_x, *different, *(one for one in states if one is not None)]  # pyright: ignore


class _Layer(NamedTuple):
    """A layer: its rows, the parts of steps, in the order in which they are done, and the parameters."""

    steps: RecurrentSteps
    rows: Tensor
    runs: list[tuple[int, int]]
    """The first row of each step, and how many there are."""
    weights: tuple[Tensor, Tensor]
    biases: tuple[Tensor, Tensor]
    start: list[Tensor]

    @property
    def hidden(self) -> int:
        return self.weights[1].array.shape[1]

    @staticmethod
    def of(
        operands: Sequence[Any], reverse: bool, sizes: Sequence[int], mode: int
    ) -> _Layer | None:
        """None where the host says what is wrong."""
        x, w, u, p, q, h, c = operands
        shape, width = x.array.shape, u.array.shape[0]
        if mode not in STEPS or len({one.dtype for one in operands}) > 1:
            return None
        if any(there(one) is None for one in operands) or not x.array.size or u.array.ndim != 2:
            return None
        if x.dtype not in (dtypes.float32, dtypes.float64) or len(shape) != (2 if sizes else 3):
            return None
        steps, hidden = STEPS[mode], u.array.shape[1]
        counts = [*sizes] if sizes else [shape[1]] * shape[0]
        is_fit = (
            width == steps.gates * hidden and w.array.shape == (width, shape[-1]) and hidden > 0
        )
        if not is_fit or any(one.array.shape != (width,) for one in (p, q)):
            return None
        if any(one < after for one, after in zip(counts, [*counts[1:], 0])):
            return None
        if sizes and sum(counts) != shape[0]:
            return None
        start = [h, c][: steps.states]
        if any(one.array.shape[-2:] != (counts[0], hidden) for one in start):
            return None
        firsts = [sum(counts[:step]) for step in range(len(counts))]
        runs = [one for one in zip(firsts, counts) if one[1]]
        return _Layer(
            steps,
            x.reshape([-1, shape[-1]]),
            runs[::-1] if reverse else runs,
            (w, u),
            (p, q),
            [one.reshape([counts[0], hidden]) for one in start],
        )

    def parts(self, rows: Tensor, count: int) -> list[Tensor]:
        """Neighbouring parts of rows."""
        return [rows.narrow(1, part * self.hidden, self.hidden) for part in range(count)]

    def gates(self, rows: Tensor, place: int) -> Tensor:
        """Rows times the weights of the input, or the state, and the bias."""
        return call("aten::linear", (rows, self.weights[place], self.biases[place]))

    def before(self, every: Tensor, start: Tensor) -> Tensor:
        """The states before each row, of those after each one, and those at the start."""
        rows = every.array.shape[0]
        at = np.empty(rows, np.int64)
        last: NDArray[np.int64] = np.asarray(range(rows, rows + start.array.shape[0]), np.int64)
        for first, count in self.runs:
            at[first : first + count] = last[:count]
            last[:count] = np.arange(first, first + count)
        both = call("aten::cat", ([every, start], 0))
        return both.index_select(0, transfers.to_device(tensor_of(at), every.device))


def _moved(state: Tensor, value: Tensor) -> Tensor:
    """A state whose first rows are others."""
    count = value.array.shape[0]
    if count == state.array.shape[0]:
        return value
    return call("aten::cat", ([value, state.narrow(0, count, state.array.shape[0] - count)], 0))


def _forward(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::mkldnn_rnn_layer`; what its gradient reads are the states of cells after each row."""
    reverse, sizes, mode = operands[7:10]
    layer = _Layer.of(operands[:7], reverse, sizes, mode)
    if layer is None:
        return placed.on_host(operands)
    steps, states = layer.steps, list(layer.start)
    of_input = layer.gates(layer.rows, 0)
    every = [layer.rows.new_empty([layer.rows.array.shape[0], layer.hidden]) for _ in states]
    for first, count in layer.runs:
        before = [one.narrow(0, 0, count) for one in states]
        x = layer.parts(of_input.narrow(0, first, count), steps.gates)
        h = layer.parts(layer.gates(before[0], 1), steps.gates)
        after = _after(*x, *h, *before, mode=mode)
        for target, value in zip(every, after, strict=True):
            target.narrow(0, first, count).copy_(value)
        states = [_moved(*one) for one in zip(states, after, strict=True)]
    hx, cx = operands[5:7]
    x_shape = operands[0].array.shape
    out = every[0].view([*x_shape[:-1], layer.hidden])
    cell = states[1].view([*cx.array.shape]) if steps.states > 1 else cx.clone()
    kept = every[1] if steps.states > 1 else cx.new_empty([0])
    return out, states[0].view([*hx.array.shape]), cell, kept


def _backward(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::mkldnn_rnn_layer_backward`."""
    hx, cx, out = operands[5:8]
    grad_out, grad_h, grad_c, reverse, mode = operands[10:15]
    sizes, kept = operands[20], operands[22]
    layer = _Layer.of(operands[:7], reverse, sizes, mode)
    if layer is None:
        return placed.on_host(operands)
    steps, hidden, rows = layer.steps, layer.hidden, layer.rows
    count_of_rows = rows.array.shape[0]
    every = [out.reshape([count_of_rows, hidden]), kept][: steps.states]
    before = [layer.before(*one) for one in zip(every, layer.start, strict=True)]
    of_rows = layer.parts(layer.gates(rows, 0), steps.gates)
    of_states = layer.parts(layer.gates(before[0], 1), steps.gates)
    saved = _gates(*of_rows, *of_states, *before, mode=mode)
    if len(saved) + len(before) < steps.saved:
        saved.append(of_states[-1])  # the new part of a GRU, of the state
    saved += before
    grads = [
        one.new_zeros([*one.array.shape]) if grad is None else grad.reshape([*one.array.shape])
        for one, grad in zip(layer.start, (grad_h, grad_c))
    ]
    given = (
        rows.new_zeros([count_of_rows, hidden])
        if grad_out is None
        else grad_out.reshape([count_of_rows, hidden])
    )
    width = steps.gates * hidden
    made = [
        rows.new_empty([count_of_rows, width]) for _ in range(1 if steps.has_one_gradient else 2)
    ]
    for first, count in reversed(layer.runs):
        mine = [one.narrow(0, first, count) for one in (*saved, given)]
        later = [one.narrow(0, 0, count) for one in grads]
        found = _back(*mine, *later, mode=mode)
        of_gates, rest = found[: steps.gates], found[steps.gates :]
        both = [of_gates]
        if not steps.has_one_gradient:
            both.append([*of_gates[:-1], rest.pop(0)])
        for target, parts in zip(made, both, strict=True):
            target.narrow(0, first, count).copy_(
                parts[0] if len(parts) == 1 else call("aten::cat", (parts, 1))
            )
        product = made[-1].narrow(0, first, count).mm(layer.weights[1])
        if steps.states == len(rest):
            product = product.add(rest.pop(0))
        grads = [_moved(*one) for one in zip(grads, (product, *rest), strict=True)]
    of_x, of_h = made[0], made[-1]
    bias = of_x.sum([0])
    return (
        of_x.mm(layer.weights[0]).view([*operands[0].array.shape]),
        of_x.t().mm(rows),
        of_h.t().mm(before[0]),
        bias,
        bias.clone() if of_h is of_x else of_h.sum([0]),
        grads[0].view([*hx.array.shape]),
        grads[1].view([*cx.array.shape]) if steps.states > 1 else cx.new_zeros([*cx.array.shape]),
    )


RECURRENT_LAYERS: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::mkldnn_rnn_layer": _forward,
    "aten::mkldnn_rnn_layer_backward": _backward,
}
"""What runs operators, by their names."""
