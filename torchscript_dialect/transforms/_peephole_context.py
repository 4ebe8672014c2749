"""What the rules of the peephole pass are written with."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.constants import type_of_constant
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LIMIT = OptLimit("torchscript_dialect.transforms.peephole")


class Rewriter:
    """The function under rewriting, and what is known of its memory as it was at the start."""

    def __init__(self, function: FuncOp, analyses: Analyses, *, shapes: bool) -> None:
        self.function = function
        self.analyses = analyses
        self.shapes = shapes
        self.stale = 0
        """Locations of which the analysis may no longer tell the truth."""

    @cached_property
    def aliases(self) -> AliasDb:
        return self.analyses.aliases(self.function)

    def is_written(self, value: SSAValue) -> bool:
        """Whether anybody may write to the value, resize it, or append to it."""
        return self.aliases.has_writers(value)

    def replace(self, old: SSAValue, new: SSAValue) -> bool:
        """Use `new` for `old`; whether there was a use and the limit allowed it."""
        if old.first_use is None or old is new or not LIMIT.allows():
            return False
        edit.replace_uses(old, new)
        return True

    def replace_fresh(self, old: SSAValue, new: SSAValue) -> bool:
        """Use the operand `new` for the fresh tensor `old`, where nobody can tell the difference."""
        aliases = self.aliases
        if not aliases.safe_to_change_aliasing(new, old):
            return False
        both = aliases.locations(old) | aliases.locations(new)
        if both & self.stale or not self.replace(old, new):
            return False
        self.stale |= both
        return True

    def fold(self, op: Operation, value: Any, type_: TorchScriptType | None = None) -> bool:
        """Use a constant for the only result."""
        result = op.results[0]
        if result.first_use is None or not LIMIT.allows():
            return False
        constant = edit.insert_constant(op, value, type_ or type_of_constant(value))
        edit.replace_uses(result, constant)
        return True

    def known_tensor(self, value: SSAValue) -> TensorType | None:
        """The type of a tensor whose shape does not change."""
        type_ = value.type
        if not isinstance(type_, TensorType) or not type_.is_refined or self.is_written(value):
            return None
        return type_


Rule: TypeAlias = Callable[[Rewriter, Any], bool]
"""Rewrites the uses of a node's results; whether it did. The node itself is left to dead code elimination."""


def overload(op: Operation) -> str:
    """The qualified name of the operator that a node is, empty for other nodes."""
    operator = op.OPERATOR if isinstance(op, OperatorOp) else None
    return "" if operator is None else operator.qualified_name
