"""Operations of linalg whose text xDSL 0.74 prints and does not read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.parser import Parser


class MultiResultGenericOp(GenericOp):
    """`linalg.generic` with several results, whose types stand in parentheses."""

    name = "linalg_ext.generic"

    @classmethod
    def parse(cls, parser: Parser) -> MultiResultGenericOp:
        """The inverse of `print`."""
        attributes = parser.parse_optional_attr_dict()
        iterators = cast("ArrayAttr[StringAttr]", attributes["iterator_types"])
        inputs, outputs = _group(parser, "ins"), _group(parser, "outs")
        extra: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("attrs"):
            parser.parse_punctuation("=")
            extra = parser.parse_optional_attr_dict()
        body = parser.parse_region()
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        op = cls(
            inputs,
            outputs,
            body,
            cast("ArrayAttr[Any]", attributes["indexing_maps"]),
            [IteratorTypeAttr(IteratorType(one.data)) for one in iterators],
            types,
        )
        op.attributes |= extra
        return op


def _group(parser: Parser, name: str) -> Sequence[SSAValue]:
    """`ins(%a, %b : type, type)`, or nothing."""
    if parser.parse_optional_characters(name) is None:
        return ()
    position = parser.pos
    none = parser.Delimiter.NONE
    parser.parse_punctuation("(")
    unresolved = parser.parse_comma_separated_list(none, parser.parse_unresolved_operand)
    parser.parse_punctuation(":")
    types = parser.parse_comma_separated_list(none, parser.parse_type)
    parser.parse_punctuation(")")
    return parser.resolve_operands(unresolved, types, position)


LinalgExt = Dialect("linalg_ext", [MultiResultGenericOp])
