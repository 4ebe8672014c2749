"""Large functions are compiled in the background, while calls are interpreted."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan
from torchscript_dialect.utils import background, progress
from torchscript_dialect.utils.background import checkpoint
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import InternalError, TorchScriptError
from torchscript_dialect.utils.recursion import deep_recursion

LINES = "".join(f"    y = torch.tanh(y * {i}.5) + x\n" for i in range(60))
SOURCE = f"def f(x: Tensor):\n    y = x\n{LINES}    return y\n"
X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


@pytest.fixture(autouse=True)
def in_background(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compilations run in the background."""
    with ts.background_compilation(True):
        yield
    monkeypatch.undo()
    last = background.start(lambda: None, Owner())
    assert last is not None
    last.wait()


class Owner:
    is_needed = True


def expected() -> np.ndarray[Any, Any]:
    y = X
    for i in range(60):
        y = np.tanh(y * np.float32(i + 0.5)) + X
    return y


def plan_of(f: ts.ScriptFunction) -> ExecutionPlan:
    (plan,) = f.get_debug_state().execution_plans.values()
    return plan


def call(f: ts.ScriptFunction) -> None:
    np.testing.assert_allclose(f(X).numpy(), expected(), rtol=1e-5, atol=1e-6)


class Held:
    """The compilation of large functions, which waits until it may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.go_on = threading.Event()
        self.has_begun = threading.Event()
        compiled = ExecutionPlan._compiled  # pyright: ignore[reportPrivateUsage]

        def wait(plan: ExecutionPlan) -> Any:
            self.has_begun.set()
            while plan.is_large and not self.go_on.wait(0.001):
                checkpoint("waiting")
            return compiled(plan)

        monkeypatch.setattr(ExecutionPlan, "_compiled", wait)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held(monkeypatch)
    yield held
    held.go_on.set()


@needs_native_calls
def test_calls_are_interpreted_until_a_large_function_is_compiled(held: Held) -> None:
    f = ts.CompilationUnit(SOURCE)["f"]
    for _ in range(4):
        call(f)
    assert plan_of(f).is_compiling and f.native_calls == 0
    assert "being compiled in the background" in ts.explain(f)
    held.go_on.set()
    with ts.background_compilation(False):
        call(f)
    assert not plan_of(f).is_compiling
    before = f.native_calls
    call(f)
    assert f.native_calls == before + 1 or "native" in ts.explain(f)


@needs_native_calls
def test_a_small_function_is_compiled_by_the_second_call() -> None:
    f = ts.CompilationUnit("def f(x: Tensor):\n    return torch.tanh(x * 2) + x\n")["f"]
    for _ in range(3):
        f(X)
    assert f.native_calls >= 1


def test_the_calls_of_a_function_count_with_what_they_call(held: Held) -> None:
    source = SOURCE.replace("def f", "def g") + "def f(x: Tensor):\n    return g(x)\n"
    f = ts.CompilationUnit(source)["f"]
    for _ in range(3):
        call(f)
    assert plan_of(f).is_compiling
    held.go_on.set()


@needs_native_calls
def test_other_threads_compile_meanwhile(held: Held) -> None:
    f = ts.CompilationUnit(SOURCE)["f"]
    call(f)
    call(f)
    assert held.has_begun.wait(60)
    test_a_small_function_is_compiled_by_the_second_call()
    assert plan_of(f).is_compiling
    held.go_on.set()


@pytest.mark.parametrize("change", ["settings", "graph"])
def test_a_function_that_changes_meanwhile_never_sees_what_was_compiled(
    held: Held, change: str
) -> None:
    f = ts.CompilationUnit(SOURCE)["f"]
    call(f)
    call(f)
    job = plan_of(f).run.job  # pyright: ignore[reportFunctionMemberAccess]
    if change == "settings":
        runs = ts.set_num_profiled_runs(5)
        ts.set_num_profiled_runs(runs)
    else:
        f.invalidate()
    held.go_on.set()
    job.wait()
    assert not f.get_debug_state().execution_plans and f.num_specializations == 0
    call(f)


def test_a_mistake_in_the_background_is_a_warning_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(plan: ExecutionPlan) -> Any:
        raise KeyError("lost")

    monkeypatch.setattr(ExecutionPlan, "_compiled", fail)
    f = ts.CompilationUnit(SOURCE)["f"]
    call(f)
    call(f)
    plan_of(f).run.job.wait()  # pyright: ignore[reportFunctionMemberAccess]
    with pytest.warns(RuntimeWarning, match="(?s)KeyError.*lost.*The function is interpreted"):
        call(f)
    call(f)
    assert not plan_of(f).is_compiling


def test_what_nests_too_deep_for_the_thread_is_compiled_by_the_call() -> None:
    lines = [f"{'    ' * (i + 1)}if n > {i}:\n" for i in range(90)]
    text = f"def f(x: Tensor, n: int):\n{''.join(lines)}{'    ' * 91}x = torch.tanh(x * 2) + x\n    return x\n"
    f = ts.CompilationUnit(text)["f"]
    limit = sys.getrecursionlimit()
    for _ in range(2):
        f(X, 100)
    plan = plan_of(f)
    plan.run.job.wait()  # pyright: ignore[reportFunctionMemberAccess]
    assert sys.getrecursionlimit() == limit
    np.testing.assert_allclose(f(X, 100).numpy(), np.tanh(X * 2) + X, rtol=1e-5, atol=1e-6)
    assert plan.is_built or plan.kernel is not None


def test_the_limit_of_recursion_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int] = []

    def note(plan: ExecutionPlan) -> Any:
        with deep_recursion():
            limits.append(sys.getrecursionlimit())
        raise InternalError("too deep") from RecursionError()

    monkeypatch.setattr(ExecutionPlan, "_compiled", note)
    f = ts.CompilationUnit(SOURCE)["f"]
    call(f)
    call(f)
    plan_of(f).run.job.wait()  # pyright: ignore[reportFunctionMemberAccess]
    with pytest.raises(InternalError):
        f(X)
    assert limits[0] == sys.getrecursionlimit() < limits[1]


def test_what_a_user_is_told_is_raised_by_the_call_that_finds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(plan: ExecutionPlan) -> Any:
        raise TorchScriptError("not like this")

    monkeypatch.setattr(ExecutionPlan, "_compiled", fail)
    f = ts.CompilationUnit(SOURCE)["f"]
    call(f)
    call(f)
    plan_of(f).run.job.wait()  # pyright: ignore[reportFunctionMemberAccess]
    with pytest.raises(TorchScriptError, match="not like this"):
        f(X)


def test_passes_of_a_user_run_in_the_thread_that_calls() -> None:
    threads: list[threading.Thread] = []

    def note(graph: ts.Graph) -> None:
        threads.append(threading.current_thread())

    f = ts.CompilationUnit(SOURCE)["f"]
    with ts.add_pass(note):
        call(f)
        call(f)
    assert set(threads) == {threading.current_thread()}


def test_passes_that_were_taken_away_change_nothing() -> None:
    f = ts.CompilationUnit(SOURCE)["f"]
    with (
        ts.add_pass(lambda graph: None),
        ts.add_pass(lambda graph: None, before="ts-fuse-tensorexprs"),
    ):
        call(f)
    call(f)
    assert not plan_of(f).executor.lists.changed and plan_of(f).is_large


def test_where_no_thread_can_be_begun_the_call_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(job: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(background._worker, "add", refuse)  # pyright: ignore[reportPrivateUsage]
    f = ts.CompilationUnit(SOURCE)["f"]
    call(f)
    call(f)
    assert plan_of(f).is_built or plan_of(f).kernel is not None


def test_who_waits_for_the_lock_goes_first() -> None:
    got_it = threading.Event()

    def compile_for_long() -> str:
        with compilation:
            while not got_it.is_set():
                checkpoint("waiting")
        return "done"

    job = background.start(compile_for_long, Owner())
    assert job is not None
    with compilation:
        got_it.set()
    job.wait()
    assert job.result() == "done"


def test_what_nobody_needs_is_dropped() -> None:
    owner = Owner()

    def compile_for_ever() -> None:
        with compilation:
            while True:
                checkpoint("waiting")

    job = background.start(compile_for_ever, owner)
    assert job is not None
    owner.is_needed = False
    job.wait()


PROCESS = f"""
import os, sys, numpy as np, torchscript_dialect as ts
f = ts.CompilationUnit({SOURCE!r})["f"]
x = np.ones((3, 4), np.float32)
first = f(x).numpy()
def same():
    assert abs(f(x).numpy() - first).max() < 1e-5
same()
"""
FORK = """
for _ in range(3):
    child = os.fork()
    if not child:
        for _ in range(3):
            same()
        with ts.background_compilation(False):
            same()
        (plan,) = f.get_debug_state().execution_plans.values()
        os._exit(0 if plan.is_built or plan.kernel else 3)
    assert os.waitpid(child, 0)[1] == 0
    same()
"""


@pytest.mark.parametrize("rest", ["", FORK], ids=["exit", "fork"])
def test_a_process_ends_and_forks_while_it_compiles(rest: str) -> None:
    environment = {**os.environ, "TORCHSCRIPT_DIALECT_BACKGROUND": "1"}
    command = [sys.executable, "-W", "error", "-c", PROCESS + rest]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


class Terminal:
    def __init__(self, is_one: bool) -> None:
        self.is_one = is_one
        self.text = ""

    def isatty(self) -> bool:
        return self.is_one

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_long_compilation_is_shown_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool
) -> None:
    terminal = Terminal(is_terminal)
    monkeypatch.setattr(progress, "SILENT_FOR", 0.0)
    monkeypatch.setattr(sys, "stderr", terminal)
    f = ts.CompilationUnit(SOURCE)["f"]
    with ts.background_compilation(False):
        call(f)
        call(f)
    assert ("compiles 'f', 0 s: ts-fuse-tensorexprs" in terminal.text) == is_terminal
    assert not terminal.text or terminal.text.endswith("\r\x1b[K")


class Standing:
    """A job that goes on when it is told to, and says when it has."""

    def __init__(self) -> None:
        self.go_on, self.went = threading.Event(), threading.Event()
        job = background.start(self.run, Owner())
        assert job is not None
        self.job = job

    def run(self) -> None:
        with compilation:
            self.go_on.wait(60)
            checkpoint("the next step")
        self.went.set()


def test_the_compiler_stands_still_for_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "STANDS_STILL", 60.0)
    job = Standing()
    with background.calls:
        job.go_on.set()
        assert not job.went.wait(0.05)
    assert job.went.wait(30)


def test_the_compiler_goes_on_beside_a_long_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "STANDS_STILL", 0.01)
    job = Standing()
    with background.calls:
        job.go_on.set()
        assert job.went.wait(30)


def test_the_compiler_does_not_stand_still_for_a_call_that_compiles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "STANDS_STILL", 60.0)
    job = Standing()
    with background.calls:
        job.go_on.set()
        with compilation:
            pass
    assert job.went.wait(30)


def test_calls_are_those_that_are_interpreted_meanwhile(held: Held) -> None:
    f, seen = ts.CompilationUnit(SOURCE.replace("tanh", "sigmoid"))["f"], set[int]()
    for _ in range(2):
        f(X)
    stage: Any = plan_of(f).run
    run = stage.meanwhile

    def meanwhile(*args: Any) -> Any:
        seen.update(background.calls.threads)
        return run(*args)

    stage.meanwhile = meanwhile
    f(X)
    assert seen == {threading.get_ident()} and not background.calls.threads
    held.go_on.set()
