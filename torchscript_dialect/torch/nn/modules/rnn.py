"""Recurrent layers: over whole sequences, and the cells that take one step."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportRedeclaration=false
from __future__ import annotations

import math
import warnings
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn import init
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter
from torchscript_dialect.torch.nn.utils.rnn import PackedSequence

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class RNNBase(Module):
    """Weights of layers that each take the states of the one before, in one direction or both."""

    __constants__ = (
        "mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout",
        "bidirectional", "proj_size",
    )  # fmt: skip
    __jit_unused_properties__ = ("all_weights",)

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check(mode, input_size, hidden_size, num_layers, dropout, proj_size)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._flat_weights_names: list[str] = []
        self._flat_weights: list[Tensor] = []
        self._all_weights: list[list[str]] = []
        directions = ["", "_reverse"] if bidirectional else [""]
        gates = _GATES[mode] * hidden_size
        state = proj_size or hidden_size
        for layer in range(num_layers):
            inner = input_size if layer == 0 else state * len(directions)
            shapes = {"weight_ih": [gates, inner], "weight_hh": [gates, state]}
            if bias:
                shapes |= {"bias_ih": [gates], "bias_hh": [gates]}
            if proj_size:
                shapes["weight_hr"] = [proj_size, hidden_size]
            for direction in directions:
                names = [f"{name}_l{layer}{direction}" for name in shapes]
                self._flat_weights_names += names
                self._all_weights.append(names)
                for name, shape in zip(names, shapes.values(), strict=True):
                    made = Parameter(torch.empty(shape, device=device, dtype=dtype))
                    self._flat_weights.append(made)
                    setattr(self, name, made)
        self.reset_parameters()

    def __setattr__(self, name: str, value: Any) -> None:
        names = self.__dict__.get("_flat_weights_names", ())
        if name in names:
            self._flat_weights[names.index(name)] = value
        super().__setattr__(name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        is_parametrized = "parametrizations" in self._modules
        if is_parametrized or self.__dict__.get("_was_parametrized"):
            self._flat_weights[:] = [getattr(self, name) for name in self._flat_weights_names]
            self.__dict__["_was_parametrized"] = is_parametrized
        return super().__call__(*args, **kwargs)

    def flatten_parameters(self) -> None:
        """Nothing: only cuDNN wants the weights in one piece of memory."""

    @property
    def all_weights(self) -> list[list[Any]]:
        """The weights of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def reset_parameters(self) -> None:
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """RuntimeError where rank or size of the input are not those of the layer."""
        rank = 2 if batch_sizes is not None else 3
        if input.dim() != rank:
            raise RuntimeError(f"input must have {rank} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got"
                f" {input.size(-1)}"
            )

    def _state_size(self, input: Tensor, batch_sizes: Tensor | None, width: int) -> list[int]:
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0) if self.batch_first else input.size(1)
        directions = 2 if self.bidirectional else 1
        return [self.num_layers * directions, batch, width]

    def _check_state(self, state: Tensor, expected: list[int], name: str) -> None:
        if list(state.size()) != expected:
            raise RuntimeError(f"Expected {name} size {expected}, got {list(state.size())}")

    def permute_hidden(self, hx: Tensor, permutation: Tensor | None) -> Tensor:
        """The states in another order of the batch."""
        if permutation is None:
            return hx
        return hx.index_select(1, permutation)

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        usual = {
            "proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0,
            "bidirectional": False,
        }  # fmt: skip
        for name, value in usual.items():
            if getattr(self, name) != value:
                shown += f", {name}={getattr(self, name)}"
        return shown


def _check(
    mode: str, input_size: int, hidden_size: int, num_layers: int, dropout: float, proj_size: int
) -> None:
    if mode not in _GATES:
        raise ValueError("Unrecognized RNN mode: " + mode)
    if isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being"
            " zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects"
            f" num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
            stacklevel=4,
        )
    sizes = {"input_size": input_size, "hidden_size": hidden_size, "num_layers": num_layers}
    for name, size in sizes.items():
        if not isinstance(size, int):
            raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
        if size <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")


class RNN(RNNBase):
    """h' = tanh(W x + U h + b), or with the rectifier in the place of tanh."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 3:
            nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        self_mode = "RNN_TANH" if nonlinearity == "tanh" else "RNN_RELU"
        super().__init__(self_mode, *args, **kwargs)
        self.nonlinearity = nonlinearity

    def _start(self, input: Tensor, batch_sizes: Tensor | None) -> Tensor:
        size = self._state_size(input, batch_sizes, self.hidden_size)
        return torch.zeros(size, dtype=input.dtype, device=input.device)

    def _over_packed(
        self, input: PackedSequence, hx: Tensor | None
    ) -> tuple[PackedSequence, Tensor]:
        data, batch_sizes, sorted_indices, unsorted_indices = input
        self.check_input(data, batch_sizes)
        if hx is None:
            hx = self._start(data, batch_sizes)
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self._check_state(hx, self._state_size(data, batch_sizes, self.hidden_size), "hidden")
        if self.mode == "RNN_TANH":
            output, state = torch.rnn_tanh(
                    data, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
                    self.dropout, self.training, self.bidirectional,
            )  # fmt: skip
        else:
            output, state = torch.rnn_relu(
                    data, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
                    self.dropout, self.training, self.bidirectional,
            )  # fmt: skip
        packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        return packed, self.permute_hidden(state, unsorted_indices)

    def _over_padded(self, input: Tensor, hx: Tensor | None) -> tuple[Tensor, Tensor]:
        rank = input.dim()
        if rank != 2 and rank != 3:
            raise ValueError(f"RNN: Expected input to be 2D or 3D, got {rank}D tensor instead")
        if hx is not None and hx.dim() != rank:
            raise RuntimeError(
                f"For {'batched 3-D' if rank == 3 else 'unbatched 2-D'} input, hx should also be"
                f" {rank}-D but got {hx.dim()}-D tensor"
            )
        axis = 0 if self.batch_first else 1
        if rank == 2:
            input = input.unsqueeze(axis)
            if hx is not None:
                hx = hx.unsqueeze(1)
        if hx is None:
            hx = self._start(input, None)
        self.check_input(input, None)
        self._check_state(hx, self._state_size(input, None, self.hidden_size), "hidden")
        if self.mode == "RNN_TANH":
            output, state = torch.rnn_tanh(
                    input, hx, self._flat_weights, self.bias, self.num_layers,
                    self.dropout, self.training, self.bidirectional, self.batch_first,
            )  # fmt: skip
        else:
            output, state = torch.rnn_relu(
                    input, hx, self._flat_weights, self.bias, self.num_layers,
                    self.dropout, self.training, self.bidirectional, self.batch_first,
            )  # fmt: skip
        if rank == 2:
            output, state = output.squeeze(axis), state.squeeze(1)
        return output, state

    @torch.jit._overload_method
    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]: ...

    @torch.jit._overload_method
    def forward(  # noqa: F811
        self, input: PackedSequence, hx: Tensor | None = None
    ) -> tuple[PackedSequence, Tensor]: ...

    def forward(self, input, hx=None):  # noqa: F811
        if isinstance(input, PackedSequence):
            return self._over_packed(input, hx)
        else:
            return self._over_padded(input, hx)


class GRU(RNNBase):
    """Gated recurrent units: two gates say what of the state is kept and what is looked at."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)

    def _start(self, input: Tensor, batch_sizes: Tensor | None) -> Tensor:
        size = self._state_size(input, batch_sizes, self.hidden_size)
        return torch.zeros(size, dtype=input.dtype, device=input.device)

    def _over_packed(
        self, input: PackedSequence, hx: Tensor | None
    ) -> tuple[PackedSequence, Tensor]:
        data, batch_sizes, sorted_indices, unsorted_indices = input
        self.check_input(data, batch_sizes)
        if hx is None:
            hx = self._start(data, batch_sizes)
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self._check_state(hx, self._state_size(data, batch_sizes, self.hidden_size), "hidden")
        output, state = torch.gru(
            data, batch_sizes, hx, self._flat_weights, self.bias, self.num_layers,
            self.dropout, self.training, self.bidirectional,
        )  # fmt: skip
        packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        return packed, self.permute_hidden(state, unsorted_indices)

    def _over_padded(self, input: Tensor, hx: Tensor | None) -> tuple[Tensor, Tensor]:
        rank = input.dim()
        if rank != 2 and rank != 3:
            raise ValueError(f"GRU: Expected input to be 2D or 3D, got {rank}D tensor instead")
        if hx is not None and hx.dim() != rank:
            raise RuntimeError(
                f"For {'batched 3-D' if rank == 3 else 'unbatched 2-D'} input, hx should also be"
                f" {rank}-D but got {hx.dim()}-D tensor"
            )
        axis = 0 if self.batch_first else 1
        if rank == 2:
            input = input.unsqueeze(axis)
            if hx is not None:
                hx = hx.unsqueeze(1)
        if hx is None:
            hx = self._start(input, None)
        self.check_input(input, None)
        self._check_state(hx, self._state_size(input, None, self.hidden_size), "hidden")
        output, state = torch.gru(
            input, hx, self._flat_weights, self.bias, self.num_layers,
            self.dropout, self.training, self.bidirectional, self.batch_first,
        )  # fmt: skip
        if rank == 2:
            output, state = output.squeeze(axis), state.squeeze(1)
        return output, state

    @torch.jit._overload_method
    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]: ...

    @torch.jit._overload_method
    def forward(  # noqa: F811
        self, input: PackedSequence, hx: Tensor | None = None
    ) -> tuple[PackedSequence, Tensor]: ...

    def forward(self, input, hx=None):  # noqa: F811
        if isinstance(input, PackedSequence):
            return self._over_packed(input, hx)
        else:
            return self._over_padded(input, hx)


class LSTM(RNNBase):
    """Long short-term memory: gates say what a cell keeps, takes in and shows."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def _shown(self) -> int:
        """The width of what cells show."""
        return self.proj_size if self.proj_size > 0 else self.hidden_size

    def _start(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[Tensor, Tensor]:
        shown = self._state_size(input, batch_sizes, self._shown())
        kept = self._state_size(input, batch_sizes, self.hidden_size)
        return (
            torch.zeros(shown, dtype=input.dtype, device=input.device),
            torch.zeros(kept, dtype=input.dtype, device=input.device),
        )

    def _check_states(
        self, input: Tensor, hx: tuple[Tensor, Tensor], batch_sizes: Tensor | None
    ) -> None:
        self.check_input(input, batch_sizes)
        shown = self._state_size(input, batch_sizes, self._shown())
        kept = self._state_size(input, batch_sizes, self.hidden_size)
        self._check_state(hx[0], shown, "hidden[0]")
        self._check_state(hx[1], kept, "hidden[1]")

    def _over_packed(
        self, input: PackedSequence, hx: tuple[Tensor, Tensor] | None
    ) -> tuple[PackedSequence, tuple[Tensor, Tensor]]:
        data, batch_sizes, sorted_indices, unsorted_indices = input
        self.check_input(data, batch_sizes)
        if hx is None:
            h, c = self._start(data, batch_sizes)
        else:
            h = self.permute_hidden(hx[0], sorted_indices)
            c = self.permute_hidden(hx[1], sorted_indices)
        self._check_states(data, (h, c), batch_sizes)
        output, h, c = torch.lstm(
            data, batch_sizes, [h, c], self._flat_weights, self.bias, self.num_layers,
            self.dropout, self.training, self.bidirectional,
        )  # fmt: skip
        packed = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        h = self.permute_hidden(h, unsorted_indices)
        c = self.permute_hidden(c, unsorted_indices)
        return packed, (h, c)

    def _over_padded(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        rank = input.dim()
        if rank != 2 and rank != 3:
            raise ValueError(f"LSTM: Expected input to be 2D or 3D, got {rank}D instead")
        if hx is not None and (hx[0].dim() != rank or hx[1].dim() != rank):
            raise RuntimeError(
                f"For {'batched 3-D' if rank == 3 else 'unbatched 2-D'} input, hx and cx should also be"
                f" {rank}-D but got ({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
            )
        axis = 0 if self.batch_first else 1
        if rank == 2:
            input = input.unsqueeze(axis)
            if hx is not None:
                hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
        if hx is None:
            hx = self._start(input, None)
        self._check_states(input, hx, None)
        output, h, c = torch.lstm(
            input, [hx[0], hx[1]], self._flat_weights, self.bias, self.num_layers, self.dropout,
            self.training, self.bidirectional, self.batch_first,
        )  # fmt: skip
        if rank == 2:
            output, h, c = output.squeeze(axis), h.squeeze(1), c.squeeze(1)
        return output, (h, c)

    @torch.jit._overload_method
    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]: ...

    @torch.jit._overload_method
    def forward(  # noqa: F811
        self, input: PackedSequence, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[PackedSequence, tuple[Tensor, Tensor]]: ...

    def forward(self, input, hx=None):  # noqa: F811
        if isinstance(input, PackedSequence):
            return self._over_packed(input, hx)
        else:
            return self._over_padded(input, hx)


class RNNCellBase(Module):
    """Weights of one step."""

    __constants__ = ("input_size", "hidden_size", "bias")

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(torch.empty([rows, input_size], device=device, dtype=dtype))
        self.weight_hh = Parameter(torch.empty([rows, hidden_size], device=device, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            made = Parameter(torch.empty([rows], device=device, dtype=dtype)) if bias else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            shown += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return shown if nonlinearity == "tanh" else f"{shown}, nonlinearity={nonlinearity}"


class RNNCell(RNNCellBase):
    """One step of `RNN`: x (N, input_size) and the state (N, hidden_size) to the next state."""

    __constants__ = ("input_size", "hidden_size", "bias", "nonlinearity")

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if input.dim() != 1 and input.dim() != 2:
            raise ValueError(f"RNNCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() != 1 and hx.dim() != 2:
            raise ValueError(f"RNNCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = torch.zeros(
                [input.size(0), self.hidden_size], dtype=input.dtype, device=input.device
            )
        else:
            hx = hx if is_batched else hx.unsqueeze(0)
        if self.nonlinearity == "tanh":
            result = torch.rnn_tanh_cell(
                input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
            )
        elif self.nonlinearity == "relu":
            result = torch.rnn_relu_cell(
                input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
            )
        else:
            result = input
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        if not is_batched:
            result = result.squeeze(0)
        return result


class LSTMCell(RNNCellBase):
    """One step of `LSTM`: x (N, input_size) and the states (h, c) to the next states."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        if input.dim() != 1 and input.dim() != 2:
            raise ValueError(f"LSTMCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None:
            for index in range(2):
                rank = (hx[0] if index == 0 else hx[1]).dim()
                if rank != 1 and rank != 2:
                    raise ValueError(
                        f"LSTMCell: Expected hx[{index}] to be 1D or 2D, got {rank}D instead"
                    )
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = torch.zeros(
                [input.size(0), self.hidden_size], dtype=input.dtype, device=input.device
            )
            hx = (zeros, zeros)
        else:
            hx = hx if is_batched else (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        h, c = torch.lstm_cell(
            input, [hx[0], hx[1]], self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        )
        if not is_batched:
            h, c = h.squeeze(0), c.squeeze(0)
        return h, c


class GRUCell(RNNCellBase):
    """One step of `GRU`: x (N, input_size) and the state (N, hidden_size) to the next state."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if input.dim() != 1 and input.dim() != 2:
            raise ValueError(f"GRUCell: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if hx is not None and hx.dim() != 1 and hx.dim() != 2:
            raise ValueError(f"GRUCell: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = torch.zeros(
                [input.size(0), self.hidden_size], dtype=input.dtype, device=input.device
            )
        else:
            hx = hx if is_batched else hx.unsqueeze(0)
        result = torch.gru_cell(
            input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        )
        if not is_batched:
            result = result.squeeze(0)
        return result
