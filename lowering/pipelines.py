"""The order of the passes, and the way from a module in input form to an object file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lowering.dialects.kernel import EntryOp
from lowering.kernel import LoweringError
from lowering.routines import Routine, taken_out
from torchscript_dialect.ir.edit import release
from torchscript_dialect.passes.lists import PassLists, current
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.passes.watch import Watch
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.properties import cached_property

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

LINALG_TO_LLVM = (
    "ts-fuse-elementwise",  # on tensors, where dependences are SSA edges
    "ts-bufferize",  # what writes over what, where dependences are still SSA edges
    "ts-tile-rows",  # before memory is planned, so that temporaries are as large as a row
    "ts-plan-memory",  # where an operation is still one operation
    "ts-linalg-to-loops",  # the last place that knows shapes
    "ts-outline-kernel",  # from here on sizes are words
    "ts-outline-matmul",  # here kernels part from what they share
    "ts-matmul-to-loops",  # makes its vector loops itself, so before the vectoriser
    "ts-vectorize-loops",  # needs to see the scalar loops of everything else
    "ts-outline-math",  # so that what follows meets each function once
    "ts-expand-math",  # once per vector rather than once per lane; before anything is llvm
    "ts-convert-to-llvm",
)
"""From func, tensor and linalg to the llvm dialect."""

LINALG_TO_PTX = (
    "ts-fuse-reductions",  # before what one reduction uses joins what others use
    "ts-fuse-elementwise",
    "ts-bufferize",
    "ts-tile-rows{products=false}",  # rows are blocks of threads, and products have tiles
    "ts-plan-memory",
    "ts-linalg-to-loops",
    "ts-tile-products",  # where what follows a product is loops over its elements
    "ts-collapse-loops",  # a thread for an element
    "ts-split-stages",  # where loops go over all elements, and numbers of parts can still be words
    "ts-outline-kernel",
    "ts-map-to-gpu",
    "ts-vectorize-accesses",  # where a thread has one element
    "ts-distribute-rows",  # where loops are loops, and threads threads
    "ts-vectorize-rows",  # where a thread has every n-th element
    "ts-expand-all-reduce",
    "ts-expand-math",  # as for the CPU, so that both round alike
    "ts-convert-gpu-to-nvvm",
    "ts-convert-to-llvm",
)
"""From func, tensor and linalg to kernels of a GPU in the llvm dialect."""

SCALARS_TO_LLVM = ("ts-convert-to-llvm",)
"""From func, scf and arith to the llvm dialect: loops over numbers, which ts-convert-scalars-to-scf has made."""

NAME, OF_LOOPS, OF_SCALARS = "linalg-to-llvm", "loops-to-llvm", "scalars-to-llvm"
PARTING = "ts-outline-matmul"
"""The pass after which routines part from kernels: Note [Routines] in routines.py."""

LOOPS_TO_LLVM = LINALG_TO_LLVM[LINALG_TO_LLVM.index(PARTING) :]
"""From Note [Kernel loop form] in kernel.py to the llvm dialect: kernels that were never linalg (lowering/loops/recurrence.py)."""


@dataclass
class Compiled:
    """LLVM IR, how its kernel is entered, and the routines that it calls."""

    ir: str
    entry: EntryOp
    routines: tuple[Routine, ...]

    @cached_property
    def objects(self) -> list[bytes]:
        """The object files, made at the first use: without Python's lock, as LLVM does it."""
        from lowering.llvm.object import compile_ir

        names = {one.name for one in self.routines}
        return [compile_ir(self.ir, names), *(one.object for one in self.routines)]


def compile_module(
    module: ModuleOp, lists: PassLists | None = None, *, verify: bool = False, name: str = NAME
) -> Compiled:
    """Compiles a module with one kernel, in the form that the pipeline of that name takes; consumes it. The passes are those of
    `lists`, or those in force.
    """
    with without_collection():
        return _compile(module, lists or current(), verify, name)


def _compile(module: ModuleOp, lists: PassLists, verify: bool, name: str) -> Compiled:
    from lowering.llvm.translate import translate

    passes = pipeline(lists, name)
    watch = Watch(verify_each=True) if verify else None
    names = [one.name for one in passes.passes]
    parting = names.index(PARTING) + 1 if PARTING in names else 0

    def to_llvm_ir(one: ModuleOp) -> str:
        passes.apply(one, watch=watch, part=slice(parting, None))
        return translate(one)

    def consumed(one: ModuleOp) -> str:
        text = to_llvm_ir(one)
        release(one)
        return text

    passes.apply(module, watch=watch, part=slice(parting))
    has_equals = bool(parting) and lists.identity(name) is not None
    routines = taken_out(module, repr(passes.passes), consumed) if has_equals else ()
    ir = to_llvm_ir(module)
    entry = next((op for op in module.body.block.ops if isinstance(op, EntryOp)), None)
    if entry is None:
        raise LoweringError("the module has no kernel function")
    release(module)
    return Compiled(ir, entry, routines)
