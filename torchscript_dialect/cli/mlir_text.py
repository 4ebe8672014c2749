"""MLIR text as the driver reads it: xDSL's parser, for which hexadecimal floats in dense literals are bits, not integers."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import AnyFloat
from xdsl.parser import Parser


class MLIRParser(Parser):
    """Reads `dense<0x4B400000> : vector<4xf32>` as upstream MLIR does, and as xDSL's own printer means it."""

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
