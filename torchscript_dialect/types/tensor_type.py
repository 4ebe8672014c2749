"""The tensor type: `Tensor`, or what is known of it (PyTorch: aten/src/ATen/core/tensor_type.cpp)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from torchscript_dialect.types.core import TorchScriptType

Dims = tuple[int | None, ...]
"""Sizes or strides; None where one is not known."""


DTYPE_NAMES = (
    "Byte Char Short Int Long Half Float Double ComplexHalf ComplexFloat ComplexDouble Bool"
    " QInt8 QUInt8 QInt32 BFloat16 QUInt4x2 QUInt2x4 Bits1x8 Bits2x4 Bits4x2 Bits8 Bits16"
    " Float8_e5m2 Float8_e4m3fn Float8_e5m2fnuz Float8_e4m3fnuz UInt16 UInt32 UInt64"
).split()
"""PyTorch's names of element types, in the order of its ScalarType (gaps left out)."""


class TypeVerbosity(IntEnum):
    """How much of a tensor type graphs show: the values of `PYTORCH_JIT_TYPE_VERBOSITY`."""

    NONE = 0
    TYPE = 1
    STRIDES = 2
    FULL = 3
    DEFAULT = 3


def type_verbosity() -> TypeVerbosity:
    """The verbosity that the environment asks for; `FULL` where it asks for none or for nonsense."""
    text = os.environ.get("PYTORCH_JIT_TYPE_VERBOSITY", "")
    return TypeVerbosity(int(text)) if text in ("0", "1", "2", "3") else TypeVerbosity.DEFAULT


@dataclass(frozen=True)
class TensorProperties:
    """What is known of a tensor; None stands for unknown.

    `dtype` is the name that graphs use (`Float`), `device` a string such as `cpu` or `cuda:0`.
    """

    dtype: str | None = None
    sizes: Dims | None = None
    strides: Dims | None = None
    device: str | None = None
    requires_grad: bool | None = None
    undefined: bool | None = None

    def spell(self, verbosity: TypeVerbosity) -> str:
        if self.sizes is None:
            head = f"{self.dtype or ''}Tensor"
            inside = self._placement(verbosity)
            text = f"{head}({', '.join(inside)})" if inside else head
        else:
            inside = ["*" if size is None else str(size) for size in self.sizes]
            if verbosity >= TypeVerbosity.STRIDES and self._has_all_strides():
                assert self.strides is not None
                inside.append(f"strides=[{', '.join(map(str, self.strides))}]")
            inside += self._placement(verbosity)
            text = f"{self.dtype or 'Tensor'}({', '.join(inside)})"
        return text + "[Undefined]" if self.undefined else text

    def _has_all_strides(self) -> bool:
        return bool(self.sizes) and self.strides is not None and None not in self.strides

    def _placement(self, verbosity: TypeVerbosity) -> list[str]:
        if verbosity < TypeVerbosity.FULL:
            return []
        parts: list[str] = []
        if self.requires_grad is not None:
            parts.append(f"requires_grad={int(self.requires_grad)}")
        if self.device is not None:
            parts.append(f"device={self.device}")
        return parts


@irdl_attr_definition
class TensorType(Data[TensorProperties], TorchScriptType):
    """`Tensor`, possibly refined. Shapes are tuples of ints with None for an unknown size."""

    name = "prim.tensor"
    KIND = "TensorType"

    def __init__(self, data: TensorProperties = TensorProperties()) -> None:
        super().__init__(data)

    @staticmethod
    def of(
        dtype: str | None = None,
        sizes: Dims | None = None,
        strides: Dims | None = None,
        device: str | None = None,
        requires_grad: bool | None = None,
    ) -> TensorType:
        """A refined tensor type from what is known."""
        return TensorType(TensorProperties(dtype, sizes, strides, device, requires_grad))

    @property
    def dtype(self) -> str | None:
        return self.data.dtype

    @property
    def sizes(self) -> Dims | None:
        return self.data.sizes

    @property
    def strides(self) -> Dims | None:
        return self.data.strides

    @property
    def device(self) -> str | None:
        return self.data.device

    @property
    def requires_grad(self) -> bool | None:
        return self.data.requires_grad

    @property
    def dim(self) -> int | None:
        """The number of dimensions, where known."""
        return None if self.data.sizes is None else len(self.data.sizes)

    @property
    def is_refined(self) -> bool:
        """Whether anything at all is known beyond that it is a tensor."""
        return self.data != TensorProperties()

    def replace(self, **known: Any) -> TensorType:
        """The same type with some properties changed: `t.replace(sizes=None)`."""
        return TensorType(replace(self.data, **known))

    @property
    def repr_str(self) -> str:
        return self.data.spell(type_verbosity())

    @property
    def annotation_str(self) -> str:
        return "Tensor"

    @property
    def schema_str(self) -> str:
        return "Tensor"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TensorProperties:
        if parser.parse_optional_punctuation("<") is None:
            return TensorProperties()
        known: dict[str, Any] = {}
        while True:
            position = parser.pos
            key = parser.parse_identifier()
            if key in ("sizes", "strides"):
                parser.parse_punctuation("=")
                known[key] = tuple(
                    parser.parse_comma_separated_list(
                        parser.Delimiter.SQUARE, lambda: _parse_dim(parser)
                    )
                )
            elif key == "device":
                parser.parse_punctuation("=")
                known[key] = parser.parse_str_literal()
                if not _DEVICE.fullmatch(known[key]):
                    parser.raise_error(f"{known[key]!r} is no device", position)
            elif key in ("requires_grad", "undefined"):
                parser.parse_punctuation("=")
                known[key] = parser.parse_boolean()
            elif key in DTYPE_NAMES:
                known["dtype"] = key
            else:
                parser.raise_error(
                    f"'{key}' is neither a dtype nor a property of a tensor", position
                )
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation(">")
        return TensorProperties(**known)

    def print_parameter(self, printer: Printer) -> None:
        if not self.is_refined:
            return
        parts: list[str] = [] if self.data.dtype is None else [self.data.dtype]
        for key, dims in (("sizes", self.data.sizes), ("strides", self.data.strides)):
            if dims is not None:
                parts.append(f"{key} = [{', '.join('?' if d is None else str(d) for d in dims)}]")
        if self.data.device is not None:
            parts.append(f'device = "{self.data.device}"')
        if self.data.requires_grad is not None:
            parts.append(f"requires_grad = {str(self.data.requires_grad).lower()}")
        if self.data.undefined is not None:
            parts.append(f"undefined = {str(self.data.undefined).lower()}")
        printer.print_string(f"<{', '.join(parts)}>")


_DEVICE = re.compile(r"\w+(:\d+)?")


def _parse_dim(parser: AttrParser) -> int | None:
    if parser.parse_optional_punctuation("?") is not None:
        return None
    return parser.parse_integer()


TENSOR = TensorType()
"""A tensor of which nothing is known."""

INFERRED_TENSOR = TensorType()
"""The type of a parameter without annotation: equal to any other tensor type, told apart by identity."""
