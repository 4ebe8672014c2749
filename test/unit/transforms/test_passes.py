"""What all passes have in common: depth, time, logging, limits, and how they are run."""

import io
import sys
from collections.abc import Callable
from types import FrameType

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.named import pipelines
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.passes.table import own_passes
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.transforms import dead_code_elimination
from torchscript_dialect.transforms._pass import deep_recursion
from torchscript_dialect.transforms.dead_code_elimination import DeadCodeElimination
from torchscript_dialect.utils import jit_log, jit_opt_limit

PASSES = sorted(name for name, load in own_passes().items() if ".transforms." in load().__module__)
F = "Float(4, 4, strides=[4, 1], requires_grad=0, device=cpu)"


def only(module: ModuleOp) -> FuncOp:
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    return function


def text_of(module: ModuleOp) -> str:
    return print_graph(only(module))


def nested(depth: int, kind: str) -> str:
    """A graph with `depth` blocks in each other."""
    lines = [f"graph(%x : {F}, %c : bool, %n : int):", "  %t : bool = prim::Constant[value=1]()"]
    value = "%x"
    for level in range(depth):
        pad = "  " * (2 * level + 1)
        if kind == "loop":
            lines.append(f"{pad}%r{level} : Tensor = prim::Loop(%n, %t, {value})")
            lines.append(f"{pad}  block0(%i{level} : int, %p{level} : Tensor):")
            lines.append(f"{pad}    %a{level} : Tensor = aten::neg(%p{level})")
        else:
            lines.append(f"{pad}%r{level} : Tensor = prim::If(%c)")
            lines.append(f"{pad}  block0():")
            lines.append(f"{pad}    %a{level} : Tensor = aten::neg({value})")
        value = f"%a{level}"
    for level in reversed(range(depth)):
        pad = "  " * (2 * level + 1)
        if kind == "loop":
            lines.append(f"{pad}    -> (%t, {value})")
        else:
            lines += [f"{pad}    -> ({value})", f"{pad}  block1():", f"{pad}    -> (%x)"]
        value = f"%r{level}"
    return "\n".join([*lines, "  return (%r0)", ""])


@pytest.mark.parametrize("kind", ["if", "loop"])
@pytest.mark.parametrize("name", PASSES)
def test_blocks_may_nest_deep(name: str, kind: str) -> None:
    with deep_recursion():
        module = parse_ir_text(nested(200, kind))
    PassPipeline([name]).run(module)
    with deep_recursion():
        module.verify()


def chain(length: int) -> str:
    lines = [f"graph(%x : {F}):", "  %one : int = prim::Constant[value=1]()"]
    value = "%x"
    for index in range(length):
        lines.append(f"  %c{index} : int = prim::Constant[value={index}]()")
        lines.append(f"  %a{index} : Tensor = aten::add({value}, %x, %one)")
        value = f"%a{index}"
    return "\n".join([*lines, f"  return ({value})", ""])


@pytest.mark.parametrize("name", PASSES)
def test_work_grows_with_the_graph(name: str) -> None:
    """Counts Python calls: ten times the nodes are about ten times the calls."""

    def calls(length: int) -> int:
        module = parse_ir_text(chain(length))
        counted = 0

        def count(frame: FrameType, event: str, arg: object) -> None:
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            PassPipeline([name]).run(module)
        finally:
            sys.setprofile(None)
        return counted

    calls(10)
    assert calls(1000) < 20 * calls(100)


def test_a_pass_runs_on_one_function() -> None:
    module = parse_ir_text(
        "graph @f(%x : Tensor):\n  %1 : int = prim::Constant[value=1]()\n  return (%x)\n"
        "graph @g(%x : Tensor):\n  %1 : int = prim::Constant[value=1]()\n  return (%x)\n"
    )
    f, g = module.ops
    assert isinstance(f, FuncOp) and isinstance(g, FuncOp)
    PassPipeline([DeadCodeElimination()]).run(f)
    assert "Constant" not in print_graph(f)
    assert "Constant" in print_graph(g)


@pytest.mark.parametrize("name", ["ts-nothing", "canonical", "ts--pass"])
def test_an_unknown_pass_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        PassPipeline([name]).run(parse_ir_text("graph(%x : Tensor):\n  return (%x)\n"))


def test_pipelines_name_passes() -> None:
    assert all(pipeline.passes for pipeline in pipelines.values())


UNUSED = """graph(%x : Tensor):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::neg(%x)
  return (%x)
"""


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Runs dead code elimination under a value of the variable; what it logs."""

    def run(value: str) -> str:
        stream = io.StringIO()
        monkeypatch.setattr(dead_code_elimination.LOG, "stream", stream)
        monkeypatch.setenv(jit_log.VARIABLE, value)
        PassPipeline(["ts-dead-code-elimination"]).run(parse_ir_text(UNUSED))
        return stream.getvalue()

    return run


def test_a_named_file_logs_updates_and_dumps(log: Callable[[str], str]) -> None:
    lines = log("dead_code_elimination").splitlines()
    assert lines[0].startswith("[UPDATE dead_code_elimination.py:")
    assert lines[0].endswith("] Node aten::neg which outputs b will be removed")
    assert [line.partition("] ")[2] for line in lines[2:]] == [
        "After eliminateDeadCode: ",
        "graph(%x : Tensor):",
        "  return (%x)",
    ]
    assert all(line.startswith("[DUMP dead_code_elimination.py:") for line in lines[2:])


@pytest.mark.filterwarnings("ignore:.*which means nothing here")
@pytest.mark.parametrize(
    "value", ["dead_code_elimination.py", "x:dead_code_elimination", ">dead_code_elimination"]
)
def test_ways_to_name_a_file(log: Callable[[str], str], value: str) -> None:
    assert log(value)


@pytest.mark.filterwarnings("ignore:.*which means nothing here")
@pytest.mark.parametrize("value", ["", "constant_pooling", "dead_code", ":"])
def test_other_files_do_not_log(log: Callable[[str], str], value: str) -> None:
    assert log(value) == ""


@pytest.mark.filterwarnings("ignore:.*which means nothing here")
def test_debug_messages_need_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    logger = jit_log.Log("torchscript_dialect.transforms.some_pass", stream)
    monkeypatch.setenv(jit_log.VARIABLE, "some_pass")
    logger.debug("no")
    monkeypatch.setenv(jit_log.VARIABLE, ">>some_pass")
    logger.debug("one\ntwo")
    lines = stream.getvalue().splitlines()
    assert [line.partition("] ")[2] for line in lines] == ["one", "two"]
    assert lines[0].startswith("[DEBUG some_pass.py:")


@pytest.mark.filterwarnings("ignore:.*which means nothing here")
@pytest.mark.parametrize(("value", "left"), [("0", 2), ("1", 1), ("2", 0), ("x", 0)])
def test_the_limit_counts_changes(monkeypatch: pytest.MonkeyPatch, value: str, left: int) -> None:
    jit_opt_limit.counters.cache_clear()
    monkeypatch.setenv(jit_opt_limit.VARIABLE, f"other=0:dead_code_elimination={value}")
    module = parse_ir_text(UNUSED)
    PassPipeline(["ts-dead-code-elimination"]).run(module)
    assert text_of(module).count("aten::neg") == left
