"""The `prim` operators of the table, by their classes: `prim_operators.DtypeOp` is `prim::dtype`.

The structural nodes of the dialect, which are written by hand, are in `prim`.
"""

from __future__ import annotations

from torchscript_dialect.dialects.operators import OperatorOp, class_by_name


def __getattr__(name: str) -> type[OperatorOp]:
    return class_by_name("prim", name)
