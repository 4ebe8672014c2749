"""The interpreter: control flow, lifetimes of tensors, deep nesting, and errors that show the program's lines."""

import linecache
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from torchscript_dialect.api.unit import CompilationUnit
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.custom import register_operator
from torchscript_dialect.runtime.interpreter import (
    Error,
    InterpreterFunction,
    ProgramError,
    ProgramIndexError,
)
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.errors import InternalError

CONDITION: Callable[[Tensor], bool] = lambda x: bool(x.array.sum() < 100)


@pytest.fixture(scope="module", autouse=True)
def _operators() -> Iterator[None]:
    """Operators of our own, so that the tests depend on no family of the table."""
    register_operator("itest::small(Tensor x) -> bool", CONDITION)
    register_operator("itest::double(Tensor x) -> Tensor", lambda x: as_tensor(x.array * 2))
    register_operator("itest::dead(Tensor x) -> int", lambda x: dead(x))
    register_operator("itest::watch(Tensor x) -> Tensor", lambda x: watch(x))
    register_operator("itest::same(Tensor(a) x) -> Tensor(a)", lambda x: x)
    register_operator("itest::add(int a, int b) -> int", lambda a, b: a + b)
    register_operator("itest::lt(int a, int b) -> bool", lambda a, b: a < b)
    register_operator("itest::fail(int kind) -> int", fail)
    yield
    for name in [name for name in registry.texts() if name.startswith("itest::")]:
        registry.unregister(name)


def functions(text: str, filename: str = "<text>") -> dict[str, InterpreterFunction]:
    """Every function of a graph text, ready to run; they may call each other."""
    module = parse_ir_text(text, filename)
    module.verify()
    ready: dict[str, InterpreterFunction] = {}

    def resolve(name: str) -> Callable[..., Any]:
        return lambda *args: ready[name](*args)

    for op in module.body.ops:
        assert isinstance(op, FuncOp)
        ready[op.sym_name.data] = InterpreterFunction(op, resolve)
    return ready


def forward(text: str) -> InterpreterFunction:
    return functions(text)["forward"]


def tensor(*numbers: float) -> Tensor:
    return as_tensor(np.array(numbers, "float32"))


def fail(kind: int) -> int:
    errors = [
        ValueError("bad value"),
        IndexError("bad index"),
        KeyError("bad key"),
        TypeError("bad type"),
        ZeroDivisionError("bad division"),
        AttributeError("bad attribute"),
    ]
    raise errors[kind]


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


def nested(kind: str, depth: int) -> str:
    """`depth` blocks inside each other around one call, each of which passes the value on."""
    lines = [
        "graph(%x : Tensor, %c : bool, %n : int):",
        "  %true : bool = prim::Constant[value=1]()",
    ]

    def emit(level: int, indent: str, value: str) -> str:
        if level == depth:
            lines.append(f"{indent}%r : Tensor = itest::double({value})")
            return "%r"
        result, inner = f"%r{level}", f"{indent}    "
        if kind == "if":
            lines.extend([f"{indent}{result} : Tensor = prim::If(%c)", f"{indent}  block0():"])
            lines.append(f"{inner}-> ({emit(level + 1, inner, value)})")
            lines.extend([f"{indent}  block1():", f"{inner}-> ({value})"])
            return result
        condition = "%true" if kind == "for" else "%c"
        lines.append(f"{indent}{result} : Tensor = prim::Loop(%n, {condition}, {value})")
        lines.append(f"{indent}  block0(%i{level} : int, %a{level} : Tensor):")
        lines.append(f"{inner}-> ({condition}, {emit(level + 1, inner, f'%a{level}')})")
        return result

    lines.append(f"  return ({emit(0, '  ', '%x')})")
    return "\n".join(lines) + "\n"


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


# Lifetimes.

_watched: list[weakref.ref[np.ndarray]] = []


def watch(x: Tensor) -> Tensor:
    """A tensor of which nobody but the program holds the array."""
    made = as_tensor(x.array.copy())
    _watched.append(weakref.ref(made.array))
    return made


def dead(x: Tensor) -> int:
    """How many of the watched arrays are gone by now."""
    return sum(ref() is None for ref in _watched)


@pytest.fixture(autouse=True)
def _nothing_watched() -> None:
    _watched.clear()


def test_a_tensor_dies_after_its_last_use() -> None:
    f = forward("""graph(%x : Tensor):
  %a : Tensor = itest::watch(%x)
  %b : Tensor = itest::double(%a)
  %0 : int = itest::dead(%x)
  %c : Tensor = itest::double(%a)
  %1 : int = itest::dead(%x)
  %r : (int, int) = prim::TupleConstruct(%0, %1)
  return (%r)
""")
    assert f(tensor(1)) == (0, 1)


def test_a_result_that_nobody_reads_dies_at_once() -> None:
    f = forward("""graph(%x : Tensor):
  %a : Tensor = itest::watch(%x)
  %0 : int = itest::dead(%x)
  return (%0)
""")
    assert f(tensor(1)) == 1


def test_a_tensor_that_one_branch_reads_dies_in_the_other() -> None:
    f = forward("""graph(%x : Tensor, %c : bool):
  %a : Tensor = itest::watch(%x)
  %r : int = prim::If(%c)
    block0():
      %0 : int = itest::dead(%a)
      -> (%0)
    block1():
      %1 : int = itest::dead(%x)
      -> (%1)
  %2 : int = itest::dead(%x)
  %s : (int, int) = prim::TupleConstruct(%r, %2)
  return (%s)
""")
    assert f(tensor(1), True) == (0, 1)
    _watched.clear()
    assert f(tensor(1), False) == (1, 1)


def test_loops_keep_what_the_next_trip_reads_and_drop_the_rest() -> None:
    f = forward("""graph(%x : Tensor, %n : int):
  %true : bool = prim::Constant[value=1]()
  %a : Tensor = itest::watch(%x)
  %b : Tensor = itest::watch(%x)
  %c : Tensor = prim::Loop(%n, %true, %b)
    block0(%i : int, %d : Tensor):
      %e : Tensor = itest::watch(%d)
      %g : Tensor = itest::same(%a)
      -> (%true, %e)
  %0 : int = itest::dead(%x)
  return (%0)
""")
    assert f(tensor(1), 5) == 7, "a, b and the five of the loop, whose result nobody reads"


def test_each_trip_frees_what_was_carried_into_it() -> None:
    f = forward("""graph(%x : Tensor, %n : int):
  %true : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %b : Tensor = itest::watch(%x)
  %c : Tensor, %k : int = prim::Loop(%n, %true, %b, %zero)
    block0(%i : int, %d : Tensor, %j : int):
      %e : Tensor = itest::watch(%d)
      %m : int = itest::dead(%e)
      -> (%true, %e, %m)
  return (%k)
""")
    assert f(tensor(1), 4) == 4, "four of the five that have been made"


# Calls and errors.

CALLS = """graph @inner(%kind : int):
  %r : int = itest::fail(%kind) # {file}:2:4
  return (%r)
graph @forward(%kind : int):
  %f : Function = prim::Constant[name="inner"]()
  %r : int = prim::CallFunction(%f, %kind) # {file}:5:8
  return (%r)
"""
SOURCE = "def inner(kind):\n    return fail(kind)\n\ndef forward(kind):\n    r = inner(kind)\n    return r\n"


@pytest.fixture
def calling() -> InterpreterFunction:
    lines: list[str] = [*SOURCE.splitlines(True)]
    linecache.cache["prog.py"] = (len(SOURCE), None, lines, "prog.py")
    return functions(CALLS.format(file="prog.py"))["forward"]


def test_errors_show_the_program_s_lines_callers_first(calling: InterpreterFunction) -> None:
    with pytest.raises(ProgramError) as caught:
        calling(0)
    assert str(caught.value) == (
        "The following operation failed in the TorchScript interpreter.\n"
        "Traceback of TorchScript (most recent call last):\n"
        '  File "prog.py", line 5, in forward\n'
        "        r = inner(kind)\n"
        "            ~ <--- HERE\n"
        '  File "prog.py", line 2, in inner\n'
        "        return fail(kind)\n"
        "        ~ <--- HERE\n"
        "ValueError: bad value"
    )


NESTED = """def inner(x, n: int):
    if n > 1:
        return x.view(n, 7)
    return x

def middle(x, n: int):
    for i in range(n):
        x = inner(x, n)
    return x.exp() + 1

def forward(x, n: int):
    return middle(x * 2, n) + middle(x, n)
"""


def test_calls_show_their_callers_after_they_were_inlined() -> None:
    """From the second call on, errors showed the place alone, as if it were in the function that is called from Python."""
    forward = CompilationUnit(NESTED).forward
    x = np.ones(4, np.float32)
    told: list[str] = []
    for _ in range(5):
        forward(x, 1)
        with pytest.raises(ProgramError) as caught:
            forward(x, 2)
        told.append(str(caught.value))
    assert len(set(told)) == 1
    places = [line for line in told[0].splitlines() if line.startswith("  File")]
    assert [place.split(", ", 1)[1] for place in places] == [
        "line 12, in forward",
        "line 8, in middle",
        "line 3, in inner",
    ]


@pytest.mark.parametrize(
    ("kind", "class_", "last"),
    [
        (0, RuntimeError, "ValueError: bad value"),
        (1, IndexError, "IndexError: bad index"),
        (2, RuntimeError, "KeyError: 'bad key'"),
        (3, RuntimeError, "TypeError: bad type"),
        (4, RuntimeError, "ZeroDivisionError: bad division"),
    ],
)
def test_what_fails_is_a_runtime_error(
    calling: InterpreterFunction, kind: int, class_: type, last: str
) -> None:
    with pytest.raises(class_) as caught:
        calling(kind)
    assert isinstance(caught.value, ProgramError)
    assert str(caught.value).splitlines()[-1] == last
    assert isinstance(caught.value, ProgramIndexError) == (kind == 1)


def test_a_kernel_of_a_users_may_raise_anything(calling: InterpreterFunction) -> None:
    with pytest.raises(ProgramError) as caught:
        calling(5)
    assert not isinstance(caught.value, InternalError)
    assert str(caught.value).splitlines()[-1] == "AttributeError: bad attribute"


def test_what_nobody_expected_is_an_internal_error_with_operator_and_place(
    calling: InterpreterFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "is_registered", lambda name: False)  # as if it were of the table
    with pytest.raises(InternalError, match="Please report it") as caught:
        calling(5)
    text = str(caught.value)
    assert "internal error while itest::fail runs: AttributeError: bad attribute" in text
    assert 'File "prog.py", line 2, in inner' in text
    assert isinstance(caught.value.__cause__, AttributeError)


def test_sources_that_are_gone_leave_file_and_line() -> None:
    f = functions(CALLS.format(file="gone.py"))["inner"]
    with pytest.raises(
        ProgramError, match=r'File "gone.py", line 2, in inner\nValueError: bad value'
    ):
        f(0)


def test_errors_in_outlined_blocks_name_their_node() -> None:
    text = nested("for", 30).replace("itest::double", "itest::same")
    text = text.replace("itest::same(%a29)", "itest::nothing(%a29) # deep.py:7:3")
    with pytest.raises(ProgramError, match=r'File "deep.py", line 7, in forward'):
        forward(text)(tensor(1), True, 1)


RAISE = """graph(%c : bool):
  %m : str = prim::Constant[value="too bad"]()
  %k : str = prim::Constant[value="builtins.ValueError"]()
   = prim::If(%c)
    block0():
       = prim::RaiseException(%m, %k) # prog.py:1:0
      -> ()
    block1():
       = prim::RaiseException(%m) # prog.py:1:0
      -> ()
  return ()
"""


def test_programs_raise() -> None:
    f = forward(RAISE)
    with pytest.raises(Error) as caught:
        f(True)
    assert str(caught.value).splitlines()[-1] == "builtins.ValueError: too bad"
    with pytest.raises(Error) as caught:
        f(False)
    assert str(caught.value).splitlines()[-1] == "RuntimeError: too bad"


def test_an_error_is_fresh_each_time() -> None:
    f = forward(RAISE)
    texts: list[str] = []
    for _ in range(2):
        with pytest.raises(Error) as caught:
            f(True)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


def test_unknown_operators_fail_when_they_are_reached() -> None:
    f = forward("""graph(%c : bool, %x : Tensor):
  %y : Tensor = prim::If(%c)
    block0():
      %z : Tensor = itest::nothing(%x)
      -> (%z)
    block1():
      -> (%x)
  return (%y)
""")
    x = tensor(1)
    assert f(False, x) is x
    with pytest.raises(RuntimeError, match=r"unknown operator itest::nothing\(Tensor\)"):
        f(True, x)


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
