"""Flat buffers: their types, the bytes of their elements, and where they start."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ComplexType, MemRefType, bf16, f16, f32, f64, i1
from xdsl.ir import Attribute

from lowering.kernel import LoweringError
from lowering.shaped import is_integer

ALIGNMENT = 64
"""Scratch pieces start at multiples of this many bytes, as vector stores like them."""


@lru_cache(maxsize=32)
def flat(element_type: Attribute) -> MemRefType[Attribute]:
    """`memref<?xT>`, of the parts of complex numbers, which lie next to each other."""
    return MemRefType(part_type(element_type), [DYNAMIC_INDEX])


def is_complex(type_: Attribute) -> bool:
    """Whether a type is one of complex numbers."""
    return isinstance(type_, ComplexType)


def part_type(type_: Attribute) -> Attribute:
    """The type of a part of a complex number; that of anything else as it is."""
    return cast("Any", type_).element_type if is_complex(type_) else type_


def byte_size(type_: Attribute) -> int:
    """Bytes of an element in memory; a bool takes one."""
    sizes: dict[Attribute, int] = {f64: 8, f32: 4, f16: 2, bf16: 2}
    if type_ in sizes:
        return sizes[type_]
    if is_complex(type_):
        return 2 * byte_size(part_type(type_))
    if is_integer(type_):
        return 1 if type_ == i1 else type_.width.data // 8
    raise LoweringError(f"tensors of {type_} cannot be lowered")
