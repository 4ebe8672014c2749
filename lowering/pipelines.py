"""The order of the passes, and the way from a module in input form to an object file."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from xdsl.context import Context

from lowering.kernel import COST, SCRATCH, SIZES, SYMS, TOTAL, WORK, LoweringError, integer, kernels
from lowering.universe import LOWERING_UNIVERSE
from torchscript_dialect.utils.collection import without_collection

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass

LINALG_TO_LLVM = (
    "ts-fuse-elementwise",  # on tensors, where dependences are SSA edges
    "ts-linalg-to-loops",  # the last place that knows shapes
    "ts-matmul-to-loops",  # makes its vector loops itself, so before the vectoriser
    "ts-vectorize-loops",  # needs to see the scalar loops of everything else
    "ts-expand-math",  # once per vector rather than once per lane; before anything is llvm
    "ts-convert-to-llvm",
)
"""From func, tensor and linalg to the llvm dialect."""


@dataclass
class Compiled:
    """An object file and what its caller must know (see lowering/kernel.py)."""

    object: bytes
    name: str
    syms: int
    """Words of syms, the derived ones included."""
    total: int
    """The word that holds the length of the parallel range."""
    work: int
    """The word that holds what there is to do in all."""
    cost: int
    """The picoseconds that a unit of that takes."""
    scratch: int | None
    """The word that holds the bytes of scratch, whose address follows the outputs' in buffers."""
    has_product: bool
    """Whether there is a matrix product in it."""
    has_sizes: bool
    """Whether `i1 sizes(i64* syms)` must be called to fill in derived words."""
    times: dict[str, float] = field(default_factory=dict[str, float])
    """Seconds per stage."""


def passes() -> list[ModulePass]:
    """Instances of the pipeline's passes, with the options that suit this CPU."""
    from lowering.llvm.object import vector_shape

    width, tail = vector_shape()
    options: dict[str, dict[str, Any]] = {
        "ts-matmul-to-loops": {"width": width},
        "ts-vectorize-loops": {"width": width, "tail": tail},
    }
    known = LOWERING_UNIVERSE.all_passes
    return [known[name]()(**options.get(name, {})) for name in LINALG_TO_LLVM]


def lower(
    module: ModuleOp,
    *,
    verify: bool = False,
    after: Callable[[str, ModuleOp], None] | None = None,
) -> dict[str, float]:
    """Runs the pipeline in place; gives seconds per pass.

    `verify` checks the module after every pass; `after` is called with each pass's name then.
    """
    context = Context()
    times: dict[str, float] = {}
    for module_pass in passes():
        start = time.perf_counter()
        module_pass.apply(context, module)
        times[module_pass.name] = time.perf_counter() - start
        if verify:
            module.verify()
        if after is not None:
            after(module_pass.name, module)
    return times


def compile_module(module: ModuleOp, *, verify: bool = False) -> Compiled:
    """Compiles a module in input form (Note [Kernel input form]) with one kernel; consumes it."""
    with without_collection():
        return _compile(module, verify)


def _compile(module: ModuleOp, verify: bool) -> Compiled:
    from xdsl.dialects import llvm

    from lowering.llvm.object import compile_ir
    from lowering.llvm.translate import translate
    from lowering.loops.linalg_to_loops import is_product

    has_product = any(is_product(op) for func in kernels(module) for op in func.body.block.ops)
    times = lower(module, verify=verify)
    functions = [op for op in module.body.block.ops if isinstance(op, llvm.FuncOp)]
    kernel = next((op for op in functions if TOTAL in op.attributes), None)
    if kernel is None:
        raise LoweringError("the module has no kernel function")
    syms, total = integer(kernel.attributes, SYMS), integer(kernel.attributes, TOTAL)
    work, cost = integer(kernel.attributes, WORK), integer(kernel.attributes, COST)
    assert syms is not None and total is not None and work is not None and cost is not None
    start = time.perf_counter()
    text = translate(module)
    translated = time.perf_counter()
    code = compile_ir(text)
    times["translate"] = translated - start
    times["llvm"] = time.perf_counter() - translated
    return Compiled(
        code,
        kernel.sym_name.data,
        syms,
        total,
        work,
        cost,
        integer(kernel.attributes, SCRATCH),
        has_product,
        any(op.sym_name.data == SIZES for op in functions),
        times,
    )
