"""What a drawing of a graph shows: boxes, frames around the boxes of a block, and an arrow for each use of a value.

Constants are not drawn: the nodes that use them show what they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.serialization.graph_printer import (
    constant_type,
    format_attribute,
    is_subgraph_op,
    value_names,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import line_text
from torchscript_dialect.utils.recursion import deep_recursion

Look = Literal["value", "node", "control", "group"]
"""An input or the outputs of a block, a node, a node with blocks, a node with a graph of its own (a fusion group)."""

SUBGRAPHS = ("forward", "backward")
"""What the two sub-graphs of a differentiable graph are called."""
LONGEST = 80
"""Characters of a line of text; what is longer is cut."""


@dataclass(slots=True)
class Frame:
    """The boxes of a block, in an order in which values flow forward."""

    title: str
    boxes: list[Box] = field(default_factory=list["Box"])


@dataclass(slots=True)
class Box:
    """A node, or an end of a block. Boxes are numbered in the order in which they are made."""

    number: int
    label: str
    look: Look
    parent: Box | None
    frames: list[Frame] = field(default_factory=list[Frame])


@dataclass(slots=True)
class Arrow:
    """A use of a value, which the label names."""

    source: Box
    target: Box
    label: str


@dataclass(slots=True)
class Figure:
    """A drawing of one function."""

    frame: Frame
    arrows: list[Arrow]


def figure_of(function: FuncOp) -> Figure:
    """The drawing of a function's graph."""
    drawer = _Drawer()
    block = function.body.block
    with deep_recursion():
        frame = drawer.frame(block, "", value_names(block), None)
    return Figure(frame, drawer.arrows)


class _Drawer:
    def __init__(self) -> None:
        self.arrows: list[Arrow] = []
        self._count = 0
        self._makers: dict[SSAValue, Box] = {}

    def frame(
        self, block: Block, title: str, names: dict[SSAValue, str], parent: Box | None
    ) -> Frame:
        """The boxes of a block; `parent` is the node that it belongs to."""
        frame = Frame(title)
        for argument in block.args:
            box = self._box(frame, f"%{names[argument]} : {_spell(argument.type)}", "value", parent)
            self._makers[argument] = box
        for op in block.ops:
            if op.name == "prim.Constant":
                continue
            is_end = op is block.last_op and op.name in ("func.return", "prim.yield")
            if not is_end:
                self._node(op, frame, names, parent)
            elif op.operands:
                label = "return" if parent is None else "->"
                box = self._box(frame, f"{label} {_shown(op.operands, names)}", "value", parent)
                self._uses(op, box, names)
        return frame

    def _node(
        self, op: Operation, frame: Frame, names: dict[SSAValue, str], parent: Box | None
    ) -> None:
        look: Look = "group" if is_subgraph_op(op) else "control" if op.regions else "node"
        box = self._box(frame, _text(op, names), look, parent)
        self._uses(op, box, names)
        self._makers.update((result, box) for result in op.results)
        for index, region in enumerate(op.regions):
            inner = value_names(region.block) if look == "group" else names
            title = f"block{index}"
            if look == "group":
                title = SUBGRAPHS[index] if len(op.regions) > 1 else ""
            box.frames.append(self.frame(region.block, title, inner, box))

    def _box(self, frame: Frame, label: str, look: Look, parent: Box | None) -> Box:
        line = line_text(label)
        cut = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
        box = Box(self._count, cut, look, parent)
        self._count += 1
        frame.boxes.append(box)
        return box

    def _uses(self, op: Operation, box: Box, names: dict[SSAValue, str]) -> None:
        for value in dict.fromkeys(op.operands):
            maker = self._makers.get(value)
            if maker is not None:
                self.arrows.append(Arrow(maker, box, f"%{names[value]}"))


def _text(op: Operation, names: dict[SSAValue, str]) -> str:
    """`%z = aten::mul(%x, 2)`."""
    kind = op.KIND if isinstance(op, TorchScriptOp) else op.name.replace(".", "::", 1)
    shown = [(k, v) for k, v in op.attributes.items() if not k.startswith("df_")]
    attributes = ", ".join(f"{k}={format_attribute(v)}" for k, v in shown)
    results = ", ".join(f"%{names[result]}" for result in op.results)
    call = f"{kind}{f'[{attributes}]' if attributes else ''}{_shown(op.operands, names)}"
    return f"{results} = {call}" if results else call


def _shown(values: Iterable[SSAValue], names: dict[SSAValue, str]) -> str:
    return f"({', '.join(_operand(value, names) for value in values)})"


def _operand(value: SSAValue, names: dict[SSAValue, str]) -> str:
    """A constant as it is written, the name of any other value."""
    op = None if isinstance(value, BlockArgument) else value.owner
    if not isinstance(op, Operation) or op.name != "prim.Constant":
        return f"%{names[value]}"
    constant = op.attributes.get("value", op.attributes.get("name"))  # of a function its name
    return (
        "None" if constant is None else format_attribute(constant, constant_type(op), nested=True)
    )


def _spell(type_: Attribute) -> str:
    return type_.repr_str if isinstance(type_, TorchScriptType) else str(type_)
