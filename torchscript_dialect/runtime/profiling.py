"""Observed types: what propagation cannot tell, runs do (PyTorch: runtime/profiling_record.cpp).

Types of module attributes and of results without a shape rule are not known before a function runs. Its first runs are then made
by the interpreter, on a copy of the graph with `prim::profile` nodes; what they saw specializes the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.func import FuncOp

from torchscript_dialect.transforms._fusible import is_candidate, is_fusible

if TYPE_CHECKING:
    from torchscript_dialect.runtime.graph_executor import ExecutionPlan

WORTHWHILE = 2
"""Nodes that observed types might make fusible, from which on it is worth to observe them."""


def is_worth_observing(function: FuncOp) -> bool:
    """Whether an optimized function has nodes left that are not fused for want of types."""
    missed = 0
    for op in function.body.walk():
        missed += is_candidate(op) and not is_fusible(op)
        if missed >= WORTHWHILE:
            return True
    return False


class ProfilingRun:
    """Runs a plan's function `runs` times with observation, and lets the plan go on with what was seen."""

    def __init__(self, plan: ExecutionPlan, observed: Callable[..., Any], runs: int) -> None:
        self.plan = plan
        self.observed = observed
        self.left = runs

    def __call__(self, *args: Any) -> Any:
        result = self.observed(*args)
        self.left -= 1
        if self.left == 0:
            self.plan.use_observed_types()
        return result
