"""How `canonicalize` of xDSL knows what prim and aten ops become.

Note [Canonicalization]
The patterns that are right whatever the memory is stand in ../patterns, above this layer, where our own passes find them; traits of
the ops hand them to xDSL, and load them when somebody asks, as xDSL does with those of its dialects. An operator whose operands are
constants and which has no effects is folded by running its kernel. What fails, or gives what no constant can be, stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.traits import HasCanonicalizationPatternsTrait, HasFolder

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern


@dataclass(frozen=True)
class Canonical(HasCanonicalizationPatternsTrait):
    """The op's patterns are those of `patterns.canonical` that match its class."""

    def get_patterns(self, op: type[Operation]) -> tuple[RewritePattern, ...]:
        patterns = import_module("torchscript_dialect.patterns.canonical").CANONICAL
        return tuple(pattern for pattern, _ in patterns.matchers(op))

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return ()


class FoldedByKernel(HasFolder):
    """The op is run where its operands are constants."""

    @classmethod
    def fold(cls, op: Operation) -> Sequence[SSAValue | Attribute] | None:
        return import_module("torchscript_dialect.patterns.folding").attributes_of_results(op)


CANONICAL = Canonical()
FOLDED_BY_KERNEL = FoldedByKernel()
