"""The `prim` operators of the table, by their classes: `prim_operators.DtypeOp` is `prim::dtype`.

The structural nodes of the dialect, which are written by hand, are in `prim`.
"""

from __future__ import annotations

from torchscript_dialect.dialects.operators import OperatorOp, classes_by_name, operator_class


def __getattr__(name: str) -> type[OperatorOp]:
    qualified_name = classes_by_name("prim").get(name)
    if qualified_name is None:
        raise AttributeError(f"the prim dialect has no operator {name}")
    return operator_class(qualified_name)
