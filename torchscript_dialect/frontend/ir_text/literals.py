"""The values of attributes in graph text: numbers, strings, lists, tensors, types."""

from __future__ import annotations

from math import isinf
from typing import Any

import numpy as np

from torchscript_dialect.dialects.attributes import (
    GeneratorAttr,
    TensorAttr,
    TensorData,
    check_content,
    may_be_strides,
)
from torchscript_dialect.tensor.tensor import tensor_of
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import unquote
from torchscript_dialect.types.text import Scanner, parse_declared_type
from torchscript_dialect.utils.byte_strings import require_characters
from torchscript_dialect.utils.errors import ParseError
from torchscript_dialect.utils.source_range import Source, SourceRange


class LiteralParser:
    """Reads values from a text, and tells where in it something is wrong."""

    def __init__(self, text: str, filename: str) -> None:
        self.text = text
        self.source = Source(text, filename)
        require_characters(self.source)
        self.scanner = Scanner(text)

    def _range(self, offset: int) -> SourceRange:
        """From an offset to the end of the token there; the last character for the end of the text."""
        if offset >= len(self.text.rstrip()):
            end = len(self.text.rstrip())
            return SourceRange(self.source, max(end - 1, 0), end)
        return SourceRange(self.source, offset, Scanner(self.text, offset).end)

    def _fail(self, message: str) -> ParseError:
        return ParseError(message, self._range(self.scanner.start))

    def _raw_attributes(self) -> dict[str, Any]:
        scanner = self.scanner
        values: dict[str, Any] = {}
        if not scanner.next_if("["):
            return values
        while not scanner.next_if("]"):
            key = scanner.expect_kind("name")
            scanner.expect("=")
            is_types = key == "types" and scanner.token == "["
            values[key] = self._types() if is_types else self._attribute_value()
            if not scanner.next_if(","):
                scanner.expect("]")
                break
        return values

    def _types(self) -> list[TorchScriptType]:
        self.scanner.expect("[")
        types: list[TorchScriptType] = []
        while not self.scanner.next_if("]"):
            types.append(parse_declared_type(self.scanner).type)
            if not self.scanner.next_if(","):
                self.scanner.expect("]")
                break
        return types

    def _items(self, close: str) -> list[Any]:
        items: list[Any] = []
        while not self.scanner.next_if(close):
            items.append(self._attribute_value())
            if not self.scanner.next_if(","):
                self.scanner.expect(close)
                break
        return items

    def _number(self) -> int | float | complex:
        """A number; a complex one is `1.5-2.j`, or `2.j` alone."""
        number, is_imaginary = self._part()
        if is_imaginary:
            return complex(0.0, number)
        scanner = self.scanner
        plus = scanner.kind == "mark" and scanner.next_if("+")
        if (
            plus
            or scanner.token == "-"
            or (scanner.token.endswith("j") and scanner.kind in ("number", "name"))
        ):
            return complex(number, self._part()[0])
        return number

    def _part(self) -> tuple[int | float, bool]:
        """A real number, and whether a `j` after it makes it an imaginary one."""
        scanner = self.scanner
        if scanner.next_if("-"):
            number, is_imaginary = self._part()
            return -number, is_imaginary
        is_imaginary = scanner.token.endswith("j")
        return self._real_number(), is_imaginary

    def _real_number(self) -> int | float:
        scanner = self.scanner
        if scanner.kind != "number" and scanner.token not in ("inf", "nan", "infj", "nanj"):
            raise self._fail(f"expected a number but found '{scanner.token}' here")
        start = scanner.start
        text = scanner.advance().removesuffix("j")
        if text == "-0":
            return -0.0
        if any(mark in text for mark in ".eEn"):
            number = float(text)
            if (isinf(number) and text != "inf") or (
                number == 0 and text.lstrip("-0.")[:1] not in "eE"
            ):
                raise ParseError(f"the float {text:.40} is out of range", self._range(start))
            return number
        if not -(2**63) <= int(text) < 2**63:
            raise ParseError(
                f"the int {text:.40} is out of range: it has 64 bits", self._range(start)
            )
        return int(text)

    def _attribute_value(self) -> Any:
        scanner = self.scanner
        if scanner.kind == "number" or scanner.token in ("-", "inf", "nan", "infj", "nanj"):
            return self._number()
        if scanner.kind == "string":
            start = scanner.start
            try:
                return unquote(scanner.advance())
            except ValueError as error:
                raise ParseError(f"{error} here", self._range(start)) from None
        if scanner.next_if("["):
            return self._items("]")
        if scanner.next_if("("):
            return tuple(self._items(")"))
        if scanner.next_if("{"):
            start = scanner.start
            value = self._attribute_value()
            if not isinstance(value, (bool, int, float, tuple)):
                raise ParseError("expected the only element of a tensor here", self._range(start))
            scanner.expect("}")
            return tensor_of(np.asarray(complex(*value) if isinstance(value, tuple) else value))  # pyright: ignore[reportUnknownArgumentType]
        if scanner.token in ("true", "false", "True", "False"):
            return scanner.advance() in ("true", "True")
        if scanner.next_if("None"):
            return None
        if scanner.next_if("tensor"):
            return self._tensor()
        if scanner.next_if("annotate"):
            scanner.expect("(")
            parse_declared_type(scanner)
            scanner.expect(",")
            value = self._attribute_value()
            scanner.expect(")")
            return value
        if scanner.next_if("torch.device"):
            scanner.expect("(")
            value = self._attribute_value()
            scanner.expect(")")
            return value
        if scanner.next_if("torch.Generator"):
            return self._generator()
        return parse_declared_type(scanner).type

    def _generator(self) -> GeneratorAttr:
        """`(device="cpu", seed=67280421310721)`."""
        scanner = self.scanner
        start = scanner.start
        given: list[Any] = []
        for mark, name in (("(", "device"), (",", "seed")):
            for expected in (mark, name, "="):
                scanner.expect(expected)
            given.append(self._attribute_value())
        scanner.expect(")")
        try:
            return GeneratorAttr.of(*given)
        except (RuntimeError, TypeError, ValueError) as error:
            raise ParseError(str(error), self._range(start)) from None

    def _tensor(self) -> TensorAttr:
        """`tensor<Float, [2], "0000803F00000040">`: dtype, shape, the bytes in hexadecimal digits, and strides, if it has others."""
        scanner = self.scanner
        scanner.expect("<")
        start = scanner.start
        dtype = scanner.expect_kind("name")
        scanner.expect(",")
        scanner.expect("[")
        shape = tuple(self._items("]"))
        scanner.expect(",")
        digits = unquote(scanner.expect_kind("string"))
        strides = None
        if scanner.next_if(","):
            scanner.expect("strides")
            scanner.expect("[")
            strides = tuple(self._items("]"))
        scanner.expect(">")
        try:
            content = bytes.fromhex(digits)
            check_content(dtype, shape, content)
        except (TypeError, ValueError) as error:
            raise ParseError(str(error), self._range(start)) from None
        if strides is not None and not may_be_strides(shape, strides):
            message = f"no constant of shape {list(shape)} has strides {list(strides)}"
            raise ParseError(message, self._range(start))
        return TensorAttr(TensorData(dtype, shape, content, strides=strides))
