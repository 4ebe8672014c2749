"""The interpreter drops each tensor after its last use."""

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from unit.runtime.interpreter_support import forward, operators, tensor

_watched: list[weakref.ref[np.ndarray]] = []


def watch(x: Tensor) -> Tensor:
    """A tensor of which nobody but the program holds the array."""
    made = as_tensor(x.array.copy())
    _watched.append(weakref.ref(made.array))
    return made


def dead(x: Tensor) -> int:
    """How many of the watched arrays are gone by now."""
    return sum(ref() is None for ref in _watched)


@pytest.fixture(scope="module", autouse=True)
def _operators() -> Iterator[None]:
    kernels: dict[str, Callable[..., Any]] = {
        "itest::watch(Tensor x) -> Tensor": watch,
        "itest::dead(Tensor x) -> int": dead,
    }
    with operators(kernels):
        yield


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
