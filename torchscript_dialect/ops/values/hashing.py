"""`hash` of programs: what C++'s `std::hash` gives where PyTorch is built with GCC's library (ATen/core/ivalue.cpp)."""

from __future__ import annotations

import struct
from typing import Any, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.tensor import Tensor

_WORD = 2**64 - 1
_FACTOR = 0xC6A4A7935BD1E995
_SEED = 0xC70F6907
_GOLDEN_RATIO = 0x9E3779B9
_DEVICE_NUMBERS = {"cpu": 0, "cuda": 1}


@registry.kernel("hash.generic")
def hash_of(value: Any) -> int:
    """The hash of a value; of a tensor, that of the object.

    Raises:
        RuntimeError: the value is of no type that has one.
    """
    word = _word(value)
    return word - 2**64 if word >> 63 else word


def _word(value: Any) -> int:
    if value is None:
        return 0
    if isinstance(value, (bool, int)):
        return value & _WORD
    if isinstance(value, float):
        return _of_bytes(struct.pack("<d", value)) if value else 0
    if isinstance(value, str):
        return _of_bytes(value.encode())
    if isinstance(value, tuple):
        seed = 0
        for item in cast("tuple[Any, ...]", value):
            seed ^= (_word(item) + _GOLDEN_RATIO + (seed << 6) + (seed >> 2)) & _WORD
        return seed
    if isinstance(value, Tensor):
        return id(value)
    if type(value).__name__ == "device":  # ours or PyTorch's
        one = device(value)
        return _DEVICE_NUMBERS.get(one.type, 2) << 16 | (0xFF if one.index is None else one.index)
    raise RuntimeError(f"unhashable type: '{_type_name(value)}'")


def _type_name(value: Any) -> str:
    """The type of what has no hash, as a program would write it."""
    if isinstance(value, list):
        items = cast("list[Any]", value)
        return f"List[{_type_name(items[0]) if items else 'Tensor'}]"
    if isinstance(value, dict):
        key, item = next(iter(cast("dict[Any, Any]", value).items()), ("", 0))
        return f"Dict[{_type_name(key)}, {_type_name(item)}]"
    if isinstance(value, EnumMember):
        return f"Enum<{value.qualified_name}>"
    return type(value).__name__


def _of_bytes(data: bytes) -> int:
    """MurmurHash64A."""

    def mixed(word: int) -> int:
        return word ^ word >> 47

    state = _SEED ^ len(data) * _FACTOR & _WORD
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        part = int.from_bytes(data[start : start + 8], "little") * _FACTOR & _WORD
        state = (state ^ mixed(part) * _FACTOR & _WORD) * _FACTOR & _WORD
    if whole < len(data):
        state = (state ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _WORD
    return mixed(mixed(state) * _FACTOR & _WORD)
