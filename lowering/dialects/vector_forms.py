"""What operations on vectors share whose scalar forms are xDSL's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import IntegerAttr, VectorType, i1, i64
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from lowering.shaped import is_vector


class VectorOperation(IRDLOperation):
    """An operation that computes each lane of its result from that lane of its operands."""

    traits = traits_def(Pure())

    def verify_(self) -> None:
        """All operands and results have the same lanes."""
        types = (*self.operand_types, *self.result_types)
        if len({type_.shape for type_ in types if is_vector(type_)}) > 1:
            raise VerifyException(f"{self.name}: operands and result differ in lanes")


class Select(VectorOperation):
    """Each lane of `lhs` where that lane of `cond` is set, else of `rhs`."""

    T: ClassVar = VarConstraint("T", base(VectorType))

    cond = operand_def(VectorType.constr(i1))
    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(T)

    assembly_format = "$cond `,` $lhs `,` $rhs attr-dict `:` type($cond) `,` type($res)"


class Compare(VectorOperation):
    """A comparison of each lane, `olt, %lhs, %rhs : operand type`."""

    PREDICATES: ClassVar[Sequence[str]] = CMPF_COMPARISON_OPERATIONS

    T: ClassVar = VarConstraint("T", base(VectorType))

    lhs = operand_def(T)
    rhs = operand_def(T)
    res = result_def(VectorType.constr(i1))
    predicate = prop_def(IntegerAttr)

    def verify_(self) -> None:
        """The predicate is known."""
        super().verify_()
        if not 0 <= self.predicate.value.data < len(self.PREDICATES):
            raise VerifyException(f"{self.name}: {self.predicate} is no predicate")

    def print(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(f" {self.PREDICATES[self.predicate.value.data]}, ")
        printer.print_list(self.operands, printer.print_operand)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.lhs.type)

    @classmethod
    def parse(cls, parser: Parser) -> Compare:
        """The inverse of `print`."""
        position = parser.pos
        predicate = parser.parse_identifier()
        if predicate not in cls.PREDICATES:
            parser.raise_error(f"'{predicate}' is no predicate of {cls.name}", position)
        parser.parse_punctuation(",")
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        if not is_vector(type_):
            parser.raise_error(f"{cls.name} compares vectors")
        return cls.create(
            operands=parser.resolve_operands([lhs, rhs], [type_, type_], position),
            result_types=[VectorType(i1, type_.shape)],
            properties={"predicate": IntegerAttr(list(cls.PREDICATES).index(predicate), i64)},
            attributes=attributes,
        )


class Cast(VectorOperation):
    """A conversion of each lane, `%arg : argument type to result type`."""

    arg = operand_def(VectorType)
    res = result_def(VectorType)

    assembly_format = "$arg attr-dict `:` type($arg) `to` type($res)"
