"""The interpreter: control flow, deep nesting, structural nodes."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from torchscript_dialect.tensor.conversion import as_tensor
from unit.runtime.interpreter_support import forward, nested, operators, tensor


@pytest.fixture(scope="module", autouse=True)
def _operators() -> Iterator[None]:
    kernels: dict[str, Callable[..., Any]] = {
        "itest::add(int a, int b) -> int": lambda a, b: a + b,
        "itest::lt(int a, int b) -> bool": lambda a, b: a < b,
    }
    with operators(kernels):
        yield


# Control flow.


@pytest.mark.parametrize(("flag", "result"), [(True, 3), (False, 1)])
def test_if_chooses_a_block(flag: bool, result: int) -> None:
    f = forward("""graph(%c : bool, %x : int):
  %two : int = prim::Constant[value=2]()
  %y : int = prim::If(%c)
    block0():
      %z : int = itest::add(%x, %two)
      -> (%z)
    block1():
      -> (%x)
  return (%y)
""")
    assert f(flag, 1) == result


COUNT = """graph(%n : int, %x : int):
  %true : bool = prim::Constant[value=1]()
  %y : int = prim::Loop(%n, %true, %x)
    block0(%i : int, %a : int):
      %b : int = itest::add(%a, %i)
      -> (%true, %b)
  return (%y)
"""


@pytest.mark.parametrize(("trips", "result"), [(0, 10), (1, 10), (4, 16), (-3, 10)])
def test_for_loops_run_as_often_as_they_are_told(trips: int, result: int) -> None:
    assert forward(COUNT)(trips, 10) == result


def test_the_trip_count_may_be_used_in_the_loop_and_after_it() -> None:
    f = forward("""graph(%n : int):
  %true : bool = prim::Constant[value=1]()
  %y : int = prim::Loop(%n, %true, %n)
    block0(%i : int, %a : int):
      %b : int = itest::add(%a, %n)
      -> (%true, %b)
  %z : int = itest::add(%y, %n)
  return (%z)
""")
    assert f(3) == 15


WHILE = """graph(%n : int, %x : int, %limit : int):
  %start : bool = itest::lt(%x, %limit)
  %y : int = prim::Loop(%n, %start, %x)
    block0(%i : int, %a : int):
      %b : int = itest::add(%a, %i)
      %c : int = itest::add(%b, %x)
      %go_on : bool = itest::lt(%c, %limit)
      -> (%go_on, %c)
  return (%y)
"""


def while_loop(trips: int, x: int, limit: int) -> int:
    y, i = x, 0
    while y < limit and i < trips:
        y, i = y + i + x, i + 1
    return y


@pytest.mark.parametrize("trips", [0, 1, 3, 2**63 - 1])
@pytest.mark.parametrize(("x", "limit"), [(1, 30), (1, 1), (5, 0), (2, 3)])
def test_while_loops_stop_at_the_condition_and_at_the_trip_count(
    trips: int, x: int, limit: int
) -> None:
    assert forward(WHILE)(trips, x, limit) == while_loop(trips, x, limit)


def test_while_loops_without_a_trip_limit_do_not_count() -> None:
    f = forward("""graph(%x : int, %limit : int):
  %max : int = prim::Constant[value=9223372036854775807]()
  %start : bool = itest::lt(%x, %limit)
  %y : int = prim::Loop(%max, %start, %x)
    block0(%i : int, %a : int):
      %b : int = itest::add(%a, %x)
      %go_on : bool = itest::lt(%b, %limit)
      -> (%go_on, %b)
  return (%y)
""")
    assert f(3, 10) == 12
    assert "trip_" not in f.source.text


def test_the_trip_number_may_be_read_for_the_last_time_in_a_while_loop() -> None:
    f = forward("""graph(%n : int, %c : bool):
  %zero : int = prim::Constant[value=0]()
  %y : int = prim::Loop(%n, %c, %zero)
    block0(%i : int, %a : int):
      %b : int = itest::add(%i, %a)
      %d : int = itest::add(%b, %b)
      -> (%c, %d)
  return (%y)
""")
    assert f(4, True) == 22
    assert f(4, False) == 0


def test_carried_values_change_at_once() -> None:
    f = forward("""graph(%n : int, %a : int, %b : int):
  %true : bool = prim::Constant[value=1]()
  %x : int, %y : int = prim::Loop(%n, %true, %a, %b)
    block0(%i : int, %p : int, %q : int):
      -> (%true, %q, %p)
  %r : (int, int) = prim::TupleConstruct(%x, %y)
  return (%r)
""")
    assert [f(n, 1, 2) for n in range(3)] == [(1, 2), (2, 1), (1, 2)]


def test_one_value_may_be_carried_twice() -> None:
    f = forward("""graph(%n : int, %a : int):
  %true : bool = prim::Constant[value=1]()
  %x : int, %y : int = prim::Loop(%n, %true, %a, %a)
    block0(%i : int, %p : int, %q : int):
      %s : int = itest::add(%p, %q)
      -> (%true, %s, %s)
  %r : int = itest::add(%x, %y)
  return (%r)
""")
    assert f(3, 1) == 16


def test_carried_values_need_not_be_read() -> None:
    f = forward("""graph(%n : int, %a : int):
  %true : bool = prim::Constant[value=1]()
  %one : int = prim::Constant[value=1]()
  %x : int, %y : int = prim::Loop(%n, %true, %a, %a)
    block0(%i : int, %p : int, %q : int):
      -> (%true, %one, %i)
  return (%y)
""")
    assert [f(n, 7) for n in range(3)] == [7, 0, 1]


def test_values_may_be_read_in_one_branch_only() -> None:
    f = forward("""graph(%n : int, %c : bool, %x : Tensor, %y : Tensor):
  %true : bool = prim::Constant[value=1]()
  %a : Tensor = itest::double(%x)
  %b : Tensor = itest::double(%y)
  %r : Tensor = prim::If(%c)
    block0():
      %d : Tensor = prim::Loop(%n, %true, %a)
        block0(%i : int, %e : Tensor):
          %g : Tensor = prim::If(%c)
            block0():
              %h : Tensor = itest::double(%e)
              -> (%h)
            block1():
              -> (%b)
          -> (%true, %g)
      -> (%d)
    block1():
      %z : Tensor = itest::double(%b)
      -> (%z)
  return (%r)
""")
    assert f(2, True, tensor(1), tensor(3)).array == 8
    assert f(0, True, tensor(1), tensor(3)).array == 2
    assert f(2, False, tensor(1), tensor(3)).array == 12


def test_functions_return_what_their_graphs_return() -> None:
    assert forward("graph(%x : int):\n  return ()\n")(1) == ()
    assert forward("graph(%x : int):\n  return (%x)\n")(1) == 1
    assert forward("graph(%x : int):\n  return (%x, %x)\n")(1) == (1, 1)


# Depth and length.


@pytest.mark.parametrize("kind", ["if", "for", "while"])
@pytest.mark.parametrize("depth", [14, 16, 20, 21, 100])
def test_blocks_may_nest_deeper_than_python_s(kind: str, depth: int) -> None:
    f = forward(nested(kind, depth))
    assert f(tensor(1), True, 1).array == 2
    if kind == "if":
        assert f(tensor(1), False, 1).array == 1
    else:
        assert f(tensor(1), True, 0).array == 1


def test_outlined_blocks_see_and_set_many_values() -> None:
    """The innermost of 20 loops reads values of every level, and sets three."""
    levels = range(20)
    lines = ["graph(%n : int, %x : int):", "  %true : bool = prim::Constant[value=1]()"]
    for k in levels:
        indent = "  " + "    " * k
        a, b, c = (f"%{v}{k - 1}" if k else "%x" for v in "abc")
        lines.append(
            f"{indent}%u{k} : int, %v{k} : int, %w{k} : int = prim::Loop(%n, %true, {a}, {b}, {c})"
        )
        lines.append(f"{indent}  block0(%i{k} : int, %a{k} : int, %b{k} : int, %c{k} : int):")
    indent = "  " + "    " * len(levels)
    lines.append(f"{indent}%s : int = itest::add(%a0, %b10)")
    lines.append(f"{indent}%t : int = itest::add(%s, %c19)")
    lines.append(f"{indent}-> (%true, %t, %s, %x)")
    for k in reversed(levels[1:]):
        lines.append(f"{'  ' + '    ' * k}-> (%true, %u{k}, %v{k}, %w{k})")
    lines.append("  %r : (int, int, int) = prim::TupleConstruct(%u0, %v0, %w0)\n  return (%r)\n")
    f = forward("\n".join(lines))
    assert len(f.source.functions) > 1
    assert f(1, 5) == (15, 10, 5)
    assert f(0, 5) == (5, 5, 5)


def test_long_straight_code() -> None:
    lines = ["graph(%x : Tensor):", "  %0 : Tensor = itest::same(%x)"]
    lines += [f"  %{i} : Tensor = itest::same(%{i - 1})" for i in range(1, 10_000)]
    f = forward("\n".join([*lines, "  return (%9999)\n"]))
    x = tensor(1)
    assert f(x) is x


# Structural nodes.


def test_containers() -> None:
    f = forward("""graph(%x : int, %y : str):
  %a : int[] = prim::ListConstruct(%x, %x)
  %b : int, %c : int = prim::ListUnpack(%a)
  %t : (int, str) = prim::TupleConstruct(%c, %y)
  %d : int, %e : str = prim::TupleUnpack(%t)
  %s : (str) = prim::TupleSlice[beg=1, end=2](%t)
  %one : int = prim::Constant[value=1]()
  %i : str = prim::TupleIndex(%t, %one)
  %m : Dict(str, int) = prim::DictConstruct(%e, %d, %i, %one)
  %n : Dict(str, int) = prim::DictConstruct()
  %o : int[] = prim::ListConstruct()
  %p : int[] = prim::ListConstruct(%x)
  %q : int = prim::ListUnpack(%p)
  %r : (int[], (int, str), (str), Dict(str, int), Dict(str, int), int[], int) = prim::TupleConstruct(%a, %t, %s, %m, %n, %o, %q)
  return (%r)
""")
    assert f(7, "k") == ([7, 7], (7, "k"), ("k",), {"k": 1}, {}, [], 7)


def test_lists_of_another_length_do_not_unpack() -> None:
    f = forward("graph(%x : int[]):\n  %a : int, %b : int = prim::ListUnpack(%x)\n  return (%a)\n")
    with pytest.raises(RuntimeError, match="Expected 2 elements in a list but found 3"):
        f([1, 2, 3])


def test_isinstance() -> None:
    f = forward(
        "graph(%x : Any):\n  %r : bool = prim::isinstance[types=[int, float[]]](%x)\n  return (%r)\n"
    )
    assert [f(v) for v in (1, True, 1.0, [1.0], [1], [], None)] == [
        True,
        False,
        False,
        True,
        False,
        True,
        False,
    ]


def test_constants() -> None:
    f = forward("""graph():
  %a : int = prim::Constant[value=-5]()
  %b : float = prim::Constant[value=inf]()
  %c : str = prim::Constant[value="it's"]()
  %d : NoneType = prim::Constant()
  %e : bool = prim::Constant[value=1]()
  %f : complex = prim::Constant[value=1.-2.j]()
  %g : (int, bool[]) = prim::Constant[value=(3, [True, False])]()
  %r : (int, float, str, NoneType, bool, complex, (int, bool[])) = prim::TupleConstruct(%a, %b, %c, %d, %e, %f, %g)
  return (%r)
""")
    result = f()
    assert result == (-5, float("inf"), "it's", None, True, 1 - 2j, (3, [True, False]))
    assert result[4] is True and type(result[6][1][0]) is bool


def test_type_check_tells_whether_tensors_fit() -> None:
    f = forward("""graph(%x : Tensor, %y : Tensor):
  %a : Float(2), %b : Double(2), %c : bool = prim::TypeCheck[types=[Float(2), Double(2)]](%x, %y)
  return (%c)
""")
    one, two = tensor(1, 2), as_tensor(np.zeros(2))
    assert f(one, two) is True
    assert f(two, one) is False


def test_print(capsys: pytest.CaptureFixture[str]) -> None:
    forward("graph(%x : int, %y : str):\n   = prim::Print(%x, %y)\n  return ()\n")(3, "a")
    assert capsys.readouterr().out == "3 a\n"
