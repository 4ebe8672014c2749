"""Operations of linalg whose text xDSL 0.74 does not read, or whose body it makes wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, MatmulOp, YieldOp
from xdsl.ir import Attribute, Block, Dialect, Region, SSAValue
from xdsl.parser import Parser

from lowering.shaped import element_type


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


class WideningMatmulOp(MatmulOp):
    """`linalg.matmul` that adds up products in a wider float type than that of the factors, as upstream's may."""

    name = "linalg_ext.matmul"

    @classmethod
    def get_hidden_region(cls, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> Region:
        """What is done of an element of each factor and of the result."""
        block = Block(arg_types=[element_type(value.type) for value in (*inputs, *outputs)])
        x, y, total = block.args
        wide = [arith.ExtFOp(one, total.type) for one in (x, y)]
        product = arith.MulfOp(wide[0].result, wide[1].result)
        added = arith.AddfOp(total, product)
        block.add_ops([*wide, product, added, YieldOp(added)])
        return Region(block)


def matmul_of(factor: SSAValue, result: SSAValue) -> type[MatmulOp]:
    """The product of factors of a type that is added up in that of a result."""
    is_one = element_type(factor.type) == element_type(result.type)
    return MatmulOp if is_one else WideningMatmulOp


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


LinalgExt = Dialect("linalg_ext", [MultiResultGenericOp, WideningMatmulOp])
