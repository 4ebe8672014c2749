"""Attributes of nodes: Python values and tensors as xDSL attributes, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Data, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from torchscript_dialect.dialects.quantizer_data import QuantizerData
from torchscript_dialect.tensor.dtype import from_name, of_array
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.strides import (
    element_strides,
    empty_strided,
    is_non_overlapping_and_dense,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.types.named import FOREIGN
from torchscript_dialect.utils.byte_strings import is_whole
from torchscript_dialect.utils.properties import cached_property


@dataclass(frozen=True)
class TensorData:
    """A tensor's element type by PyTorch's graph name (`Float`), shape, and C-contiguous bytes; `quantizer` of a quantized one."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes
    quantizer: QuantizerData | None = None
    strides: tuple[int, ...] | None = None
    """In elements, of one whose dimensions are in another order. `data` has the elements in the order of their places all the same."""


@irdl_attr_definition
class TensorAttr(Data[TensorData]):
    """A constant tensor: `#prim.dense<Float, [2], "0000803F00000040">`, with `strides [1, 3]` behind it where its
    dimensions are in another order. One that has gaps, or several elements at one place of memory, is as a contiguous one.
    """

    name = "prim.dense"

    @staticmethod
    def from_tensor(tensor: Tensor) -> TensorAttr:
        array = np.ascontiguousarray(tensor.array)
        known = of_array(tensor.array).type_name
        quantizer = QuantizerData.of(tensor.array)
        shape, strides = tensor.array.shape, None
        if quantizer is None and not tensor.array.flags.c_contiguous:
            found = element_strides(tensor.array)
            strides = found if may_be_strides(shape, found) else None
        return TensorAttr(TensorData(known, shape, array.tobytes(), quantizer, strides))

    def to_tensor(self) -> Tensor:
        """A fresh tensor with this content."""
        known = from_name(self.data.dtype)
        array = np.frombuffer(bytearray(self.data.data), dtype=known.integers or known.numpy_dtype)
        array = array.reshape(self.data.shape)
        quantizer = self.data.quantizer
        if quantizer is not None:
            return tensor_of(quantizer.quantized(array, known))
        if self.data.strides is None:
            return tensor_of(array)
        laid_out = empty_strided(array.shape, self.data.strides, array.dtype)
        laid_out[...] = array
        return tensor_of(laid_out)

    @cached_property
    def memory(self) -> Tensor:
        """The tensor that every copy of a node with this attribute gives: what a program writes to it stays for the next call."""
        return self.to_tensor()

    def now(self) -> TensorAttr:
        """The attribute of what the memory holds, itself where nobody wrote."""
        if "memory" not in vars(self):
            return self
        held = TensorAttr.from_tensor(self.memory)
        return self if held == self else held

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TensorData:
        with parser.in_angle_brackets():
            position = parser.pos
            type_name = parser.parse_identifier()
            try:
                known = from_name(type_name)
            except TypeError as error:
                parser.raise_error(str(error), position)
            parser.parse_punctuation(",")
            shape = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            parser.parse_punctuation(",")
            position = parser.pos
            try:
                data = bytes.fromhex(parser.parse_str_literal())
            except ValueError:
                parser.raise_error("the content of a tensor is a string of hex digits", position)
            try:
                check_content(type_name, shape, data)
            except ValueError as error:
                parser.raise_error(str(error), position)
            quantizer = QuantizerData.parse(parser, shape) if known.is_quantized else None
            strides = _strides(parser, shape) if quantizer is None else None
        return TensorData(type_name, tuple(shape), data, quantizer, strides)

    def print_parameter(self, printer: Printer) -> None:
        shape = ", ".join(map(str, self.data.shape))
        printer.print_string(f'<{self.data.dtype}, [{shape}], "{self.data.data.hex().upper()}"')
        if self.data.quantizer is not None:
            self.data.quantizer.print(printer)
        if self.data.strides is not None:
            printer.print_string(f", strides [{', '.join(map(str, self.data.strides))}]")
        printer.print_string(">")


_FARTHEST = 1 << 40
"""Above the strides of constants, those of dimensions of one element included, and above the products of their sizes."""
_MOST_DIMENSIONS = 64
"""Of arrays in NumPy."""


def check_content(type_name: str, shape: Sequence[object], content: bytes) -> None:
    """Check that a constant tensor may have that shape, and that the bytes of its elements are there.

    Raises:
        ValueError: no tensor has the shape, or it takes other bytes.
        TypeError: there is no such dtype.
    """
    known = [one for one in shape if type(one) is int and 0 <= one < _FARTHEST]
    if (
        len(known) < len(shape)
        or len(shape) > _MOST_DIMENSIONS
        or prod(filter(None, known)) >= _FARTHEST
    ):
        raise ValueError(f"no constant has the shape {list(shape)}")
    size = prod(known) * from_name(type_name).itemsize
    if len(content) != size:
        raise ValueError(
            f"a tensor of {type_name} and shape {list(shape)} has {size} bytes, not {len(content)}"
        )


def may_be_strides(shape: Sequence[int], strides: Sequence[object]) -> bool:
    """Whether a constant tensor of that shape may have these strides: its elements fill one block of memory."""
    known = [one for one in strides if type(one) is int and 0 <= one < _FARTHEST]
    if not len(shape) == len(strides) == len(known):
        return False
    return is_non_overlapping_and_dense(shape, known)


def _strides(parser: AttrParser, shape: Sequence[int]) -> tuple[int, ...] | None:
    """What stands behind the data of a tensor that is not contiguous."""
    if parser.parse_optional_punctuation(",") is None:
        return None
    parser.parse_keyword("strides")
    position = parser.pos
    strides = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    if not may_be_strides(shape, strides):
        parser.raise_error(f"no constant of shape {list(shape)} has strides {strides}", position)
    return tuple(strides)


@irdl_attr_definition
class ComplexAttr(ParametrizedAttribute):
    """A complex number."""

    name = "prim.complex_value"

    real: FloatAttr = param_def()
    imag: FloatAttr = param_def()


@irdl_attr_definition
class EnumMemberAttr(ParametrizedAttribute):
    """A member of an enum: `#prim.enum_member<"__torch__.Color", "RED", 1 : i64>`.

    Text without the value gives `unit` for it.
    """

    name = "prim.enum_member"

    qualified_name: StringAttr = param_def()
    member: StringAttr = param_def()
    value: Attribute = param_def()

    @staticmethod
    def of(member: EnumMember) -> EnumMemberAttr:
        parts = StringAttr(member.qualified_name), StringAttr(member.name)
        return EnumMemberAttr(*parts, to_attribute(member.value))

    @property
    def text(self) -> str:
        """The member as graphs show it: `__torch__.Color.RED`."""
        return f"{self.qualified_name.data}.{self.member.data}"

    def to_member(self) -> EnumMember:
        value = from_attribute(self.value)
        return EnumMember(self.qualified_name.data, self.member.data, value)


@irdl_attr_definition
class PackedAttr(Data[Any]):
    """The packed weights of a quantized layer, by their state in archives: `#prim.packed<"quantized.LinearPackedParamsBase", [...]>`.
    Graphs of frozen modules and of archives hold them.
    """

    name = "prim.packed"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Any:
        with parser.in_angle_brackets():
            position = parser.pos
            name = FOREIGN + parser.parse_str_literal()
            parser.parse_punctuation(",")
            state = parser.parse_attribute()
        class_ = import_module("torchscript_dialect.ops.quantized.packed_params").CLASSES.get(name)
        if class_ is None:
            parser.raise_error(f"packed weights of {name} are not known", position)
        try:
            return class_.from_state(from_attribute(state))
        except (RuntimeError, TypeError, ValueError, AttributeError, AssertionError) as error:
            parser.raise_error(f"this is no state of {name}: {error}", position)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f'<"{self.class_name}", ')
        printer.print_attribute(to_attribute(self.data.state()))
        printer.print_string(">")

    @property
    def class_name(self) -> str:
        """The name below `torch.classes`."""
        name: str = self.data.__torchscript_qualified_name__
        return name.removeprefix(FOREIGN)


@irdl_attr_definition
class GeneratorAttr(Data[Generator]):
    """A generator of random numbers, which goes on from call to call: `#prim.generator<"cpu", 67280421310721>`, with its seed."""

    name = "prim.generator"

    @staticmethod
    def of(place: str, seed: int) -> GeneratorAttr:
        """A generator of its own that begins with a seed."""
        return GeneratorAttr(Generator(place).manual_seed(seed))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Generator:
        with parser.in_angle_brackets():
            position = parser.pos
            place = parser.parse_str_literal()
            parser.parse_punctuation(",")
            try:
                return cls.of(place, parser.parse_integer()).data
            except (RuntimeError, ValueError) as error:
                parser.raise_error(str(error), position)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f'<"{self.data.device}", {self.data.initial_seed()}>')

    @property
    def text(self) -> str:
        """The generator as graphs and code show it."""
        return f'torch.Generator(device="{self.data.device}", seed={self.data.initial_seed()})'


def is_packed(value: Any) -> bool:
    """Whether a runtime value is an object of one of PyTorch's own classes."""
    return str(getattr(value, "__torchscript_qualified_name__", "")).startswith(FOREIGN)


_TRUE, _FALSE = IntegerAttr(1, i1), IntegerAttr(0, i1)


@lru_cache(maxsize=4096)
def _integer(value: int) -> IntegerAttr:
    return IntegerAttr(value, i64)


def to_attribute(value: Any) -> Attribute:
    """The attribute of a constant. Takes None, bool, int, float, complex, str, strided tensors, generators, lists and tuples of them.

    Raises:
        TypeError: a value of another type, a sparse or nested tensor, or a text with halves of characters: Note [Strings are bytes].
    """
    if value is None:
        return UnitAttr()
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    if isinstance(value, int):
        return _integer(value)
    if isinstance(value, float):
        return FloatAttr(value, f64)
    if isinstance(value, complex):
        return ComplexAttr(FloatAttr(value.real, f64), FloatAttr(value.imag, f64))
    if isinstance(value, str):
        if not is_whole(value):
            raise TypeError("the text is no UTF-8 and cannot be a constant")
        return StringAttr(value)
    if isinstance(value, UnstridedTensor):
        raise TypeError(f"a tensor of layout {value.layout} cannot be a constant")
    if isinstance(value, Tensor):
        return TensorAttr.from_tensor(value)
    if isinstance(value, EnumMember):
        return EnumMemberAttr.of(value)
    if isinstance(value, Generator):
        return GeneratorAttr(value)
    if is_packed(value):
        return PackedAttr(value)
    if isinstance(value, (list, tuple)):
        return ArrayAttr([to_attribute(item) for item in cast(Sequence[Any], value)])
    raise TypeError(f"a {type(value).__name__} cannot be an attribute of a node")


def from_attribute(attribute: Attribute) -> Any:
    """The Python value that `to_attribute` made the attribute from; lists for both lists and tuples.

    Raises:
        TypeError: an attribute that no node carries.
    """
    match attribute:
        case UnitAttr():
            return None
        case IntegerAttr():
            number = attribute.value.data
            return bool(number) if attribute.type == i1 else number
        case FloatAttr():
            return attribute.value.data
        case StringAttr():
            return attribute.data
        case ComplexAttr():
            return complex(attribute.real.value.data, attribute.imag.value.data)
        case TensorAttr():
            return attribute.to_tensor()
        case EnumMemberAttr():
            return attribute.to_member()
        case PackedAttr() | GeneratorAttr():
            return attribute.data
        case ArrayAttr():
            return [from_attribute(item) for item in attribute.data]
        case _:
            raise TypeError(f"{attribute} is no attribute of a node")
