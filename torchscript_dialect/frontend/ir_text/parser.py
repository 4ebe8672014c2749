"""Ops from canonical graph text (PyTorch: torch/csrc/jit/ir/irparser.cpp).

A text holds one graph or several (`graph @f(...)`), each followed by the sub-graphs that its nodes name. Types of values decide
which overload of an operator a node is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from xdsl.dialects.builtin import (
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.operators import class_for, resolve_operator
from torchscript_dialect.dialects.prim import YieldOp, kind_class
from torchscript_dialect.frontend.ir_text.attributes import to_attributes
from torchscript_dialect.frontend.ir_text.literals import LiteralParser
from torchscript_dialect.ir.edit import set_name
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.types.text import Scanner, TextError, parse_declared_type
from torchscript_dialect.utils.errors import ParseError, internal_error, is_told
from torchscript_dialect.utils.recursion import deep_calls
from torchscript_dialect.utils.source_range import SourceRange

_SUBGRAPH = re.compile(r"^with\s+(?P<name>[\w:]+)\s*=\s*graph\b", re.MULTILINE)
_GRAPH = re.compile(r"^graph\b", re.MULTILINE)
_SECTION = re.compile(r"^(with|graph)\b", re.MULTILINE)
_SCOPE_END = re.compile(r"[#\n]")
_LOCATION = re.compile(r"#\s*(?P<file>.*):(?P<line>\d+):(?P<column>\d+)\s*$")
_NUMBERED = re.compile(r"^(?P<kind>\w+::\w+)_\d+$")
_VALUE_NAME = re.compile(r"[A-Za-z_][\w.]*")


def parse_ir_text(text: str, filename: str = "<text>") -> ModuleOp:
    """The module of functions that a graph text holds; a graph without a name is `forward`.

    Raises:
        ParseError: the text is no graph text, with the place where it stops being one.
    """
    with deep_calls():
        return _TextParser(text, filename).module()


def range_of_node(text: str, filename: str, index: int) -> SourceRange | None:
    """Where the node stands in a graph text that is the op of that index in the walk over its module; None for other ops. The text is
    parsed again: ops remember where their program stood, not their graph.
    """
    ranges: dict[Operation, SourceRange] = {}
    with deep_calls():
        module = _TextParser(text, filename, ranges).module()
    return ranges.get(next(islice(module.walk(), index, None)))


class _Name(NamedTuple):
    """The name of a value that is being defined, and where."""

    offset: int
    text: str


class _TextParser(LiteralParser):
    def __init__(
        self, text: str, filename: str, ranges: dict[Operation, SourceRange] | None = None
    ) -> None:
        """`ranges` gets the place of each node in the text."""
        super().__init__(text, filename)
        self.values: dict[str, SSAValue] = {}
        self.subgraphs: dict[str, int] = {}
        """The offsets of the sub-graphs of the current function, by name."""
        self.open_subgraphs: list[str] = []
        self.ranges = ranges
        self.carried: set[str] = set()
        """The sub-graphs of the current function that a node carries."""

    def module(self) -> ModuleOp:
        functions: dict[str, Operation] = {}
        try:
            while self.scanner.kind != "end":
                if self.scanner.token == "#":
                    self._comment()
                elif self.scanner.token == "with":
                    self._skip_subgraph()
                else:
                    start = self.scanner.start
                    function = self._function()
                    if functions.setdefault(function.sym_name.data, function) is not function:
                        message = f"there are two functions @{function.sym_name.data}"
                        raise ParseError(message, self._range(start))
        except TextError as error:
            raise ParseError(error.message, self._range(error.offset)) from None
        except (ValueError, VerifyException) as error:
            raise ParseError(str(error), self._range(self.scanner.start)) from None
        except RecursionError:
            raise self._fail("this is nested too deep") from None
        except Exception as error:
            if is_told(error):
                raise
            place = self._range(self.scanner.start)
            raise internal_error(error, "graph text is read", place) from error
        return ModuleOp([*functions.values()])

    def _function(self) -> FuncOp:
        self.scanner.expect("graph")
        following = _GRAPH.search(self.text, self.scanner.start)
        end = len(self.text) if following is None else following.start()
        found = _SUBGRAPH.finditer(self.text, self.scanner.start, end)
        self.subgraphs = {match["name"]: match.end() for match in found}
        self.carried = set()
        name = "forward"
        if self.scanner.next_if("@"):
            name = self.scanner.expect_kind("name")
        block, results = self._graph()
        block.add_op(ReturnOp(*results))
        function_type = ([a.type for a in block.args], [r.type for r in results])
        return FuncOp(name, function_type, Region(block))

    def _skip_subgraph(self) -> None:
        """Step over a sub-graph: the node that carries it has parsed it."""
        scanner = self.scanner
        match = _SUBGRAPH.match(self.text, scanner.start)
        if match is None:
            raise self._fail("expected `with prim::TensorExprGroup_0 = graph(...)` here")
        if match["name"] not in self.carried:
            raise self._fail(f"no node carries the sub-graph {match['name']}")
        following = _SECTION.search(self.text, match.end())
        scanner.seek(len(self.text) if following is None else following.start())

    def _graph(self) -> tuple[Block, list[SSAValue]]:
        """The block of a graph from its arguments on, and the values that it returns."""
        outer, self.values = self.values, {}
        block = self._arguments()
        while not self.scanner.next_if("return"):
            self._node(block)
        results = self._refs()
        self.scanner.next_if(";")
        self.values = outer
        return block, results

    def _arguments(self) -> Block:
        scanner = self.scanner
        scanner.expect("(")
        names: list[_Name] = []
        types: list[TorchScriptType] = []
        while not scanner.next_if(")"):
            name, type_ = self._typed_name()
            names.append(name)
            types.append(TENSOR if type_ is None else type_)
            if not scanner.next_if(","):
                scanner.expect(")")
                break
        scanner.expect(":")
        block = Block(arg_types=types)
        for name, argument in zip(names, block.args, strict=True):
            self._define(name, argument)
        return block

    def _typed_name(self) -> tuple[_Name, TorchScriptType | None]:
        name = _Name(self.scanner.start, self._value_name())
        has_type = self.scanner.next_if(":")
        return name, parse_declared_type(self.scanner).type if has_type else None

    def _value_name(self) -> str:
        self.scanner.expect("%")
        if self.scanner.kind not in ("name", "number"):
            raise self._fail("expected the name of a value after %")
        return self.scanner.advance()

    def _define(self, name: _Name, value: SSAValue) -> None:
        if name.text in self.values:
            message = f"the value %{name.text} is defined twice"
            raise ParseError(message, self._range(name.offset))
        self.values[name.text] = value
        if _VALUE_NAME.fullmatch(name.text):
            set_name(value, name.text)

    def _refs(self) -> list[SSAValue]:
        scanner = self.scanner
        scanner.expect("(")
        values: list[SSAValue] = []
        while not scanner.next_if(")"):
            start = scanner.start
            name = self._value_name()
            if name not in self.values:
                raise ParseError(f"the value %{name} is not defined here", self._range(start))
            values.append(self.values[name])
            if not scanner.next_if(","):
                scanner.expect(")")
                break
        return values

    def _node(self, block: Block) -> None:
        scanner = self.scanner
        if scanner.token == "#":
            self._comment()
            return
        outputs: list[tuple[_Name, TorchScriptType | None]] = []
        while scanner.token == "%":
            outputs.append(self._typed_name())
            scanner.next_if(",")
        if outputs or scanner.token == "=":
            scanner.expect("=")
        start = scanner.start
        kind = scanner.expect_kind("name")
        if "::" not in kind:
            raise ParseError(f"expected a node such as aten::add, not '{kind}'", self._range(start))
        raw_attributes = self._raw_attributes()
        operands = self._refs()
        scope = self._scope() if scanner.next_if(",") else ""
        location = self._comment() if scanner.token == "#" else UnknownLoc()
        if scope:
            location = NameLoc(StringAttr(scope), location)
        results = _result_types(kind, operands, [type_ for _, type_ in outputs])
        class_, regions = self._class_and_regions(kind, start, operands, results)
        try:
            attributes = to_attributes(raw_attributes, results)
        except (TypeError, ValueError, VerifyException) as error:
            raise ParseError(str(error), self._range(start)) from None
        op = class_.create(
            operands=operands,
            result_types=[_named(type_, raw_attributes) for type_ in results],
            attributes=attributes,
            regions=regions,
            location=location,
        )
        block.add_op(op)
        if self.ranges is not None:
            self.ranges[op] = self._range(start)
        for (name, _), result in zip(outputs, op.results, strict=True):
            self._define(name, result)

    def _class_and_regions(
        self, kind: str, start: int, operands: list[SSAValue], results: list[TorchScriptType]
    ) -> tuple[type[TorchScriptOp], list[Region]]:
        numbered = _NUMBERED.match(kind)
        carrier = None if numbered is None else kind_class(numbered["kind"])
        if carrier is not None and carrier.has_trait(IsolatedFromAbove):
            return carrier, [self._subgraph(kind, start)]
        regions = self._blocks()
        class_ = kind_class(kind)
        if class_ is None:
            class_ = class_for(kind, _types(operands), results)
        return class_, regions

    def _subgraph(self, name: str, start: int) -> Region:
        if name not in self.subgraphs:
            raise ParseError(f"no `with {name} = graph(...)` follows", self._range(start))
        if name in self.open_subgraphs:
            raise ParseError(f"the sub-graph {name} carries itself", self._range(start))
        self.carried.add(name)
        self.open_subgraphs.append(name)
        outer, self.scanner = self.scanner, Scanner(self.text, self.subgraphs[name])
        block, results = self._graph()
        block.add_op(YieldOp.create(operands=results))
        self.scanner = outer
        self.open_subgraphs.pop()
        return Region(block)

    def _blocks(self) -> list[Region]:
        regions: list[Region] = []
        scanner = self.scanner
        while scanner.kind == "name" and re.fullmatch(r"block\d+", scanner.token):
            scanner.advance()
            outer = dict(self.values)
            block = self._arguments()
            while not scanner.next_if("->"):
                self._node(block)
            block.add_op(YieldOp.create(operands=self._refs()))
            self.values = outer
            regions.append(Region(block))
        return regions

    def _scope(self) -> str:
        """Step over `scope: __module.fc`, which graphs of a tracer have between operands and place; gives `__module.fc`."""
        self.scanner.expect("scope")
        start = self.scanner.start
        end = _SCOPE_END.search(self.text, start)
        stop = len(self.text) if end is None else end.start()
        self.scanner.seek(stop)
        return self.text[start:stop].removeprefix(":").strip()

    def _comment(self) -> LocationAttr:
        """Step over a comment; the place that it names."""
        end = self.text.find("\n", self.scanner.start)
        end = len(self.text) if end < 0 else end
        match = _LOCATION.match(self.text[self.scanner.start : end])
        self.scanner.seek(end)
        if match is None:
            return UnknownLoc()
        return FileLineColLoc(
            StringAttr(match["file"]), IntAttr(int(match["line"])), IntAttr(int(match["column"]))
        )


def _result_types(
    kind: str, operands: Sequence[SSAValue], written: Sequence[TorchScriptType | None]
) -> list[TorchScriptType]:
    """The types of a node's results: those that the text leaves out are what the operator gives, or else tensors."""
    known: Sequence[TorchScriptType] | None = None
    if None in written:
        types = _types(operands)
        operator = resolve_operator(kind, types)
        known = None if operator is None else operator.schema.result_types(types)
    if known is None or len(known) != len(written):
        known = [TENSOR] * len(written)
    return [
        of_operator if type_ is None else type_
        for type_, of_operator in zip(written, known, strict=True)
    ]


def _types(operands: Sequence[SSAValue]) -> list[TorchScriptType]:
    return [value.type for value in operands if isinstance(value.type, TorchScriptType)]


def _named(type_: TorchScriptType, attributes: dict[str, Any]) -> TorchScriptType:
    if isinstance(type_, FunctionType):
        return FunctionType(attributes.get("name", ""))
    return type_
