"""`torch._C`, as far as source that looks into the JIT calls it (PyTorch: torch/csrc/jit/python/init.cpp)."""

# pyright: reportUnusedFunction=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.api.function import last_executed_optimized_graph
from torchscript_dialect.ir.graph import Block, Graph, Node, Value
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.ops.eager.recording import RECORDING
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.debug_state import ArgumentSpec, GraphExecutorState
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan
from torchscript_dialect.torch.absent_names import absent

_infer_size = function("_infer_size")
_last_executed_optimized_graph = last_executed_optimized_graph
_jit_set_fusion_strategy = settings.set_fusion_strategy
_jit_set_num_profiled_runs = settings.set_num_profiled_runs
_jit_set_profiling_executor = settings.set_profiling_executor
_jit_set_profiling_mode = settings.set_profiling_mode


def _jit_get_num_profiled_runs() -> int:
    """How many runs observe types before a graph is optimized."""
    return settings.current().profiled_runs


def _get_graph_executor_optimize(new: bool | None = None) -> bool:
    """Whether graphs are optimized; a new setting may be given."""
    before = settings.current().optimize
    if new is not None:
        settings.optimized_execution(new)
    return before


def _set_graph_executor_optimize(optimize: bool) -> None:
    """Turn optimization of graphs on or off."""
    settings.optimized_execution(optimize)


def _jit_texpr_fuser_enabled() -> bool:
    """Whether groups of operators become kernels."""
    return settings.current().fuser != "none"


def _jit_set_texpr_fuser_enabled(enabled: bool) -> bool:
    """Let groups of operators become kernels, or not; gives what was before."""
    before = _jit_texpr_fuser_enabled()
    if before != enabled:
        settings.fuser("llvm" if enabled else "none")
    return before


_jit_can_fuse_on_cpu = _jit_texpr_fuser_enabled
_jit_override_can_fuse_on_cpu = _jit_set_texpr_fuser_enabled


def _get_tracing_state() -> Any:
    """What records this thread's trace, None where nothing does."""
    return RECORDING.recorder


def _log_api_usage_once(event: str) -> None:
    """PyTorch counts uses of libraries so; nothing is counted here."""


def _are_functorch_transforms_active() -> bool:
    """Whether tensors stand for those of a transform: those of `torch.func` here call functions with tensors as any."""
    return False


_PASSES = {
    "cse": "common_subexpression_elimination",
    "dce": "dead_code_elimination",
    "remove_mutation": "remove_list_mutation,ts-remove-tensor-mutation",
}
"""Passes whose names in the bindings are not those of their files."""


def __getattr__(name: str) -> Callable[..., Any]:
    """`_jit_pass_inline(graph)` runs the pass `ts-inline`."""
    prefix, found, one = name.partition("_jit_pass_")
    if prefix or not found:
        raise absent(__name__, name)
    try:
        passes = PassPipeline("ts-" + _PASSES.get(one, one).replace("_", "-"))
    except ValueError as error:
        raise AttributeError(f"module 'torch._C' has no attribute '{name}': {error}") from None

    def run(graph: Graph) -> None:
        passes.run(graph)

    return run


__all__ = ["ArgumentSpec", "Block", "ExecutionPlan", "Graph", "GraphExecutorState", "Node", "Value"]
