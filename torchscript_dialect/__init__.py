"""TorchScript without PyTorch: a compiler for its programs, on xDSL, NumPy and LLVM.

    import torchscript_dialect as ts
    from torchscript_dialect import torch

    @torch.jit.script
    def f(a, b):
        return torch.tanh(a + b)

    f(x, y)            # arrays, tensors of any library that speaks DLPack
    print(f.graph)     # the graph, as PyTorch prints it
    print(f.graph_for(x, y))

`script` and `CompilationUnit` take programs in, `load` takes archives, `parse_ir` takes graph text, `run_graph` runs a graph that
stands alone, `register_operator` adds an operator, `to_linalg` hands a function to other compilers. A `PassPipeline` transforms what
it is given, `pipelines` are those by which functions are compiled, and `add_pass` puts a pass into them. `fuser`,
`optimized_execution`, `set_fusion_strategy` and `set_num_profiled_runs` say how functions are run.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from torchscript_dialect.utils.collection import without_collection

if TYPE_CHECKING:
    from torchscript_dialect import torch as torch
    from torchscript_dialect.api.freeze import freeze, optimize_for_inference
    from torchscript_dialect.api.trace import trace, trace_module
    from torchscript_dialect.torch.install import install_as_torch

with without_collection():
    from torchscript_dialect.api.archive import load
    from torchscript_dialect.api.check import check
    from torchscript_dialect.api.explain import explain
    from torchscript_dialect.api.export import to_linalg
    from torchscript_dialect.api.from_torch import from_torch
    from torchscript_dialect.api.function import ScriptFunction
    from torchscript_dialect.api.function_from import function_from
    from torchscript_dialect.api.graphs import parse_ir, run_graph
    from torchscript_dialect.api.module import ScriptModule
    from torchscript_dialect.api.save import save
    from torchscript_dialect.api.script import script
    from torchscript_dialect.api.unit import CompilationUnit
    from torchscript_dialect.ir import Graph
    from torchscript_dialect.ops.custom import register_operator
    from torchscript_dialect.passes.named import add_pass, pipelines
    from torchscript_dialect.passes.pass_pipeline import PassPipeline
    from torchscript_dialect.runtime.interpreter.interpreter import Error
    from torchscript_dialect.runtime.settings import (
        background_compilation,
        fuser,
        optimized_execution,
        set_fusion_strategy,
        set_num_profiled_runs,
        tiered_compilation,
        use_torch_kernels,
    )
    from torchscript_dialect.runtime.values.arguments import ArgumentError
    from torchscript_dialect.serialization.archive.errors import ArchiveError
    from torchscript_dialect.tensor.tensor import Tensor
    from torchscript_dialect.utils.errors import TorchScriptError

_AT_FIRST_USE = {
    "freeze": "api.freeze",
    "install_as_torch": "torch.install",
    "optimize_for_inference": "api.freeze",
    "trace": "api.trace",
    "trace_module": "api.trace",
}
"""What few programs need, and the modules that have it."""


def __getattr__(name: str) -> Any:
    if name == "torch":
        return import_module(f"{__name__}.torch")
    if name not in _AT_FIRST_USE:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    with without_collection():
        found = getattr(import_module(f"{__name__}.{_AT_FIRST_USE[name]}"), name)
    globals()[name] = found
    return found


__all__ = [
    "ArchiveError",
    "ArgumentError",
    "CompilationUnit",
    "Error",
    "Graph",
    "PassPipeline",
    "ScriptFunction",
    "ScriptModule",
    "Tensor",
    "TorchScriptError",
    "add_pass",
    "background_compilation",
    "check",
    "explain",
    "freeze",
    "from_torch",
    "function_from",
    "fuser",
    "install_as_torch",
    "load",
    "optimize_for_inference",
    "optimized_execution",
    "parse_ir",
    "pipelines",
    "register_operator",
    "run_graph",
    "save",
    "script",
    "set_fusion_strategy",
    "set_num_profiled_runs",
    "tiered_compilation",
    "to_linalg",
    "trace",
    "trace_module",
    "use_torch_kernels",
]
