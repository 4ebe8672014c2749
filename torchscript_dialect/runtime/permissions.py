"""What programs may touch besides their values.

An operator that touches files, processes or the network says so in the operator table (`Rules.touches`); a Python function may do
whatever Python can. Programs from strangers are refused as a whole before anything of them runs, unless the caller allows it.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ops.registry import TOUCHED
from torchscript_dialect.utils.errors import TorchScriptError

PERMISSIONS = (*TOUCHED, "python")
"""What a caller can allow: `python` is calls of Python functions that were not compiled."""


class NotAllowedError(TorchScriptError):
    """A program that would touch what its caller does not allow."""


def check_permissions(module: Operation, allow: Collection[str] = ()) -> None:
    """Refuse a program that may touch what is not allowed, in whatever function and branch.

    Raises:
        NotAllowedError: it may; the message names the operator and its place in the source.
        ValueError: something else than `PERMISSIONS` is to be allowed.
    """
    allowed = set([allow] if isinstance(allow, str) else allow)
    if unknown := allowed.difference(PERMISSIONS):
        raise ValueError(f"{sorted(unknown)} cannot be allowed; there are {', '.join(PERMISSIONS)}")
    for op in module.walk():
        what = touched(op)
        if what is not None and what not in allowed:
            kind = op.KIND if isinstance(op, (OperatorOp, prim.PythonOp)) else op.name
            raise NotAllowedError(
                f"{kind} touches what programs from outside may not: {what}; allow=('{what}',) lets"
                f" it{at(op)}"
            )


def touched(op: Operation) -> str | None:
    """What a node touches outside the program; None for nearly all."""
    if isinstance(op, OperatorOp):
        return None if op.OPERATOR is None else op.OPERATOR.rules.touches
    return "python" if isinstance(op, prim.PythonOp) else None
