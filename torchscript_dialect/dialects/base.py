"""What all TorchScript ops share: their shape in memory and one textual form.

`%r = aten.add.Tensor(%a, %b, %one) {attributes} : (types) -> type`, with regions after the attributes. The form is one for
all ops, so that an op without an entry in any table still parses and prints.
"""

from __future__ import annotations

from typing import ClassVar, Self

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Operation, OpResult, OpTraits
from xdsl.parser import Parser
from xdsl.printer import Printer

from torchscript_dialect.utils.nominal import Nominal


class TorchScriptOp(Operation, metaclass=Nominal):
    """A node of a TorchScript graph."""

    KIND: ClassVar[str]
    """PyTorch's name for it: `aten::add`."""

    traits = OpTraits(lambda: ())

    @property
    def result(self) -> OpResult:
        """The only result.

        Raises:
            ValueError: the op has none or several.
        """
        if len(self.results) != 1:
            raise ValueError(f"{self.name} has {len(self.results)} results, not one")
        return self.results[0]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        start = parser.pos
        unresolved = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        regions = parser.parse_region_list() if parser.parse_optional_keyword("do") else []
        parser.parse_punctuation(":")
        type_position = parser.pos
        signature = parser.parse_type()
        if not isinstance(signature, FunctionType):
            parser.raise_error("expected (operand types) -> (result types)", type_position)
        if len(signature.inputs) != len(unresolved):
            parser.raise_error(
                f"{len(unresolved)} operands but {len(signature.inputs)} operand types", start
            )
        operands = parser.resolve_operands(unresolved, signature.inputs.data, start)
        return cls.create(
            operands=operands,
            result_types=signature.outputs.data,
            attributes=attributes,
            regions=regions,
        )

    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        if self.regions:
            printer.print_string(" do (")
            for index, region in enumerate(self.regions):
                if index:
                    printer.print_string(", ")
                printer.print_region(region)
            printer.print_string(")")
        printer.print_string(" : ")
        printer.print_attribute(
            FunctionType.from_lists(list(self.operand_types), list(self.result_types))
        )
