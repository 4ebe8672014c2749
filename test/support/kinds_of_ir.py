"""Modules of every form that `ts-opt` reads: graphs before and after SSA, and what each step of each lowering leaves behind.

`kinds` are the modules by name; `misfit` is what a pass does to one that it should not.
"""

from __future__ import annotations

from functools import cache, lru_cache
from io import StringIO

from xdsl.dialects.builtin import ModuleOp
from xdsl.printer import Printer

import torchscript_dialect as ts
from lowering.pipelines import LINALG_TO_LLVM, LINALG_TO_PTX, SCALARS_TO_LLVM
from torchscript_dialect import torch
from torchscript_dialect.api.module_ir import add_module
from torchscript_dialect.cli.ts_opt import USER_ERRORS
from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.passes.watch import Watch
from torchscript_dialect.utils.errors import InternalError

MATRIX = "Float(8, 16, strides=[16, 1], requires_grad=0, device=cpu)"
SQUARE = "Float(16, 16, strides=[16, 1], requires_grad=0, device=cpu)"

SOURCE = """
class Counter:
    def __init__(self, start: int):
        self.count = start

    def next(self, step: int) -> int:
        self.count += step
        return self.count

def helper(x, n: int):
    for i in range(n):
        if i > 2:
            return x + i
        x = torch.tanh(x) * x
    return x

def main(x, flag: bool, names: List[str]):
    counter = Counter(3)
    parts = [helper(x, counter.next(i)) for i in range(3)]
    table = {name: len(name) for name in names}
    with torch.no_grad():
        y = torch.stack(parts).sum()
    while flag and len(table) < 3:
        table["b"] = 1
        flag = False
    z = torch.softmax(x, 1) if flag else x.add_(1)
    assert len(names) > 0, "no names"
    return y, z, table, torch.jit.fork(helper, x, 2)
"""
GRAPHS = {
    "typed": f"""
graph(%x : {MATRIX}, %y : {MATRIX}, %w : {SQUARE}):
  %one : int = prim::Constant[value=1]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::mul(%x, %y)
  %b : Tensor = aten::tanh(%a)
  %c : Tensor = aten::mm(%b, %w)
  %d : Tensor = aten::softmax(%c, %one, %none)
  %e : Tensor = aten::add(%d, %x, %one)
  return (%e)
""",
    "pointwise": f"""
graph(%x : {MATRIX}, %y : {MATRIX}):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %y)
  %b : Tensor = aten::exp(%a)
  %e : Tensor = aten::add(%b, %x, %one)
  return (%e)
""",
    "numbers": """
graph(%k : int, %x : int, %y : float):
  %true : bool = prim::Constant[value=1]()
  %r : int, %s : float = prim::Loop(%k, %true, %x, %y)
    block0(%i : int, %a : int, %b : float):
      %c : int = aten::add(%a, %i)
      %d : float = aten::mul(%b, %y)
      -> (%true, %c, %d)
  return (%r, %s)
""",
    "guarded": f"""
graph(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %c : Tensor):
      %b : {MATRIX} = prim::Guard(%c)
      %d : Tensor = aten::add(%b, %i, %1)
      -> (%t, %d)
  return (%a)
""",
}
TO_LINALG = ("ts-propagate-shapes", "ts-fuse-tensorexprs", "ts-convert-torch-to-linalg")
STEPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "cpu": ("typed", (*TO_LINALG, *LINALG_TO_LLVM)),
    "gpu": ("pointwise", ("ts-attach-gpu-target", *TO_LINALG, *LINALG_TO_PTX)),
    "scalars": ("numbers", ("ts-convert-scalars-to-scf", *SCALARS_TO_LLVM)),
    "autodiff": (
        "typed",
        ("ts-propagate-shapes", "ts-create-autodiff-subgraphs", "ts-differentiate"),
    ),
    "checks": (
        "typed",
        (
            "ts-propagate-shapes",
            "ts-fuse-tensorexprs",
            "ts-insert-type-checks",
            "ts-lower-fallback-graphs",
        ),
    ),
    "bailouts": ("guarded", ("ts-insert-bailouts",)),
    "loops of numbers": ("numbers", ("ts-outline-scalar-loops",)),
}


def _graph(name: str) -> ModuleOp:
    return ts.parse_ir(GRAPHS[name]).module_op


@cache
def _steps(name: str) -> dict[str, ModuleOp]:
    """What each pass of a pipeline leaves behind."""
    graph, passes = STEPS[name]
    module = _graph(graph).clone()
    found: dict[str, ModuleOp] = {}
    for one in passes:
        PassPipeline(one).apply(module)
        found[f"{name}: {one}"] = module.clone()
    return found


def _emitted() -> ModuleOp:
    return compile_source(SOURCE, "<kinds>", emit_only=True).module_op


def _exported(*, bufferize: bool) -> ModuleOp:
    return ts.to_linalg(
        ts.function_from(ts.parse_ir(GRAPHS["typed"])), _inputs(), bufferize=bufferize
    )


def _inputs() -> tuple[ts.Tensor, ...]:
    return tuple(torch.ones(*size) for size in ((8, 16), (8, 16), (16, 16)))


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = torch.nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x).relu()


def _whole_module() -> ModuleOp:
    """A module as IR: its classes, its objects and its methods."""
    scripted = ts.script(Net())
    add_module(scripted)
    return scripted.__torchscript_definition__[1].module_op


@lru_cache(maxsize=1)
def kinds() -> dict[str, ModuleOp]:
    """A module of every form, by a name for it."""
    found = {f"graph: {name}": _graph(name) for name in GRAPHS}
    found["empty"] = ModuleOp([])
    found["before SSA"] = _emitted()
    found["source"] = ts.CompilationUnit(SOURCE).main.graph.module_op
    found["export"] = _exported(bufferize=False)
    found["export, bufferized"] = _exported(bufferize=True)
    found["module"] = _whole_module()
    for name in STEPS:
        found |= _steps(name)
    return found


def misfit(name: str, module: ModuleOp) -> str | None:
    """What is wrong with how a pass takes a copy of a module: it leaves invalid IR behind, or what it raises is no error of ours with a
    message. None where it works, or says that it does not.
    """
    copy = module.clone()
    try:
        PassPipeline(name).apply(copy, watch=Watch(verify_each=True))
        Printer(stream=StringIO()).print_op(copy)
    except InternalError as error:
        return str(error)
    except USER_ERRORS as error:
        wrong = _WRONG if name.startswith("ts-") else ()  # others may leave what they are not for
        is_wrong = not str(error).strip() or any(words in str(error) for words in wrong)
        return f"{type(error).__name__}: {error}" if is_wrong else None
    except Warning:
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


_WRONG = ("left invalid IR behind", "Operation using value defined out of")
