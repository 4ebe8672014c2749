"""Recurrent networks whose products are those of dynamically quantized linear layers (PyTorch: native/RNN.cpp, QuantizedCellParams)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.quantized.packed_params import (
    CellParams,
    HalfLinearParams,
    LinearPackedParams,
)
from torchscript_dialect.ops.quantized.quantized_layers import linear_dynamic
from torchscript_dialect.ops.recurrent.recurrent import (
    Array,
    Network,
    States,
    Weights,
    one_step,
)
from torchscript_dialect.ops.recurrent.recurrent_steps import (
    GRU,
    LSTM,
    RNN_RELU,
    RNN_TANH,
    RecurrentSteps,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_linear = linear_dynamic(relu=False)


@dataclass(frozen=True, slots=True)
class CellWeights(Weights):
    """The layers of a cell in the place of its matrices."""

    params: CellParams | None = None

    @classmethod
    def of(cls, params: CellParams) -> CellWeights:
        return cls(params.of_input.weight.array, params.of_state.weight.array, params=params)

    def of_input(self, x: Array) -> Array:
        assert self.params is not None
        return _linear(tensor_of(x), self.params.of_input, self.params.reduce_range).array

    def of_state(self, h: Array) -> Array:
        assert self.params is not None
        return _linear(tensor_of(h), self.params.of_state, self.params.reduce_range).array


@dataclass(frozen=True, slots=True)
class QuantizedNetwork(Network):
    """A network whose parameters are `CellParams`."""

    def weights(
        self, x: Tensor, states: States, params: Sequence[Any], has_biases: bool
    ) -> Sequence[Weights]:
        if not has_biases:
            raise RuntimeError("quantized LSTM requires biases")
        return [CellWeights.of(cell) for cell in params]

    def adapted(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        if not self.has_cell:
            return kernel
        return lambda *operands: kernel(*operands[:-2])  # The objects tell dtype and kind.


QuantizedNetwork("quantized_lstm", LSTM).declare()
QuantizedNetwork("quantized_gru", GRU).declare()


# Objects


@registry.kernel("quantized::make_quantized_cell_params_dynamic")
def dynamic_cell(
    w_ih: LinearPackedParams,
    w_hh: LinearPackedParams,
    b_ih: Tensor,
    b_hh: Tensor,
    reduce_range: bool,
) -> CellParams:
    return CellParams(w_ih, w_hh, (b_ih, b_hh), reduce_range)


@registry.kernel("quantized::make_quantized_cell_params_fp16")
def half_cell(w_ih: HalfLinearParams, w_hh: HalfLinearParams) -> CellParams:
    return CellParams(w_ih, w_hh)


# One step


def _cell(steps: RecurrentSteps) -> Callable[..., Any]:
    def kernel(
        x: Tensor,
        start: Any,
        w_ih: LinearPackedParams,
        w_hh: LinearPackedParams,
        b_ih: Tensor,
        b_hh: Tensor,
    ) -> Any:
        weights = CellWeights.of(CellParams(w_ih, w_hh, (b_ih, b_hh), True))
        states = tuple(state.array for state in (start if steps.states > 1 else [start]))
        after = one_step(steps, weights.of_input(x.array), states, weights)
        results = tuple(map(tensor_of, after))
        return results if steps.states > 1 else results[0]

    return kernel


for _name, _kernel in (
    ("lstm", _cell(LSTM)),
    ("gru", _cell(GRU)),
    ("rnn_tanh", _cell(RNN_TANH)),
    ("rnn_relu", _cell(RNN_RELU)),
):
    registry.implement(f"quantized::quantized_{_name}_cell_dynamic", _kernel)
