"""The weights of quantized layers as objects: PyTorch's `torch.classes.quantized` (native/quantized/cpu/fbgemm_utils.cpp).

PyTorch packs weights for its libraries. Ours keep weight and bias as they are, and what products need of the weight: its integers less
their zero points, and its scales in float32. `state` is what archives hold of an object (`__getstate__`), of the type `STATE`;
`from_state` makes the object again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.convolution.convolution_plan import Windows
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.layout import channels_last, channels_last_3d, memory_format
from torchscript_dialect.tensor.quantizer import (
    PerChannel,
    PerTensor,
    Quantizer,
    ints,
    of_ints,
    per_channel,
    quantizer_of,
)
from torchscript_dialect.tensor.strides import strides_for_format
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import FLOAT, INT, STR, TorchScriptType
from torchscript_dialect.types.named import FOREIGN, ClassType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.properties import cached_property

Array = NDArray[Any]

_NAMESPACE = f"{FOREIGN}quantized"
_WEIGHT_AND_BIAS = TupleType.get([TENSOR, OptionalType(TENSOR)])


def copy_in_format(array: Array, wanted: memory_format) -> Array:
    """A copy of an array in that memory format."""
    strides = strides_for_format(array.shape, wanted)
    copy = np.ndarray(array.shape, array.dtype, strides=[s * array.itemsize for s in strides])
    copy[...] = array
    return copy


def requantized_layout(array: Array, wanted: memory_format, *, swapped: bool) -> Array:
    """A copy of a quantized array in that memory format, which it has with its first two dimensions in the other order if `swapped`."""
    integers, quantizer = ints(array), quantizer_of(array)
    if swapped:
        copy = copy_in_format(integers.swapaxes(0, 1), wanted).swapaxes(0, 1)
    else:
        copy = copy_in_format(integers, wanted)
    return of_ints(copy, moved(quantizer, copy), dtypes.of_array(array))


def moved(quantizer: Quantizer | None, integers: Array) -> Quantizer:
    """The quantizer for integers that lie otherwise."""
    assert quantizer is not None
    if isinstance(quantizer, PerTensor):
        return quantizer
    return per_channel(integers, quantizer.scales, quantizer.zero_points, quantizer.axis)


class PackedParams:
    """What linear and convolutional layers have in common: a qint8 weight and a float bias."""

    weight: Tensor
    bias: Tensor | None

    def _check(self, what: str) -> None:
        """RuntimeError for a weight or bias that no layer has."""
        if self.weight.dtype is not dtypes.qint8:
            raise RuntimeError(f"{what}: weight must be qint8, found {self.weight.dtype.type_name}")
        if self.bias is not None and self.bias.dtype is not dtypes.float32:
            raise RuntimeError(f"{what}: bias must be Float, found {self.bias.dtype.type_name}")

    @cached_property
    def integers(self) -> Array:
        """The weight's integers less their zero points, as float64."""
        quantizer = quantizer_of(self.weight.array)
        assert quantizer is not None
        _, zero_point = quantizer.over(self.weight.array)
        return ints(self.weight.array).astype(np.float64) - zero_point

    @cached_property
    def scales(self) -> Array:
        """One scale, or one for each channel of the result, in float32."""
        quantizer = quantizer_of(self.weight.array)
        if isinstance(quantizer, PerChannel):
            return quantizer.scales.astype(np.float32)
        assert quantizer is not None
        return np.array([quantizer.scale], np.float32)

    def unpack(self) -> tuple[Tensor, Tensor | None]:
        """Weight and bias; the weight's scales have the precision of float32, as in PyTorch."""
        quantizer, array = quantizer_of(self.weight.array), self.weight.array
        if isinstance(quantizer, PerChannel):
            kept = per_channel(array, self.scales, quantizer.zero_points, quantizer.axis)
        else:
            assert quantizer is not None
            kept = PerTensor(float(self.scales[0]), quantizer.zero_point)
        return tensor_of(of_ints(ints(array), kept, self.weight.dtype)), self.bias


@dataclass(eq=False)
class LinearPackedParams(PackedParams):
    """Weight (out, in) and bias (out) of a linear layer."""

    __torchscript_qualified_name__: ClassVar[str] = f"{_NAMESPACE}.LinearPackedParamsBase"
    STATE: ClassVar[TorchScriptType] = _WEIGHT_AND_BIAS

    weight: Tensor
    bias: Tensor | None

    def __post_init__(self) -> None:
        if self.weight.array.ndim != 2:
            raise RuntimeError(
                "The weight tensor for quantized::linear_prepack (fbgemm) should be 2-dimensional."
            )
        self._check("quantized::linear_prepack")

    def state(self) -> Any:
        return self.unpack()

    @staticmethod
    def from_state(state: Any) -> LinearPackedParams | HalfLinearParams:
        weight, bias = state
        kind = LinearPackedParams if weight.dtype.is_quantized else HalfLinearParams
        return kind(weight, bias)


@dataclass(eq=False)
class HalfLinearParams:
    """The same with a weight of 16-bit floats; archives hold it as float32."""

    __torchscript_qualified_name__: ClassVar[str] = f"{_NAMESPACE}.LinearPackedParamsBase"
    STATE: ClassVar[TorchScriptType] = _WEIGHT_AND_BIAS

    weight: Tensor
    bias: Tensor | None

    def __post_init__(self) -> None:
        limit = float(np.finfo(np.float16).max)
        held = np.clip(self.weight.array, -limit, limit)
        self.weight = tensor_of(held.astype(np.float16).astype(np.float32))

    def unpack(self) -> tuple[Tensor, Tensor | None]:
        return self.weight, self.bias

    state = unpack


@dataclass(eq=False)
class ConvPackedParams(PackedParams):
    """Weight, bias and windows of a convolution over `rank` dimensions; one over rows is one over images of one row."""

    STATE: ClassVar[TorchScriptType] = TupleType.get(
        [STR, ListType(TENSOR), ListType(OptionalType(TENSOR))]
    )

    weight: Tensor
    bias: Tensor | None
    windows: Windows
    rank: int

    def __post_init__(self) -> None:
        if self.weight.array.ndim != self.rank + 2:
            raise RuntimeError(
                f"Weights are expected to have {self.rank + 2} dimensions, found {self.weight.array.ndim}"
            )
        self._check(f"quantized::conv{self.rank}d_prepack")
        self.windows = self.windows.over(self.rank)
        wanted = channels_last if self.rank == 2 else channels_last_3d
        array = requantized_layout(self.weight.array, wanted, swapped=self.transpose)
        self.weight = tensor_of(array)

    @property
    def __torchscript_qualified_name__(self) -> str:
        return f"{_NAMESPACE}.Conv{self.rank}dPackedParamsBase"

    @property
    def transpose(self) -> bool:
        return self.windows.output_padding is not None

    @property
    def output_padding(self) -> list[int]:
        return list(self.windows.output_padding or [0] * self.rank)

    def settings(self) -> list[int]:
        """The windows as archives hold them: rank, stride, padding, dilation, output padding, groups, transposed."""
        w = self.windows
        assert not isinstance(w.padding, str)
        lists = (*w.stride, *w.padding, *w.dilation, *self.output_padding)
        return [self.rank, *lists, w.groups, int(self.transpose)]

    def state(self) -> Any:
        weight, bias = self.unpack()
        return "2", [tensor_of(np.array(self.settings(), np.int16)), weight], [bias]

    @classmethod
    def from_state(cls, state: Any) -> Self:
        """From version 2, or 3, of the state.

        Raises:
            RuntimeError: another version.
        """
        if state[0] == "2":
            (settings, weight), (bias,) = state[1:]
            numbers: list[int] = settings.array.tolist()
        elif state[0] == 3:
            numbers, (_, weight, bias) = state[1:]
        else:
            raise RuntimeError(f"Unexpected serialized qconv version: {state[0]}")
        rank, *rest = numbers
        stride, padding, dilation, output = (rest[i * rank : (i + 1) * rank] for i in range(4))
        groups, transpose = rest[4 * rank : 4 * rank + 2]
        windows = Windows(stride, padding, dilation, groups, output if transpose else None)
        return cls(weight, bias, windows, rank)


@dataclass(eq=False)
class CellParams:
    """The linear layers of a cell of a recurrent network: of the input, and of the state."""

    __torchscript_qualified_name__: ClassVar[str] = f"{FOREIGN}rnn.CellParamsBase"
    STATE: ClassVar[TorchScriptType] = TupleType.get(
        [
            STR,
            ListType(TENSOR),
            ListType(FLOAT),
            ListType(INT),
            ListType(ClassType(LinearPackedParams.__torchscript_qualified_name__)),
        ]
    )

    of_input: LinearPackedParams | HalfLinearParams
    of_state: LinearPackedParams | HalfLinearParams
    biases: Sequence[Tensor] = ()
    """Those of layers of integers once more, which archives hold twice."""
    reduce_range: bool = False

    def state(self) -> Any:
        layers = [self.of_input, self.of_state]
        if isinstance(self.of_input, HalfLinearParams):
            return "quantized_fp16", [], [], [], layers
        return "quantized_dynamic", list(self.biases), [], [int(self.reduce_range)], layers

    @staticmethod
    def from_state(state: Any) -> CellParams:
        """Raises RuntimeError for a cell of another kind than those with dynamic layers."""
        kind, tensors, _, numbers, layers = state
        if kind not in ("quantized_fp16", "quantized_dynamic"):
            raise RuntimeError(f"a quantized cell of the kind {kind} is not supported")
        of_input, of_state = layers
        return CellParams(of_input, of_state, tensors, bool(numbers and numbers[0]))


@dataclass(eq=False)
class EmbeddingPackedParams:
    """The table of an embedding, each row with a scale and a zero point of its own."""

    __torchscript_qualified_name__: ClassVar[str] = f"{_NAMESPACE}.EmbeddingPackedParamsBase"
    STATE: ClassVar[TorchScriptType] = TupleType.get(
        [INT, ListType(TENSOR), ListType(FLOAT), ListType(INT)]
    )

    weight: Tensor

    def __post_init__(self) -> None:
        known = quantizer_of(self.weight.array)
        if not isinstance(known, PerChannel) or known.zero_points.dtype.kind != "f":
            raise RuntimeError(
                "quantized::embedding_bag_prepack: expected a weight that is quantized per channel, with zero points of floats"
            )
        if self.weight.dtype is not dtypes.quint8 or self.weight.array.ndim != 2 or known.axis:
            raise RuntimeError(
                "quantized::embedding_bag_prepack: expected a quint8 weight with two dimensions, quantized by rows"
            )

    def state(self) -> Any:
        return 1, [self.weight], [], [8]

    @staticmethod
    def from_state(state: Any) -> EmbeddingPackedParams:
        """Raises RuntimeError for a table of 4 bits."""
        version, (weight,), _, (bits,) = state
        if version != 1 or bits != 8:
            raise RuntimeError(
                f"an embedding of version {version} with {bits} bits is not supported"
            )
        return EmbeddingPackedParams(weight)


CLASSES: dict[str, Any] = {
    EmbeddingPackedParams.__torchscript_qualified_name__: EmbeddingPackedParams,
    CellParams.__torchscript_qualified_name__: CellParams,
    f"{_NAMESPACE}.LinearPackedParamsBase": LinearPackedParams,
    f"{_NAMESPACE}.Conv2dPackedParamsBase": ConvPackedParams,
    f"{_NAMESPACE}.Conv3dPackedParamsBase": ConvPackedParams,
}
"""The classes by the names of their types: `CLASSES[name].from_state(state)` makes the object that an archive holds."""
