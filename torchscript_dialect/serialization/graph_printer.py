"""Canonical graph text from ops (PyTorch: torch/csrc/jit/ir/ir.cpp, `operator<<` of Graph and Node).

`graph(%x : Tensor): ... return (%y)`, followed by the sub-graphs that nodes carry, each as
`with prim::TensorExprGroup_0 = graph(...)`.
A tensor constant of more than one element prints its bytes, so that text loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i1,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import (
    ComplexAttr,
    EnumMemberAttr,
    GeneratorAttr,
    PackedAttr,
    TensorAttr,
)
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.places import scope_of, source_place
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import BOOL, TorchScriptType
from torchscript_dialect.types.function_schema import (
    format_complex,
    format_float,
    line_text,
    name_text,
    quote,
)
from torchscript_dialect.types.tensor_type import (
    TENSOR,
    TensorType,
    TypeVerbosity,
    type_verbosity,
)
from torchscript_dialect.utils.recursion import deep_recursion


def print_graph(
    function: FuncOp,
    *,
    name: str | None = None,
    locations: bool = True,
    indented: bool = True,
    fields: bool = True,
) -> str:
    """The text of a function's graph, ending with a newline. Without `fields` the types within `Dict` and `Union` are spelled as
    PyTorch spells them, which cannot be read back.

    `name` is shown after `graph` (`graph @f(...)`), an extension that keeps functions of a module apart. Text that is not
    `indented` is as long as the function is, however deep its blocks nest.
    """
    header = "graph" if name is None else f"graph @{name_text(name)}"
    printer = _GraphPrinter(locations, indented=indented, fields=fields)
    return printer.graph(function.body.block, header).text()


def print_node(op: Operation, names: dict[SSAValue, str]) -> str:
    """The text of a node and its blocks."""
    printer = _GraphPrinter(True)
    printer.node(op, names, 0)
    return printer.text()


def print_block(block: Block) -> str:
    """The text of a block as a graph of its own, without places in the source and names: equal blocks have equal texts."""
    return _GraphPrinter(False, named=False).graph(block, "graph").text()


class _Names(dict[SSAValue, str]):
    """Names of values; one that a malformed graph takes from elsewhere shows its own."""

    def __missing__(self, value: SSAValue) -> str:
        return value.name_hint or "unknown"


def value_names(block: Block) -> dict[SSAValue, str]:
    """The name of every value in a block and in the blocks of its nodes: its own, or a number."""
    names = _Names()
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    unnamed = 0
    for value in _values_in(block):
        hint = value.name_hint
        if not hint:  # xDSL makes `_0` an empty name
            names[value] = str(unnamed)
            unnamed += 1
            continue
        if hint in taken:
            hint = _fresh(hint, taken, numbers)
        taken.add(hint)
        names[value] = hint
    return names


def _fresh(hint: str, taken: set[str], numbers: dict[str, int]) -> str:
    """A name that is not taken; `numbers` knows where the last search for the same one ended."""
    base, dot, number = hint.rpartition(".")
    if not (dot and number.isdigit()):
        base, number = hint, "0"
    count = numbers.get(hint) or int(number) + 1
    while f"{base}.{count}" in taken:
        count += 1
    numbers[hint] = count + 1
    return f"{base}.{count}"


def _numbers(block: Block) -> dict[SSAValue, str]:
    return _Names((value, str(number)) for number, value in enumerate(_values_in(block)))


def _values_in(block: Block) -> list[SSAValue]:
    found: list[SSAValue] = []
    waiting: list[Block | Operation | None] = [block]
    while waiting:
        place = waiting.pop()
        if isinstance(place, Block):
            found.extend(place.args)
            place = place.first_op
        while place is not None:
            found.extend(place.results)
            following = place.next_op
            if place.regions and not is_subgraph_op(place):
                waiting.append(following)
                waiting.extend(region.block for region in reversed(place.regions))
                break
            place = following
    return found


def is_subgraph_op(op: Operation) -> bool:
    """Whether the op's region is a graph of its own (a fusion group), not a block of the graph around it."""
    return bool(op.regions) and _is_isolated(type(op))


@lru_cache(maxsize=1 << 14)
def _is_isolated(class_: type[Operation]) -> bool:
    return class_.has_trait(IsolatedFromAbove)


class _GraphPrinter:
    """Collects the pieces of a text; blocks in blocks add to one list, as a generator for each would hand every piece through all."""

    def __init__(
        self, locations: bool, *, named: bool = True, indented: bool = True, fields: bool = True
    ) -> None:
        self.pieces: list[str] = []
        self.locations = locations
        self.named = named
        self.fields = fields
        self.levels_of_block = 2 if indented else 0
        self.types = type_verbosity() >= TypeVerbosity.TYPE
        self.subgraphs: list[tuple[str, Block]] = []
        self.counts: dict[str, int] = {}

    def text(self) -> str:
        return "".join(self.pieces)

    def graph(self, block: Block, header: str) -> _GraphPrinter:
        with deep_recursion():
            self._graph(block, header)
        return self

    def _graph(self, block: Block, header: str) -> None:
        names = value_names(block) if self.named else _numbers(block)
        separator = ",\n" + " " * (len("graph") + 1)
        first_subgraph = len(self.subgraphs)
        self.pieces.append(f"{header}({separator.join(self._typed(block.args, names))}):\n")
        self._nodes(block, names, 1)
        last = block.last_op
        results = () if last is None else last.operands
        self.pieces.append(f"  return ({self._refs(results, names)})\n")
        for name, body in self.subgraphs[first_subgraph:]:
            self._graph(body, f"with {name} = graph")

    def _typed(self, values: Iterable[SSAValue], names: dict[SSAValue, str]) -> list[str]:
        if not self.types:
            return [f"%{names[value]}" for value in values]
        return [f"%{names[value]} : {self._spell(value.type)}" for value in values]

    def _spell(self, type_: Attribute) -> str:
        if not isinstance(type_, TorchScriptType):
            return str(type_)
        return type_.repr_str if self.fields else type_.graph_str

    def _refs(self, values: Sequence[SSAValue], names: dict[SSAValue, str]) -> str:
        return ", ".join(f"%{names[value]}" for value in values)

    def _nodes(self, block: Block, names: dict[SSAValue, str], level: int) -> None:
        for op in block.ops:
            if op is block.last_op and op.name in ("func.return", "prim.yield"):
                break
            self.node(op, names, level)

    def node(self, op: Operation, names: dict[SSAValue, str], level: int) -> None:
        """The line of a node, and the lines of its blocks."""
        indent = "  " * level
        kind = op.KIND if isinstance(op, TorchScriptOp) else op.name.replace(".", "::", 1)
        subgraph = is_subgraph_op(op)
        if subgraph:
            kind = self._register(kind, op.regions[0].block)
        results = ", ".join(self._typed(op.results, names))
        attributes = ", ".join(
            f"{name_text(key)}={format_attribute(value, constant_type(op))}"
            for key, value in op.attributes.items()
            if not (subgraph and key.startswith("df_"))  # which PyTorch does not show either
        )
        if kind == "prim::PythonOp":
            kind, attributes = f"^{name_text(_python_name(op))}[]()", ""
        shown = f"[{attributes}]" if attributes else ""
        operands = self._refs(op.operands, names)
        add = self.pieces.append
        add(f"{indent}{results} = {kind}{shown}({operands}){self._comment(op)}\n")
        if subgraph:
            return
        for index, region in enumerate(op.regions):
            inner = region.block
            add(f"{indent}  block{index}({', '.join(self._typed(inner.args, names))}):\n")
            self._nodes(inner, names, level + self.levels_of_block)
            last = inner.last_op
            values = last.operands if last is not None and last.name == "prim.yield" else ()
            add(f"{indent}    -> ({self._refs(values, names)})\n")

    def _register(self, kind: str, body: Block) -> str:
        number = self.counts.get(kind, 0)
        self.counts[kind] = number + 1
        name = f"{kind}_{number}"
        self.subgraphs.append((name, body))
        return name

    def _comment(self, op: Operation) -> str:
        if not self.locations:
            return ""
        scope = scope_of(op.location)
        shown = f", scope: {line_text(scope)}" if scope else ""
        place = source_place(op.location)
        if place is None or isinstance(op, prim.ListUnpackOp):
            return shown  # PyTorch has no place for the latter; ours is for errors
        file = line_text(place.filename.data)
        return f"{shown} # {file}:{place.line.data}:{place.column.data}"


def _python_name(op: Operation) -> str:
    name = op.attributes.get("name")
    return name.data if isinstance(name, StringAttr) else "python_function"


def constant_type(op: Operation) -> TorchScriptType | None:
    """The type of what a constant is, None for other nodes."""
    type_ = op.results[0].type if op.name == "prim.Constant" else None
    return type_ if isinstance(type_, TorchScriptType) else None


def format_attribute(
    attribute: Attribute, type_: TorchScriptType | None = None, *, nested: bool = False
) -> str:
    """An attribute's value as graph text has it; `type_` is the type of the constant that it is the value of.

    `nested`: inside a list or tuple, where a bool is a word rather than a number.
    """
    if isinstance(type_, OptionalType):
        type_ = type_.element
    match attribute:
        case IntegerAttr():
            number = attribute.value.data
            is_word = nested and (attribute.type == i1 or type_ == BOOL)
            return (
                str(bool(number))
                if is_word
                else str(abs(number) if attribute.type == i1 else number)
            )
        case FloatAttr():
            text = format_float(attribute.value.data)
            return text if nested or type_ is not None or _is_float(text) else f"{text}."
        case StringAttr():
            return quote(attribute.data)
        case EnumMemberAttr():
            return f"{attribute.qualified_name.data}.{name_text(attribute.member.data)}"
        case UnitAttr():
            return "None"
        case ComplexAttr():
            return format_complex(complex(attribute.real.value.data, attribute.imag.value.data))
        case ArrayAttr():
            return _format_sequence(attribute.data, type_)
        case TensorAttr():
            return _format_tensor(attribute, type_)
        case GeneratorAttr():
            return attribute.text
        case PackedAttr():
            return f"object({attribute.class_name})"
        case TorchScriptType():
            return attribute.repr_str
        case _:
            return line_text(f"<{attribute}>")


def _format_sequence(items: Sequence[Attribute], type_: TorchScriptType | None) -> str:
    if isinstance(type_, TupleType) and len(type_.elements) == len(items):
        texts = [format_attribute(*pair, nested=True) for pair in zip(items, type_.elements)]
        return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    if not items and isinstance(type_, ListType):
        return f"annotate({type_.annotation_str}, [])"
    element = type_.element if isinstance(type_, ListType) else None
    return f"[{', '.join(format_attribute(item, element, nested=True) for item in items)}]"


def _format_tensor(attribute: TensorAttr, type_: TorchScriptType | None) -> str:
    """`{1.5}` for a single element where the type tells dtype and shape, the bytes for all else."""
    attribute = attribute.now()
    data = attribute.data
    known = type_ if isinstance(type_, TensorType) else TENSOR
    if known.dtype in (None, data.dtype) and (not data.shape or known.sizes == data.shape):
        array = attribute.to_tensor().array
        text = _format_element(array) if array.size == 1 else None
        is_default = data.dtype == "Long" or (data.dtype == "Float" and _is_float(text or ""))
        if text is not None and (known.dtype is not None or is_default):
            return f"{{{text}}}"
    shape = ", ".join(map(str, data.shape))
    strides = "" if data.strides is None else f", strides [{', '.join(map(str, data.strides))}]"
    return f'tensor<{data.dtype}, [{shape}], "{data.data.hex().upper()}"{strides}>'


def _format_element(array: np.ndarray[Any, Any]) -> str | None:
    """The only element of an array, as short as reading it back to the same bits allows; None where nothing does."""
    value = array.item()
    if isinstance(value, complex):
        candidates = [f"({value.real:.{digits}g},{value.imag:.{digits}g})" for digits in (6, 9, 17)]
    elif isinstance(value, float):
        candidates = [*(f"{value:.{digits}g}" for digits in (6, 9, 17)), format_float(value)]
    else:
        candidates = [str(int(value))]
    for text in candidates:
        parts = [float(p) if _is_float(p) else int(p) for p in text.strip("()").split(",")]
        read = np.asarray(complex(*parts) if len(parts) == 2 else parts[0]).astype(array.dtype)
        if read.tobytes() == array.tobytes():
            return text
    return None


def _is_float(text: str) -> bool:
    return any(mark in text for mark in ".en")
