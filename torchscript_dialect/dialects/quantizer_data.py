"""How the integers of a constant quantized tensor stand for numbers, as a part of its attribute's text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.quantizer import (
    PER_CHANNEL_AFFINE,
    PER_CHANNEL_AFFINE_FLOAT_QPARAMS,
    PER_TENSOR_AFFINE,
    SCHEMES,
    PerChannel,
    PerTensor,
    of_ints,
    per_channel,
    quantizer_of,
)

_NUMBERS = {name: number for number, name in SCHEMES.items()}


@dataclass(frozen=True)
class QuantizerData:
    """A scheme, scales and zero points as bytes of float64, and the dimension that they belong to."""

    scheme: int
    scales: bytes
    zero_points: bytes
    axis: int

    @staticmethod
    def of(array: NDArray[Any]) -> QuantizerData | None:
        """That of an array, None for an array of numbers."""
        quantizer = quantizer_of(array)
        if quantizer is None:
            return None
        if isinstance(quantizer, PerTensor):
            scales, zero_points, axis = [quantizer.scale], [quantizer.zero_point], 0
        else:
            scales, zero_points, axis = quantizer.scales, quantizer.zero_points, quantizer.axis
        kept = [np.asarray(numbers, np.float64).tobytes() for numbers in (scales, zero_points)]
        return QuantizerData(quantizer.scheme, kept[0], kept[1], axis)

    def quantized(self, integers: NDArray[Any], known: dtype) -> NDArray[Any]:
        """The quantized array on the memory of integers."""
        scales = np.frombuffer(self.scales, np.float64)
        zero_points = np.frombuffer(self.zero_points, np.float64)
        if self.scheme == PER_TENSOR_AFFINE:
            return of_ints(integers, PerTensor(float(scales[0]), int(zero_points[0])), known)
        if self.scheme == PER_CHANNEL_AFFINE:
            zero_points = zero_points.astype(np.int64)
        quantizer: PerChannel = per_channel(integers, scales, zero_points, self.axis)
        return of_ints(integers, quantizer, known)

    def print(self, printer: Printer) -> None:
        texts = (numbers.hex().upper() for numbers in (self.scales, self.zero_points))
        shown = ", ".join(f'"{text}"' for text in texts)
        printer.print_string(f", {SCHEMES[self.scheme]}, {shown}, {self.axis}")

    @staticmethod
    def parse(parser: AttrParser, shape: list[int]) -> QuantizerData:
        """What `print` wrote, of a tensor of that shape. Raises ParseError."""
        parser.parse_punctuation(",")
        position = parser.pos
        scheme = _NUMBERS.get(parser.parse_identifier(), -1)
        numbers: list[bytes] = []
        for _ in range(2):
            parser.parse_punctuation(",")
            try:
                numbers.append(bytes.fromhex(parser.parse_str_literal()))
            except ValueError:
                parser.raise_error("scales are a string of hex digits", position)
        parser.parse_punctuation(",")
        axis = parser.parse_integer(allow_boolean=False)
        is_whole = scheme == PER_TENSOR_AFFINE
        is_of_axis = scheme in (PER_CHANNEL_AFFINE, PER_CHANNEL_AFFINE_FLOAT_QPARAMS)
        if (is_of_axis and not 0 <= axis < len(shape)) or not (is_whole or is_of_axis):
            parser.raise_error("this is no quantizer of the tensor", position)
        count = 1 if is_whole else shape[axis]
        if any(len(each) != 8 * count for each in numbers):
            parser.raise_error(f"the quantizer has {count} scales and zero points", position)
        values = np.frombuffer(numbers[1], np.float64)
        if not np.isfinite(values).all() or abs(values).max(initial=0) > 1 << 31:
            parser.raise_error("a zero point is no integer of 32 bits", position)
        return QuantizerData(scheme, numbers[0], numbers[1], axis)
