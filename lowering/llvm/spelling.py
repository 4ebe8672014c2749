"""How LLVM IR spells types, scalars and names."""

from __future__ import annotations

import ctypes
import re
import struct

from xdsl.dialects import llvm
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntAttr
from xdsl.ir import Attribute

from lowering.kernel import LoweringError
from lowering.shaped import is_integer, is_vector
from torchscript_dialect.utils.memo import Memo

FLOATS = {Float16Type: "half", BFloat16Type: "bfloat", Float32Type: "float", Float64Type: "double"}
SUFFIXES = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}

WIDEST = 256
"""Bits of an integer, lanes of a vector: LLVM takes for ever over what is much wider."""

TYPE_NAMES: Memo[int, tuple[Attribute, str]] = Memo(4096)
"""By the identity of a type, which lives as long as its entry: to hash types took a sixth of the time of `translate`."""


def type_name(type_: Attribute) -> str:
    """How LLVM IR spells `type_`."""
    found = TYPE_NAMES.get(id(type_))
    if found is None:
        found = TYPE_NAMES[id(type_)] = type_, _spell(type_)
    return found[1]


def _spell(type_: Attribute) -> str:
    if is_integer(type_) and type_.width.data <= WIDEST:
        return f"i{type_.width.data}"
    if isinstance(type_, llvm.LLVMPointerType):
        space = type_.addr_space
        return f"ptr addrspace({space.data})" if isinstance(space, IntAttr) else "ptr"
    if isinstance(type_, llvm.LLVMVoidType):
        return "void"
    if isinstance(type_, llvm.LLVMStructType):
        return f"{{ {', '.join(map(type_name, type_.types))} }}"
    if is_vector(type_) and type_.get_shape()[0] <= WIDEST:
        return f"<{type_.get_shape()[0]} x {type_name(type_.element_type)}>"
    for float_type, name in FLOATS.items():
        if isinstance(type_, float_type):
            return name
    raise LoweringError(f"no LLVM type for {type_}")


def suffix(type_: Attribute) -> str:
    """How an intrinsic's name spells `type_`."""
    if is_vector(type_):
        return f"v{type_.get_shape()[0]}{suffix(type_.element_type)}"
    if isinstance(type_, llvm.LLVMPointerType):
        return "p0"
    name = type_name(type_)
    return SUFFIXES.get(name, name)


def number(value: float | int, type_: Attribute) -> str:
    """A literal of a scalar type."""
    if is_integer(type_):
        return ("true" if value else "false") if type_.width.data == 1 else str(value)
    if isinstance(type_, Float64Type):
        return f"0x{struct.pack('>d', value).hex().upper()}"
    if isinstance(type_, Float32Type):
        rounded = ctypes.c_float(value).value
        return f"0x{struct.pack('>d', rounded).hex().upper()}"
    if isinstance(type_, Float16Type):
        return f"0xH{struct.pack('>e', value).hex().upper()}"
    return f"0xR{struct.pack('>f', value).hex().upper()[:4]}"


_is_word = re.compile(r"[-A-Za-z$._][-A-Za-z$._0-9]*").fullmatch


def word(text: str) -> str:
    """A name, which is part of LLVM IR as it is: text from elsewhere ends no name and begins nothing.

    Raises:
        LoweringError: it is none.
    """
    if _is_word(text) is None:
        raise LoweringError(f"{text[:80]!r} is no name in LLVM IR")
    return text
