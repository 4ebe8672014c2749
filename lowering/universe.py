"""The xDSL plugin: this package's dialects and passes, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.universe import Universe

from torchscript_dialect.passes.table import pass_factory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import Dialect

PASS_FILES = (
    "linalg.convert_torch_to_linalg",
    "loops.fuse_elementwise",
    "loops.fuse_reductions",
    "loops.bufferize",
    "loops.tile_rows",
    "loops.plan_memory",
    "loops.linalg_to_loops",
    "loops.outline_kernel",
    "loops.outline_matmul",
    "loops.matmul_to_loops",
    "loops.vectorize_loops",
    "math.outline_math",
    "math.expand_math",
    "gpu.attach_gpu_target",
    "gpu.split_stages",
    "gpu.tile_products",
    "gpu.collapse_loops",
    "gpu.map_to_gpu",
    "gpu.vectorize_accesses",
    "gpu.vectorize_rows",
    "gpu.distribute_rows",
    "gpu.expand_all_reduce",
    "gpu.convert_gpu_to_nvvm",
    "scf.convert_scalars_to_scf",
    "llvm.convert_to_llvm",
)
"""The files of this package that are passes: `loops/x_y.py` holds the pass `ts-x-y`."""


DIALECTS = {
    "kernel": "Kernel",
    "arith_ext": "ArithExt",
    "linalg_ext": "LinalgExt",
    "llvm_ext": "LLVMExt",
    "math_ext": "MathExt",
    "memref_ext": "MemRefExt",
    "nvvm": "NVVM",
}
"""The dialects of this package: `dialects/x.py` holds the dialect `x`, under this name."""


def _dialect(name: str) -> Callable[[], Dialect]:
    return lambda: getattr(import_module(f"{__package__}.dialects.{name}"), DIALECTS[name])


LOWERING_UNIVERSE = Universe(
    all_dialects={name: _dialect(name) for name in DIALECTS},
    all_passes=dict(pass_factory(f"{__package__}.{file}") for file in PASS_FILES),
)


def _linalg_to_llvm() -> tuple[str, ...]:
    """The pipeline with the options that suit this CPU."""
    from lowering.pipelines import LINALG_TO_LLVM

    return _for_this_processor(LINALG_TO_LLVM)


def _loops_to_llvm() -> tuple[str, ...]:
    """The pipeline with the options that suit this CPU."""
    from lowering.pipelines import LOOPS_TO_LLVM

    return _for_this_processor(LOOPS_TO_LLVM)


def _for_this_processor(names: Sequence[str]) -> tuple[str, ...]:
    from lowering.llvm.object import has_fma, vector_shape

    width, tail = vector_shape()
    options = {
        "ts-matmul-to-loops": f"{{width={width}}}",
        "ts-vectorize-loops": f'{{width={width} tail="{tail}"}}',
        "ts-expand-math": "{bf16=false}" if has_fma() else "{fma=false bf16=false}",
    }
    return tuple(name + options.get(name, "") for name in names)


def _linalg_to_ptx() -> tuple[str, ...]:
    """The pipeline with a block for each row where rows have memory of their own, as long as there are no more than these."""
    from lowering.pipelines import LINALG_TO_PTX

    options = {"ts-plan-memory": "{parts=65536}"}
    return tuple(name + options.get(name, "") for name in LINALG_TO_PTX)


def _scalars_to_llvm() -> tuple[str, ...]:
    from lowering.pipelines import SCALARS_TO_LLVM

    return SCALARS_TO_LLVM


PIPELINES = {
    "linalg-to-llvm": _linalg_to_llvm,
    "linalg-to-ptx": _linalg_to_ptx,
    "loops-to-llvm": _loops_to_llvm,
    "scalars-to-llvm": _scalars_to_llvm,
}
"""The pipelines of this package, each made when it is asked for; see `torchscript_dialect.passes.lists`."""
