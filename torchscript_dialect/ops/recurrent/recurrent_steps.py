"""One step of recurrent networks, forward and back, as scalar bodies: what they do with an element of each gate.

Note [Recurrent steps]
A step takes the part of the gates that the input has, the part that the state before has (its product and bias), and the states: the
hidden one, and for an LSTM that of its cells. It gives the states after, and what the way back reads (`saved`), the states before last.
The way back takes that and the gradients of the states after, and gives the gradients of both parts of the gates, and those of the
states before, but for what comes through their product. The bodies have two readers (Note [Scalar bodies] in scalar_math.py): NumPy
runs a step for all sequences of a batch at once, and lowering/loops/recurrence.py makes a kernel of all steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath, Value

Values: TypeAlias = Sequence[Value]
Step: TypeAlias = Callable[[ScalarMath, Values, Values, Values], tuple[Values, Values]]
"""From the gates' parts of the input and of the state, and the states before, to the states after and what is saved."""
Back: TypeAlias = Callable[[ScalarMath, Values, Values], tuple[Values, Values, Values]]
"""From what is saved and the gradients of the states after to the gradients of the gates' parts and of the states before."""


FEW = 8
"""Sequences up to which the weights of steps are not worth transposing, which one part of a kernel does."""


class RecurrentSteps(NamedTuple):
    """The steps of one kind of network."""

    name: str
    mode: int
    """Its number in `mkldnn_rnn_layer` (PyTorch: native/RNN.h)."""
    gates: int
    states: int
    saved: int
    step: Step
    back: Back
    has_one_gradient: bool = True
    """Whether both parts of the gates have the same gradients."""


def _slope_of_sigmoid(m: ScalarMath, grad: Value, result: Value) -> Value:
    return m.mul(grad, m.mul(m.sub(1.0, result), result))


def _slope_of_tanh(m: ScalarMath, grad: Value, result: Value) -> Value:
    return m.mul(grad, m.sub(1.0, m.mul(result, result)))


def _lstm(m: ScalarMath, x: Values, h: Values, states: Values) -> tuple[Values, Values]:
    """Input, forget, cell and output gates."""
    before, cell_before = states
    i, f, g, o = [m.add(*both) for both in zip(x, h, strict=True)]
    i, f, g, o = m.sigmoid(i), m.sigmoid(f), m.tanh(g), m.sigmoid(o)
    cell = m.add(m.mul(f, cell_before), m.mul(i, g))
    return (m.mul(o, m.tanh(cell)), cell), (i, f, g, o, before, cell_before)


def _lstm_back(m: ScalarMath, saved: Values, grads: Values) -> tuple[Values, Values, Values]:
    i, f, g, o, before, cell_before = saved
    grad, grad_of_cell = grads
    out = m.tanh(m.add(m.mul(f, cell_before), m.mul(i, g)))
    of_cell = m.add(grad_of_cell, _slope_of_tanh(m, m.mul(grad, o), out))
    gates = (
        _slope_of_sigmoid(m, m.mul(of_cell, g), i),
        _slope_of_sigmoid(m, m.mul(of_cell, cell_before), f),
        _slope_of_tanh(m, m.mul(of_cell, i), g),
        _slope_of_sigmoid(m, m.mul(grad, out), o),
    )
    return gates, gates, (m.constant(0.0, before), m.mul(of_cell, f))


def _gru(m: ScalarMath, x: Values, h: Values, states: Values) -> tuple[Values, Values]:
    """Reset and update gates, and the new state, of which the old part is reset after its product."""
    (before,) = states
    reset, update = m.sigmoid(m.add(x[0], h[0])), m.sigmoid(m.add(x[1], h[1]))
    new = m.tanh(m.add(x[2], m.mul(reset, h[2])))
    after = m.add(m.mul(m.sub(before, new), update), new)
    return (after,), (reset, update, new, h[2], before)


def _gru_back(m: ScalarMath, saved: Values, grads: Values) -> tuple[Values, Values, Values]:
    reset, update, new, old, before = saved
    (grad,) = grads
    of_new = _slope_of_tanh(m, m.mul(grad, m.sub(1.0, update)), new)
    of_update = _slope_of_sigmoid(m, m.mul(grad, m.sub(before, new)), update)
    of_reset = _slope_of_sigmoid(m, m.mul(of_new, old), reset)
    first = (of_reset, of_update)
    return (*first, of_new), (*first, m.mul(of_new, reset)), (m.mul(grad, update),)


def _tanh(m: ScalarMath, x: Values, h: Values, states: Values) -> tuple[Values, Values]:
    after = m.tanh(m.add(x[0], h[0]))
    return (after,), (after, states[0])


def _tanh_back(m: ScalarMath, saved: Values, grads: Values) -> tuple[Values, Values, Values]:
    gates = (_slope_of_tanh(m, grads[0], saved[0]),)
    return gates, gates, (m.constant(0.0, saved[1]),)


def _relu(m: ScalarMath, x: Values, h: Values, states: Values) -> tuple[Values, Values]:
    after = m.maximum(m.add(x[0], h[0]), 0)
    return (after,), (after, states[0])


def _relu_back(m: ScalarMath, saved: Values, grads: Values) -> tuple[Values, Values, Values]:
    gates = (m.where(m.le(saved[0], 0.0), 0.0, grads[0]),)
    return gates, gates, (m.constant(0.0, saved[1]),)


RNN_RELU = RecurrentSteps("rnn_relu", 0, 1, 1, 2, _relu, _relu_back)
RNN_TANH = RecurrentSteps("rnn_tanh", 1, 1, 1, 2, _tanh, _tanh_back)
LSTM = RecurrentSteps("lstm", 2, 4, 2, 6, _lstm, _lstm_back)
GRU = RecurrentSteps("gru", 3, 3, 1, 5, _gru, _gru_back, has_one_gradient=False)
STEPS = {one.mode: one for one in (RNN_RELU, RNN_TANH, LSTM, GRU)}
