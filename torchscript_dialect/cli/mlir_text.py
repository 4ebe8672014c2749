"""MLIR text as the driver reads it: xDSL's parser, for which hexadecimal floats in dense literals are bits, not integers, and which
takes linear time for what is no string literal, and which reads several texts whose resources have the same names.
"""

from __future__ import annotations

import re
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import AnyFloat
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRLexer


class LinearLexer(MLIRLexer):
    """xDSL's pattern repeats repetitions: for a quote that nothing closes it tries all ways to divide the rest of the line, which are
    two to the power of its length.
    """

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"')


class MLIRParser(Parser):
    """Reads `dense<0x4B400000> : vector<4xf32>` as upstream MLIR does, and as xDSL's own printer means it."""

    def __init__(self, ctx: Context, input: str | bytes, name: str = "<unknown>") -> None:
        super().__init__(ctx, "", name)
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

    def _parse_tensor_literal_element(self) -> Parser._TensorLiteralElement:  # pyright: ignore[reportPrivateUsage]
        element = super()._parse_tensor_literal_element()
        if element.span.text.startswith("0x"):
            return self._BitsElement(False, element.value, element.span)
        return element
