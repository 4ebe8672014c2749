"""The description of a kernel, from its entry."""

from __future__ import annotations

from lowering.dialects.kernel import EntryOp
from lowering.dialects.kernel_grid import GridEntryOp
from lowering.linalg.convert_torch_to_linalg import Kernel
from torchscript_dialect.backend import KernelSpec, Sym


def spec_of(kernel: Kernel, entry: EntryOp | GridEntryOp) -> KernelSpec:
    """How a kernel is described to who calls it."""
    return KernelSpec(
        inputs=kernel.inputs,
        outputs=kernel.outputs,
        num_syms=entry.number("words"),
        total=(Sym(entry.number("range")),),
        work=(Sym(entry.number("work")),),
        cost_ns=entry.number("cost") / 1000,
        grain=entry.number("grain") if isinstance(entry, EntryOp) else 1,
        returns_tuple=kernel.returns_tuple,
        scratch=_symbol(entry.optional("scratch")),
        stage=_symbol(entry.optional("stage")),
        stages=entry.optional("stages") or 1,
        threads=_symbol(entry.optional("chosen")) if isinstance(entry, GridEntryOp) else None,
    )


def _symbol(word: int | None) -> Sym | None:
    return None if word is None else Sym(word)
