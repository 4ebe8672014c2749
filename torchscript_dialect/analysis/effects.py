"""What a node does besides giving its results: side effects, and chance.

Readers of what ops declare (Note [Effects] in dialects/interfaces.py), by class where the class tells. The questions are those of
`Node::hasSideEffects` and `Node::isNondeterministic` in torch/csrc/jit/ir/ir.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.ir import Block, Operation
from xdsl.traits import IsTerminator, MemoryEffect, MemoryEffectKind, get_effects

from torchscript_dialect.dialects.interfaces import Acts, Aliases, RegionFlow
from torchscript_dialect.dialects.operators import OperatorOp, is_off
from torchscript_dialect.ir.edit import op_classes
from torchscript_dialect.ops.aliasing import FRESH, Aliasing
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.serialization.graph_printer import is_subgraph_op


@lru_cache(maxsize=1 << 14)
def aliasing_of(class_: type[Operation]) -> Aliasing | None:
    """What results of ops of a class may be and what these write to; None where they may do anything to their operands.

    Of an op whose regions are run where it stands (`RegionFlow`), this says what it does besides.
    """
    if issubclass(class_, OperatorOp):
        return None if class_.OPERATOR is None else class_.OPERATOR.aliasing
    for trait in class_.get_traits_of_type(Aliases):
        return trait.aliasing
    return FRESH if class_.has_trait(RegionFlow) or class_.has_trait(IsTerminator) else None


@lru_cache(maxsize=1 << 14)
def class_may_write(class_: type[Operation]) -> bool:
    """Whether ops of a class may write to memory, themselves."""
    aliasing = aliasing_of(class_)
    return aliasing is None or aliasing.may_write


def may_write(block: Block) -> bool:
    """Whether any node of a block or of the blocks in it may write to memory; a look at the kinds of nodes tells."""
    return any(map(class_may_write, op_classes(block)))


def has_side_effects(op: Operation) -> bool:
    """Whether the node itself, not the nodes of its blocks, does what nothing in the graph shows.

    Writes to memory are no side effects here: the alias analysis knows of them.
    """
    return _has_side_effects(type(op))


@lru_cache(maxsize=1 << 14)
def _has_side_effects(class_: type[Operation]) -> bool:
    if issubclass(class_, OperatorOp):
        return class_.OPERATOR is None or Effect.ACTS in class_.OPERATOR.effects
    known = class_.get_traits_of_type(MemoryEffect)
    if not known:
        return not class_.has_trait(IsTerminator)
    return any(isinstance(trait, Acts) for trait in known)


def is_nondeterministic(op: Operation) -> bool:
    """Whether two runs on the same operands may give different results: by chance, or because of a mode."""
    if not isinstance(op, OperatorOp):
        return False
    if op.OPERATOR is None or Effect.OBSERVES in op.OPERATOR.effects:
        return True
    return Effect.RANDOM in op.OPERATOR.effects and not is_off(op)


def gives_references(op: Operation) -> bool:
    """Whether what the op gives is immutable or existed before, so that nobody can tell two runs of it from one."""
    effects = get_effects(op)
    return effects is not None and all(effect.kind is MemoryEffectKind.READ for effect in effects)


def blocks_of(op: Operation) -> Sequence[Block]:
    """The blocks of a node that belong to the graph around it; a fusion group has none."""
    if not op.regions or is_subgraph_op(op):
        return ()
    return [region.block for region in op.regions]
