"""Puts every differentiable graph under a check of what requires gradients (PyTorch: runtime/profiling_graph_executor_impl.cpp,
`guardDifferentiableGraph`).

`prim::RequiresGradCheck` looks at the tensors that the sub-graph takes; where they require gradients as their types say, it runs, and
otherwise a `prim::FallbackGraph`, which holds its nodes without a graph that goes back. The executor does without: what requires
gradients is a part of what a plan is for.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.insert_type_checks import guard_with
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class GuardDifferentiableGraphs(FunctionPass):
    """No pipeline has it."""

    name = "ts-guard-differentiable-graphs"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        ops = edit.nested_ops(function.body.block)
        graphs = [op for op in ops if isinstance(op, prim.DifferentiableGraphOp)]
        for graph in graphs:
            tensors = [v for v in graph.operands if isinstance(v.type, TensorType)]
            types = [*(value.type for value in tensors), BOOL]
            guard_with(prim.RequiresGradCheckOp.create(operands=tensors, result_types=types), graph)
        dump(LOG, "After GuardDifferentiableGraphs: ", function)
        return bool(graphs)
