"""The `llvm` backend: from a fusion group to an object file."""

from __future__ import annotations

from xdsl.ir import Block

from lowering.kernel import LoweringError
from lowering.linalg.convert_torch_to_linalg import convert
from lowering.pipelines import Compiled, compile_module
from torchscript_dialect.backend import CompiledKernel, KernelSpec, NotCompilable, Sym
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.startup import formats_deferred

FLAT_GRAIN = 256
"""Elements: chunks of a loop over all elements do not share cache lines, and are whole vectors."""
ROW_GRAIN = 8
"""Rows: every chunk of a matrix product reads all of the right operand, and a tile has 6 or 8. Larger grains leave threads idle:
with grains of 12, 64 rows are 48 and 16.
"""


def compile_group(body: Block, lists: PassLists) -> CompiledKernel:
    """See `torchscript_dialect.backend.Backend`."""
    try:
        with without_collection(), formats_deferred():
            kernel = convert(body)
            compiled = compile_module(kernel.module, lists)
    except LoweringError as error:
        raise NotCompilable(str(error)) from error
    spec = KernelSpec(
        inputs=kernel.inputs,
        outputs=kernel.outputs,
        num_syms=compiled.syms,
        total=(Sym(compiled.total),),
        work=(Sym(compiled.work),),
        cost_ns=compiled.cost / 1000,
        grain=grain(compiled),
        returns_tuple=len(kernel.outputs) != 1,
        scratch=None if compiled.scratch is None else Sym(compiled.scratch),
    )
    return CompiledKernel(spec, compiled.object, compiled.name, compiled.has_sizes)


def grain(compiled: Compiled) -> int:
    """What the lengths of chunks must be multiples of."""
    if compiled.work == compiled.total:
        return FLAT_GRAIN
    return ROW_GRAIN if compiled.has_product else 1
