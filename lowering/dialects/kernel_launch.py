"""`kernel.launch`: what a kernel does, before it is a function that the runtime calls."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    eq,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

INDEX = IndexType()


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """What a kernel does for a part of its range.

    `kernel.launch (%begin to %end) in %rows step %grain work %elements cost 284 { ... }`: for [0, %rows) in parts [%begin, %end), which
    come in any order and several at once. Parts begin at multiples of %grain. There are %elements to do in all, of 284 picoseconds
    each; it is not said before it is known. A launch with stages, `(%begin to %end at %stage of 3)`, does what that number tells
    it to: Note [Stages of launches].

    Note [Stages of launches]
    A launch of one part is in stage 0, and does everything. Otherwise all parts are launched once for each stage, from 1 on, so that
    what is written in one is there in the next.
    """

    name = "kernel.launch"

    range = operand_def(IndexType)
    step = operand_def(IndexType)
    work = opt_operand_def(IndexType)
    cost = opt_prop_def(IntegerAttr.constr(eq(i64)))
    stages = opt_prop_def(IntegerAttr.constr(eq(i64)))
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    @classmethod
    def of(cls, body: Block, range: SSAValue, step: SSAValue) -> LaunchOp:
        """The launch of `body`, whose arguments are begin and end of a part."""
        return cls.create(operands=[range, step], regions=[Region(body)])

    def set_work(self, work: SSAValue, cost: int) -> None:
        """Say what there is to do."""
        self.operands = [self.range, self.step, work]
        self.properties["cost"] = IntegerAttr(cost, i64)

    def add_stages(self, count: int) -> SSAValue:
        """Let there be so many stages; gives the number of the one that the launch is in."""
        self.properties["stages"] = IntegerAttr(count, i64)
        stage = self.body.block.insert_arg(INDEX, 2)
        stage.name_hint = "stage"
        return stage

    def verify_(self) -> None:
        """The body takes a part, and numbers are in range."""
        wanted = [INDEX] * (2 if self.stages is None else 3)
        if [argument.type for argument in self.body.block.args] != wanted:
            raise VerifyException("the body takes begin and end, and its stage if it has some")
        if (self.work is None) != (self.cost is None):
            raise VerifyException("what is to be done has a cost, and what costs is to be done")
        if self.cost is not None and self.cost.value.data < 0:
            raise VerifyException("a cost is not negative")

    def print(self, printer: Printer) -> None:
        """See the class."""
        texts = (" (", " to ", " at ")
        pairs = list(zip(texts, self.body.block.args, strict=False))
        for text, value in [*pairs, (") in ", self.range), (" step ", self.step)]:
            if text == ") in " and self.stages is not None:
                printer.print_string(f" of {self.stages.value.data}")
            printer.print_string(text)
            printer.print_ssa_value(value)
        if self.work is not None and self.cost is not None:
            printer.print_string(" work ")
            printer.print_ssa_value(self.work)
            printer.print_string(f" cost {self.cost.value.data}")
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)
        printer.print_op_attributes(self.attributes, print_keyword=True)

    @classmethod
    def parse(cls, parser: Parser) -> LaunchOp:
        """The inverse of `print`."""
        parser.parse_punctuation("(")
        begin = parser.parse_argument(expect_type=False)
        parser.parse_keyword("to")
        arguments = [begin, parser.parse_argument(expect_type=False)]
        stages = None
        if parser.parse_optional_keyword("at") is not None:
            arguments.append(parser.parse_argument(expect_type=False))
            parser.parse_keyword("of")
            stages = IntegerAttr(parser.parse_integer(allow_boolean=False), i64)
        parser.parse_punctuation(")")
        parser.parse_keyword("in")
        range_ = _parse_index(parser)
        parser.parse_keyword("step")
        op = cls.of(Block(), range_, _parse_index(parser))
        if parser.parse_optional_keyword("work") is not None:
            work = _parse_index(parser)
            parser.parse_keyword("cost")
            op.set_work(work, parser.parse_integer(allow_boolean=False))
        body = parser.parse_region([one.resolve(INDEX) for one in arguments])
        if stages is not None:
            op.properties["stages"] = stages
        op.detach_region(0)
        op.add_region(body)
        found = parser.parse_optional_attr_dict_with_keyword()
        op.attributes |= {} if found is None else found.data
        return op


def _parse_index(parser: Parser) -> SSAValue:
    return parser.resolve_operand(parser.parse_unresolved_operand(), INDEX)
