"""Operands at the edges of what numbers are: NaN, infinities, zeros of both signs, denormals, the largest and the smallest.

A case is what a pointwise operator makes of all of them, of every two of them where it takes two tensors, and what a reduction makes
of every row of three.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from samples import compare
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.function_schema import NO_DEFAULT

INF, NAN = float("inf"), float("nan")
FLOATS = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.5, 3.0, -7.0, 100.0, -100.0]
FLOATS += [1e5, 1e-40, -1e-40, 1e-45, 3e38, -3e38]
DOUBLES = [5e-324, -5e-324, 1e308, -1e308, 1e-310]
INTS = [0, 1, 2, 3, 7]

DTYPES = ("float32", "float64", "int32", "int64", "uint8")

DIFFERENT = {
    **dict.fromkeys(
        (
            f"aten::{name}"
            for name in "clamp_max.Tensor clamp_min.Tensor max.other maximum min.other minimum".split()
        ),
        "which of two equal zeros it is",
    ),
    **dict.fromkeys(
        ("aten::fmod.Tensor", "aten::remainder.Tensor"),
        "PyTorch's vectors give NaN where the quotient is no number of the dtype, ours the remainder",
    ),
    **dict.fromkeys(
        (f"aten::{name}" for name in "igamma igammac special_gammainc special_gammaincc".split()),
        "denormal operands",
    ),
    **dict.fromkeys(
        ("aten::softshrink", "aten::special_i1", "aten::special_i1e"), "-0 stays -0, PyTorch's is 0"
    ),
    **dict.fromkeys(
        ("aten::special_ndtr", "aten::special_ndtri", "aten::logaddexp2"),
        "PyTorch's is less exact near 0: what is left of a difference of close numbers",
    ),
    "aten::gcd": "PyTorch's has a sign where an operand is the smallest integer",
    "aten::logit_backward": "the sign of the infinity at -0",
    "aten::mish_backward": "an intermediate result is denormal",
}
"""Operators of which some results differ, with the reason."""

WITHOUT = (
    *(
        "aten::where",
        "aten::rrelu",
        "aten::bernoulli",
        "aten::dropout",
        "aten::lcm",
        "aten::polygamma",
    ),
    *(f"aten::special_{name}" for name in ("zeta", "polygamma", "scaled_", "spherical_")),
    *(f"aten::special_{name}" for name in ("bessel_", "modified_", "airy", "shifted_")),
    *(f"aten::special_{name}" for name in ("chebyshev_", "hermite_", "laguerre_", "legendre_")),
)
"""Operators of conditions, that draw numbers, that end PyTorch's process where integers overflow, or that count to the number given."""


def numbers(dtype: str) -> np.ndarray:
    """The operands of a dtype."""
    if dtype.startswith("float"):
        return np.array([*FLOATS, *(DOUBLES if dtype == "float64" else [])], dtype)
    limits = np.iinfo(dtype)
    edges = [limits.max, limits.max - 1, limits.min, limits.min + 1]
    negative = [-1, -2, -7] if limits.min < 0 else [8]
    return np.array([*INTS, *edges, *negative], dtype)


def operators() -> Iterator[Operator]:
    """Those that have cases: of one tensor or two, whose other arguments have defaults."""
    for name in sorted(name for name, _ in registry.attached()):
        operator = registry.find(name)
        assert operator is not None
        rules, schema = operator.rules, operator.schema
        if schema.is_mutable or name.startswith(WITHOUT) or not name.startswith("aten::"):
            continue
        if rules.pointwise is None and rules.reduction is None:
            continue
        if schema.returns[0].type.repr_str != "Tensor" or len(schema.returns) != 1:
            continue
        if 1 <= _tensors(operator) <= (2 if rules.pointwise else 1):
            yield operator


def _tensors(operator: Operator) -> int:
    """How many tensors an operator takes, 0 where it takes what has no default."""
    count = 0
    for argument in operator.schema.arguments:
        if argument.type.repr_str == "Tensor":
            count += 1
        elif argument.default is NO_DEFAULT and argument.name not in _GIVEN:
            return 0
    return count


_GIVEN = {"dim": [1], "keepdim": False, "unbiased": True, "other": 2, "exponent": 3}
"""Arguments without a default."""


def cases(operator: Operator) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The arguments by dtype. Dividing by zero may be an error for all elements, so integers have a case without it, too."""
    count = _tensors(operator)
    for dtype in DTYPES:
        found = numbers(dtype)
        if operator.rules.pointwise is None:
            places = np.arange(len(found))
            rows = np.stack(
                [found[a] for a in np.meshgrid(places, places, (places * 7) % len(found))], -1
            )
            yield dtype, _arguments(operator, [rows.reshape(-1, 3)[:: len(found)]])
            continue
        if count == 1:
            yield dtype, _arguments(operator, [found])
            continue
        first, second = (grid.reshape(-1) for grid in np.meshgrid(found, found))
        if dtype.startswith("float"):
            yield dtype, _arguments(operator, [first, second])
            continue
        # The quotient of these two is no number of the dtype, and a trap on some processors.
        fits = ~((first == np.iinfo(dtype).min) & (second.astype(np.int64) == -1))
        yield dtype, _arguments(operator, [first[fits], second[fits]])
        nonzero = fits & (second != 0)
        yield f"{dtype} but 0", _arguments(operator, [first[nonzero], second[nonzero]])


def _arguments(operator: Operator, tensors: list[np.ndarray]) -> tuple[Any, ...]:
    given = iter(tensors)
    found: list[Any] = []
    for argument in operator.schema.arguments:
        if argument.type.repr_str == "Tensor":
            found.append(next(given))
        else:
            is_given = argument.default is not NO_DEFAULT
            value = argument.default if is_given else _GIVEN[argument.name]
            is_int = argument.type.repr_str == "int" and value == [1]
            found.append(1 if is_int else value)
    return tuple(found)


# What is stored


def packed(result: Any) -> str:
    """A result of `compare.run` as text: its dtype and the bytes of its elements; nothing of an error."""
    if isinstance(result, BaseException):
        return ""
    _, array, dtype, _ = result
    data = zlib.compress(np.ascontiguousarray(array).tobytes(), 9)
    return f"{dtype} {base64.b85encode(data).decode()}"


def difference(operator: Operator, arguments: tuple[Any, ...], expected: str) -> str | None:
    """How our result differs from the one stored; None if it does not."""
    mine, _ = compare.run(operator, lambda: arguments)
    if isinstance(mine, BaseException) or not expected:
        same = isinstance(mine, BaseException) and not expected
        return None if same else f"{mine!r:.200} where PyTorch gives {expected[:20] or 'an error'}"
    dtype, _, data = expected.partition(" ")
    _, array, found, _ = mine
    if found != dtype:
        return f"dtype {found} where PyTorch gives {dtype}"
    theirs = np.frombuffer(zlib.decompress(base64.b85decode(data)), array.dtype).reshape(
        array.shape
    )
    if array.dtype.kind in "biu":
        wrong = array != theirs
    else:
        limit = compare.RTOL[dtype]
        with np.errstate(all="ignore"):
            wrong = ~np.isclose(array, theirs, rtol=limit, atol=0, equal_nan=True)
        wrong &= ~((abs(array) < _TINY[dtype]) & (abs(theirs) < _TINY[dtype]))
        wrong |= (array == 0) & (theirs == 0) & (np.signbit(array) != np.signbit(theirs))
    if not wrong.any():
        return None
    place = int(np.flatnonzero(wrong)[0])
    of = [
        x.reshape(len(array.reshape(-1)), -1)[place].tolist()
        for x in arguments
        if isinstance(x, np.ndarray)
    ]
    return f"{int(wrong.sum())} elements, of {of} {array.reshape(-1)[place]} where PyTorch gives {theirs.reshape(-1)[place]}"


_TINY = {"float32": 1e-37, "float64": 1e-307}
"""Below this, precision is lost before rounding."""
