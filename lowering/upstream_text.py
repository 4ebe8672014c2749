"""Reads back what the passes print: upstream's text of operations that xDSL 0.74 reads for scalars only, or not at all.

A dialect of this module is xDSL's with some operations exchanged for readers. A reader stands for an operation in the parser
only: what it makes is xDSL's own operation on scalars, and the one of upstream_ops.py on vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects import arith, linalg, llvm, memref
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    StringAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.dialects.linalg.attrs import IteratorType, IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.parser import Parser

from lowering import upstream_ops


class Reader(Operation):
    """Makes `SCALAR` operations, or `VECTOR` ones where an operand is a vector."""

    SCALAR: ClassVar[type[Operation]]
    VECTOR: ClassVar[type[Operation]]

    @classmethod
    def create(cls, *, operands: Sequence[SSAValue] = (), **rest: Any) -> Any:
        on_vectors = any(isinstance(operand.type, VectorType) for operand in operands)
        return (cls.VECTOR if on_vectors else cls.SCALAR).create(operands=operands, **rest)


def _operands(parser: Parser, types: Callable[[], Sequence[Attribute]]) -> Sequence[SSAValue]:
    """`%a, %b : types`; what stands between the operands and the colon is an attribute dictionary."""
    position = parser.pos
    unresolved = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, parser.parse_unresolved_operand
    )
    parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return parser.resolve_operands(unresolved, types(), position)


class SelectReader(Reader):
    """`%cond, %lhs, %rhs : [condition type,] result type`."""

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        def types() -> list[Attribute]:
            written = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
            return [written[0] if len(written) == 2 else i1, written[-1], written[-1]]

        operands = _operands(parser, types)
        return cls.create(operands=operands, result_types=[operands[1].type])


class CompareReader(Reader):
    """`olt, %lhs, %rhs : operand type`; the llvm dialect has the predicate in quotes and no comma after it."""

    PREDICATES: ClassVar[Sequence[str]]

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        position = parser.pos
        predicate = parser.parse_optional_str_literal()
        if predicate is None:
            predicate = parser.parse_identifier()
            parser.parse_punctuation(",")
        if predicate not in cls.PREDICATES:
            parser.raise_error(f"'{predicate}' is no predicate of {cls.name}", position)
        operands = _operands(parser, lambda: [parser.parse_type()] * 2)
        compared = operands[0].type
        is_vector = isinstance(compared, VectorType)
        result = VectorType(i1, cast("VectorType[Attribute]", compared).shape) if is_vector else i1
        number = IntegerAttr(list(cls.PREDICATES).index(predicate), i64)
        return cls.create(
            operands=operands, result_types=[result], properties={"predicate": number}
        )


class CastReader(Reader):
    """`%arg : argument type to result type`."""

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        operands = _operands(parser, lambda: [parser.parse_type()])
        parser.parse_characters("to")
        return cls.create(operands=operands, result_types=[parser.parse_type()])


class GenericReader(Reader):
    """`linalg.generic`, whose result types stand in parentheses where there are several."""

    name = GenericOp.name
    SCALAR = VECTOR = GenericOp

    @classmethod
    def parse(cls, parser: Parser) -> Any:
        attributes = parser.parse_optional_attr_dict()
        iterators = cast("ArrayAttr[Any]", attributes.pop("iterator_types"))
        properties: dict[str, Attribute] = {
            "indexing_maps": attributes.pop("indexing_maps"),
            "iterator_types": ArrayAttr(map(_iterator, iterators)),
        }
        for name in ("doc", "library_call"):
            if name in attributes:
                properties[name] = attributes.pop(name)
        inputs, outputs = _group(parser, "ins"), _group(parser, "outs")
        segments = [len(inputs), len(outputs)]
        properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)
        if parser.parse_optional_keyword("attrs"):
            parser.parse_punctuation("=")
            attributes |= parser.parse_optional_attr_dict()
        return cls.create(
            regions=[parser.parse_region()],
            operands=[*inputs, *outputs],
            result_types=_result_types(parser),
            properties=properties,
            attributes=attributes,
        )


def _iterator(iterator: StringAttr | IteratorTypeAttr) -> IteratorTypeAttr:
    return (
        IteratorTypeAttr(IteratorType(iterator.data))
        if isinstance(iterator, StringAttr)
        else iterator
    )


def _group(parser: Parser, name: str) -> Sequence[SSAValue]:
    """`ins(%a, %b : type, type)`, or nothing."""
    if parser.parse_optional_characters(name) is None:
        return ()
    parser.parse_punctuation("(")
    none = parser.Delimiter.NONE
    values = _operands(parser, lambda: parser.parse_comma_separated_list(none, parser.parse_type))
    parser.parse_punctuation(")")
    return values


def _result_types(parser: Parser) -> Sequence[Attribute]:
    if parser.parse_optional_punctuation("->") is None:
        return ()
    several = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if several is None else several


def _reader(
    base: type[Reader],
    made: type[Operation],
    on_vectors: type[Operation] | None = None,
    **more: Any,
) -> type[Reader]:
    members = {"name": made.name, "SCALAR": made, "VECTOR": on_vectors or made, **more}
    return type(f"{made.__name__}Reader", (base,), members)


def _arith_readers() -> Iterator[type[Reader]]:
    predicates = {
        arith.CmpfOp: CMPF_COMPARISON_OPERATIONS,
        arith.CmpiOp: CMPI_COMPARISON_OPERATIONS,
    }
    for scalar, vector in upstream_ops.VECTOR_FORMS.items():
        if scalar is arith.SelectOp:
            yield _reader(SelectReader, scalar, vector)
        elif scalar in predicates:
            yield _reader(CompareReader, scalar, vector, PREDICATES=tuple(predicates[scalar]))
        else:
            yield _reader(CastReader, scalar, vector)


def _llvm_readers() -> Iterator[type[Reader]]:
    yield _reader(SelectReader, upstream_ops.LLVMSelectOp)
    yield _reader(
        CompareReader, upstream_ops.LLVMFCmpOp, PREDICATES=tuple(CMPF_COMPARISON_OPERATIONS)
    )
    for cast_op in (
        upstream_ops.LLVMFPToSIOp,
        upstream_ops.LLVMFPToUIOp,
        upstream_ops.LLVMUIToFPOp,
    ):
        yield _reader(CastReader, cast_op)


def _with_readers(dialect: Dialect, readers: Iterator[type[Reader]]) -> Dialect:
    """The dialect with these readers in place of its operations of the same names."""
    exchanged: Mapping[str, type[Operation]] = {reader.name: reader for reader in readers}
    kept = [op for op in dialect.operations if op.name not in exchanged]
    return Dialect(dialect.name, [*kept, *exchanged.values()], list(dialect.attributes))


def arith_dialect() -> Dialect:
    return _with_readers(arith.Arith, _arith_readers())


def memref_dialect() -> Dialect:
    operations = [*memref.MemRef.operations, upstream_ops.MemrefPrefetchOp]
    return Dialect(memref.MemRef.name, operations, list(memref.MemRef.attributes))


def linalg_dialect() -> Dialect:
    return _with_readers(linalg.Linalg, iter([GenericReader]))


def llvm_dialect() -> Dialect:
    return _with_readers(llvm.LLVM, _llvm_readers())
