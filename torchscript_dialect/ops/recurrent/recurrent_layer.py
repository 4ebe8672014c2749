"""One direction of one layer of a recurrent network, with gradients (PyTorch: native/mkldnn/RNN.cpp, of which it takes the LSTM alone).

Rows of a batch of sequences stand in order of time, the sequences that last longest first; how many run at each step is told by sizes,
or they are all alike. Each step is one of recurrent_steps.py.

Note [Native recurrences]
NumPy takes some twenty calls for a step. Once many of them were done, with those counted several times that compute much, one kernel
does all steps of a layer; products with all rows at once stay with NumPy. Steps are few in what runs once, so that nothing is compiled
for it; what was done before decides alone, whatever the disk holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.native_code import NativeCode
from torchscript_dialect.ops.pointwise.numpy_math import NUMPY
from torchscript_dialect.ops.recurrent.recurrent_steps import FEW, STEPS, RecurrentSteps
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
States = tuple[Array, ...]
"""The hidden state, and for an LSTM the state of its cells."""

ELEMENTS = 1 << 10
"""Elements of a step that NumPy computes in the time that its calls take."""
NATIVE = NativeCode("torchscript_dialect.runtime.kernels.recurrence_kernels", 1 << 11)
"""Counts steps."""
DTYPES = {"f": "float32", "d": "float64"}
"""Of kernels, by NumPy's character."""


def _native(batch_sizes: Sequence[int], rows: Array, width: int, *which: Any) -> Any:
    """What runs a kernel (`backend.Recurrence`) whose gates are so wide, once that pays; None until then, and where there is none."""
    dtype = DTYPES.get(rows.dtype.char)
    if dtype is None or not rows.size or not width:
        return None
    native = NATIVE.for_work(len(batch_sizes) + len(rows) * width // ELEMENTS)
    if native is None:
        return None
    mode, *rest = which
    return native.recurrence(mode, dtype, *rest)


@lru_cache(maxsize=64)
def _runs(batch_sizes: tuple[int, ...], reverse: bool) -> Tensor:
    """For each step, in the order in which they are done, the first of its rows and how many there are: (steps, 2)."""
    counts = np.asarray(batch_sizes, np.int64)
    runs = np.stack([np.cumsum(counts) - counts, counts], 1)
    return tensor_of(np.ascontiguousarray(runs[::-1] if reverse else runs))


BLOCK = 32
"""Rows that are transposed at a time: a line of the cache has not more elements."""


def _transposed(matrix: Array) -> Array:
    """The transposed matrix, contiguous; NumPy's own copy leaves a line of the cache with every element of a large one."""
    made: Array = np.empty(matrix.shape[::-1], matrix.dtype)
    for first in range(0, len(matrix), BLOCK):
        made[:, first : first + BLOCK] = matrix[first : first + BLOCK].T
    return made


def parts_of(rows: Array, count: int) -> list[Array]:
    """Neighbouring parts of rows, as many: the gates, or what a step saves."""
    width = rows.shape[1] // count
    return [rows[:, part * width : (part + 1) * width] for part in range(count)]


@ignores_float_errors
def forward(
    steps: RecurrentSteps,
    x: Array,
    batch_sizes: Sequence[int],
    start: States,
    weights: Sequence[Array],
    biases: Sequence[Array] | None,
    *,
    reverse: bool,
    saves: bool,
) -> tuple[Array, States, Array | None]:
    """The hidden state after each row of `x`, the states after the last step of each sequence, and what the way back reads.

    Rows (rows, input), states (batch, hidden), weights of the input and of the state (gates * hidden, ...), all of one dtype.
    """
    of_input, of_state = weights
    if biases is None:
        biases = [np.zeros(len(of_state), x.dtype)] * 2
    states = tuple([np.array(state, order="C") for state in start])
    sizes = tuple(batch_sizes)
    few = len(states[0]) <= FEW
    native = _native(sizes, x, len(of_state), steps.mode, False, saves, few)
    if native is not None:
        both = weights if few else map(_transposed, weights)
        rooms = [
            np.empty((rows, len(of_state)), x.dtype)
            for rows in (len(x if few else states[0]), len(states[0]))
        ]
        tensors = [tensor_of(np.ascontiguousarray(one)) for one in (x, *both, *biases, *rooms)]
        found = native(*tensors, _runs(sizes, reverse), *map(tensor_of, states))
        if found is not None:
            out, saved = found if saves else (found, None)
            return out.array, states, None if saved is None else saved.array
    gates = np.matmul(x, of_input.T) + biases[0]
    return _forward_in_numpy(steps, gates, sizes, states, of_state, biases[1], reverse, saves)


def _forward_in_numpy(
    steps: RecurrentSteps,
    gates: Array,
    batch_sizes: tuple[int, ...],
    states: States,
    of_state: Array,
    bias: Array,
    reverse: bool,
    saves: bool,
) -> tuple[Array, States, Array | None]:
    hidden = states[0].shape[1]
    out: Array = np.empty((len(gates), hidden), gates.dtype)
    saved: Array | None = None
    if saves:
        saved = np.empty((len(gates), steps.saved * hidden), gates.dtype)
    for first, count in _runs(batch_sizes, reverse).array.tolist():
        rows = slice(first, first + count)
        before = [state[:count] for state in states]
        products = np.matmul(before[0], of_state.T) + bias
        after, kept = steps.step(
            NUMPY, parts_of(gates[rows], steps.gates), parts_of(products, steps.gates), before
        )
        if saved is not None:
            for part, value in zip(parts_of(saved[rows], steps.saved), kept, strict=True):
                part[...] = value
        for state, value in zip(states, after, strict=True):
            state[:count] = value
        out[rows] = after[0]
    return out, states, saved


@ignores_float_errors
def backward(
    steps: RecurrentSteps,
    saved: Array,
    grads: Array,
    batch_sizes: Sequence[int],
    last: States,
    of_state: Array,
    *,
    reverse: bool,
) -> tuple[Array, Array, States]:
    """The gradients of the gates' parts of the input and of the state (rows, gates * hidden), and of the states at the start.

    From what `forward` saved, the gradients of the hidden states (rows, hidden) and those of the states after all steps.
    """
    states = tuple([np.array(state, order="C") for state in last])
    runs = _runs(tuple(batch_sizes), not reverse)
    native = _native(batch_sizes, saved, len(of_state), steps.mode, True, False, False)
    if native is not None:
        arrays = (saved, np.ascontiguousarray(grads), np.ascontiguousarray(of_state))
        found = native(*map(tensor_of, arrays), runs, *map(tensor_of, states))
        if found is not None:
            both = (found, found) if steps.has_one_gradient else found
            return both[0].array, both[1].array, states
    return _backward_in_numpy(steps, saved, grads, runs, states, of_state)


def _backward_in_numpy(
    steps: RecurrentSteps,
    saved: Array,
    grads: Array,
    runs: Tensor,
    states: States,
    of_state: Array,
) -> tuple[Array, Array, States]:
    shape = (len(saved), len(of_state))
    of_x: Array = np.empty(shape, saved.dtype)
    of_h: Array = of_x if steps.has_one_gradient else np.empty(shape, saved.dtype)
    for first, count in runs.array.tolist():
        rows = slice(first, first + count)
        later = [state[:count] for state in states]
        found = steps.back(
            NUMPY, parts_of(saved[rows], steps.saved), [later[0] + grads[rows], *later[1:]]
        )
        for target, values in zip((of_x, of_h), found):
            for part, value in zip(parts_of(target[rows], steps.gates), values, strict=True):
                part[...] = value
        for state, value in zip(states, found[2], strict=True):
            state[:count] = value
        states[0][:count] += np.matmul(of_h[rows], of_state)
    return of_x, of_h, states


# Operators


def _steps_of(mode: int) -> RecurrentSteps:
    if mode not in STEPS:
        raise RuntimeError(f"mkldnn_rnn_layer: {mode} is no mode of a recurrent network: 0 to 3")
    return STEPS[mode]


def check_packed(name: str, data: Array, batch_sizes: Sequence[int]) -> None:
    """Raises:
    RuntimeError: the sizes are not those of packed data: more sequences run than at the step before, or less than none, or there
        are more or fewer rows.
    """
    pairs = zip(batch_sizes, [*batch_sizes[1:], 0], strict=True)
    if data.ndim != 2 or sum(batch_sizes) != len(data) or any(one < after for one, after in pairs):
        raise RuntimeError(
            f"{name}: batch sizes {list(batch_sizes)} do not belong to data of size {list(data.shape)}: they must not grow, and be its "
            "rows together"
        )


def _rows(x: Tensor, batch_sizes: Sequence[int]) -> tuple[Array, Sequence[int]]:
    """The rows of a padded (steps, batch, input) or packed (rows, input) tensor, and how many sequences run at each step."""
    array = x.array
    if batch_sizes:
        check_packed("mkldnn_rnn_layer", array, batch_sizes)
        return array, batch_sizes
    if array.ndim != 3:
        raise RuntimeError(f"mkldnn_rnn_layer: expected a 3D input, got {array.ndim}D")
    count, batch, width = array.shape
    if not count:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    return np.ascontiguousarray(array).reshape(-1, width), (batch,) * count


def _check(
    steps: RecurrentSteps, rows: Array, sizes: Sequence[int], others: Sequence[Tensor]
) -> None:
    """Raises:
    NotImplementedError: there is no kernel for the dtype.
    RuntimeError: dtypes or sizes do not fit together.
    """
    of_input, of_state, *biases, h, c = [one.array for one in others]
    if rows.dtype.char not in DTYPES:
        raise NotImplementedError(f"\"mkldnn_rnn_layer\" not implemented for '{rows.dtype.name}'")
    for one in others:
        if one.array.dtype != rows.dtype:
            raise RuntimeError(
                f"mat1 and mat2 must have the same dtype, but got {rows.dtype.name} and {one.array.dtype.name}"
            )
    batch, hidden = max(sizes), h.shape[-1]
    width = steps.gates * hidden
    wanted = [
        ("input weights", of_input.shape, (width, rows.shape[1])),
        ("state weights", of_state.shape, (width, hidden)),
        *[("a bias", bias.shape, (width,)) for bias in biases],
        ("the hidden state", h.shape[-2:], (batch, hidden)),
    ]
    if steps.states > 1:
        wanted.append(("the cells' state", c.shape[-2:], (batch, hidden)))
    for what, given, size in wanted:
        if given != size:
            raise RuntimeError(
                f"{steps.name}: {what} have size {list(given)} where input and state need {list(size)}"
            )


def _layer(
    mode: int, x: Tensor, batch_sizes: Sequence[int], others: Sequence[Tensor]
) -> tuple[RecurrentSteps, Array, Sequence[int]]:
    """The steps of a layer whose operands fit, the rows of its input, and how many sequences run at each step."""
    steps = _steps_of(mode)
    rows, sizes = _rows(x, batch_sizes)
    _check(steps, rows, sizes, others)
    return steps, rows, sizes


def _given(state: Tensor) -> Array:
    """A state (batch, hidden), which may be the one of one layer."""
    return state.array.reshape(state.array.shape[-2:])


def _gradient(grad: Tensor | None, size: tuple[int, ...], rows: Array) -> Array:
    """The gradient of a result, of that size; zeros where there is none.

    Raises:
        RuntimeError: it has another size.
    """
    if grad is None:
        return np.zeros(size, rows.dtype)
    if grad.array.shape != size:
        raise RuntimeError(
            f"mkldnn_rnn_layer_backward: a gradient has size {list(grad.array.shape)} where the result has {list(size)}"
        )
    return grad.array


@registry.kernel("mkldnn_rnn_layer")
def mkldnn_rnn_layer(
    x: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor,
    b_hh: Tensor,
    hx: Tensor,
    cx: Tensor,
    reverse: bool,
    batch_sizes: Sequence[int],
    mode: int,
    *_: Any,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """One direction of one layer: the hidden states, the states after the last steps, and what its gradient reads, as bytes.

    PyTorch has `mode` 2 alone, the LSTM; the others are 0 and 1 for networks with relu and tanh, and 3 for the GRU, whose only state is
    `hx`.
    """
    others = (w_ih, w_hh, b_ih, b_hh, hx, cx)
    steps, rows, sizes = _layer(mode, x, batch_sizes, others)
    start = (_given(hx), _given(cx))[: steps.states]
    out, states, saved = forward(
        steps,
        rows,
        sizes,
        start,
        (w_ih.array, w_hh.array),
        (b_ih.array, b_hh.array),
        reverse=reverse,
        saves=True,
    )
    assert saved is not None
    shape = (*x.array.shape[:-1], out.shape[1])
    cell = states[1].reshape(cx.array.shape) if steps.states > 1 else np.array(cx.array)
    results = (out.reshape(shape), states[0].reshape(hx.array.shape), cell)
    h, c, last = map(tensor_of, results)
    return h, c, last, tensor_of(saved.reshape(-1).view(np.uint8))


@registry.kernel("mkldnn_rnn_layer_backward")
def mkldnn_rnn_layer_backward(
    x: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor,
    b_hh: Tensor,
    hx: Tensor,
    cx: Tensor,
    out: Tensor,
    hy: Tensor,
    cy: Tensor,
    grad_out: Tensor | None,
    grad_hy: Tensor | None,
    grad_cy: Tensor | None,
    reverse: bool,
    mode: int,
    hidden_size: int,
    num_layers: int,
    has_biases: bool,
    train: bool,
    bidirectional: bool,
    batch_sizes: Sequence[int],
    batch_first: bool,
    workspace: Tensor,
) -> tuple[Tensor, ...]:
    """The gradients of input, weights, biases and states."""
    others = (w_ih, w_hh, b_ih, b_hh, hx, cx)
    steps, rows, sizes = _layer(mode, x, batch_sizes, others)
    hidden = w_hh.array.shape[1]
    shape = (len(rows), steps.saved * hidden)
    if workspace.array.size != shape[0] * shape[1] * rows.dtype.itemsize:
        raise RuntimeError("mkldnn_rnn_layer_backward: the workspace is not that of such a layer")
    saved = workspace.array.view(rows.dtype).reshape(shape)
    grads, last, last_cell = [
        _gradient(grad, (*like.shape[:-1], hidden), rows)
        for grad, like in ((grad_out, x.array), (grad_hy, hx.array), (grad_cy, cx.array))
    ]
    batch = (max(sizes), hidden)
    after = (last.reshape(batch), last_cell.reshape(batch))[: steps.states]
    of_x, of_h, states = backward(
        steps, saved, grads.reshape(-1, hidden), sizes, after, w_hh.array, reverse=reverse
    )
    before = saved[:, (steps.saved - (steps.states)) * hidden :][:, :hidden]
    bias = of_h.sum(0)
    results = (
        np.matmul(of_x, w_ih.array).reshape(x.array.shape),
        np.matmul(of_x.T, rows),
        np.matmul(of_h.T, before),
        of_x.sum(0),
        bias,
        states[0].reshape(hx.array.shape),
        states[1].reshape(cx.array.shape) if steps.states > 1 else last_cell.copy(),
    )
    return tuple(map(tensor_of, results))
