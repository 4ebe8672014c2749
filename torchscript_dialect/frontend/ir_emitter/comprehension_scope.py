"""The scope of a comprehension: what it assigns is not seen outside (PyTorch: prim::ComprehensionScope)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.ir import Region

from torchscript_dialect.dialects.prim import ComprehensionScopeOp
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.ir.edit import new_block


@contextmanager
def in_comprehension(m: EmissionContext) -> Generator[None]:
    """While the body runs, nodes and variables go to a scope that the conversion to SSA dissolves."""
    op = m.graph.node(ComprehensionScopeOp, (), ())
    block = new_block()
    op.add_region(Region(block))
    with m.in_frame(block):
        yield
