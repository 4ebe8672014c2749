"""Nodes that observe values at run time, and nodes that hold programs to what was observed."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import OpTraits, SSAValue
from xdsl.traits import MemoryReadEffect

from torchscript_dialect.dialects.accessors import AttributeValue, Operand, Operands
from torchscript_dialect.dialects.interfaces import SAME_OPERANDS, Acts
from torchscript_dialect.dialects.prim.constraints import (
    INT64,
    TENSOR_TYPE,
    TYPES,
    constrain,
    optional,
)
from torchscript_dialect.dialects.prim.op import (
    Attributes,
    PrimOp,
    Types,
    Values,
    require,
    require_subtype,
    type_of,
)
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.tensor_type import TENSOR

OPTIONAL_TENSOR = OptionalType(TENSOR)


class ProfileOp(PrimOp):
    """Passes a tensor through and observes its type at run time; `profiled_type` is what was seen, `seen_none` how often None was."""

    name = "prim.profile"
    ATTRIBUTES = constrain(profiled_type=optional(TENSOR_TYPE))
    traits = OpTraits(lambda: (Acts(), SAME_OPERANDS))

    tensor = Operand(0)
    profiled_type = AttributeValue("profiled_type")

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        return [type_of(value) for value in operands]

    def verify_types(self) -> None:
        require(
            len(self.operands) == len(self.results) < 2,
            "prim::profile lets one value through, or none",
        )
        _require_same(self.operands, self.results)


def _require_same(values: Sequence[SSAValue], results: Sequence[SSAValue]) -> None:
    """What lets values through gives them in types that they have."""
    for value, result in zip(values, results):
        require_subtype(type_of(value), type_of(result), "a value that is let through")


class ProfileIValueOp(PrimOp):
    """Passes an optional value through and counts in `seen_none` how often it is None, in `seen` how often it is not."""

    name = "prim.profile_ivalue"
    OPERANDS = RESULTS = 1
    ATTRIBUTES = constrain(seen_none=INT64, seen=INT64)
    traits = OpTraits(lambda: (Acts(), SAME_OPERANDS))

    value = Operand(0)
    seen_none = AttributeValue("seen_none")
    seen = AttributeValue("seen")

    @classmethod
    def infer_result_types(cls, operands: Values, attributes: Attributes) -> Types:
        return [type_of(value) for value in operands]

    def verify_types(self) -> None:
        _require_same(self.operands, self.results)


class CheckOp(PrimOp):
    """Passes tensors through, and says of all of them whether something holds."""

    ATTRIBUTES = constrain(types=optional(TYPES))
    traits = OpTraits(lambda: (MemoryReadEffect(), SAME_OPERANDS))

    tensors = Operands()
    types = AttributeValue("types")

    def verify_types(self) -> None:
        require(
            len(self.results) == len(self.operands) + 1,
            f"{self.KIND} gives each of its operands and whether they fit",
        )
        require_subtype(BOOL, type_of(self.results[-1]), f"the last result of {self.KIND}")
        for value, result in zip(self.operands, self.results):
            require_subtype(type_of(value), OPTIONAL_TENSOR, f"an operand of {self.KIND}")
            require_subtype(type_of(result), TENSOR, f"a result of {self.KIND}")


class TypeCheckOp(CheckOp):
    """Passes tensors through as the checked types, and says whether all of them fit."""

    name = "prim.TypeCheck"


class RequiresGradCheckOp(CheckOp):
    """Passes tensors through, and says whether each requires gradients where the type of its result says so, and only there."""

    name = "prim.RequiresGradCheck"


class GuardOp(PrimOp):
    """The operand, of a type that it is promised to have: Note [Bail-outs] in bailouts.py."""

    name = "prim.Guard"
    OPERANDS = RESULTS = 1
    traits = OpTraits(lambda: (MemoryReadEffect(), SAME_OPERANDS))

    value = Operand(0)

    def verify_types(self) -> None:
        require_subtype(type_of(self.results[0]), type_of(self.value), "the result of prim::Guard")
