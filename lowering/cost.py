"""What one element of a kernel costs: enough to decide whether threads are worth waking."""

from __future__ import annotations

from xdsl.ir import Block

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.base import TorchScriptOp

ARITHMETIC_NS = 0.015
"""An operation of a full vector, per element."""
FUNCTION_NS = 0.2
"""An elementary function expanded to a polynomial, per element."""
MEMORY_NS = 0.03
"""A value loaded or stored, per element."""

_CHEAP = frozenset(
    "add sub mul div neg abs max min maximum minimum clamp relu where eq ne lt le gt ge t unsqueeze".split()
)


def cost_ns(body: Block) -> float:
    """The time that an element takes on one core, in nanoseconds, as far as a look at the operators tells."""
    total = MEMORY_NS * (len(body.args) + len(body.last_op.operands if body.last_op else ()))
    for op in body.ops:
        if isinstance(op, prim.ConstantOp) or not isinstance(op, TorchScriptOp):
            continue
        base = op.KIND.partition("::")[2]
        total += ARITHMETIC_NS if base in _CHEAP else FUNCTION_NS
    return total
