"""Text of tensors as PyTorch's C++ streams give it (aten/src/ATen/core/Formatting.cpp): what `str`, `format` and `print` say
in a program. Python's `repr` is another text, that of `formatting`.

    0.001 *
     1.0000
     2.5000
    [ CPUFloatType{2} ]

Elements are printed as float64. Matrices fill lines of 80 columns, further columns follow below; of more dimensions each matrix
has its place in front, the first index fastest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.quantizer import (
    SCHEMES,
    PerTensor,
    Quantizer,
    dequantized,
    quantizer_of,
)
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import CompressedTensor, NestedTensor, SparseTensor

LINE_WIDTH = 80
Numbers = NDArray[np.float64]


def stream_text(tensor: Tensor) -> str:
    """The text.

    Raises:
        RuntimeError: PyTorch has no text for tensors of compressed rows or columns, nor for nested ones of several sizes.
    """
    match tensor:
        case SparseTensor():
            kind = f"SparseCPU{_type_name(tensor.dtype)}"
            indices, values = map(_array_text, (tensor.places, tensor.elements))
            sizes = ", ".join(map(str, tensor.sizes))
            return f"[ {kind}{{}}\nindices:\n{indices}\nvalues:\n{values}\nsize:\n[{sizes}]\n]"
        case CompressedTensor():
            name = tensor.layout.name.removeprefix("sparse_").upper()
            raise RuntimeError(f"Sparse {name} tensors do not have is_contiguous")
        case NestedTensor():
            return _array_text(_stacked(tensor))
        case _:
            array: Any = tensor.array
            if array.__class__ is DeviceArray:
                return _array_text(array.on_host(), tensor.device.type.upper())
            return _array_text(array)


def _stacked(tensor: NestedTensor) -> NDArray[Any]:
    shapes = tensor.shapes
    irregular = np.flatnonzero((shapes != shapes[:1]).any(axis=0))
    if irregular.size:
        raise RuntimeError(
            f"Given dimension {irregular[0] + 1} is irregular and does not have a size."
        )
    return np.stack(tensor.parts()) if len(shapes) else tensor.elements[:0]


def _array_text(array: NDArray[Any], device: str = "CPU") -> str:
    dtype = dtypes.of_array(array)
    quantizer = quantizer_of(array)
    prefix = "" if quantizer is None else "Quantized"
    shape = ",".join(map(str, array.shape))
    kind = f"[ {prefix}{device}{_type_name(dtype)}{{{shape}}}"
    if quantizer is None:
        return f"{_elements(_numbers(array))}{kind} ]"
    return f"{_elements(_numbers(dequantized(array)))}{kind}{_quantizer(quantizer)} ]"


def number_text(value: float) -> str:
    """The fewest digits that give the number back; whole numbers have no point."""
    return repr(value).removesuffix(".0") if value == value else signed_nan(value, "")


def signed_nan(value: float, specification: str) -> str:
    """`format`, with the sign of a NaN, which C prints and Python does not."""
    if value != value and math.copysign(1.0, value) < 0:
        text = format(-math.inf, specification)
        return text.replace("inf", "nan").replace("INF", "NAN")
    return format(value, specification)


def _type_name(dtype: dtypes.dtype) -> str:
    return f"{dtype.type_name}Type"


def _numbers(array: NDArray[Any]) -> Numbers:
    return np.real(array).astype(np.float64)


def _quantizer(quantizer: Quantizer) -> str:
    if isinstance(quantizer, PerTensor):
        scale = number_text(quantizer.scale)
        return f", qscheme: per_tensor_affine, scale: {scale}, zero_point: {quantizer.zero_point}"
    return (
        f", qscheme: {SCHEMES[quantizer.scheme]}, scales: {_array_text(quantizer.scales)}"
        f", zero_points: {_array_text(quantizer.zero_points)}, axis: {quantizer.axis}"
    )


def _elements(numbers: Numbers) -> str:
    """The lines above the type."""
    if not numbers.ndim:
        return f"{number_text(numbers.item())}\n"
    if not numbers.size:
        return ""
    if numbers.ndim == 1:
        scale, _, text = _layout(numbers)
        return _scale_line(scale) + "".join(f"{line}\n" for line in map(text, numbers.tolist()))
    if numbers.ndim == 2:
        return _matrix(numbers, 0)
    matrices: list[str] = []
    leading = numbers.shape[:-2]
    for reverse in np.ndindex(*reversed(leading)):
        place = reverse[::-1]
        head = "".join(f"{index + 1}," for index in place)
        matrices.append(f"({head}.,.) = \n{_matrix(numbers[place], 1)}")
    return "\n".join(matrices)


def _matrix(numbers: Numbers, indent: int) -> str:
    scale, width, text = _layout(numbers)
    columns = numbers.shape[1]
    per_line = (LINE_WIDTH - indent) // (width + 1)
    blocks: list[str] = []
    separator = "\n" + " " * (indent + (scale != 1))
    for first in range(0, columns, per_line):
        last = min(first + per_line, columns)
        head = f"Columns {first + 1} to {last}" + " " * indent if per_line < columns else ""
        if scale != 1:
            head += _scale_line(scale) + " " * indent
        rows = [" ".join(map(text, row)) for row in numbers[:, first:last].tolist()]
        blocks.append(f"{head}{separator.join(rows)}\n")
    return "\n".join(blocks)


def _scale_line(scale: float) -> str:
    return "" if scale == 1 else f"{number_text(scale)} *\n"


def _layout(numbers: Numbers) -> tuple[float, int, Callable[[float], str]]:
    """The factor in front of all numbers, how wide each is, and what gives its text."""
    finite = np.abs(numbers[np.isfinite(numbers)])
    smallest, largest = (_digits(finite.min()), _digits(finite.max())) if finite.size else (1, 1)
    if bool((finite == np.ceil(finite)).all()):
        if largest > 9:
            return 1.0, 11, lambda x: signed_nan(x, "11.4e")
        width = largest + 1
        return 1.0, width, lambda x: signed_nan(x, f"{width}g")
    if largest - smallest > 4:
        width = 12 if abs(largest) > 99 or abs(smallest) > 99 else 11
        return 1.0, width, lambda x: signed_nan(x, f"{width}.4e")
    if largest > 5 or largest < 0:
        scale = math.pow(10.0, largest - 1)
        return scale, 7, lambda x: signed_nan(x / scale, "7.4f")
    width = largest + 6 if largest else 7
    return 1.0, width, lambda x: signed_nan(x, f"{width}.4f")


def _digits(magnitude: float) -> int:
    """Digits before the point; negative where zeros follow it."""
    return math.floor(math.log10(magnitude)) + 1 if magnitude else 1
