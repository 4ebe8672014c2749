"""Operations of arith on vectors that xDSL 0.74 defines for scalars only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects import arith
from xdsl.dialects.arith import CMPI_COMPARISON_OPERATIONS
from xdsl.ir import Dialect, Operation
from xdsl.irdl import irdl_op_definition, prop_def

from lowering.dialects.vector_forms import Cast, Compare, Select


@irdl_op_definition
class SelectOp(Select):
    """`arith.select` whose condition is a vector."""

    name = "arith_ext.select"


@irdl_op_definition
class CmpfOp(Compare):
    """`arith.cmpf` on vectors."""

    name = "arith_ext.cmpf"
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none"))


@irdl_op_definition
class CmpiOp(Compare):
    """`arith.cmpi` on vectors."""

    name = "arith_ext.cmpi"
    PREDICATES: ClassVar[Sequence[str]] = CMPI_COMPARISON_OPERATIONS


@irdl_op_definition
class ExtSIOp(Cast):
    """`arith.extsi` on vectors."""

    name = "arith_ext.extsi"


@irdl_op_definition
class ExtUIOp(Cast):
    """`arith.extui` on vectors."""

    name = "arith_ext.extui"


@irdl_op_definition
class TruncIOp(Cast):
    """`arith.trunci` on vectors."""

    name = "arith_ext.trunci"


@irdl_op_definition
class SIToFPOp(Cast):
    """`arith.sitofp` on vectors."""

    name = "arith_ext.sitofp"


@irdl_op_definition
class UIToFPOp(Cast):
    """`arith.uitofp` on vectors."""

    name = "arith_ext.uitofp"


@irdl_op_definition
class FPToSIOp(Cast):
    """`arith.fptosi` on vectors."""

    name = "arith_ext.fptosi"


@irdl_op_definition
class FPToUIOp(Cast):
    """`arith.fptoui` on vectors."""

    name = "arith_ext.fptoui"


VECTOR_FORMS: dict[type[Operation], type[Operation]] = {
    arith.SelectOp: SelectOp,
    arith.CmpfOp: CmpfOp,
    arith.CmpiOp: CmpiOp,
    arith.ExtSIOp: ExtSIOp,
    arith.ExtUIOp: ExtUIOp,
    arith.TruncIOp: TruncIOp,
    arith.SIToFPOp: SIToFPOp,
    arith.UIToFPOp: UIToFPOp,
    arith.FPToSIOp: FPToSIOp,
    arith.FPToUIOp: FPToUIOp,
}
"""The class to use for an operation of arith where an operand is a vector."""


def forms(*classes: type[Operation]) -> tuple[type[Operation], ...]:
    """The classes of operations of arith, and those of their forms on vectors where these are others."""
    return (*classes, *(VECTOR_FORMS[one] for one in classes if one in VECTOR_FORMS))


ArithExt = Dialect("arith_ext", list(VECTOR_FORMS.values()))
