"""What upstream's nvvm dialect has for tensor cores: the product of small matrices, whose elements the threads of a warp hold."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, StringAttr, VectorType, f16, f32, i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

PAIR = VectorType(f16, [2])
TOTALS = LLVMStructType.from_type_list([f32] * 4)
"""What a thread has of the result."""


@irdl_attr_definition
class MMAShapeAttr(ParametrizedAttribute):
    """The sizes of a product: `#nvvm.shape<m = 16, n = 8, k = 16>`."""

    name = "nvvm.shape"
    m: IntAttr
    n: IntAttr
    k: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """The inverse of `print_parameters`."""
        sizes: list[IntAttr] = []
        with parser.in_angle_brackets():
            for name in "mnk":
                if sizes:
                    parser.parse_punctuation(",")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                sizes.append(IntAttr(parser.parse_integer()))
        return sizes

    def print_parameters(self, printer: Printer) -> None:
        """See the class."""
        with printer.in_angle_brackets():
            printer.print_string(f"m = {self.m.data}, n = {self.n.data}, k = {self.k.data}")


class _Word(ParametrizedAttribute):
    """A word between angle brackets."""

    word: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """The inverse of `print_parameters`."""
        with parser.in_angle_brackets():
            return [StringAttr(parser.parse_identifier())]

    def print_parameters(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(f"<{self.word.data}>")


@irdl_attr_definition
class MMALayoutAttr(_Word):
    """Whether rows or columns of a matrix lie along registers: `#nvvm.mma_layout<row>`."""

    name = "nvvm.mma_layout"
    word: StringAttr


@irdl_attr_definition
class MMATypesAttr(_Word):
    """The elements of registers that are `i32`: `#nvvm.mma_type<bf16>`."""

    name = "nvvm.mma_type"
    word: StringAttr


@irdl_attr_definition
class FPRoundingModeAttr(_Word):
    """How a float is rounded: `#nvvm.fp_rnd_mode<rna>`."""

    name = "nvvm.fp_rnd_mode"
    word: StringAttr


TO_NEAREST_AWAY = FPRoundingModeAttr(StringAttr("rna"))
ROW, COLUMN = MMALayoutAttr(StringAttr("row")), MMALayoutAttr(StringAttr("col"))
REGISTERS: dict[tuple[str, int], tuple[int, int]] = {
    ("f16", 8): (2, 1),
    ("f16", 16): (4, 2),
    ("bf16", 16): (4, 2),
    ("tf32", 8): (4, 2),
}
"""How many registers a thread has of the factors, by the type of elements and K."""
OLDEST_SM = {("f16", 8): 75}
"""The oldest devices that have the product; 80 where nothing stands here."""


@irdl_op_definition
class MmaOp(IRDLOperation):
    """A warp multiplies a matrix of 16 rows, and K columns, by one of K rows and 8 columns, and adds it to one of 16 by 8:
    `%0 = nvvm.mma.sync A[%a0, %a1] B[%b0] C[%c0, %c1, %c2, %c3] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
    shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>`.

    Rows of the first factor, and columns of the second one, lie in registers along K; `multiplicandAPtxType` and
    `multiplicandBPtxType` name the elements of registers that are `i32` (PTX ISA, section 9.7.14.5).
    """

    name = "nvvm.mma.sync"
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    a = var_operand_def()
    b = var_operand_def()
    c = var_operand_def(f32)
    shape = prop_def(MMAShapeAttr)
    layoutA = prop_def(MMALayoutAttr)
    layoutB = prop_def(MMALayoutAttr)
    multiplicandAPtxType = opt_prop_def(MMATypesAttr)
    multiplicandBPtxType = opt_prop_def(MMATypesAttr)
    res = result_def()

    @classmethod
    def of(
        cls,
        a: Sequence[SSAValue],
        b: Sequence[SSAValue],
        c: Sequence[SSAValue],
        element: str,
        k: int,
    ) -> MmaOp:
        """The product of elements of a type."""
        properties: dict[str, Attribute] = {
            "layoutA": ROW,
            "layoutB": COLUMN,
            "shape": MMAShapeAttr(IntAttr(16), IntAttr(8), IntAttr(k)),
        }
        if element != "f16":
            type_ = MMATypesAttr(StringAttr(element))
            properties |= {"multiplicandAPtxType": type_, "multiplicandBPtxType": type_}
        return cls(operands=[a, b, c], result_types=[TOTALS], properties=properties)

    @property
    def kind(self) -> tuple[str, int]:
        """The type of elements, and K."""
        type_ = self.multiplicandAPtxType
        return "f16" if type_ is None else type_.word.data, self.shape.k.data

    @property
    def oldest_sm(self) -> int:
        """The oldest devices that have it."""
        return OLDEST_SM.get(self.kind, 80)

    @classmethod
    def parse(cls, parser: Parser) -> MmaOp:
        """The inverse of `print`."""
        groups: list[list[UnresolvedOperand]] = []
        for name in "ABC":
            parser.parse_keyword(name)
            groups.append(
                parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE, parser.parse_unresolved_operand
                )
            )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        result = parser.parse_type()
        operands = [
            parser.resolve_operands(group, [type_] * len(group), parser.pos)
            for group, type_ in zip(groups, types, strict=True)
        ]
        return cls(operands=operands, result_types=[result], properties=attributes)

    def print(self, printer: Printer) -> None:
        """See the class."""
        for name, group in zip("ABC", (self.a, self.b, self.c), strict=True):
            printer.print_string(f" {name}[")
            printer.print_list(group, printer.print_ssa_value)
            printer.print_string("]")
        names = sorted(name for name in self.properties if name != "operandSegmentSizes")
        printer.print_op_attributes({name: self.properties[name] for name in names})
        printer.print_string(" : (")
        printer.print_list(
            [one[0].type for one in (self.a, self.b, self.c)], printer.print_attribute
        )
        printer.print_string(") -> ")
        printer.print_attribute(self.res.type)

    def verify_(self) -> None:
        """The product is one that devices have, and a thread has as many registers of it as that asks for."""
        m, n = self.shape.m.data, self.shape.n.data
        counts = REGISTERS.get(self.kind)
        if (m, n) != (16, 8) or counts is None:
            raise VerifyException(f"no device multiplies {self.kind[0]} in such pieces")
        if self.multiplicandAPtxType != self.multiplicandBPtxType:
            raise VerifyException("the factors have elements of one type")
        if (self.layoutA, self.layoutB) != (ROW, COLUMN):
            raise VerifyException(
                "rows of the first factor lie in registers, and columns of the second"
            )
        if (len(self.a), len(self.b), len(self.c)) != (*counts, 4):
            raise VerifyException(
                f"a thread has {counts} registers of the factors, and 4 of the sum"
            )
        register = PAIR if self.kind[0] == "f16" else i32
        if any(value.type != register for value in (*self.a, *self.b)):
            raise VerifyException(f"registers of factors of {self.kind[0]} are {register}")
        if self.res.type != TOTALS:
            raise VerifyException(f"the result is {TOTALS}")
