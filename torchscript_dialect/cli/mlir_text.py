"""MLIR text as the driver reads it: xDSL's parser, for which hexadecimal floats in dense literals are bits, not integers, and which
takes linear time for what is no string literal, and bounded time for what aliases stand for, and which reads several texts whose
resources have the same names.
"""

from __future__ import annotations

import re
from math import prod
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import AnyFloat, ModuleOp
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer


class LinearLexer(MLIRLexer):
    """xDSL's pattern repeats repetitions: for a quote that nothing closes it tries all ways to divide the rest of the line, which are
    two to the power of its length.
    """

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"')


MOST_ATTRIBUTES = 4096
"""What an alias may stand for: forty that each hold the one before twice are as large, written out, as no memory."""
MOST_ELEMENTS = 1 << 26
"""Of a dense literal, all of which are in memory where one is written."""


class Aliases(dict[str, Attribute]):
    """The attributes that aliases stand for, and how large they are."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: dict[str, int] = {}
        self.used = 0
        """The sizes of those that were looked up."""

    def __getitem__(self, name: str) -> Attribute:
        self.used += self.sizes[name]
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: Attribute) -> None:
        self.sizes[name] = 1 + self.used
        super().__setitem__(name, value)


class MLIRParser(Parser):
    """Reads `dense<0x4B400000> : vector<4xf32>` as upstream MLIR does, and as xDSL's own printer means it."""

    _builtin_integer_type_regex = re.compile(r"^[su]?i(\d{1,5})$")
    """Wider ones, of which xDSL makes the largest number to compare with, are no types."""

    def __init__(self, ctx: Context, input: str | bytes, name: str = "<unknown>") -> None:
        super().__init__(ctx, "", name)
        self.attribute_aliases = self.aliases = Aliases()
        text = input.decode("utf-8") if isinstance(input, bytes) else input
        self._parser_state = ParserState(LinearLexer(Input(text, name)))
        self._resources: dict[tuple[str, str], str] = {}

    def _parse_dialect_resource_handle(
        self, dialect_name: str, interface: OpAsmDialectInterface
    ) -> str:
        """The name of a resource among those of the process, one for each name in the text. xDSL forgets which it gave."""
        key = (dialect_name, self.parse_identifier(" for resource handle"))
        if key not in self._resources:
            self._resources[key] = interface.declare_resource(key[1])
            self.dialect_resources.add((dialect_name, self._resources[key]))
        return self._resources[key]

    class _BitsElement(Parser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
        """An element written as `0x...`: the bits of a float, the value of an integer."""

        def to_type(self, parser: Any, type: Any) -> Any:
            if not isinstance(type, AnyFloat):
                return super().to_type(parser, type)
            size = type.compile_time_size
            bits = cast(int, self.value)
            if bits >= 1 << (8 * size):
                parser.raise_error(f"a {type} has {8 * size} bits", at_position=self.span)
            return type.unpack(bits.to_bytes(size, "little"), 1)[0]

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        try:
            return super().parse_module(allow_implicit_module)
        except RecursionError:
            self.raise_error("this is nested too deep")
        except VerifyException as error:  # of an attribute, which does not know where it stands
            self.raise_error(str(error))

    def _parse_dense_literal_type(self) -> Any:
        type_ = super()._parse_dense_literal_type()
        if prod(type_.get_shape()) > MOST_ELEMENTS:
            self.raise_error(
                f"a literal has {MOST_ELEMENTS} elements at most, which {type_} has not"
            )
        return type_

    def _parse_alias_def(self) -> None:
        self.aliases.used = 0
        super()._parse_alias_def()
        if self.aliases.used > MOST_ATTRIBUTES:
            self.raise_error(
                f"an alias stands for more than {MOST_ATTRIBUTES} attributes before this"
            )

    def _parse_tensor_literal_element(self) -> Parser._TensorLiteralElement:  # pyright: ignore[reportPrivateUsage]
        element = super()._parse_tensor_literal_element()
        if element.span.text.startswith("0x"):
            return self._BitsElement(False, element.value, element.span)
        return element
