"""Graph text that is none: the message, and the place that it marks."""

import pytest
from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.utils.errors import ParseError

GROUP = "graph(%x : Tensor):\n  %y : Tensor = prim::TensorExprGroup_0(%x)\n  return (%y)\n"


def constant(type_: str, value: str) -> str:
    return f"graph():\n  %y : {type_} = prim::Constant[value={value}]()\n  return (%y)\n"


def only_function(text: str) -> FuncOp:
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    return function


def node(text: str) -> str:
    return f"graph(%x : Tensor):\n  %y : Tensor = {text}\n  return (%y)\n"


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("graph(%x", "expected ')' but found 'end of text' here", (1, 7)),
        ("graph(%x : Tensor)\n\n", "expected ':' but found 'end of text' here", (1, 17)),
        ("graph(%x : Tensor):\n  return (%y)\n", "the value %y is not defined here", (2, 10)),
        ("graph(%x : int, %x : int):\n  return (%x)\n", "the value %x is defined twice", (1, 16)),
        (node("relu(%x)"), "expected a node such as aten::add, not 'relu'", (2, 16)),
        (node("aten::relu(%x"), "expected ')' but found 'return' here", (3, 2)),
        (node("aten::relu[a](%x)"), "expected '=' but found ']' here", (2, 28)),
        (
            node("aten::relu(%x)\n  %y : Tensor = aten::relu(%x)"),
            "the value %y is defined twice",
            (3, 2),
        ),
        ("graph(%x : Float(2, foo=1)):\n  return (%x)", "a tensor type has no 'foo'", (1, 24)),
        (
            "graph(%x : Float(4, 5, strides=[5])):\n  return (%x)",
            "strides are given for some dimensions, but not for all",
            (1, 35),
        ),
        ("graph(%x : int[):\n  return (%x)", "expected ']' but found ')' here", (1, 15)),
        ("hello world", "expected 'graph' but found 'hello' here", (1, 0)),
        (GROUP, "no `with prim::TensorExprGroup_0 = graph(...)` follows", (2, 16)),
        (
            f"{GROUP}with prim::TensorExprGroup_0 = graph(%a : Tensor):\n  return (%x)\n",
            "the value %x is not defined here",
            (5, 10),
        ),
        (
            f"{GROUP}with prim::TensorExprGroup_0 = {GROUP}",
            "the sub-graph prim::TensorExprGroup_0 carries itself",
            (5, 16),
        ),
        (
            "graph():\n  return ()\nwith prim::FusionGroup_0 = graph():\n  return ()\n",
            "no node carries the sub-graph prim::FusionGroup_0",
            (3, 0),
        ),
        (constant("Bits8()", "{1}"), "'Bits8' is not a supported dtype", (2, 17)),
        (constant("Tensor", "{a}"), "expected the only element of a tensor here", (2, 38)),
        (constant("Tensor", "<Tensor>"), "expected a name but found '<' here", (2, 37)),
        (constant("int", "-"), "expected a number but found ']' here", (2, 35)),
        (constant("str", '"abc'), "expected a name but found '\"' here", (2, 34)),
        (
            constant("Tensor", 'tensor<Float, [2], "00">'),
            "a tensor of Float and shape [2] has 8 bytes, not 1",
            (2, 44),
        ),
        *[
            (
                constant("Tensor", f'tensor<Float, [{shape}], "">'),
                f"no constant has the shape [{shape}]",
                (2, 44),
            )
            for shape in ("0, 4611686018427387904", ", ".join("0" * 65), "'a', 0", "-1, 0")
        ],
    ],
)
def test_malformed_text(text: str, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(ParseError) as caught:
        parse_ir_text(text, "f.ts")
    found = caught.value.source_range
    assert caught.value.message == message
    assert found is not None and (found.line, found.col) == place
    assert str(caught.value).startswith(f'{message}:\n  File "f.ts", line {place[0]}\n')


def test_numbers_that_fit_no_int_are_refused() -> None:
    with pytest.raises(ParseError, match="out of range"):
        parse_ir_text(constant("int", "99999999999999999999"))


@pytest.mark.parametrize("value", ["0.+1.j", "0.-2.5j", "1.+2.j", "-1.5-infj", "[0.+1.j, 3.+0.j]"])
def test_complex_constants(value: str) -> None:
    text = constant("complex[]" if value[0] == "[" else "complex", value)
    assert print_graph(only_function(text)) == text


@pytest.mark.parametrize(("value", "whole"), [("2.5j", "0.+2.5j"), ("-2.5j", "0.-2.5j")])
def test_imaginary_numbers_stand_alone(value: str, whole: str) -> None:
    printed = print_graph(only_function(constant("complex[]", f"[{value}]")))
    assert printed == constant("complex[]", f"[{whole}]")


def test_sizes_may_be_symbols() -> None:
    function = only_function("graph(%x : Float(SS(-1), 3)):\n  return (%x)\n")
    assert print_graph(function) == "graph(%x : Float(*, 3)):\n  return (%x)\n"


@pytest.mark.parametrize(
    ("written", "whole"),
    [
        ("%y = aten::add(%n, %n)", "%y : int = aten::add(%n, %n)"),
        ("%y = aten::append(%l, %n)", "%y : int[] = aten::append(%l, %n)"),
        (
            "%y : Float(2), %i = aten::max(%x, %n, %b)",
            "%y : Float(2), %i : Tensor = aten::max(%x, %n, %b)",
        ),
        ("%y = mine::what(%x)", "%y : Tensor = mine::what(%x)"),
    ],
)
def test_results_without_types_are_what_the_operator_gives(written: str, whole: str) -> None:
    text = "graph(%n : int,\n      %l : int[],\n      %b : bool,\n      %x : Tensor):\n  {}\n  return (%y)\n"
    assert print_graph(only_function(text.format(written))) == text.format(whole)


def test_blocks_hide_their_values() -> None:
    text = "graph(%c : bool):\n  %y : int = prim::If(%c)\n    block0():\n      %z : int = prim::Constant[value=1]()\n      -> (%z)\n    block1():\n      -> (%z)\n  return (%y)\n"
    with pytest.raises(ParseError, match="the value %z is not defined here"):
        parse_ir_text(text)


def test_deep_nesting_parses_and_prints() -> None:
    depth = 60
    lines = ["graph(%c : bool):"]
    for level in range(depth):
        indent = "  " + "    " * level
        lines += [f"{indent}%{level} : bool = prim::If(%c)", f"{indent}  block0():"]
    lines.append("  " + "    " * depth + "-> (%c)")
    lines[-1] = lines[-1][2:]
    for level in reversed(range(depth)):
        indent = "  " + "    " * level
        lines += [f"{indent}  block1():", f"{indent}    -> (%c)"]
        if level:
            lines.append(f"{'  ' + '    ' * level}-> (%{level})")
    lines.append("  return (%0)\n")
    text = "\n".join(line for line in lines)
    module = parse_ir_text(text)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    again = parse_ir_text(print_graph(function)).body.block.first_op
    assert isinstance(again, FuncOp) and print_graph(again) == print_graph(function)


def test_members_of_enums() -> None:
    text = constant("Enum<__torch__.Color>", "__torch__.Color.RED").replace("%y", "%red")
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    function.verify()
    assert print_graph(function) == text


def test_text_may_be_empty() -> None:
    assert not list(parse_ir_text("# nothing\n").body.block.ops)
