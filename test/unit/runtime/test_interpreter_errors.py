"""Errors that the interpreter raises show the program's lines."""

import linecache
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.api.unit import CompilationUnit
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.interpreter.interpreter import (
    Error,
    InterpreterFunction,
    ProgramError,
    ProgramIndexError,
)
from torchscript_dialect.utils.errors import InternalError
from unit.runtime.interpreter_support import forward, functions, nested, operators, tensor


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


@pytest.fixture(scope="module", autouse=True)
def _operators() -> Iterator[None]:
    kernels: dict[str, Callable[..., Any]] = {
        "itest::fail(int kind) -> int": fail,
    }
    with operators(kernels):
        yield


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


def test_a_composite_operator_raises_what_a_kernel_would() -> None:
    x, places = torch.zeros(2, 3), torch.zeros(1, 1, dtype=torch.int64)
    with pytest.raises(IndexError, match=r"^Dimension out of range .* but got 7\)$"):
        torch.take_along_dim(x, places, 7)
    unit = CompilationUnit("def f(x, i):\n    return torch.take_along_dim(x, i, 7)\n")
    with pytest.raises(IndexError) as raised:
        unit.f(x, places)
    assert "decomposition" not in str(raised.value)
    assert 'File "<string>", line 2' in str(raised.value)
