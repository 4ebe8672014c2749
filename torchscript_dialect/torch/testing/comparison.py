"""`assert_close`, which holds tensors and nests of them together (torch/testing/_comparison.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import CompressedTensor, SparseTensor, UnstridedTensor

_TOLERANCES = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
"""Relative and absolute; those of all other dtypes are 0."""


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Any = None,
) -> None:
    """Nothing where tensors, numbers, or sequences and mappings of them are close.

    Raises:
        AssertionError: they are not; tells the largest differences.
        ValueError: only one of the tolerances is given.
    """
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}."
        )

    def told(text: str) -> AssertionError:
        return AssertionError(text if msg is None else msg(text) if callable(msg) else msg)

    def compare(one: Any, other: Any, place: str) -> None:
        if isinstance(other, Mapping) and isinstance(one, Mapping):
            mine, theirs = cast("Mapping[Any, Any]", one), cast("Mapping[Any, Any]", other)
            if mine.keys() != theirs.keys():
                raise told(f"The keys of the mappings do not match: {list(mine)}, {list(theirs)}")
            for key in theirs:
                compare(mine[key], theirs[key], f"{place}[{key!r}]")
            return
        if isinstance(other, (list, tuple)) and isinstance(one, (list, tuple)):
            ones, others = cast("Sequence[Any]", one), cast("Sequence[Any]", other)
            if len(ones) != len(others):
                raise told(f"The length of the sequences mismatch: {len(ones)} != {len(others)}")
            for number, (a, b) in enumerate(zip(ones, others, strict=True)):
                compare(a, b, f"{place}[{number}]")
            return
        x, y = _tensor(one), _tensor(other)
        facts: list[tuple[str, object, object, bool]] = [
            ("shape", x.shape, y.shape, True),
            ("dtype", x.dtype, y.dtype, check_dtype),
        ]
        facts.append(("device", x.device, y.device, check_device))
        facts.append(("layout", x.layout, y.layout, check_layout))
        is_strided = not isinstance(x, UnstridedTensor) and not isinstance(y, UnstridedTensor)
        if isinstance(one, Tensor) and isinstance(other, Tensor) and is_strided:
            facts.append(("stride()", x.stride(), y.stride(), check_stride))
        for name, a, b, is_asked in facts:
            if is_asked and a != b:
                raise told(f"The values for attribute '{name}' do not match: {a} != {b}.")
        text = _difference_of_any(x, y, rtol, atol, equal_nan)
        if text is not None:
            raise told(text + (f"\n\nThe failure occurred for item {place}" if place else ""))

    compare(actual, expected, "")


def _tensor(value: Any) -> Tensor:
    """A number has the widest dtype of its kind."""
    if isinstance(value, UnstridedTensor):
        return value
    if isinstance(value, (float, complex)):
        return as_tensor(value, from_name("float64" if isinstance(value, float) else "complex128"))
    return as_tensor(value)


def _difference_of_any(
    x: Any, y: Any, rtol: float | None, atol: float | None, equal_nan: bool
) -> str | None:
    """The same of tensors of any layout: sparse ones of one layout have equal places, and elements that are close."""
    if x.layout is not y.layout:
        x, y = (one.to_dense() if isinstance(one, UnstridedTensor) else one for one in (x, y))
    if isinstance(x, SparseTensor) and x.is_unique != y.is_unique:
        x, y = x.coalesce(), y.coalesce()
    if not isinstance(x, (SparseTensor, CompressedTensor)):
        return _difference(x, y, rtol, atol, equal_nan)
    kind = f"Sparse {x.layout.name.removeprefix('sparse_').upper()}"
    mine, theirs = x.places.shape[-1], y.places.shape[-1]
    if mine != theirs:
        return f"The number of specified values in {kind.replace('S', 's', 1)} tensors does not match: {mine} != {theirs}"
    for name in ("bounds", "places") if isinstance(x, CompressedTensor) else ("places",):
        first, second = tensor_of(getattr(x, name)), tensor_of(getattr(y, name))
        text = _difference(first, second, 0.0, 0.0, False, f"{kind} {_part_name(x, name)}")
        if text is not None:
            return text
    first, second = tensor_of(x.elements), tensor_of(y.elements)
    return _difference(first, second, rtol, atol, equal_nan, f"{kind} values")


def _part_name(x: SparseTensor | CompressedTensor, name: str) -> str:
    """What PyTorch calls a part of a sparse tensor."""
    if isinstance(x, SparseTensor):
        return "indices"
    names = (
        {"bounds": "crow", "places": "col"} if x.by_rows else {"bounds": "ccol", "places": "row"}
    )
    return f"{names[name]}_indices"


def _difference(
    x: Tensor,
    y: Tensor,
    rtol: float | None,
    atol: float | None,
    equal_nan: bool,
    what: str = "Tensor-likes",
) -> str | None:
    """How far the elements are apart; None where they are close."""
    bounds = [_TOLERANCES.get(each.dtype.name, (0.0, 0.0)) for each in (x, y)]
    relative = max(bound[0] for bound in bounds) if rtol is None else rtol
    absolute = max(bound[1] for bound in bounds) if atol is None else atol
    wide = np.complex128 if x.dtype.is_complex or y.dtype.is_complex else np.float64
    is_exact = not relative and not absolute
    a, b = x.detach().array, y.detach().array
    with np.errstate(all="ignore"):
        if is_exact and a.dtype == b.dtype:
            close = a == b
            a, b = a.astype(wide), b.astype(wide)
        else:
            a, b = a.astype(wide), b.astype(wide)
            close = np.isclose(a, b, relative, absolute, equal_nan)
        if close.all():
            return None
        gap = np.where(close, 0.0, np.abs(a - b))
        ratio = np.where(close, 0.0, gap / np.abs(b))
    kind = "Scalars" if not a.ndim else what
    manner = "equal" if is_exact else "close"
    lines = [f"{kind} are not {manner}!", ""]
    if a.ndim:
        wrong = int((~close).sum())
        lines.append(f"Mismatched elements: {wrong} / {a.size} ({wrong / a.size:.1%})")
    else:
        lines.append(f"Expected {y.item()} but got {x.item()}.")
    for name, sizes, allowed in (("absolute", gap, absolute), ("relative", ratio, relative)):
        place = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
        index = f" at index {tuple(map(int, place))}" if a.ndim else ""
        largest: float = sizes[place].item()
        if name == "absolute" and x.dtype.is_integral and y.dtype.is_integral:
            largest = int(largest)
        bound = "" if is_exact else f" (up to {allowed} allowed)"
        start = f"Greatest {name} difference" if a.ndim else f"{name.capitalize()} difference"
        lines.append(f"{start}: {largest}{index}{bound}")
    return "\n".join(lines)


__all__ = ["assert_close"]
