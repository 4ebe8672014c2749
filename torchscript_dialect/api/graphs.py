"""Graphs that stand alone: from text, and run."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from torchscript_dialect.autograd.beside_pytorch import run_beside_pytorch
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.module import functions_of, module_around
from torchscript_dialect.runtime.admission import admit
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.runtime.values.arguments import ArgumentError, Lent, take_argument
from torchscript_dialect.runtime.values.objects import view_of
from torchscript_dialect.tensor.tracked import is_in_use
from torchscript_dialect.utils.errors import ParseError
from torchscript_dialect.utils.recursion import deep_recursion


def parse_ir(text: str) -> Graph:
    """The graph that a canonical graph text holds, in a module of its own.

    Raises:
        ParseError: the text is not that of one graph.
    """
    module = parse_ir_text(text)
    functions = functions_of(module)
    if not functions:
        raise ParseError("the text holds no graph")
    return Graph(functions[0])


def run_graph(graph: Graph, *args: Any, allow: Collection[str] = ()) -> Any:
    """Run a graph with the interpreter, node by node, without optimizing it.

    The graph may come from anybody: it is checked first, and touches neither files, processes nor the network, nor calls Python
    functions, unless `allow` names that: `"files"`, `"processes"`, `"network"`, `"python"` (docs/security.md).

    Raises:
        ArgumentError: there are too few or too many arguments, or one does not have the type of the graph's input.
        TorchScriptError: the graph is malformed, or would touch what it may not; the message shows where.
        Error and other RuntimeErrors: a node fails.
    """
    inputs = graph.inputs()
    if len(args) != len(inputs):
        raise ArgumentError(f"the graph takes {len(inputs)} inputs, not {len(args)}")
    (function,) = graph.__torchscript_functions__()
    with deep_recursion():
        admit(module_around(function), allow)
    lent: Lent = {}
    values = [
        take_argument(
            f"run_graph() Expected a value of type '{i.type().annotation_str}' for input '%{i.debugName()}'",
            arg,
            i.type(),
            lent=lent,
        )
        for arg, i in zip(args, inputs, strict=True)
    ]
    if not lent and not is_in_use():
        return view_of(interpret(function, is_checked=True)(*values))
    executor = GraphExecutor(function, is_checked=True)
    return view_of(run_beside_pytorch(executor.interpreted, executor, values, lent))
