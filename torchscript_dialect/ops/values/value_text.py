"""The conversion of values to text, and formatting (torch/csrc/jit/runtime/vararg_functions.cpp, aten/src/ATen/core/ivalue.cpp).
Numbers and tensors have the text that C++ streams give them, not Python's.
"""

from __future__ import annotations

import re
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.stream_text import signed_nan, stream_text
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.byte_strings import decoded, encoded, joined


def as_text(value: Any) -> str:
    """`str(value)` and `print(value)` in TorchScript; strings have no quotes, inside containers neither."""
    match value:
        case bool() | None:
            return str(value)
        case float():
            return _float_text(value)
        case complex():
            sign = "+" if value.imag >= 0 else "-"
            return f"{_float_text(value.real)}{sign}{_float_text(abs(value.imag))}j"
        case str():
            return value
        case list():
            items = cast("list[Any]", value)
            return joined(("[", ", ".join(map(as_text, items)), "]"))
        case tuple():
            elements = cast("tuple[Any, ...]", value)
            inside = ", ".join(map(as_text, elements))
            return joined(("(", inside, ",)" if len(elements) == 1 else ")"))
        case dict():
            table = cast("dict[Any, Any]", value)
            return joined(
                ("{", ", ".join(f"{as_text(k)}: {as_text(v)}" for k, v in table.items()), "}")
            )
        case Tensor():
            return stream_text(value)
        case EnumMember():
            return f"Enum<{value.qualified_name.rpartition('.')[2]}.{value.name}>"
        case _:
            return str(value)


def _float_text(value: float) -> str:
    """A float with 17 significant digits, a whole number with a point at its end."""
    if -(2.0**63) <= value < 2.0**63 and value == int(value):
        return f"{int(value)}."
    return signed_nan(value, ".17g")


registry.implement("str", as_text)


@registry.kernel("format")
def format_(text: str, *values: Any) -> str:
    """Each `{}` replaced by the next value; values that are left over go unused, and other braces stay."""
    first, *parts = text.split("{}")
    if len(parts) > len(values):
        raise RuntimeError(f"Too few arguments for format string: {text}")
    return joined((first, *(as_text(value) + part for value, part in zip(values, parts))))


_CONVERSION = re.compile(rb"%(.?)", re.DOTALL)


@registry.kernel("percentFormat")
def percent_format(text: str, *values: Any) -> str:
    """`text % values`: `%d`, `%i`, `%e`, `%E`, `%f`, `%F`, `%c`, `%s` and `%%`. A tuple gives all values; without one the first
    is the only one.

    Raises:
        RuntimeError: another specifier, or a value that it does not take.
    """
    if not values:
        raise RuntimeError("percentFormat takes a value")
    given: Any = values[0]
    rest = list(cast("tuple[Any, ...]", given)) if isinstance(given, tuple) else [given]

    def replace(match: re.Match[bytes]) -> bytes:
        kind = match[1]
        if not kind:
            raise RuntimeError("Incomplete format specifier")
        if kind == b"%":
            return kind
        if not rest:
            raise RuntimeError("Too few arguments for format string")
        return _converted(decoded(kind), rest.pop(0))

    result = _CONVERSION.sub(replace, encoded(text))
    if rest:
        raise RuntimeError("Too many arguments for format string")
    return decoded(result)


def _converted(kind: str, value: Any) -> bytes:
    if kind == "s":
        return encoded(as_text(value))
    if kind == "c":
        return _character(value)
    if kind not in "dieEfF":
        raise RuntimeError(f"The specifier %{kind} is not supported in TorchScript format strings")
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise RuntimeError(f"%{kind} requires a number for formatting, but got {_tag(value)}")
    if kind in "di":
        return b"%d" % (value if isinstance(value, int) else _int32(value))
    with np.errstate(all="ignore"):
        number = float(np.float32(value))
    return signed_nan(number, f".6{kind.replace('F', 'f')}").encode()


_TAGS = {
    str: "String",
    bool: "Bool",
    int: "Int",
    float: "Double",
    complex: "ComplexDouble",
    list: "GenericList",
    dict: "GenericDict",
    type(None): "None",
}
"""PyTorch's names of what its values hold."""


def _tag(value: Any) -> str:
    if isinstance(value, tuple):
        return "Tuple"
    kind: type[Any] = value.__class__
    return _TAGS.get(kind, kind.__name__)


def _character(value: Any) -> bytes:
    """A byte."""
    if isinstance(value, int) and not isinstance(value, bool):
        return bytes((value & 0xFF,))
    if not isinstance(value, str) or len(encoded(value)) != 1:
        raise RuntimeError(f"%c requires an int or char for formatting, but got {_tag(value)}")
    return encoded(value)


def _int32(value: float) -> int:
    """The float in 32 bits; the smallest int where it does not fit, as processors have it."""
    return int(value) if -(2.0**31) - 1 < value < 2.0**31 else -(2**31)
