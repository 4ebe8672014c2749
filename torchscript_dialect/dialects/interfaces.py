"""What every pass may ask of an op: its effects (xDSL's `MemoryEffect`), and what its results alias.

Note [Effects]
xDSL's passes read effects, ours read them and, for what depends on memory, `AliasDb`. The kinds mean here:

- READ of an operand: the result depends on memory that may change. Passes merge two such ops only with no write between.
- WRITE: memory changes; with the resource `Outside`, it is not the program's memory that does: output, a mode, a seed, the clock.
  The latter are side effects in PyTorch's sense (`has_side_effects`): they keep their place, used or not.
- ALLOC of a result: the result is an object of its own. Such an op goes when its results are not used, but is neither merged with
  an equal one nor taken out of a loop, because somebody may write to one result and not to the other. So `aten::mul` of tensors is
  not free of side effects to xDSL, and need not be. A view is an object of its own, too (`t_()` changes one alone), and a random
  result counts as one.
- None: nothing is known, and nothing may be done. An operator that the table does not know, a call, a statement.

An op that has no effects by this is merged and removed freely. It is taken out of loops only if it is speculatable: declared never
to raise (`is_total` in the operator table), because the loop may not run at all.
"""

from __future__ import annotations

import abc
from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind, OpTrait, Resource

from torchscript_dialect.ops.aliasing import FRESH, Aliasing, Origin
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.mutability import is_mutable_type

Flow = Iterable[tuple[SSAValue, SSAValue]]
"""Pairs (value, what it may be)."""


@dataclass(frozen=True)
class Outside(Resource):
    """All that is not the program's memory: output, generators, modes, the clock, whether the run goes on."""

    def name(self) -> str:
        return "<Outside>"


OUTSIDE = Outside()
READS_OUTSIDE = EffectInstance(MemoryEffectKind.READ, None, OUTSIDE)
ACTS_OUTSIDE = frozenset((READS_OUTSIDE, EffectInstance(MemoryEffectKind.WRITE, None, OUTSIDE)))


def is_mutable(value: SSAValue) -> bool:
    """Whether the value refers to memory that can be written to; False for what is not TorchScript's."""
    return isinstance(value.type, TorchScriptType) and is_mutable_type(value.type)


class Acts(MemoryEffect):
    """The op changes what is outside of the program's memory."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance]:
        return ACTS_OUTSIDE


class Allocates(MemoryEffect):
    """Results of mutable types are objects of their own."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        return {
            EffectInstance(MemoryEffectKind.ALLOC, result)
            for result in op.results
            if is_mutable(result)
        }


@dataclass(frozen=True)
class Aliases(OpTrait):
    """What the results of the op may be and what it writes to. An op without this may do anything to its operands."""

    aliasing: Aliasing = FRESH


FIRST_OPERAND = Aliases(Aliasing(results=Origin.FIRST_OPERAND))
SAME_OPERANDS = Aliases(Aliasing(results=Origin.SAME_OPERAND))
FROM_ANYWHERE = Aliases(Aliasing(results=Origin.ANYWHERE))
HOLDS_OPERANDS = Aliases(Aliasing(results=Origin.HOLDS_OPERANDS))


class RegionFlow(OpTrait, abc.ABC):
    """The op runs its regions where it stands: what goes in and what comes out of them."""

    @classmethod
    @abc.abstractmethod
    def entering(cls, op: Operation) -> Flow | None:
        """Which value each argument of the regions is when they are entered; None if the op is not in its final form."""

    @classmethod
    @abc.abstractmethod
    def leaving(cls, op: Operation) -> Flow:
        """Which value each result, and each argument that is carried around, is when regions are left."""
