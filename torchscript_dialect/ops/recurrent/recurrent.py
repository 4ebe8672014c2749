"""Recurrent networks: LSTM, GRU and Elman networks over padded and packed sequences (PyTorch: native/RNN.cpp).

Rows of a batch of sequences stand in order of time, the sequences that last longest first: `batch_sizes` says how many run at each
step. A padded sequence is one whose steps are all alike. 16-bit floats compute in float32; states are rounded at each step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.pointwise.numpy_math import NUMPY
from torchscript_dialect.ops.random.dropout import dropped
from torchscript_dialect.ops.recurrent.recurrent_layer import (
    Array,
    States,
    check_packed,
    forward,
    parts_of,
)
from torchscript_dialect.ops.recurrent.recurrent_steps import (
    GRU,
    LSTM,
    RNN_RELU,
    RNN_TANH,
    RecurrentSteps,
)
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import Dims


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of one direction of one layer: of the input, of the state, and of a projection of the state."""

    w_ih: Array
    w_hh: Array
    b_ih: Array | None = None
    b_hh: Array | None = None
    w_hr: Array | None = None

    def of_input(self, x: Array) -> Array:
        return _affine(x, self.w_ih, self.b_ih)

    def of_state(self, h: Array) -> Array:
        return _affine(h, self.w_hh, self.b_hh)


def _affine(x: Array, weight: Array, bias: Array | None) -> Array:
    product = np.matmul(x, weight.T)
    return product if bias is None else product + bias


def one_step(
    steps: RecurrentSteps, gates: Array, states: States, weights: Weights
) -> Sequence[Array]:
    """The states after a step, from the input's part of the gates and the states before."""
    products = weights.of_state(states[0])
    parts = parts_of(gates, steps.gates), parts_of(products, steps.gates)
    hidden, *rest = steps.step(NUMPY, *parts, states)[0]
    return [hidden if weights.w_hr is None else hidden @ weights.w_hr.T, *rest]


@dataclass(frozen=True, slots=True)
class Network:
    """What the operators of one kind of network have in common."""

    name: str
    steps: RecurrentSteps

    @property
    def has_cell(self) -> bool:
        """Whether there are two states."""
        return self.steps.states > 1

    @ignores_float_errors
    def direction(
        self, x: Array, batch_sizes: Sequence[int], start: States, weights: Weights, backward: bool
    ) -> tuple[Array, States]:
        """The hidden state after each row of `x`, and the states after the last step of each sequence."""
        if type(weights) is Weights and weights.w_hr is None:
            return self._unprojected(x, batch_sizes, start, weights, backward)
        states = tuple(state.copy() for state in start)
        gates = weights.of_input(x)
        ends = np.cumsum(batch_sizes)
        out: Array = np.empty((len(x), states[0].shape[1]), states[0].dtype)
        steps = range(len(batch_sizes))
        for step in reversed(steps) if backward else steps:
            count, end = batch_sizes[step], int(ends[step])
            rows = slice(end - count, end)
            before = tuple(state[:count] for state in states)
            after = one_step(self.steps, gates[rows], before, weights)
            for state, new in zip(states, after):
                state[:count] = new
            out[rows] = after[0]
        return out, states

    def _unprojected(
        self, x: Array, batch_sizes: Sequence[int], start: States, weights: Weights, backward: bool
    ) -> tuple[Array, States]:
        """The same where parameters are matrices, and hidden states are as wide as those of cells."""
        biases = None
        if weights.b_ih is not None and weights.b_hh is not None:
            biases = weights.b_ih, weights.b_hh
        out, states, _ = forward(
            self.steps,
            x,
            batch_sizes,
            start,
            (weights.w_ih, weights.w_hh),
            biases,
            reverse=backward,
            saves=False,
        )
        return out, states

    def check(self, x: Array, states: States, layers: Sequence[Weights], directions: int) -> None:
        """Raises RuntimeError where sizes of input, states and parameters do not fit together."""
        count = len(layers)
        for state in states:
            if state.ndim != 3 or state.shape[0] != count:
                raise RuntimeError(
                    f"{self.name}: Expected hidden size [{count}, batch, hidden], got {list(state.shape)}"
                )
        width = x.shape[-1]
        for place, weights in enumerate(layers):
            inputs = width if place < directions else directions * states[0].shape[2]
            rows = self.steps.gates * states[-1].shape[2]
            for what, given, wanted in (
                ("input weights", weights.w_ih, (rows, inputs)),
                ("state weights", weights.w_hh, (rows, states[0].shape[2])),
                ("input bias", weights.b_ih, (rows,)),
                ("state bias", weights.b_hh, (rows,)),
            ):
                if given is not None and given.shape != wanted:
                    raise RuntimeError(
                        f"{self.name}: {what} of layer {place // directions} have size "
                        f"{list(given.shape)} where input and state need {list(wanted)}"
                    )

    def run(
        self,
        x: Tensor,
        batch_sizes: Sequence[int],
        start: Sequence[Tensor],
        params: Sequence[Any],
        has_biases: bool,
        layers: int,
        p: float,
        train: bool,
        bidirectional: bool,
    ) -> tuple[Array, list[Tensor]]:
        """The outputs of the last layer, row by row, and the last states of all."""
        if len(start) != 1 + self.has_cell:
            raise RuntimeError(f"{self.name} expects two hidden states")
        _check_dtypes(self.name, x, start)
        compute = opmath(x.dtype).numpy_dtype
        states = tuple(state.array.astype(compute, copy=False) for state in start)
        weights = self.weights(x, states, params, has_biases)
        directions = 2 if bidirectional else 1
        if len(weights) != layers * directions:
            raise RuntimeError(
                f"{self.name}: {layers} layers in {directions} directions do not have "
                f"{len(params)} parameters"
            )
        rows = x.array.astype(compute, copy=False)
        self.check(rows, states, weights, directions)
        if batch_sizes and max(batch_sizes) != states[0].shape[1]:
            raise RuntimeError(
                f"{self.name}: Expected hidden states for a batch of {max(batch_sizes)}, got "
                f"{states[0].shape[1]}"
            )
        last: list[States] = []
        for layer in range(layers):
            if layer and train and p > 0:
                rows = dropped(tensor_of(rows.astype(x.array.dtype)), p).astype(compute)
            outputs: list[Array] = []
            for place in range(layer * directions, (layer + 1) * directions):
                at_start = tuple(state[place] for state in states)
                backward = place % directions == 1
                out, after = self.direction(rows, batch_sizes, at_start, weights[place], backward)
                outputs.append(out)
                last.append(after)
            rows = outputs[0] if directions == 1 else np.concatenate(outputs, 1)
            rows = rows.astype(x.array.dtype, copy=False).astype(compute, copy=False)
        ends = [
            tensor_of(np.stack(state).astype(x.array.dtype, copy=False)) for state in zip(*last)
        ]
        return rows.astype(x.array.dtype, copy=False), ends

    def weights(
        self, x: Tensor, states: States, params: Sequence[Any], has_biases: bool
    ) -> Sequence[Weights]:
        """The parameters of each direction of each layer.

        Raises:
            RuntimeError: there are too many or too few, or they have another dtype than `x`.
        """
        _check_dtypes(self.name, x, params)
        has_projection = self.has_cell and states[0].shape[-1] != states[-1].shape[-1]
        compute = opmath(x.dtype).numpy_dtype
        return _grouped(self.name, params, has_biases, has_projection, compute)

    def declare(self) -> None:
        """The operators over padded and packed sequences."""

        def padded(x: Tensor, start: Any, *rest: Any) -> tuple[Tensor, ...]:
            *settings, batch_first = rest
            array = x.array
            if array.ndim != 3:
                raise RuntimeError(
                    f"{self.name}: Expected input to be 3D, got {array.ndim}D instead"
                )
            if batch_first:
                array = array.swapaxes(0, 1)
            steps, batch, width = array.shape
            if not steps:
                raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
            flat = tensor_of(np.ascontiguousarray(array).reshape(-1, width))
            states = start if self.has_cell else [start]
            rows, ends = self.run(flat, [batch] * steps, states, *settings)
            out = rows.reshape(steps, batch, rows.shape[-1])
            return (tensor_of(out.swapaxes(0, 1) if batch_first else out), *ends)

        def packed(
            x: Tensor, batch_sizes: Tensor, start: Any, *settings: Any
        ) -> tuple[Tensor, ...]:
            sizes = [int(size) for size in batch_sizes.array]
            check_packed(self.name, x.array, sizes)
            states = start if self.has_cell else [start]
            rows, ends = self.run(x, sizes, states, *settings)
            return (tensor_of(rows), *ends)

        effects = {"training": "train", "effects": Effect.RANDOM}
        padded, packed = self.adapted(padded), self.adapted(packed)
        registry.implement(f"{self.name}.input", padded, shape=self._padded_shape, **effects)
        registry.implement(f"{self.name}.data", packed, shape=self._packed_shape, **effects)

    def adapted(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel for the arguments of the operators."""
        return kernel

    def _padded_shape(self, facts: Sequence[Fact]) -> Fact:
        x, start, *rest = facts
        sizes = rank_known(x)
        if sizes is None or len(sizes) != 3:
            return (NOTHING,) * (2 + self.has_cell)
        strides = None
        if not is_known(rest[6]) or rest[6]:
            strides = (None,) * 3
        return self._shapes(x, sizes[:2], start, rest[5], strides)

    def _packed_shape(self, facts: Sequence[Fact]) -> Fact:
        x, _, start, *rest = facts
        sizes = rank_known(x)
        if sizes is None or len(sizes) != 2:
            return (NOTHING,) * (2 + self.has_cell)
        return self._shapes(x, sizes[:1], start, rest[5], None)

    def _shapes(
        self, x: Fact, outer: Dims, start: Fact, bidirectional: Fact, strides: Dims | None
    ) -> Fact:
        states: Sequence[Fact] = [start]
        if self.has_cell:
            states = cast("list[Fact]", start) if isinstance(start, list) else [NOTHING] * 2
        hidden = rank_known(states[0])
        width = None
        if hidden is not None and len(hidden) == 3 and is_known(bidirectional):
            width = None if hidden[2] is None else hidden[2] * (1 + bidirectional)
        out = fresh(dtype_of(x), (*outer, width), x, strides=strides)
        return (out, *(fresh(dtype_of(x), rank_known(state), x) for state in states))


def _check_dtypes(name: str, x: Tensor, others: Sequence[Tensor]) -> None:
    if not (x.dtype.is_floating_point or x.dtype.is_complex or _is_whole(name, x)):
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")
    for other in others:
        if other.dtype is not x.dtype:
            raise RuntimeError(
                f"mat1 and mat2 must have the same dtype, but got {x.dtype.type_name} and "
                f"{other.dtype.type_name}"
            )


def _is_whole(name: str, x: Tensor) -> bool:
    """Whether the states are integers: those of `relu` may be."""
    return name == "rnn_relu" and x.dtype.is_integral


def _grouped(
    name: str, params: Sequence[Tensor], has_biases: bool, has_projection: bool, compute: Any
) -> list[Weights]:
    size = (4 if has_biases else 2) + has_projection
    if len(params) % size:
        raise RuntimeError(f"got an incorrect number of {name} parameters")
    arrays = [tensor.array.astype(compute, copy=False) for tensor in params]
    found: list[Weights] = []
    for first in range(0, len(arrays), size):
        w_ih, w_hh, *rest = arrays[first : first + size]
        w_hr = rest.pop() if has_projection else None
        b_ih, b_hh = rest if has_biases else (None, None)
        found.append(Weights(w_ih, w_hh, b_ih, b_hh, w_hr))
    return found


for _network in (
    Network("lstm", LSTM),
    Network("gru", GRU),
    Network("rnn_tanh", RNN_TANH),
    Network("rnn_relu", RNN_RELU),
):
    _network.declare()


# Packed sequences


@registry.kernel("_pack_padded_sequence")
def pack_padded_sequence(x: Tensor, lengths: Tensor, batch_first: bool) -> tuple[Tensor, Tensor]:
    """The steps of all sequences, without what pads the shorter ones, and how many sequences run at each step."""
    array = x.array.swapaxes(0, 1) if batch_first and x.array.ndim > 1 else x.array
    if lengths.dtype is not dtypes.int64 or lengths.array.ndim != 1:
        raise RuntimeError("'lengths' argument should be a 1D CPU int64 tensor")
    if array.ndim < 2 or len(lengths.array) != array.shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths.array)} "
            f"(batch_size={array.shape[1] if array.ndim > 1 else 0})"
        )
    if not array.size:
        raise RuntimeError("Cannot pack empty tensors.")
    if lengths.array[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is "
            "<= 0"
        )
    if (np.diff(lengths.array) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can "
            "pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this "
            "requirement if you do not need ONNX exportability."
        )
    longest = int(lengths.array[0])
    if longest > array.shape[0]:
        raise RuntimeError(
            f"Expected sequences of at most {array.shape[0]} steps, but 'lengths' has {longest}"
        )
    runs = np.arange(longest)[:, None] < lengths.array
    data = np.ascontiguousarray(array[:longest][runs])
    return tensor_of(data), tensor_of(runs.sum(1).astype(np.int64))


def _runs(batch_sizes: Tensor) -> NDArray[np.bool_]:
    """For each step and sequence, whether it runs."""
    sizes = batch_sizes.array
    if sizes.ndim != 1 or not sizes.size:
        raise RuntimeError("batch_sizes tensor should have a step at least, in one dimension")
    return np.arange(int(sizes[0])) < sizes[:, None]


@registry.kernel("_pad_packed_sequence")
def pad_packed_sequence(
    data: Tensor, batch_sizes: Tensor, batch_first: bool, value: complex, total_length: int
) -> tuple[Tensor, Tensor]:
    """The sequences side by side, the shorter ones padded, and their lengths."""
    runs = _runs(batch_sizes)
    lengths = runs.sum(0).astype(np.int64)
    steps = len(runs)
    if total_length > 0:
        if total_length < steps:
            raise RuntimeError(
                "Expected total_length to be at least the length of the longest sequence in input, but "
                f"got total_length={total_length} and max sequence length being {steps}"
            )
        runs = np.pad(runs, ((0, total_length - steps), (0, 0)))
    out = np.full((*runs.shape, *data.array.shape[1:]), value, data.array.dtype)
    out[runs] = data.array
    return tensor_of(out.swapaxes(0, 1) if batch_first else out), tensor_of(lengths)


@registry.kernel("_pack_padded_sequence_backward")
def pack_padded_sequence_backward(
    grad: Tensor, input_size: Sequence[int], batch_sizes: Tensor, batch_first: bool
) -> Tensor:
    """The gradients of the steps at their places, zeros where a sequence was padded."""
    shape = [*input_size]
    if batch_first:
        shape[0], shape[1] = shape[1], shape[0]
    out = np.zeros(shape, grad.array.dtype)
    runs = _runs(batch_sizes)
    out[: len(runs), : runs.shape[1]][runs] = grad.array
    return tensor_of(out.swapaxes(0, 1) if batch_first else out)


@registry.kernel("pad_sequence")
def pad_sequence(sequences: Sequence[Tensor], batch_first: bool, value: float, side: str) -> Tensor:
    """Tensors that differ in their first size side by side, the shorter ones padded on one side."""
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {side}.")
    check_fits(sequences[0].dtype, value)
    arrays = [tensor.array for tensor in sequences]
    longest, rest = max(len(array) for array in arrays), arrays[0].shape[1:]
    sizes = (len(arrays), longest) if batch_first else (longest, len(arrays))
    out = np.full((*sizes, *rest), value, arrays[0].dtype)
    by_sequence = out if batch_first else out.swapaxes(0, 1)
    for row, array in zip(by_sequence, arrays):
        if array.shape[1:] != rest:
            raise RuntimeError(
                "The size of the sequences must match in all dimensions but the first, but got "
                f"{list(array.shape[1:])} and {list(rest)}"
            )
        row[slice(len(array)) if side == "right" else slice(longest - len(array), None)] = array
    return tensor_of(out)
