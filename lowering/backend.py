"""The `llvm` backend: machine code for the CPU that runs this process, by way of linalg.

Fusion asks it what groups may hold; that imports no dialect of upstream. The compiler is imported by the first group that has to
be compiled.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from xdsl.ir import Block, Operation

from lowering.linalg.operands import is_known
from lowering.linalg.operator_lowering import is_view, lowering_of
from torchscript_dialect.backend import Backend, CompiledKernel
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.startup import formats_deferred


class LLVMBackend:
    """See `torchscript_dialect.backend.Backend`."""

    def can_lower(self, op: Operation) -> bool | None:
        lowering = lowering_of(type(op))
        if lowering is None or not lowering.joins_groups:
            return False
        if all(is_known(result) for result in op.results):
            return lowering.takes(op) and lowering.suits_kernel(op)
        return None if isinstance(op, OperatorOp) else False

    def is_view(self, op: Operation) -> bool:
        return is_view(op)

    def compile(self, body: Block, lists: PassLists) -> CompiledKernel:
        return _compiler()(body, lists)


@cache
def _compiler() -> Any:
    with without_collection(), formats_deferred():
        return import_module("lowering.compiler").compile_group


LLVM: Backend = LLVMBackend()
