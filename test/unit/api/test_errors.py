"""What users hear of their mistakes: an error of ours, with the node or the place, and no more than fits a screen.

Point 7 of docs/testing.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.ir.verification import VerificationError
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.utils.errors import InternalError, PassError


def graph(*lines: str) -> str:
    """Graph text; the last line is what it returns."""
    *nodes, result = lines
    inputs = "%x : Tensor, %n : int, %l : int[], %s : str"
    return "\n  ".join((f"graph({inputs}):", *nodes, f"return ({result})\n"))


def run(text: str, *, n: int = 7, s: str = "s") -> Any:
    return ts.run_graph(ts.parse_ir(text), np.ones(4, np.float32), n, [1, 2, 3], s)


NODES = {
    "ConstantChunk without attributes": (
        "%a : Tensor, %b : Tensor = prim::ConstantChunk(%x)",
        VerificationError,
        "prim::ConstantChunk needs the attribute 'chunks'",
    ),
    "TupleIndex of what is no tuple": (
        "%a : int = prim::TupleIndex(%n, %n)",
        VerificationError,
        "prim::TupleIndex",
    ),
    "fork without a block": (
        "%a : Future(int) = prim::fork(%n)",
        VerificationError,
        "prim::fork has 1 region(s), not 0",
    ),
    "GetAttr of a number": (
        '%a : int = prim::GetAttr[name="a"](%n)',
        VerificationError,
        "prim::GetAttr takes an object, not a int",
    ),
    "ListUnpack into too few": (
        "%a : int, %b : int = prim::ListUnpack(%l)",
        RuntimeError,
        "Expected 2 elements in a list but found 3",
    ),
    "an operator that fails": ("%a : Tensor = aten::mm(%x, %x)", RuntimeError, "matrix"),
}


@pytest.mark.parametrize("name", NODES)
def test_errors_of_graphs_show_the_node(name: str) -> None:
    node, class_, message = NODES[name]
    with pytest.raises(class_) as caught:
        run(graph(node, "%a"))
    assert type(caught.value).__module__.startswith("torchscript_dialect.")
    assert message in str(caught.value)
    assert f"in `{node}`" in str(caught.value).replace("Future[int]", "Future(int)")


def test_an_index_out_of_a_tuple_shows_the_node() -> None:
    text = graph(
        "%t : (int, int) = prim::TupleConstruct(%n, %n)",
        "%a : int = prim::TupleIndex(%t, %n)",
        "%a",
    )
    with pytest.raises(RuntimeError, match=r"in `%a : int = prim::TupleIndex\(%t, %n\)`"):
        run(text)


def test_the_place_of_a_node_is_shown() -> None:
    node = "%a : Tensor, %b : Tensor = prim::ConstantChunk(%x) # model.py:12:4"
    with pytest.raises(VerificationError, match=r"\(at model.py:12:4\)$"):
        run(graph(node, "%a"))


def test_an_error_in_a_long_graph_is_short() -> None:
    nodes = [f"%a{i} : Tensor = aten::relu(%x)" for i in range(3000)]
    nodes[1500] = "%a1500 : Tensor, %b : Tensor = prim::ConstantChunk(%x)"
    with pytest.raises(VerificationError) as caught:
        run(graph(*nodes, "%a1500"))
    assert len(str(caught.value)) < 300
    with pytest.raises(VerificationError) as caught:
        ts.parse_ir(graph(*nodes, "%a1500")).lint()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("literal", "type_"),
    [
        ("9223372036854775808", "int"),
        ("-9223372036854775809", "int"),
        ("1e400", "float"),
        ("1e-400", "float"),
    ],
)
def test_constants_out_of_range_show_the_line(literal: str, type_: str) -> None:
    with pytest.raises(ts.TorchScriptError, match=r"(?s)out of range.*line 2\n.*HERE"):
        run(graph(f"%a : {type_} = prim::Constant[value={literal}]()", "%a"))


def test_floats_at_the_ends_of_their_range_are_read() -> None:
    for text in ("inf", "-inf", "0.", "0e5", "0.0e-10", "1e308", "5e-324"):
        assert run(graph(f"%a : float = prim::Constant[value={text}]()", "%a")) == float(text)


def contains_itself() -> list[Any]:
    made: list[Any] = []
    made.append(made)
    return made


class _Broken:
    """An object that raises whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError(name)

    def __repr__(self) -> str:
        raise ZeroDivisionError("repr")


ARGUMENTS: dict[str, tuple[str, Callable[[], Any], str]] = {
    "negative strides": ("Tensor", lambda: np.ones(4)[::-1], "stride"),
    "foreign byte order": ("Tensor", lambda: np.ones(4, ">f4"), "byte order"),
    "an array of text": ("Tensor", lambda: np.array(["a"]), "can't convert an array"),
    "an array of objects": ("Tensor", lambda: np.array([None]), "can't convert an array"),
    "65 bits": ("int", lambda: 2**63, "does not fit in 64 bits"),
    "-65 bits": ("int", lambda: -(2**63) - 1, "does not fit in 64 bits"),
    "a list of itself": ("Any", contains_itself, "contains itself"),
    "half a character": ("str", lambda: "\ud800", "halves of characters"),
    "a byte of no character": ("str", lambda: "\udc80", "halves of characters"),
    "an object that raises": ("Tensor", _Broken, "ZeroDivisionError"),
    "a wide list": ("int", lambda: list(range(10**6)), "Unable to cast"),
}


@pytest.mark.parametrize("name", ARGUMENTS)
def test_errors_of_arguments_name_the_argument(name: str) -> None:
    type_, make, message = ARGUMENTS[name]
    function = ts.CompilationUnit(f"def f(first: int, what: {type_}):\n    return what\n").f
    alone = ts.parse_ir(f"graph(%what : {type_}):\n  return (%what)\n")
    for call in (lambda: function(1, make()), lambda: ts.run_graph(alone, make())):
        with pytest.raises(ts.ArgumentError) as caught:
            call()
        text = str(caught.value)
        assert message in text and "what'" in text and len(text) < 3000


def test_the_number_of_a_graph_s_arguments() -> None:
    with pytest.raises(ts.ArgumentError, match="takes 4 inputs, not 1"):
        ts.run_graph(ts.parse_ir(graph("%n")), 1)


def test_half_a_character_in_source_shows_the_place() -> None:
    with pytest.raises(ts.TorchScriptError, match=r"(?s)half a character.*line 2"):
        ts.CompilationUnit("def f():\n    return '\ud800'\n")


def test_a_mistake_of_the_compiler_says_where_it_was_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from torchscript_dialect.frontend.ir_emitter import emitter

    def broken(*_: Any) -> None:
        raise KeyError("table")

    monkeypatch.setattr(emitter.Emitter, "emit_sugared", broken)
    with pytest.raises(InternalError) as caught:
        ts.CompilationUnit("def f(x):\n    y = 1\n    return x + y\n", "model.py")
    text = str(caught.value)
    assert "internal error while 'f' is compiled: KeyError: 'table'" in text
    assert "Please report it" in text and 'File "model.py", line 2' in text
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_mistake_of_a_pass_names_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    from torchscript_dialect.transforms.peephole import Peephole

    def broken(*_: Any) -> bool:
        raise IndexError("table")

    monkeypatch.setattr(Peephole, "run", broken)
    with pytest.raises(InternalError, match="while ts-peephole runs: IndexError: table"):
        PassPipeline("ts-peephole").run(ts.parse_ir(graph("%n")))


def test_a_pass_on_a_malformed_graph_says_what_is_wrong_with_the_graph(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from torchscript_dialect.transforms.peephole import Peephole

    def broken(*_: Any) -> bool:
        raise IndexError("table")

    monkeypatch.setattr(Peephole, "run", broken)
    made = ts.parse_ir(graph("%a : Tensor, %b : Tensor = prim::ConstantChunk(%x)", "%a"))
    with pytest.raises(VerificationError, match="needs the attribute 'chunks'"):
        PassPipeline("ts-peephole").run(made)


def test_what_a_pass_refuses_is_told_by_an_error_of_ours() -> None:
    with pytest.raises(
        PassError, match="ts-fuse-tensorexprs comes after ts-propagate-shapes"
    ) as caught:
        PassPipeline("ts-fuse-tensorexprs").run(
            ts.parse_ir(graph("%a : Tensor = aten::tanh(%x)", "%a"))
        )
    assert isinstance(caught.value, RuntimeError)


def test_what_cannot_be_compiled_of_a_graph_is_interpreted() -> None:
    text = graph(
        "%k : NoneType = prim::Constant()",
        "%a : Tensor = aten::add(%x, %x, %k)",
        "%b : Tensor = aten::mul(%a, %a)",
        "%b",
    )
    function = ts.function_from(ts.parse_ir(text))
    for _ in range(3):
        with pytest.raises(RuntimeError, match="aten::add") as caught:
            function(np.ones(4, np.float32), 1, [1], "s")
        assert not isinstance(caught.value, InternalError)


def test_a_block_that_uses_what_it_may_not_is_printed() -> None:
    made = ts.parse_ir(
        graph(
            "%f : Future(int) = prim::fork(%n)",
            "  block0(%p : int):",
            "    %q : int = prim::Constant[value=1]()",
            "    %r : int = aten::add(%n, %q)",
            "    -> (%r)",
            "%f",
        )
    )
    assert "aten::add(%n, %q)" in str(made)


@pytest.mark.parametrize("inputs", ["%n", "%n, %b"])
def test_a_loop_from_before_ssa_is_not_run(inputs: str) -> None:
    """It has a block for its condition; the interpreter unpacked its operands."""
    text = f"""graph(%x : Tensor, %n : int, %b : bool):
  = prim::Loop({inputs}) # model.py:2:4
    block0():
      -> (%b)
    block1():
      -> (%b)
  return (%x)
"""
    for run in (ts.run_graph, lambda graph, *args: ts.function_from(graph)(*args)):
        with pytest.raises(RuntimeError, match=r"a block for its condition \(at model.py:2:4\)"):
            run(ts.parse_ir(text), as_tensor(np.ones(2)), 1, True)
