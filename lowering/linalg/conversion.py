"""How a block of operators becomes ops on tensors: what the conversion to a kernel and the one for other compilers share."""

from __future__ import annotations

from typing import ClassVar, cast

from xdsl.dialects.builtin import f64, i1, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.linalg_builder import LinalgBuilder
from lowering.linalg.operator_lowering import OperatorLowering, lowering_of, vanishes
from torchscript_dialect.backend import ScalarKind
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import body_ops, erase, set_name
from torchscript_dialect.ir.pattern_driver import apply_conversion
from torchscript_dialect.tensor.dtype import bool_, dtype, float64, int64
from torchscript_dialect.types.core import BOOL, FLOAT, INT, TorchScriptType

SCALARS: dict[Attribute, tuple[ScalarKind, dtype, Attribute]] = {
    INT: ("int", int64, i64),
    FLOAT: ("float", float64, f64),
    BOOL: ("bool", bool_, i1),
}
"""The types of numbers: what the runtime calls them, the dtype they compute in, and the type in MLIR."""


class Conversion:
    """The conversion of a block, in place."""

    consumed: ClassVar[tuple[type[Operation], ...]] = (prim.ConstantOp,)
    """Nodes that have no lowering and become nothing of their own: the lowerings of their users look at them."""

    def __init__(self, body: Block, builder: LinalgBuilder) -> None:
        self.body = body
        self.builder = builder
        self.lowerings: dict[type[Operation], OperatorLowering] = {}

    def find_shapes(self) -> None:
        """Find the shapes of all that the ops compute."""
        for op in body_ops(self.body):
            if not isinstance(op, self.consumed):
                self.find_shapes_of(op)

    def find_shapes_of(self, op: Operation) -> None:
        """Find the shapes of the results of an op.

        Raises:
            LoweringError: nothing lowers such an op, or its operands do not fit.
        """
        try:
            shapes = self.lowering(op).shapes(self.builder, op)
        except KeyError as error:
            value = error.args[0]
            if not isinstance(value, SSAValue):
                raise
            type_ = cast("SSAValue", value).type
            raise LoweringError(
                f"{kind_of(op)} of an operand of type {spell(type_)} is not compiled"
            ) from None
        found = zip(op.results, shapes, strict=True)
        self.builder.shapes.update((result, shape) for result, shape in found if shape is not None)
        for result in op.results:
            set_name(result, None)

    def lowering(self, op: Operation) -> OperatorLowering:
        """What lowers the ops of the class of this one.

        Raises:
            LoweringError: nothing does.
        """
        found = self.lowerings.get(type(op))
        if found is None:
            class_ = lowering_of(type(op))
            if class_ is None:
                raise LoweringError(f"{kind_of(op)} has no rule for linalg")
            found = self.lowerings[type(op)] = class_(type(op), self.builder)
        return found

    def lower_ops(self) -> None:
        """Lower all ops, and erase what their lowerings have looked at."""
        apply_conversion(self.body, [*self.lowerings.values()])
        for op in reversed(body_ops(self.body)):
            if self.is_consumed(op) and not any(result.first_use for result in op.results):
                erase(op)

    def is_consumed(self, op: Operation) -> bool:
        """Whether an op becomes nothing of its own."""
        return isinstance(op, self.consumed) or vanishes(op)


def kind_of(op: Operation) -> str:
    """What graphs call a node."""
    return getattr(op, "KIND", op.name)


def complete(dims: tuple[int | None, ...] | None, what: str) -> tuple[int, ...]:
    """Sizes or strides of which each is known.

    Raises:
        LoweringError: one is not.
    """
    known = tuple(dim for dim in dims or () if dim is not None)
    if dims is None or len(known) != len(dims):
        raise LoweringError(f"the {what} of an input of the group are not known")
    return known


def spell(type_: Attribute) -> str:
    """A type as messages show it."""
    return type_.repr_str if isinstance(type_, TorchScriptType) else str(type_)
