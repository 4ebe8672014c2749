"""The order of the passes, and the way from a module in input form to an object file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lowering.dialects.kernel import EntryOp
from lowering.kernel import LoweringError
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
    "ts-matmul-to-loops",  # makes its vector loops itself, so before the vectoriser
    "ts-vectorize-loops",  # needs to see the scalar loops of everything else
    "ts-outline-math",  # so that what follows meets each function once
    "ts-expand-math",  # once per vector rather than once per lane; before anything is llvm
    "ts-convert-to-llvm",
)
"""From func, tensor and linalg to the llvm dialect."""


@dataclass
class Compiled:
    """LLVM IR, and how its kernel is entered."""

    ir: str
    entry: EntryOp

    @cached_property
    def object(self) -> bytes:
        """The object file, made at the first use: without Python's lock, as LLVM does it."""
        from lowering.llvm.object import compile_ir

        return compile_ir(self.ir)


def lower(module: ModuleOp, lists: PassLists | None = None, *, verify: bool = False) -> None:
    """Runs the pipeline `linalg-to-llvm` in place; `verify` checks the module after every pass."""
    watch = Watch(verify_each=True) if verify else None
    pipeline(lists or current(), "linalg-to-llvm").apply(module, watch=watch)


def compile_module(
    module: ModuleOp, lists: PassLists | None = None, *, verify: bool = False
) -> Compiled:
    """Compiles a module in input form (Note [Kernel input form]) with one kernel; consumes it. The passes are those of `lists`,
    or those in force.
    """
    with without_collection():
        return _compile(module, lists, verify)


def _compile(module: ModuleOp, lists: PassLists | None, verify: bool) -> Compiled:
    from lowering.llvm.translate import translate

    lower(module, lists, verify=verify)
    entry = next((op for op in module.body.block.ops if isinstance(op, EntryOp)), None)
    if entry is None:
        raise LoweringError("the module has no kernel function")
    return Compiled(translate(module), entry)
