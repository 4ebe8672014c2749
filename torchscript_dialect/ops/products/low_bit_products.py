"""Products with weights of 8 and 4 bits, and layers whose weights are rounded on the way (PyTorch: native/LinearAlgebra.cpp, `_int_mm`,
`_weight_int8pack_mm`, `_weight_int4pack_mm_for_cpu`; native/quantized/cpu/qlinear_dynamic.cpp).

How PyTorch lays out packed weights of 4 bits depends on the vectors of the processor; here two neighbours share a byte.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.quantized.packed_params import LinearPackedParams
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.quantizer import PerTensor, dequantized, quantized
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]


@registry.kernel("_int_mm")
def int_mm(x: Tensor, y: Tensor) -> Tensor:
    """The product of matrices of int8 in int32."""
    if x.array.ndim != 2 or y.array.ndim != 2:
        raise RuntimeError(
            f"Expected self and mat2 to be of dimension 2, got {x.dim()} and {y.dim()}"
        )
    if x.dtype is not dtypes.int8 or y.dtype is not dtypes.int8:
        raise RuntimeError(
            f"Expected self and mat2 to be of type int8, got {x.dtype} and {y.dtype}"
        )
    if x.array.shape[1] != y.array.shape[0]:
        raise RuntimeError(
            f"self.size(1) needs to match mat2.size(0), got {x.array.shape[1]} and {y.array.shape[0]}"
        )
    exact = x.array.astype(np.float64) @ y.array.astype(np.float64)
    return tensor_of(exact.astype(np.int64).astype(np.int32))


def _inputs(x: Tensor, name: str) -> Array:
    if x.array.ndim != 2 or x.dtype not in (dtypes.float32, dtypes.float16, dtypes.bfloat16):
        raise RuntimeError(f"{name}: expect A to be a 2D tensor of float32, float16 or bfloat16")
    return x.array.astype(np.float32)


@registry.kernel("_weight_int8pack_mm")
def int8_product(x: Tensor, weight: Tensor, scales: Tensor) -> Tensor:
    """`x @ weight.T`, each column with a scale of its own."""
    numbers = _inputs(x, "_weight_int8pack_mm")
    if weight.dtype is not dtypes.int8 or weight.array.ndim != 2:
        raise RuntimeError("_weight_int8pack_mm: expect B to be a 2D tensor of int8")
    if weight.array.shape[1] != numbers.shape[1] or scales.array.shape != weight.array.shape[:1]:
        raise RuntimeError("_weight_int8pack_mm: sizes of A, B and scales do not match")
    made = numbers @ weight.array.astype(np.float32).T * scales.array.astype(np.float32)
    return tensor_of(made.astype(x.array.dtype))


@registry.kernel("_convert_weight_to_int4pack_for_cpu")
def pack_int4(weight: Tensor, _tiles: int) -> Tensor:
    """Integers from 0 to 15, two to a byte."""
    if weight.dtype is not dtypes.int32 or weight.array.ndim != 2:
        raise RuntimeError(
            "_convert_weight_to_int4pack_for_cpu: expect weight to be a 2D tensor of int32"
        )
    rows, columns = weight.array.shape
    if rows % 16 or columns % 2:
        raise RuntimeError(
            "_convert_weight_to_int4pack_for_cpu: expect N to be dividable by 16 and K by 2"
        )
    held = weight.array.astype(np.uint8)
    return tensor_of(held[:, ::2] & np.uint8(15) | held[:, 1::2] << np.uint8(4))


@registry.kernel("_weight_int4pack_mm_for_cpu")
def int4_product(x: Tensor, packed: Tensor, group: int, scales: Tensor) -> Tensor:
    """`x @ weight.T`, in whose rows each group has a scale and a number that is added: `scales` is (groups, rows, 2)."""
    numbers = _inputs(x, "_weight_int4pack_mm_for_cpu")
    if packed.dtype is not dtypes.uint8 or packed.array.ndim != 2:
        raise RuntimeError("_weight_int4pack_mm_for_cpu: expect B to be a 2D tensor of uint8")
    if group not in (32, 64, 128, 256):
        raise RuntimeError(
            f"_weight_int4pack_mm_for_cpu: expect qGroupSize to be 32, 64, 128 or 256, got {group}"
        )
    rows, columns = packed.array.shape[0], packed.array.shape[1] * 2
    if numbers.shape[1] != columns or scales.array.shape != (columns // group, rows, 2):
        raise RuntimeError("_weight_int4pack_mm_for_cpu: sizes of A, B and scales do not match")
    steps = np.empty((rows, columns), np.float32)
    steps[:, ::2] = packed.array & np.uint8(15)
    steps[:, 1::2] = packed.array >> np.uint8(4)
    known = scales.array.astype(np.float32).transpose(1, 0, 2)
    weight = (steps.reshape(rows, -1, group) - 8) * known[..., :1] + known[..., 1:]
    return tensor_of((numbers @ weight.reshape(rows, columns).T).astype(x.array.dtype))


registry.implement(
    "quantized::int4mm_packed_weight_cpu",
    lambda x, packed, group, scales: int4_product(x, packed, int(group.item()), scales),
)


# bfloat16 in the bits of float16, in which it is sent about


@registry.kernel("quantization::_FloatToBfloat16Quantized")
def as_bits(x: Tensor) -> Tensor:
    if x.dtype is not dtypes.float32:
        raise RuntimeError("_FloatToBfloat16Quantized: expect input to be float32")
    bits = np.ascontiguousarray(x.array).view(np.uint32).astype(np.uint64) + 0x8000 >> np.uint64(16)
    return tensor_of(bits.astype(np.uint16).view(np.float16))


@registry.kernel("quantization::_Bfloat16QuantizedToFloat")
def of_bits(x: Tensor) -> Tensor:
    if x.dtype is not dtypes.float16:
        raise RuntimeError("_Bfloat16QuantizedToFloat: expect input to be float16")
    bits = np.ascontiguousarray(x.array).view(np.uint16).astype(np.uint32) << np.uint32(16)
    return tensor_of(bits.view(np.float32))


# Layers of floats whose operands are rounded on the way


@registry.kernel("quantized::linear_dynamic_fp16_unpacked_weight")
def half_linear(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """A linear layer whose weight is rounded to 16 bits."""
    limit = float(np.finfo(np.float16).max)
    held = np.clip(weight.array, -limit, limit).astype(np.float16).astype(np.float32)
    made = x.array @ held.T
    return tensor_of(made if bias is None else made + bias.array)


def _rounded_linear(*, relu: bool) -> Any:
    def kernel(x: Tensor, scale: float, zero_point: int, params: LinearPackedParams) -> Tensor:
        held = dequantized(quantized(x.array, PerTensor(scale, zero_point), dtypes.quint8))
        made = held @ dequantized(params.weight.array).T
        made = made if params.bias is None else made + params.bias.array
        return tensor_of(np.maximum(made, 0) if relu else made)

    return kernel


_NAME = "quantized::linear_with_input_q_dq_qweight_dq"
registry.kernel(f"{_NAME}_output_fp32")(_rounded_linear(relu=False))
registry.kernel(f"{_NAME}_relu_output_fp32")(_rounded_linear(relu=True))
