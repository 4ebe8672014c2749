"""Objects, enums and futures on their way between programs and Python; hooks; `with` statements that exceptions leave."""

import threading
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.dialects import prim
from torchscript_dialect.runtime.interpreter.node_rules import RULES
from torchscript_dialect.runtime.values.arguments import ArgumentError
from torchscript_dialect.tensor.conversion import as_tensor


@torch.jit.script
class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y

    def norm(self) -> int:
        return self.x * self.x + self.y * self.y


class Color(Enum):
    RED = 1
    GREEN = 2


class Pair(NamedTuple):
    point: Point
    color: Color


def grow(p: Point, by: int) -> Point:
    p.x += by
    return p


def describe(p: Pair) -> Pair:
    return Pair(Point(p.point.norm(), 0), Color.GREEN)


def test_an_object_is_copied_on_its_way_in_and_out() -> None:
    point = Point(1, 2)
    result = ts.script(grow)(point, 5)
    assert type(result) is Point
    assert (result.x, result.y) == (6, 2)
    assert (point.x, point.y) == (1, 2)
    assert result.norm() == 40


def test_objects_in_named_tuples() -> None:
    result = ts.script(describe)(Pair(Point(3, 4), Color.RED))
    assert type(result.point) is Point
    assert result.point.x == 25
    assert result.color is Color.GREEN


def test_what_is_no_instance_is_refused() -> None:
    with pytest.raises(ArgumentError, match="Expected a value of type"):
        ts.script(grow)(3, 5)


def colors(n: int) -> list[Color]:
    found: list[Color] = []
    for color in Color:
        if color.value <= n:
            found.append(color)
    return found


def test_members_come_out_as_pythons() -> None:
    assert ts.script(colors)(1) == [Color.RED]
    assert ts.script(colors)(2) == list(Color)


def slow_double(x: int) -> int:
    return x * 2


def fork_many(n: int) -> list[torch.jit.Future[int]]:
    found: list[torch.jit.Future[int]] = []
    for i in range(n):
        found.append(torch.jit.fork(slow_double, i))
    return found


def nested(n: int) -> int:
    futures: list[torch.jit.Future[int]] = []
    for i in range(n):
        futures.append(torch.jit.fork(inner_sum, i))
    total = 0
    for future in futures:
        total += torch.jit.wait(future)
    return total


def inner_sum(n: int) -> int:
    futures: list[torch.jit.Future[int]] = []
    for i in range(n):
        futures.append(torch.jit.fork(slow_double, i))
    total = 0
    for future in futures:
        total += torch.jit.wait(future)
    return total


def test_futures_in_pythons_hands() -> None:
    futures = ts.script(fork_many)(5)
    assert [future.wait() for future in futures] == [0, 2, 4, 6, 8]
    assert all(future.done() for future in futures)


def test_forks_in_forks_do_not_wait_for_each_other_for_ever() -> None:
    assert ts.script(nested)(30) == sum(sum(2 * j for j in range(i)) for i in range(30))


def fails(n: int) -> int:
    if n > 0:
        raise ValueError("too much")
    return n


def waits_for_failure(n: int) -> int:
    return torch.jit.wait(torch.jit.fork(fails, n))


def test_an_exception_comes_out_where_the_result_is_waited_for() -> None:
    scripted = ts.script(waits_for_failure)
    assert scripted(0) == 0
    with pytest.raises(RuntimeError, match="too much"):
        scripted(1)
    with pytest.raises(RuntimeError, match="too much"):
        scripted(1)


meeting = threading.Barrier(2, timeout=20)


@torch.jit.ignore
def meet(n: int) -> int:
    meeting.wait()
    return n


def two_meet(n: int) -> int:
    other = torch.jit.fork(meet_in_program, n)
    here = meet_in_program(n)
    return here + torch.jit.wait(other)


def meet_in_program(n: int) -> int:
    return meet(n)


def test_forks_run_at_the_same_time() -> None:
    """Both tasks wait for the other one to come to the same place."""
    assert ts.script(two_meet)(4) == 8


class Log:
    def __init__(self, entries: list[int]):
        self.entries = entries

    def __enter__(self) -> int:
        self.entries.append(1)
        return len(self.entries)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        self.entries.append(2)


class Logging(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.entries = [0]

    def forward(self, n: int) -> int:
        with Log(self.entries):
            with Log(self.entries):
                if n > 2:
                    raise ValueError("inside")
            self.entries.append(3)
        return len(self.entries)


def test_an_exception_leaves_with_statements() -> None:
    module = ts.script(Logging())
    with pytest.raises(RuntimeError, match="inside"):
        module(3)
    assert module.entries == [0, 1, 1, 2, 2]
    assert module(1) == 10


def add_three(self: Any, inputs: tuple[torch.Tensor]) -> tuple[torch.Tensor]:
    return (inputs[0] + 3,)


def times_ten(self: Any, inputs: tuple[torch.Tensor], result: torch.Tensor) -> torch.Tensor:
    return result * 10


class Hooked(torch.nn.Module):
    def forward(self, x: ts.Tensor) -> ts.Tensor:
        return x - 1


class Outer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Hooked()
        self.inner.register_forward_pre_hook(add_three)
        self.inner.register_forward_hook(times_ten)

    def forward(self, x: ts.Tensor) -> ts.Tensor:
        return self.inner(x) + self.inner.forward(x)


def test_hooks_are_called_where_the_module_is_called() -> None:
    x = np.array([1.0, 2.0], np.float32)
    outer = Outer()
    scripted = ts.script(outer)
    for run in (scripted, lambda x: outer(as_tensor(x))):
        np.testing.assert_array_equal(np.asarray(run(x)), [30.0, 41.0])
    np.testing.assert_array_equal(np.asarray(scripted.inner(x)), [30.0, 40.0])


class Greeter(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.k = 3

    @torch.jit.ignore
    def python(self, x: int, ys: list[int] | None) -> list[int]:
        return [x + self.k, *(ys or [])]

    def forward(self, x: int) -> list[int]:
        return self.python(x, [7])


def test_an_ignored_method_runs_in_python() -> None:
    scripted = ts.script(Greeter())
    assert scripted(1) == [4, 7]
    assert scripted.python(2, None) == [5]
    assert "^python[]()" in str(scripted.graph)


EMITTED_ELSEWHERE = {
    # of the emitter's stages: gone before a graph is run
    prim.WithOp, prim.LoadOp, prim.StoreOp, prim.BreakStmtOp, prim.ContinueStmtOp,
    prim.ComprehensionScopeOp, prim.LoopContinuationOp, prim.ReturnStmtOp, prim.ClosureOp,
    # of the interpreter itself
    prim.YieldOp, prim.ConstantOp, prim.IfOp, prim.LoopOp,
    # run as functions of their own
    prim.ForkOp, prim.TensorExprGroupOp, prim.FusionGroupOp, prim.DifferentiableGraphOp,
    prim.FallbackGraphOp, prim.BailOutOp, prim.ScalarGroupOp,
    # of passes: gone before a graph is run
    prim.GradOfOp,
    # of modules as IR, which hold no graph
    prim.ClassTypeOp, prim.EnumTypeOp, prim.InterfaceTypeOp, prim.ModuleOp, prim.WeightOp,
}  # fmt: skip


def test_every_structural_op_can_be_run() -> None:
    """A node that the frontend emits and nothing runs would fail at run time only."""
    assert set(prim.STRUCTURAL_OPS) - set(RULES) <= EMITTED_ELSEWHERE
    assert not set(RULES) & EMITTED_ELSEWHERE
