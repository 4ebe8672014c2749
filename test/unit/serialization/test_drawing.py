"""Drawings of graphs: every node, block and use is in them, and no text of a program is more than text."""

import re
import xml.etree.ElementTree as ET

import pytest
from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir import Graph

TEXT = """graph(%x : Tensor,
      %c : bool):
  %one : int = prim::Constant[value=1]()
  %yes : bool = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %r : Tensor = prim::If(%c)
    block0():
      %b : Tensor = aten::mul(%a, %x)
      -> (%b)
    block1():
      %d : Tensor = prim::TensorExprGroup_0(%a)
      -> (%d)
  %p : (Tensor, bool) = prim::TupleConstruct(%r, %yes)
  return (%p)
with prim::TensorExprGroup_0 = graph(%e : Tensor):
  %f : Tensor = aten::neg(%e)
  return (%f)
"""

LABELS = [
    "%x : Tensor",
    "%c : bool",
    "%a = aten::add(%x, %x, 1)",
    "%r = prim::If(%c)",
    "%b = aten::mul(%a, %x)",
    "-> (%b)",
    "%d = prim::TensorExprGroup(%a)",
    "%e : Tensor",
    "%f = aten::neg(%e)",
    "-> (%f)",
    "-> (%d)",
    "%p = prim::TupleConstruct(%r, True)",
    "return (%p)",
]
ARROWS = "%x:0-2 %c:1-3 %a:2-4 %x:0-4 %b:4-5 %a:2-6 %e:7-8 %f:8-9 %d:6-10 %r:3-11 %p:11-12".split()

SVG = "{http://www.w3.org/2000/svg}"


def graph_of(text: str = TEXT) -> Graph:
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    return Graph(function)


def test_dot() -> None:
    text = graph_of().dot()
    labels = re.findall(r'^ *n\d+ \[label="([^"]*)"', text, re.MULTILINE)
    assert labels == LABELS
    arrows = re.findall(r'^  n(\d+) -> n(\d+) \[label="([^"]*)"\];$', text, re.MULTILINE)
    assert [f"{label}:{a}-{b}" for a, b, label in arrows] == ARROWS
    assert text.count("subgraph cluster_") == 2 + 3
    assert text.count("{") == text.count("}")


def svg_of(graph: Graph) -> ET.Element:
    return ET.fromstring(graph._repr_svg_())  # pyright: ignore[reportPrivateUsage]


def test_svg() -> None:
    drawing = svg_of(graph_of())
    shown = [each.text for each in drawing.findall(f"{SVG}text")]
    assert [text for text in shown if text not in ("block0", "block1")] == LABELS
    assert [title.text for title in drawing.iter(f"{SVG}title")] == [
        a.partition(":")[0] for a in ARROWS
    ]


def test_boxes_do_not_overlap() -> None:
    """Two boxes are apart, or one is within the other, and all are within the drawing."""
    drawing = svg_of(graph_of())
    boxes = [
        tuple(float(box.attrib[key]) for key in ("x", "y", "width", "height"))
        for box in drawing.findall(f"{SVG}rect")
    ]
    assert len(boxes) == len(LABELS)
    whole = (0.0, 0.0, float(drawing.attrib["width"]), float(drawing.attrib["height"]))
    for index, box in enumerate(boxes):
        assert _is_within(box, whole)
        for other in boxes[:index]:
            assert _is_apart(box, other) or _is_within(box, other) or _is_within(other, box)


def _is_within(inner: tuple[float, ...], outer: tuple[float, ...]) -> bool:
    (x, y, w, h), (left, top, width, height) = inner, outer
    return left <= x and top <= y and x + w <= left + width and y + h <= top + height


def _is_apart(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    (x, y, w, h), (left, top, width, height) = a, b
    return x + w <= left or left + width <= x or y + h <= top or top + height <= y


@pytest.mark.parametrize("name", ['"]; evil [label="', "</text><script>evil()</script>", "a\nb\0c"])
def test_text_stays_text(name: str) -> None:
    graph = graph_of()
    graph.findAllNodes("aten::mul")[0].setAttribute("note", name)
    drawing = svg_of(graph)
    assert not list(drawing.iter(f"{SVG}script"))
    assert len(drawing.findall(f"{SVG}rect")) == len(LABELS)
    lines = graph.dot().splitlines()
    assert len(lines) == len(graph_of().dot().splitlines())
    assert not any(line.lstrip().startswith("evil") for line in lines)


def test_long_text_is_cut_and_deep_graphs_are_drawn() -> None:
    lines = ["graph(%x : Tensor, %c : bool):"]
    for depth in range(300):
        indent = "  " * (depth + 1)
        lines += [f"{indent}%r{depth} : Tensor = prim::If(%c)", f"{indent}  block0():"]
    lines.append("  " * 302 + "-> (%x)")
    for depth in reversed(range(300)):
        indent = "  " * (depth + 1)
        lines += [f"{indent}  block1():", f"{indent}    -> (%x)"]
        lines.append(f"{indent}  -> (%r{depth})" if depth else "  return (%r0)")
    graph = graph_of("\n".join(lines) + "\n")
    assert graph.dot().count("prim::If") == 300
    assert graph._repr_svg_().count("prim::If") == 300  # pyright: ignore[reportPrivateUsage]
    node = graph_of().findAllNodes("aten::mul")[0]
    node.setAttribute("note", "n" * 1000)
    assert "n…" in node.owningGraph().dot()
