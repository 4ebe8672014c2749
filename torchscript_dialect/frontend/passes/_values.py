"""What the passes after `ts-convert-to-ssa` ask of a function."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from torchscript_dialect.dialects.prim import BreakStmtOp, ContinueStmtOp, LoadOp, StoreOp


def require_values(function: FuncOp, pass_name: str) -> None:
    """Refuse a function whose variables are not values yet.

    Raises:
        PassFailedException: it has loads, stores, breaks or continues.
    """
    for op in function.body.walk():
        if isinstance(op, LoadOp | StoreOp | BreakStmtOp | ContinueStmtOp):
            raise PassFailedException(
                f"{pass_name} comes after ts-convert-to-ssa, and @{function.sym_name.data} still has {op.KIND}"
            )
