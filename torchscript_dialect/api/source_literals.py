"""Tensors and packed weights as expressions of Python source."""

from __future__ import annotations

from typing import Any

import numpy as np

from torchscript_dialect.ops.quantized.packed_params import (
    CellParams,
    ConvPackedParams,
    HalfLinearParams,
    LinearPackedParams,
)
from torchscript_dialect.tensor.quantizer import PerTensor, ints, quantizer_of
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_QUANTIZED = "torch.ops.quantized"


def tensor_literal(tensor: Tensor) -> str:
    """A tensor, by its elements."""
    array = tensor.array
    quantizer = quantizer_of(array)
    if quantizer is not None:
        whole = tensor_literal(tensor_of(ints(array)))
        if isinstance(quantizer, PerTensor):
            scale = f"{quantizer.scale!r}, {quantizer.zero_point}"
            return f"aten._make_per_tensor_quantized_tensor({whole}, {scale})"
        parts = (tensor_literal(tensor_of(a)) for a in (quantizer.scales, quantizer.zero_points))
        return f"aten._make_per_channel_quantized_tensor({whole}, {', '.join(parts)}, {quantizer.axis})"
    is_number = array.dtype.kind in "biufc"
    shown = repr((array if is_number else array.astype(np.float64)).tolist())
    shape = f".reshape({list(array.shape)})" if 0 in array.shape else ""
    return f"torch.tensor({shown}, dtype=torch.{tensor.dtype.name}){shape}"


def packed_literal(value: Any) -> str:
    """The packed weights of a quantized layer, by the operator that packs them."""
    match value:
        case LinearPackedParams() | HalfLinearParams():
            kind = (
                "linear_prepack" if isinstance(value, LinearPackedParams) else "linear_prepack_fp16"
            )
            return f"{_QUANTIZED}.{kind}({_weights(value.state())})"
        case ConvPackedParams():
            rank, *numbers = value.settings()
            stride, padding, dilation, output = (
                str(numbers[n * rank : (n + 1) * rank]) for n in range(4)
            )
            transposed = "_transpose" if value.transpose else ""
            settings = [
                stride,
                padding,
                *[output] * value.transpose,
                dilation,
                str(value.windows.groups),
            ]
            name = f"conv{transposed}{rank}d_prepack"
            return f"{_QUANTIZED}.{name}({_weights(value.unpack())}, {', '.join(settings)})"
        case CellParams():
            layers = [packed_literal(layer) for layer in (value.of_input, value.of_state)]
            if isinstance(value.of_input, HalfLinearParams):
                return f"{_QUANTIZED}.make_quantized_cell_params_fp16({', '.join(layers)})"
            biases = [tensor_literal(bias) for bias in value.biases]
            given = ", ".join([*layers, *biases, str(value.reduce_range)])
            return f"{_QUANTIZED}.make_quantized_cell_params_dynamic({given})"
        case _:
            raise TypeError(f"{type(value).__name__} is packed in no way that is known")


def _weights(pair: tuple[Tensor, Tensor | None]) -> str:
    weight, bias = pair
    return f"{tensor_literal(weight)}, {'None' if bias is None else tensor_literal(bias)}"
