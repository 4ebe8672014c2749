"""Code: the instructions of a graph, with the last use of every register marked."""

from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.runtime.interpreter.code import Code


def code(text: str) -> Code:
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    return Code(function)


def test_straight_code_moves_what_it_reads_last() -> None:
    """The example of the JIT Technical Overview."""
    made = code("""graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %z : Tensor = aten::add(%x, %y, %one)
  %w : Tensor = aten::mul(%z, %y)
  return (%w)
""")
    assert (
        str(made)
        == """0, 1 = Load
2 = Constant[value=1]
3 = add move(0), 1, 2
4 = mul move(3), move(1)
 = Store move(4)
"""
    )
    assert len(made.registers) == 5


def test_constants_are_never_moved() -> None:
    made = code("graph():\n  %a : int = prim::Constant[value=1]()\n  return (%a)\n")
    assert str(made) == " = Load\n0 = Constant[value=1]\n = Store 0\n"


def test_unused_values_are_dropped() -> None:
    assert str(
        code("graph(%x : Tensor, %y : Tensor):\n  %z : Tensor = aten::tanh(%x)\n  return (%x)\n")
    ) == ("0, 1 = Load\n = Drop (drop 1)\n2 = tanh 0\n = Drop (drop 2)\n = Store move(0)\n")


def test_branches_drop_what_only_the_other_reads() -> None:
    made = code("""graph(%c : bool, %x : Tensor, %y : Tensor):
  %z : Tensor = prim::If(%c)
    block0():
      %a : Tensor = aten::tanh(%x)
      -> (%a)
    block1():
      -> (%y)
  return (%z)
""")
    assert (
        str(made)
        == """0, 1, 2 = Load
 = If move(0)
   = Drop (drop 2)
  4 = tanh move(1)
  3 = Assign move(4)
 = Else
   = Drop (drop 1)
  3 = Assign move(2)
 = EndIf
 = Store move(3)
"""
    )


def test_loops_keep_what_every_trip_reads() -> None:
    made = code("""graph(%n : int, %x : Tensor, %y : Tensor):
  %true : bool = prim::Constant[value=1]()
  %z : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %a : Tensor):
      %b : Tensor = aten::mul(%a, %y)
      -> (%true, %b)
  return (%z)
""")
    assert (
        str(made)
        == """0, 1, 2 = Load
3 = Constant[value=1]
4, 5 = Loop move(0), 3, move(1)
  6 = mul move(5), 2
  4, 5 = Continue 3, move(6)
7 = EndLoop (drop 2)
 = Store move(7)
"""
    )


def test_sub_graphs_are_single_instructions() -> None:
    made = code("""graph(%x : Tensor):
  %y : Tensor = prim::TensorExprGroup_0(%x)
  return (%y)
with prim::TensorExprGroup_0 = graph(%a : Tensor):
  %b : Tensor = aten::tanh(%a)
  return (%b)
""")
    assert str(made) == "0 = Load\n1 = TensorExprGroup move(0)\n = Store move(1)\n"


def test_constants_print_as_in_graphs() -> None:
    text = str(
        code(
            "graph():\n  %a : (int, bool[]) = prim::Constant[value=(1, [True])]()\n  return (%a)\n"
        )
    )
    assert "0 = Constant[value=(1, [True])]" in text
