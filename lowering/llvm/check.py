"""What `ts-opt -t asm` gives to LLVM for a CPU: LLVM ends the process where it has no code for an intrinsic."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from lowering.dialects import nvvm
from lowering.kernel import LoweringError
from lowering.llvm.vector_to_llvm import REDUCTIONS, STARTED

INTRINSICS = frozenset(
    f"llvm.{name}"
    for name in (
        "abs", "arithmetic.fence", "ceil", "copysign", "ctlz", "ctpop", "fabs", "floor", "fma", "masked.load", "masked.store",
        "maximum", "maxnum", "minimum", "minnum", "prefetch", "rint", "roundeven", "smax", "smin", "sqrt", "trap", "trunc", "umax",
        "umin", *(f"vector.reduce.{name}" for name in REDUCTIONS.values()), *(f"vector.reduce.{name}" for name, _ in STARTED.values()),
    )
)  # fmt: skip
"""What LLVM has code for on every CPU."""


def check(module: ModuleOp) -> None:
    """Refuse intrinsics that no kernel of a CPU has.

    Raises:
        LoweringError: there is such an op.
    """
    for op in module.walk():
        name = _intrinsic(op)
        if op.name.startswith("nvvm.") or nvvm.KERNEL in op.attributes:
            raise LoweringError(f"'{op.name}' is for a GPU, for which -t ptx writes code")
        if name is not None and name not in INTRINSICS:
            raise LoweringError(f"no code is made for '{name[:80]}' on a CPU")


def _intrinsic(op: Operation) -> str | None:
    """The intrinsic that an op calls or declares."""
    if isinstance(op, llvm.CallIntrinsicOp):
        return op.intrin.data
    name = None
    if isinstance(op, llvm.FuncOp):
        name = op.sym_name.data
    elif isinstance(op, llvm.CallOp) and op.callee is not None:
        name = op.callee.string_value()
    return name if name is not None and name.startswith("llvm.") else None
