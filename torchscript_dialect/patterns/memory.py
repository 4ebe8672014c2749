"""What patterns ask about the memory of a function."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import may_write
from torchscript_dialect.analysis.location_sets import Locations
from torchscript_dialect.dialects import prim
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.properties import cached_property


class Memory:
    """The aliases of a function as they were when the first pattern asked, and what has changed since."""

    def __init__(self, function: FuncOp, analyses: Analyses) -> None:
        self.function = function
        self.analyses = analyses
        self.unified: Locations = 0
        """Locations of values that were unified: of these, the analysis may not know that the caller comes to see them."""

    @cached_property
    def aliases(self) -> AliasDb:
        return self.analyses.aliases(self.function)

    @cached_property
    def has_writers(self) -> bool:
        """Whether any node may write: where none does, what aliases what matters less."""
        return may_write(self.function.body.block)

    def is_written(self, value: SSAValue) -> bool:
        """Whether anybody may write to the value, resize it, or append to it."""
        return self.has_writers and self.aliases.has_writers(value)

    def unify(self, fresh: SSAValue, operand: SSAValue) -> bool:
        """Whether `operand` may be used for its copy `fresh`: nobody can tell the difference. Notes that it will be."""
        if self.is_written(fresh) or self.is_written(operand):
            return False
        if self._escapes(fresh) and self._escapes(operand):
            return False
        self.unified |= self.aliases.locations(fresh) | self.aliases.locations(operand)
        return True

    def _escapes(self, value: SSAValue) -> bool:
        """Whether the caller may come to see the value's memory."""
        return bool(self.aliases.locations(value) & self.unified) or self.aliases.escapes((value,))

    def known_tensor(self, value: SSAValue) -> TensorType | None:
        """The type of a tensor whose shape does not change."""
        type_ = value.type
        if not isinstance(type_, TensorType) or not type_.is_refined:
            return None
        return None if self.has_writers and self.aliases.may_be_reshaped(value) else type_

    def elements(self, value: SSAValue) -> tuple[SSAValue, ...] | None:
        """The elements of a list that is made in sight and never changed."""
        if not isinstance(value.owner, prim.ListConstructOp) or self.is_written(value):
            return None
        return tuple(value.owner.operands)
