#!/usr/bin/env python3
"""Writes docs/lowering.md: one program with a product, a reduction and a pointwise part, as it is after each step of the compiler.

    python tools/generate_lowering_docs.py

What is said of a pass is the docstring of its file. The texts are those of the passes' defaults, so that they are the same on every
machine; of long ones the middle is left out.
"""

import contextlib
import inspect
import io
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import numpy as np  # noqa: E402
from xdsl.dialects.builtin import ModuleOp  # noqa: E402
from xdsl.passes import ModulePass  # noqa: E402

import torchscript_dialect as ts  # noqa: E402
from lowering.llvm.translate import translate  # noqa: E402
from lowering.pipelines import LINALG_TO_LLVM  # noqa: E402
from lowering.universe import LOWERING_UNIVERSE  # noqa: E402
from torchscript_dialect.cli.ts_opt import main as ts_opt  # noqa: E402
from torchscript_dialect.frontend.ir_text import parse_ir_text  # noqa: E402
from torchscript_dialect.passes.pass_pipeline import PassPipeline  # noqa: E402

SOURCE = """\
def f(x, w, b):
    y = torch.relu(torch.mm(x, w) + b)
    return y / torch.sum(y, 1, True)
"""
TYPED = """\
graph(%x : Float(4, 8, strides=[8, 1], requires_grad=0, device=cpu),
      %w : Float(8, 16, strides=[16, 1], requires_grad=0, device=cpu),
      %b : Float(16, strides=[1], requires_grad=0, device=cpu)):
"""
GROUPS = "ts-constant-propagation,ts-propagate-shapes,ts-fuse-tensorexprs,ts-dead-code-elimination"
FIRST = "ts-convert-torch-to-linalg"
LONGEST = 90
"""Lines of a text; of a longer one the middle is left out."""
HEAD = """\
# From a fusion group to machine code

Written by `tools/generate_lowering_docs.py`, and compared with what the compiler does by a test. One program goes all the way: a
matrix product, a pointwise part, and a reduction. Each text is the whole module as `ts-opt -p` prints it after the pass that stands
above it, with that pass's options left at their defaults. `lowering/stages.py` says which operations may be there after each pass.
Other ways out of the compiler are told of in [architecture.md](architecture.md#export).

"""


def document() -> str:
    """The text of docs/lowering.md."""
    graph = typed_graph()
    parts = [HEAD, "## The program\n", _block("python", SOURCE)]
    parts += ["With the types of a call's arguments, it is this graph:\n", _block("text", graph)]
    module = parse_ir_text(graph)
    parts += ["## The group\n", _paragraphs("ts-fuse-tensorexprs")]
    PassPipeline(GROUPS).apply(module)
    parts.append(_block("text", _printed(graph, GROUPS)))
    for name in (FIRST, *LINALG_TO_LLVM):
        PassPipeline(name).apply(module)
        module.verify()
        parts += [f"## {name}\n", _paragraphs(name), _dialects(module), _block("mlir", str(module))]
    parts += [
        "## LLVM IR\n",
        _block("llvm", translate(module)),
        "## A call\n",
        _block("text", run()),
    ]
    return "\n".join(parts)


def typed_graph() -> str:
    """The graph of the program, with types of arguments."""
    text = str(ts.CompilationUnit(SOURCE).f.graph)
    lines = [line.partition(" # ")[0] for line in text.strip().splitlines()]
    first = next(place for place, line in enumerate(lines) if line.endswith("):"))
    return TYPED + "\n".join([*lines[first + 1 :], ""])


def run() -> str:
    """What calls of the program print."""
    f = ts.CompilationUnit(SOURCE).f
    rng = np.random.default_rng(0)
    lines: list[str] = []
    for rows in (4, 4, 4, 1000):
        x, w, b = (rng.random(size, dtype=np.float32) for size in ((rows, 8), (8, 16), (16,)))
        result = np.asarray(f(x, w, b))
        y = np.maximum(x @ w + b, 0)
        same = np.allclose(result, y / y.sum(1, keepdims=True), rtol=1e-5)
        lines.append(f"{result.shape}: {'as NumPy computes it' if same else 'WRONG'}")
    return "\n".join([*lines, ""])


def _printed(graph: str, passes: str) -> str:
    stream = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(stream):
        file = Path(folder, "program.ts")
        file.write_text(graph)
        if ts_opt([str(file), "-p", passes, "-t", "torchscript"]):
            raise ValueError(f"ts-opt -p {passes} failed")
    return stream.getvalue().strip() + "\n"


def _class_of(name: str) -> type[ModulePass]:
    found = {**LOWERING_UNIVERSE.all_passes}
    if name in found:
        return found[name]()
    (made,) = PassPipeline(name).passes
    return type(made)


def _paragraphs(name: str) -> str:
    """What the file of a pass says of it, without its notes, which are about how it works."""
    text = inspect.cleandoc(sys.modules[_class_of(name).__module__].__doc__ or "")
    return text.partition("\n\nNote [")[0] + "\n"


def _dialects(module: ModuleOp) -> str:
    """The dialects of which a module holds operations."""
    names = {op.dialect_name() for op in module.walk() if op is not module}
    return "Dialects: " + ", ".join(f"`{name}`" for name in sorted(names)) + ".\n"


def _block(language: str, text: str) -> str:
    lines = text.rstrip().splitlines()
    if len(lines) > LONGEST:
        left = len(lines) - LONGEST
        lines = [*lines[: LONGEST - 10], f"... ({left} lines)", *lines[-10:]]
    return "\n".join([f"```{language}", *lines, "```", ""])


if __name__ == "__main__":
    (ROOT / "docs" / "lowering.md").write_text(document())
