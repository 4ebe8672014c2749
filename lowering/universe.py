"""The xDSL plugin: this package's passes, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.universe import Universe

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Dialect
    from xdsl.passes import ModulePass

PASSES = {
    "ts-convert-torch-to-linalg": "lowering.linalg.convert_torch_to_linalg:ConvertTorchToLinalgPass",
    "ts-fuse-elementwise": "lowering.loops.fuse_elementwise:FuseElementwisePass",
    "ts-linalg-to-loops": "lowering.loops.linalg_to_loops:LinalgToLoopsPass",
    "ts-matmul-to-loops": "lowering.loops.matmul_to_loops:MatmulToLoopsPass",
    "ts-vectorize-loops": "lowering.loops.vectorize_loops:VectorizeLoopsPass",
    "ts-outline-math": "lowering.math.outline_math:OutlineMathPass",
    "ts-expand-math": "lowering.math.expand_math:ExpandMathPass",
    "ts-convert-to-llvm": "lowering.llvm.convert_to_llvm:ConvertToLLVMPass",
}


def _factory(place: str) -> Callable[[], type[ModulePass]]:
    module, name = place.split(":")
    return lambda: getattr(import_module(module), name)


def _dialect(name: str) -> Callable[[], Dialect]:
    return lambda: getattr(import_module("lowering.upstream_text"), f"{name}_dialect")()


LOWERING_UNIVERSE = Universe(all_passes={name: _factory(place) for name, place in PASSES.items()})


def _linalg_to_llvm() -> tuple[str, ...]:
    """The pipeline with the options that suit this CPU."""
    from lowering.llvm.object import vector_shape
    from lowering.pipelines import LINALG_TO_LLVM

    width, tail = vector_shape()
    options = {
        "ts-matmul-to-loops": f"{{width={width}}}",
        "ts-vectorize-loops": f'{{width={width} tail="{tail}"}}',
    }
    return tuple(name + options.get(name, "") for name in LINALG_TO_LLVM)


PIPELINES = {"linalg-to-llvm": _linalg_to_llvm}
"""The pipelines of this package, each made when it is asked for; see `torchscript_dialect.passes.lists`."""

READABLE_DIALECTS: dict[str, Callable[[], Dialect]] = {
    name: _dialect(name) for name in ("arith", "linalg", "llvm", "memref")
}
"""xDSL's dialects, made to read whatever the passes print. No part of the plugin, as they have the names of xDSL's own."""
