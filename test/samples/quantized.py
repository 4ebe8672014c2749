"""Calls of operators on quantized tensors, and PyTorch's results on fbgemm in a form that JSON holds: test/golden/quantized.json.

A call is an operator's qualified name and arguments: NumPy arrays are tensors, `PerTensor` and `PerChannel` quantized ones, `Packed` is
what an operator makes of weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from samples.golden import as_json, from_json
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import quantizer as quantizers
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


@dataclass(frozen=True)
class PerTensor:
    """Integers with one scale and zero point."""

    ints: np.ndarray
    scale: float = 0.021
    zero: int = 100
    dtype: str = "quint8"


@dataclass(frozen=True)
class PerChannel:
    """Integers with a scale and a zero point for each channel."""

    ints: np.ndarray
    scales: np.ndarray
    axis: int = 0
    dtype: str = "qint8"


@dataclass(frozen=True)
class Packed:
    """What an operator gives for arguments."""

    operator: str
    arguments: tuple[Any, ...]


Call = tuple[str, tuple[Any, ...]]

_LIMITS = {
    "quint8": (0, 256, np.uint8),
    "qint8": (-128, 128, np.int8),
    "qint32": (-999, 999, np.int32),
}
OFF_BY_ONE = frozenset(
    f"{name}" for name in "quantized::cat quantized::cat_relu aten::upsample_bilinear2d".split()
)
"""Operators in whose results an integer may differ by one, where a number lies in the middle between two."""
ROUGH = 0.05
"""How far the floats of a dynamic convolution, whose input is quantized, may be apart."""


def _numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.RandomState(seed).randn(*shape).astype(np.float32)


def _quantized(
    *shape: int, scale: float = 0.021, zero: int = 100, dtype: str = "quint8", seed: int = 0
) -> PerTensor:
    low, high, type_ = _LIMITS[dtype]
    return PerTensor(
        np.random.RandomState(seed).randint(low, high, shape).astype(type_), scale, zero, dtype
    )


def _weight(*shape: int, seed: int = 3) -> PerTensor:
    return _quantized(*shape, scale=0.005, zero=0, dtype="qint8", seed=seed)


def _by_channel(*shape: int, seed: int = 4) -> PerChannel:
    random = np.random.RandomState(seed)
    scales = (random.rand(shape[0]) * 0.004 + 0.003).astype(np.float64)
    return PerChannel(random.randint(-128, 128, shape).astype(np.int8), scales)


def calls() -> Iterator[Call]:
    """All of them, in a fixed order."""
    yield from _conversions()
    yield from _pointwise()
    yield from _of_both_kinds()
    yield from _images()
    yield from _linear()
    yield from _convolutions()
    yield from _recurrent()
    yield from _embeddings()


def _conversions() -> Iterator[Call]:
    x = np.array([np.nan, np.inf, -np.inf, 1e20, -1e20, 0.25, -0.0, 3.5, -1.25], np.float32)
    for name in _LIMITS:
        number = dtypes.from_name(name).scalar_type
        yield "aten::quantize_per_tensor", (x, 0.5, 3, number)
        scales, zeros = np.array([0.5, 0.25, 1.0]), np.array([0, 1, 2])
        yield "aten::quantize_per_channel", (_numbers(3, 4), scales, zeros, 0, number)
        for method in ("dequantize.self", "int_repr", "q_scale", "q_zero_point"):
            yield f"aten::{method}", (_quantized(3, 4, dtype=name),)
    for name in ("quint8", "qint8"):
        for reduce_range in (False, True):
            number = dtypes.from_name(name).scalar_type
            yield "aten::quantize_per_tensor_dynamic", (_numbers(30), number, reduce_range)
    for method in (
        "dequantize.self",
        "int_repr",
        "q_per_channel_scales",
        "q_per_channel_zero_points",
        "q_per_channel_axis",
    ):
        yield f"aten::{method}", (_by_channel(3, 4),)


def _pointwise() -> Iterator[Call]:
    for name, zero in (("quint8", 100), ("qint8", 3)):
        a = _quantized(5, 8, zero=zero, dtype=name)
        b = _quantized(5, 8, scale=0.033, zero=zero, dtype=name, seed=1)
        out = _quantized(5, 8, scale=0.05, zero=zero, dtype=name, seed=2)
        for operator in ("add", "mul", "add_relu", "mul_relu"):
            yield f"quantized::{operator}", (a, b, 0.05, zero - 2)
            yield f"quantized::{operator}.out", (a, b, out)
            yield f"quantized::{operator}_out", (a, b, out)
            for number in (-1.5, 0, 2.0, 100.0):
                yield f"quantized::{operator}.Scalar", (a, number)
        for operator in ("add_scalar", "mul_scalar", "add_scalar_relu", "mul_scalar_relu"):
            yield f"quantized::{operator}", (a, 0.3)
            yield f"quantized::{operator}.Tensor", (a, np.array(-0.3))
            yield f"quantized::{operator}_out", (a, 0.3, out)
            yield f"quantized::{operator}_out.Tensor", (a, np.array(-0.3), out)
        yield "quantized::matmul", (a, _quantized(8, 3, zero=zero, dtype=name), 0.3, zero)
        for operator in ("cat", "cat_relu"):
            yield f"quantized::{operator}", ([a, b], 0, 0.05, zero)
            both = _quantized(10, 8, scale=0.05, zero=zero, dtype=name)
            yield f"quantized::{operator}_out", ([a, b], 0, both)
        yield "quantized::relu6", (a, False)
        yield "quantized::clamp", (a, -0.5, 0.7)
        yield "quantized::threshold", (a, 0.1, 0.2)
        yield "quantized::elu", (a, 0.04, zero, 1.2, 1, 1)
        yield "quantized::celu", (a, 0.04, zero, 1.2)
        yield "quantized::hardswish", (a, 0.04, zero)
        yield "quantized::sigmoid", (a, 0.004, zero)
        yield "quantized::leaky_relu", (a, 0.1, False, 0.04, zero)
        yield "quantized::prelu", (a, _quantized(1, dtype=name), 0.04, zero)
        yield "quantized::softmax", (a, 1, 0.004, 0)
        yield "quantized::layer_norm", (a, [8], None, None, 1e-5, 0.04, zero)
        yield "quantized::dropout", (a, 0.04, zero, 0.5, False)


def _of_both_kinds() -> Iterator[Call]:
    for name, zero in (("quint8", 100), ("qint8", 3)):
        a = _quantized(5, 8, zero=zero, dtype=name)
        b = _quantized(5, 8, scale=0.033, zero=zero, dtype=name, seed=1)
        for operator in ("relu", "sigmoid", "tanh", "hardsigmoid", "relu6", "max", "min", "clone"):
            yield f"aten::{operator}", (a, None) if operator == "clone" else (a,)
        yield "aten::gelu", (a, "none")
        yield "aten::leaky_relu", (a, 0.1)
        yield "aten::hardtanh", (a, -0.5, 0.7)
        yield "aten::threshold", (a, 0.1, 0.2)
        yield "aten::clamp", (a, -0.5, 0.7)
        for operator in ("eq", "ne", "lt", "le", "gt", "ge"):
            yield f"aten::{operator}.Tensor", (a, b)
            yield f"aten::{operator}.Scalar", (a, 0.3)
        yield "aten::equal", (a, b)
        yield "aten::masked_fill.Scalar", (a, np.arange(8) % 2 == 0, 0.5)
        yield "aten::cat", ([a, a], 0)
        yield "aten::stack", ([a, a], 0)
        yield "aten::sort", (a, 1, False)
        yield "aten::topk", (a, 3, 1, True, True)
        yield "aten::max.dim", (a, 1, False)
        yield "aten::min.dim", (a, 0, True)
        yield "aten::t", (a,)
        yield "aten::view", (a, [4, 10])
        yield "aten::slice.Tensor", (a, 1, 1, 7, 2)
        yield "aten::select.int", (a, 0, 2)


def _images() -> Iterator[Call]:
    for name, zero in (("quint8", 100), ("qint8", 3)):
        x = _quantized(2, 4, 6, 6, zero=zero, dtype=name)
        line = PerTensor(x.ints.reshape(2, 4, 36), x.scale, zero, name)
        block = PerTensor(x.ints.reshape(2, 4, 3, 3, 4), x.scale, zero, name)
        by_channel = [np.abs(_numbers(4, seed=seed)) + np.float32(0.5) for seed in range(4)]
        for rank, image in ((1, line), (2, x), (3, block)):
            for relu in ("", "_relu"):
                operator = f"quantized::batch_norm{rank}d{relu}"
                yield operator, (image, *by_channel, 1e-5, 0.04, zero)
        yield "quantized::group_norm", (x, 2, by_channel[0], by_channel[1], 1e-5, 0.04, zero)
        yield "quantized::instance_norm", (x, by_channel[0], by_channel[1], 1e-5, 0.04, zero)
        yield "quantized::max_pool1d", (line, [3], [2], [1], [1], False)
        yield "quantized::max_pool2d", (x, [3, 3], [2, 2], [1, 1], [1, 1], False)
        yield "aten::max_pool2d", (x, [3, 3], [2, 2], [1, 1], [1, 1], False)
        yield "aten::avg_pool2d", (x, [3, 3], [2, 2], [1, 1], False, True, None)
        yield "aten::avg_pool2d", (x, [2, 2], [2, 2], [1, 1], True, False, None)
        yield "aten::adaptive_avg_pool2d", (x, [3, 5])
        yield "aten::mean.dim", (x, [2, 3], True, None)
        yield "aten::upsample_nearest2d", (x, [9, 13], None, None)
        yield "aten::upsample_bilinear2d", (x, [9, 13], False, None, None)
        yield "aten::constant_pad_nd", (x, [1, 1], 0.5)


def _linear() -> Iterator[Call]:
    x, qx, bias = _numbers(3, 20), _quantized(3, 20), _numbers(6, seed=5)
    for weight in (_weight(6, 20), _by_channel(6, 20)):
        for given in (None, bias):
            packed = Packed("quantized::linear_prepack", (weight, given))
            yield "quantized::linear", (qx, packed, 0.041, 93)
            yield "quantized::linear_relu", (qx, packed, 0.041, 93)
            yield "quantized::linear_dynamic", (x, packed, False)
            yield "quantized::linear_relu_dynamic", (x, packed, True)
            yield "quantized::linear_unpack", (packed,)
            for relu in ("", "relu_"):
                operator = f"quantized::linear_with_input_q_dq_qweight_dq_{relu}output_fp32"
                yield operator, (x, 0.03, 120, packed)
    half = Packed("quantized::linear_prepack_fp16", (_numbers(6, 20, seed=6), bias))
    yield "quantized::linear_dynamic_fp16", (x, half)
    yield "quantized::linear_relu_dynamic_fp16", (x, half)
    yield "quantized::linear_dynamic_fp16_unpacked_weight", (x, _numbers(6, 20, seed=6), bias)


def _convolutions() -> Iterator[Call]:
    for kind in ("conv", "conv_transpose"):
        is_transposed = kind == "conv_transpose"
        for rank in (1, 2, 3):
            name, kernel = f"{kind}{rank}d", (3, 2, 3)[:rank]
            x = _numbers(1, 4, *(7, 6, 5)[:rank])
            qx = _quantized(1, 4, *(7, 6, 5)[:rank])
            for groups in (1, 2):
                weight = (
                    _weight(4, 4 // groups, *kernel)
                    if is_transposed
                    else _by_channel(4, 4 // groups, *kernel)
                )
                windows = [[2, 1, 2][:rank], [1, 0, 2][:rank], [1, 1, 1][:rank]]
                if is_transposed:
                    windows.insert(2, [0] * rank)
                packed = Packed(
                    f"quantized::{name}_prepack", (weight, _numbers(4, seed=7), *windows, groups)
                )
                suffix = ".new" if rank > 1 and not is_transposed else ""
                yield f"quantized::{name}{suffix}", (qx, packed, 0.05, 77)
                if not is_transposed:
                    yield f"quantized::{name}_relu{suffix}", (qx, packed, 0.05, 77)
                yield f"quantized::{name}_dynamic", (x, packed, False)
                yield f"quantized::{name}_unpack", (packed,)
                if rank > 1:
                    for what in (
                        "stride",
                        "padding",
                        "dilation",
                        "output_padding",
                        "groups",
                        "transpose",
                    ):
                        yield f"quantized::{name}_{what}", (packed,)


def _recurrent() -> Iterator[Call]:
    x, h = _numbers(3, 6), _numbers(3, 5, seed=8)
    biases = [_numbers(20, seed=seed) for seed in (9, 10)]

    def packed(gates: int) -> list[Any]:
        rows = 5 * gates
        weights = [_weight(rows, 6), _weight(rows, 5, seed=11)]
        given = [bias[:rows] for bias in biases]
        return [
            *(Packed("quantized::linear_prepack", pair) for pair in zip(weights, given)),
            *given,
        ]

    yield "quantized::quantized_lstm_cell_dynamic", (x, [h, _numbers(3, 5, seed=12)], *packed(4))
    yield "quantized::quantized_gru_cell_dynamic", (x, h, *packed(3))
    yield "quantized::quantized_rnn_tanh_cell_dynamic", (x, h, *packed(1))
    yield "quantized::quantized_rnn_relu_cell_dynamic", (x, h, *packed(1))


def _embeddings() -> Iterator[Call]:
    weight, places = _numbers(6, 8), np.array([1, 5, 0, 3, 3])
    offsets = np.array([0, 2, 4])
    for bits in ("byte", "4bit", "2bit"):
        rest = () if bits == "byte" else (False, 200, 0.16)
        prepack = Packed(f"quantized::embedding_bag_{bits}_prepack", (weight, *rest))
        yield prepack.operator, prepack.arguments
        yield f"quantized::embedding_bag_{bits}_unpack", (prepack,)
        for scales in (None, np.abs(_numbers(5))):
            rest = (False, 0, False, scales, None, False)
            yield (
                f"quantized::embedding_bag_{bits}_rowwise_offsets",
                (prepack, places, offsets, *rest),
            )
    scales = (np.abs(_numbers(6)) * 0.01 + 0.01).astype(np.float32)
    table = PerChannel(_quantized(6, 8).ints, scales, dtype="quint8")  # with zero points of floats
    packed = Packed("quantized::embedding_bag_prepack", (table,))
    yield "quantized::embedding_byte", (packed, places, False)
    yield (
        "quantized::embedding_bag_byte",
        (packed, places, offsets, False, 0, False, None, None, False),
    )
    yield "quantized::embedding_bag_unpack", (packed,)


# Ours


def ours(value: Any) -> Any:
    """An argument as this package has it."""
    if isinstance(value, np.ndarray):
        return as_tensor(value.copy())
    if isinstance(value, PerTensor):
        made = quantizers.PerTensor(value.scale, value.zero)
        return tensor_of(quantizers.of_ints(value.ints.copy(), made, dtypes.from_name(value.dtype)))
    if isinstance(value, PerChannel):
        ints = value.ints.copy()
        zeros = np.zeros(len(value.scales), "f" if value.scales.dtype == np.float32 else "l")
        made = quantizers.per_channel(ints, value.scales, zeros, value.axis)
        return tensor_of(quantizers.of_ints(ints, made, dtypes.from_name(value.dtype)))
    if isinstance(value, Packed):
        return result(value.operator, value.arguments)
    return [ours(item) for item in value] if isinstance(value, list) else value


def result(name: str, arguments: tuple[Any, ...]) -> Any:
    """What our operator gives."""
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None, name
    return operator.kernel(*map(ours, arguments))


# What is stored


def plain(value: Any) -> Any:
    """One of our results in the form of `compare.plain`; the integers of a quantized tensor, with its scale and zero point."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if not isinstance(value, Tensor):
        return value
    if not value.dtype.is_quantized:
        return ("tensor", value.array.copy(), value.dtype.name, value.stride())
    quantizer = quantizers.quantizer_of(value.array)
    ints = (
        "tensor",
        np.array(quantizers.ints(value.array)),
        str(value.dtype.integers),
        value.stride(),
    )
    if isinstance(quantizer, quantizers.PerTensor):
        return (value.dtype.name, ints, quantizer.scale, quantizer.zero_point)
    return (value.dtype.name, ints)


def difference(name: str, mine: Any, expected: Any) -> str | None:
    """How a result differs from PyTorch's, both in the form of `plain`."""
    if isinstance(expected, tuple) and expected and expected[0] == "tensor":
        return _tensor_difference(name, mine, expected)
    if isinstance(expected, tuple):
        if not isinstance(mine, tuple) or len(mine) != len(expected):
            return f"{mine!r:.100} where PyTorch gives {expected!r:.100}"
        found = (difference(name, one, other) for one, other in zip(mine, expected))
        return next((text for text in found if text), None)
    return None if mine == expected else f"{mine} where PyTorch gives {expected}"


def _tensor_difference(name: str, mine: Any, expected: Any) -> str | None:
    if not isinstance(mine, tuple) or mine[0] != "tensor" or mine[2:] != expected[2:]:
        return f"{mine!r:.100} where PyTorch gives {expected!r:.100}"
    one, other = mine[1], expected[1]
    if one.shape != other.shape:
        return f"shape {one.shape} where PyTorch gives {other.shape}"
    if other.dtype.kind in "iub":
        gap = one.astype(np.int64) - other
        is_near = not gap.any() or (name in OFF_BY_ONE and np.abs(gap).max() <= 1)
    else:
        atol = ROUGH if "conv" in name else 1e-6
        is_near = np.allclose(one, other, rtol=1e-5, atol=atol, equal_nan=True)
    return None if is_near else f"{one.reshape(-1)[:8]} where PyTorch gives {other.reshape(-1)[:8]}"


def stored(value: Any) -> Any:
    """`plain` as JSON values."""
    return as_json(value)


def read(value: Any) -> Any:
    """What `stored` wrote."""
    return from_json(value)
