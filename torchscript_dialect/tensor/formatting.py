"""Text of tensors as PyTorch prints them (torch/_tensor_str.py)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.quantizer import (
    PER_CHANNEL_AFFINE_FLOAT_QPARAMS,
    PerTensor,
    Quantizer,
    dequantized,
    quantizer_of,
)


@dataclass
class Options:
    """How tensors print: digits after the point, how many elements print all, how many stand at each end of a dimension otherwise, how
    long lines are, and whether floats are scientific, which None leaves to the numbers.
    """

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": Options(),
    "short": Options(precision=2, edgeitems=2),
    "full": Options(threshold=math.inf),
}
OPTIONS = Options()
"""Those of this process."""


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Say how tensors print; what is not given stays, but for `sci_mode`. A profile, "default", "short" or "full", comes first."""
    named = None if profile is None else _PROFILES.get(profile)
    if named is not None:
        vars(OPTIONS).update(vars(named), sci_mode=OPTIONS.sci_mode)
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    vars(OPTIONS).update({name: value for name, value in given.items() if value is not None})
    OPTIONS.sci_mode = sci_mode


class _Format:
    """How the numbers of one tensor print: integers, fixed point or scientific, right-aligned to
    `width`.
    """

    def __init__(self, shown: NDArray[Any]) -> None:
        self.is_float = shown.dtype.kind == "f"
        if not self.is_float:
            self.style = ""
            self.width = max((len(str(value)) for value in shown.ravel().tolist()), default=1)
            return
        values = shown[np.isfinite(shown) & (shown != 0)].astype(np.float64)
        self.style = ".0f"
        self.width = 1
        if not values.size:
            return
        magnitudes = np.abs(values)
        low, high = float(magnitudes.min()), float(magnitudes.max())
        integral = bool((values == np.ceil(values)).all())
        is_scientific = OPTIONS.sci_mode
        if is_scientific is None:
            is_scientific = high / low > 1000.0 or high > 1.0e8 or low < 1.0e-4
        if is_scientific:
            self.style = f".{OPTIONS.precision}e"
        elif not integral:
            self.style = f".{OPTIONS.precision}f"
        self.width = max(len(self.text(value)) for value in values.tolist())

    def text(self, value: float) -> str:
        """The number, unpadded."""
        if not self.is_float:
            return str(value)
        point = "." if self.style == ".0f" and math.isfinite(value) else ""
        return format(value, self.style) + point

    def __call__(self, value: float) -> str:
        return self.text(value).rjust(self.width)


class _ComplexFormat:
    """Real and imaginary parts formatted apart: `1.0000+2.0000j`."""

    def __init__(self, shown: NDArray[Any]) -> None:
        self.real = _Format(np.real(shown))
        self.imag = _Format(np.imag(shown))
        self.width = self.real.width + self.imag.width + 1

    def __call__(self, value: complex) -> str:
        imag = self.imag(value.imag).lstrip()
        return f"{self.real(value.real)}{'' if imag[0] in '+-' else '+'}{imag}j"


def part_text(name: str, array: NDArray[Any], indent: int) -> str:
    """`values=tensor([1., 2.])`: what the text of a tensor that has parts says of one; it stands `indent` characters from the left."""
    prefix = f"{name}=tensor("
    if not array.size:
        return f"{prefix}[], size={array.shape})"
    return f"{prefix}{_elements_text(array, dtypes.of_array(array), indent + len(prefix))})"


def tensor_text(array: NDArray[Any], history: str | None = None, device: str | None = None) -> str:
    """`tensor([[1., 2.]], dtype=torch.float64)`: the whole text for a canonical array of the host; `history` is what comes
    last, `device` where the tensor is, if not on the host.
    """
    prefix = "tensor("
    dtype = dtypes.of_array(array)
    default = dtypes.get_default_dtype()
    suffixes: list[str] = [] if device is None else [f"device='{device}'"]
    quantizer = quantizer_of(array)
    if quantizer is not None:
        suffixes = [f"size={array.shape}", f"dtype={dtype}", *_quantizer_texts(quantizer)]
        body = _elements_text(dequantized(array), default, len(prefix)) if array.size else "[]"
    elif array.size:
        if not OPTIONS.edgeitems:
            suffixes.append(f"size={array.shape}")
        if dtype not in (default, dtypes.get_default_complex_dtype(), dtypes.int64, dtypes.bool_):
            suffixes.append(f"dtype={dtype}")
        body = _elements_text(array, dtype, len(prefix))
    else:
        if array.ndim != 1:
            suffixes.append(f"size={array.shape}")
        if dtype is not default:
            suffixes.append(f"dtype={dtype}")
        body = "[]"
    if history is not None:
        suffixes.append(history)
    return with_suffixes(prefix + body, suffixes)


def with_suffixes(text: str, suffixes: Sequence[str], on_new_line: bool = False) -> str:
    """The text of a tensor with what is told after its elements, in lines that are not too long."""
    indent = len("tensor(")
    line_length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if on_new_line or line_length + len(suffix) + 2 > OPTIONS.linewidth:
            text += ",\n" + " " * indent + suffix
            line_length = indent + len(suffix)
        else:
            text += ", " + suffix
            line_length += len(suffix) + 2
        on_new_line = False
    return text + ")"


def _quantizer_texts(quantizer: Quantizer) -> list[str]:
    if isinstance(quantizer, PerTensor):
        scale, zero_point = quantizer.scale, quantizer.zero_point
        return [
            "quantization_scheme=torch.per_tensor_affine",
            f"scale={scale}",
            f"zero_point={zero_point}",
        ]
    is_float = quantizer.scheme == PER_CHANNEL_AFFINE_FLOAT_QPARAMS
    return [
        f"quantization_scheme=torch.per_channel_affine{'_float_qparams' if is_float else ''}",
        f"scale={tensor_text(quantizer.scales)}",
        f"zero_point={tensor_text(quantizer.zero_points)}",
        f"axis={quantizer.axis}",
    ]


def _elements_text(array: NDArray[Any], dtype: dtypes.dtype, indent: int) -> str:
    summarize = array.size > OPTIONS.threshold
    shown = _edges(array) if summarize else array
    if dtype.is_floating_point and array.dtype.kind != "f":
        shown = shown.astype(np.float32)  # ml_dtypes
    number = _ComplexFormat(shown) if dtype.is_complex else _Format(shown)
    return _nested_text(shown, array.shape, indent, number)


def _edges(array: NDArray[Any]) -> NDArray[Any]:
    """The elements that a summary shows: both ends of every long dimension. Nothing else is copied: a tensor may be expanded."""
    edge = OPTIONS.edgeitems
    ends = [
        [*range(edge), *range(size - edge, size)] if size > 2 * edge else range(size)
        for size in array.shape
    ]
    shape = tuple(map(len, ends))
    if 0 in shape:
        return np.empty(shape, array.dtype)
    places = [places for places in ends if len(places) > 1]  # NumPy takes no more than 63
    return array.squeeze()[np.ix_(*places)].reshape(shape)


def _nested_text(
    shown: NDArray[Any], shape: tuple[int, ...], indent: int, number: _Format | _ComplexFormat
) -> str:
    """The text of the elements `shown` of a tensor of a shape; dots stand for what is left out."""
    if not shape:
        return number(shown.item())
    edge = OPTIONS.edgeitems
    cut = len(shown) < shape[0]
    if len(shape) == 1:
        texts = [number(value) for value in shown.tolist()]
        if cut:
            texts.insert(edge, " ..." if edge else "...")
        per_line = max(1, (OPTIONS.linewidth - indent) // (number.width + 2))
        lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
        separator = ",\n"
    else:
        lines = [_nested_text(row, shape[1:], indent + 1, number) for row in shown]
        if cut:
            lines.insert(edge, "...")
        separator = "," + "\n" * (len(shape) - 1)
    return "[" + (separator + " " * (indent + 1)).join(lines) + "]"
