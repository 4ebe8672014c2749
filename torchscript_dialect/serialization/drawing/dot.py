"""Graphs as text of Graphviz's DOT language."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.func import FuncOp

from torchscript_dialect.serialization.drawing.figure import Box, Frame, figure_of
from torchscript_dialect.utils.recursion import deep_recursion

STYLES = {
    "value": 'shape=ellipse, fillcolor="#eeeeee"',
    "node": 'shape=box, fillcolor="#ffffff"',
    "control": 'shape=box, fillcolor="#dbe9f6"',
    "group": 'shape=box, fillcolor="#fde0c5"',
}


def print_dot(function: FuncOp, name: str = "graph") -> str:
    """The text of a function's graph: blocks are clusters, fusion groups have a colour."""
    figure = figure_of(function)
    with deep_recursion():
        boxes = [*_boxes(figure.frame, 1)]
    arrows = [
        f"  n{arrow.source.number} -> n{arrow.target.number} [label={_quoted(arrow.label)}];"
        for arrow in figure.arrows
    ]
    style = '  node [style=filled, fontname="monospace"];\n  edge [fontname="monospace"];'
    return "\n".join([f"digraph {_quoted(name)} {{", style, *boxes, *arrows, "}", ""])


def _boxes(frame: Frame, level: int) -> Iterator[str]:
    for box in frame.boxes:
        if box.frames:
            yield from _cluster(box, level)
        else:
            yield _node(box, level)


def _cluster(box: Box, level: int) -> Iterator[str]:
    """A node with blocks: itself, and a cluster for each of them, in one around all."""
    indent = "  " * level
    yield f"{indent}subgraph cluster_{box.number} {{"
    yield _node(box, level + 1)
    for index, frame in enumerate(box.frames):
        yield f"{indent}  subgraph cluster_{box.number}_{index} {{"
        if frame.title:
            yield f"{indent}    label={_quoted(frame.title)};"
        yield from _boxes(frame, level + 2)
        yield f"{indent}  }}"
    yield f"{indent}}}"


def _node(box: Box, level: int) -> str:
    return f"{'  ' * level}n{box.number} [label={_quoted(box.label)}, {STYLES[box.look]}];"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
