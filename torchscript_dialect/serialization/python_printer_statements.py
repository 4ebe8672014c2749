"""The statements of a function's body (python_print.cpp: `printNode`, `printBlock`)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.places import source_place
from torchscript_dialect.dialects.prim import ConstantOp, IfOp, LoopOp, type_of, yielded
from torchscript_dialect.serialization.python_printer_expressions import (
    Expressions,
    attribute_name,
    constant_of,
)
from torchscript_dialect.serialization.python_printer_inlining import (
    TERMINATORS,
    inlined_nodes,
    inner_blocks,
)
from torchscript_dialect.serialization.python_printer_tables import (
    Annotations,
    Constants,
    Dependencies,
    Names,
)
from torchscript_dialect.serialization.source_marks import SourceMarks, shown_length
from torchscript_dialect.types.containers import OptionalType, UnionType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.errors import TorchScriptError

LONG = 40
"""From this length on, indentation counted, an expression gets a line and a name of its own."""
INT64_MAX = 2**63 - 1

Steps = Generator["Steps", None, None]
"""Printing that yields what is to be printed before it goes on, so that nesting takes no stack."""


class Output:
    """The lines of code written so far, and what is collected meanwhile."""

    def __init__(
        self, annotations: Annotations, constants: Constants, dependencies: Dependencies
    ) -> None:
        self.annotations = annotations
        self.constants = constants
        self.dependencies = dependencies
        self.names = Names()
        self.level = 0
        self.lines: list[str] = []
        self.marks: SourceMarks | None = None
        """What notes where code came from, if somebody asks for that."""
        self.location: Attribute | None = None
        """The place of what lines are written for."""

    def line(self, text: str) -> None:
        """Write a line at the current level."""
        text = f"{'  ' * self.level}{text}"
        if self.marks is not None:
            text = self.marks.around(self.location, text)
        self.lines.append(f"{text}\n")

    @contextmanager
    def indented(self) -> Generator[None]:
        """Lines written in the body are one level deeper."""
        self.level += 1
        yield
        self.level -= 1


class FunctionBody:
    """Writes the statements of one function."""

    def __init__(self, out: Output) -> None:
        self.out = out
        self.inlined: set[Operation] = set()
        self.seen_constants: set[Operation] = set()
        self.identifiers: dict[SSAValue, str] = {}
        self.texts: dict[SSAValue, str] = {}
        """Expressions of values that no statement has given a name."""
        self.annotated: set[SSAValue] = set()
        """Values of union types whose type has been written."""
        self.split_up_to: dict[Operation, int] = {}
        """The last operand up to which the operands of a long expression have lines of their own."""
        self.expressions = Expressions(
            self.text_of, out.annotations, out.constants, out.dependencies
        )

    def define_argument(self, value: SSAValue, name: str, *, is_annotated: bool) -> None:
        """Let a name stand for an argument of the function."""
        self.identifiers[value] = name
        if is_annotated:
            self.annotated.add(value)

    def print(self, block: Block) -> None:
        """Write the body of the function, a level deeper than where the printer is."""
        steps: list[Steps] = [self._body(block)]
        while steps:
            inner = next(steps[-1], None)
            if inner is None:
                steps.pop()
            else:
                steps.append(inner)

    # Values

    def text_of(self, value: SSAValue) -> str:
        """What stands for a value where it is used."""
        text = self.identifiers.get(value)
        return self.texts[value] if text is None else text

    def _name(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            self.identifiers[value] = self.out.names.unique_for(value)

    def _join(self, values: Iterable[SSAValue]) -> str:
        return ", ".join(map(self.text_of, values))

    # Statements

    def _body(self, block: Block) -> Steps:
        constants = self._constants_in(block)
        self.inlined |= inlined_nodes(block)
        with self.out.indented():
            for constant in constants:
                self._scan_types(constant)
                self._print_expression(constant)
            results = _terminator(block).operands
            yield self._block(block, has_more=bool(results))
            if results:
                self._scan_types(_terminator(block))
                self.out.line(f"return {self._join(results)}")

    def _constants_in(self, block: Block) -> list[ConstantOp]:
        """Constants in the order in which they are used, those of inner blocks too."""
        found: list[ConstantOp] = []
        walks = [iter(block.ops)]
        while walks:
            op = next(walks[-1], None)
            if op is None:
                walks.pop()
                continue
            for operand in op.operands:
                owner = operand.owner
                if isinstance(owner, ConstantOp) and owner not in self.seen_constants:
                    self.seen_constants.add(owner)
                    found.append(owner)
            walks += [iter(inner.ops) for inner in reversed(inner_blocks(op))]
        return found

    def _block(self, block: Block, *, has_more: bool) -> Steps:
        last = _terminator(block)
        if not has_more and block.first_op is last:
            self.out.line("pass")
        for op in block.ops:
            if op is last or isinstance(op, ConstantOp):
                continue
            if not isinstance(op, TorchScriptOp):
                raise TorchScriptError(f"'{op.name}' is no node of a TorchScript graph")
            self._scan_types(op)
            self.out.location = op.location
            statement = _STATEMENTS.get(op.KIND)
            if statement is None:
                self._print_expression(op)
            elif (steps := statement(self, op)) is not None:
                yield steps

    def _scan_types(self, op: Operation) -> None:
        add = self.out.dependencies.add_named_in
        for value in (*op.operands, *op.results):
            add(type_of(value))
        types = op.attributes.get("types")
        if isinstance(types, ArrayAttr):
            for type_ in cast("ArrayAttr[Attribute]", types):
                if isinstance(type_, TorchScriptType):
                    add(type_)

    def _print_expression(self, op: TorchScriptOp) -> None:
        """Write the node as a line, or keep its text for where it is used."""
        text = self.expressions.of(op)
        if self.out.marks is not None and not isinstance(op, ConstantOp):
            text = self.out.marks.around(op.location, text)
        is_long = shown_length(text) + 2 * self.out.level >= LONG
        if op not in self.inlined or (is_long and isinstance(op, ConstantOp)):
            self._define(op, text)
            return
        self.texts[op.results[0]] = text
        if is_long:
            self._split(op.results[0])

    def _define(self, op: Operation, text: str) -> None:
        self._name(op.results)
        names = self._join(op.results)
        self.out.line(f"{names} = {text}" if names else text)

    def _split(self, value: SSAValue) -> None:
        """Give a line of its own to a value whose text is long, and to all that is evaluated before it.

        Else these would run after it. Operands that have been looked at are not looked at again.
        """
        use = value.get_unique_use()
        first = None if use is None else use.operation
        reversed_values: list[SSAValue] = []
        while use is not None:
            user, index = use.operation, use.index
            if user is not first:
                index -= 1  # the operand itself is being written
            known = self.split_up_to.get(user)
            for place in range(index, -1 if known is None else known, -1):
                operand = user.operands[place]
                if operand.owner in self.inlined and not isinstance(operand.owner, ConstantOp):
                    reversed_values.append(operand)
            self.split_up_to[user] = index
            if known is not None or user not in self.inlined:
                break
            use = user.results[0].get_unique_use()
        for operand in reversed(reversed_values):
            owner = operand.owner
            assert isinstance(owner, Operation)
            self._define(owner, self.text_of(operand))

    def _assign(self, targets: Sequence[SSAValue], values: Iterable[SSAValue]) -> None:
        if not targets:
            return
        text = self._join(targets)
        if len(targets) == 1:
            only = targets[0]
            if only not in self.annotated and only not in self.texts and _is_union(only):
                text += f" : {type_of(only).annotation_str}"
                self.annotated.add(only)
        self.out.line(f"{text} = {self._join(values)}")

    def print_if(self, op: TorchScriptOp) -> Steps:
        assert isinstance(op, IfOp)
        self._name(op.results)
        self.out.line(f"if {self.text_of(op.condition)}:")
        for index, region in enumerate(op.regions):
            if index:
                self.out.line("else:")
            with self.out.indented():
                yield self._block(region.block, has_more=bool(op.results))
                self._assign(op.results, yielded(region))

    def print_loop(self, op: TorchScriptOp) -> Steps:
        assert isinstance(op, LoopOp)
        is_for = _is_for_loop(op)
        block = op.body.block
        self._name(op.results)
        for argument, result in zip(block.args[1:], op.results, strict=True):
            self.texts[argument] = self.text_of(result)
        for result, initial in zip(op.results, op.carried, strict=True):
            text = self.text_of(result)
            if self._needs_annotation(result, initial):
                text += f": {self.out.annotations.of(type_of(result))}"
            self.out.line(f"{text} = {self.text_of(initial)}")
        # In a while loop, the variable of the trip number, which nothing uses, stands for the condition.
        self._name(block.args[:1])
        counter = self.text_of(block.args[0])
        if is_for:
            self.out.line(f"for {counter} in range({self.text_of(op.max_trip_count)}):")
        else:
            self._assign(block.args[:1], [op.condition])
            self.out.line(f"while {counter}:")
        with self.out.indented():
            first = 1 if is_for else 0
            targets = block.args[first:]
            yield self._block(block, has_more=bool(targets))
            self._assign(targets, yielded(op.body)[first:])

    def _needs_annotation(self, target: SSAValue, value: SSAValue) -> bool:
        if not _is_union(target):
            return target.type != value.type
        is_new = target not in self.annotated
        self.annotated.add(target)
        return is_new

    def print_unpack(self, op: TorchScriptOp) -> None:
        self._name(op.results)
        targets = f"{self._join(op.results)}, = " if op.results else ""
        self.out.line(f"{targets}{self.text_of(op.operands[0])}")

    def print_set_attribute(self, op: TorchScriptOp) -> None:
        owner, value = map(self.text_of, op.operands)
        self.out.line(f"{owner}.{attribute_name(op)} = {value}")

    def print_fork(self, op: TorchScriptOp) -> Steps:
        return self._call_later(op, "fork", "__forked_function")

    def print_awaitable(self, op: TorchScriptOp) -> Steps:
        return self._call_later(op, "awaitable", "__awaitable_function")

    def _call_later(self, op: TorchScriptOp, function: str, prefix: str) -> Steps:
        name = self.out.names.unique(prefix)
        self.out.line(f"def {name}():")
        block = _subgraph(op).block
        for argument, operand in zip(block.args, op.operands, strict=True):
            self.texts[argument] = self.text_of(operand)
        yield self._body(block)
        self._define(op, f"{function}({name})")

    def print_closure(self, op: TorchScriptOp) -> Steps:
        self._name(op.results)
        block = _subgraph(op).block
        self._name(block.args)
        arguments = ", ".join(
            f"{self.text_of(value)}: {self.out.annotations.of(type_of(value))}"
            for value in block.args
        )
        self.out.line(f"def {self.text_of(op.results[0])}({arguments}):")
        yield self._body(block)

    def print_enter(self, op: TorchScriptOp) -> None:
        text = f"with {self.text_of(op.operands[0])}"
        if op.results[0].first_use is not None:
            self._name(op.results)
            text += f" as {self.text_of(op.results[0])}"
        self.out.line(f"{text}:")
        self.out.level += 1

    def print_exit(self, op: TorchScriptOp) -> None:
        if op.prev_op is not None and op.prev_op.name == "prim.Enter":
            self.out.line("pass")
        self.out.level -= 1

    def print_container_index(self, op: TorchScriptOp) -> None:
        self._name(op.results)
        (result,), (container, key) = op.results, map(self.text_of, op.operands)
        type_ = type_of(result).annotation_str
        self.out.line(f"{self.text_of(result)} : {type_} = {container}[{key}]")


_STATEMENTS: dict[str, Callable[[FunctionBody, TorchScriptOp], Steps | None]] = {
    "prim::If": FunctionBody.print_if,
    "prim::Loop": FunctionBody.print_loop,
    "prim::TupleUnpack": FunctionBody.print_unpack,
    "prim::ListUnpack": FunctionBody.print_unpack,
    "prim::SetAttr": FunctionBody.print_set_attribute,
    "prim::fork": FunctionBody.print_fork,
    "prim::awaitable": FunctionBody.print_awaitable,
    "prim::Closure": FunctionBody.print_closure,
    "prim::Enter": FunctionBody.print_enter,
    "prim::Exit": FunctionBody.print_exit,
    "prim::ModuleContainerIndex": FunctionBody.print_container_index,
}
"""The nodes that are statements; all others are expressions."""


def _terminator(block: Block) -> Operation:
    last = block.last_op
    if last is None or last.name not in TERMINATORS:
        raise TorchScriptError("a block of the graph does not end with its results")
    return last


def _subgraph(op: TorchScriptOp) -> Region:
    if not op.regions:
        raise TorchScriptError(f"{op.KIND} needs a sub-graph")
    return op.regions[0]


def _is_union(value: SSAValue) -> bool:
    return isinstance(value.type, (OptionalType, UnionType))


def _is_true(value: SSAValue) -> bool:
    constant = constant_of(value)
    return constant is not None and constant.value is True


def _is_for_loop(op: LoopOp) -> bool:
    """Whether the loop is a `for`, rather than a `while` (PyTorch: `LoopView::loopType`).

    Raises:
        TorchScriptError: it is both, which Python has no statement for, or it is not in SSA form.
    """
    location = source_place(op.location)
    place = ""
    if location is not None:
        place = f" ({location.filename.data}:{location.line.data}:{location.column.data})"
    if len(op.regions) != 1:
        raise TorchScriptError(
            f"the code of a loop that is not in SSA form cannot be written{place}"
        )
    always = _is_true(op.condition) and _is_true(yielded(op.body)[0])
    limit = constant_of(op.max_trip_count)
    counts = (
        limit is None or limit.value != INT64_MAX or op.body.block.args[0].first_use is not None
    )
    if counts and not always:
        raise TorchScriptError(
            f"a loop with both a trip count and a condition has no Python code{place}"
        )
    return counts
