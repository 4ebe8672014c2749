"""Where code goes that is written inside out: the blocks that are open, and in which of them each value is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue


@dataclass
class Scope:
    """The open blocks, outermost first. The level of a value is the number of the block that it is in, 0 for one further out."""

    blocks: list[Block]
    inputs: Collection[SSAValue]
    """Buffers that nothing writes to."""
    levels: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])

    def inside(self, block: Block) -> Scope:
        """The scope within `block`, which will be in the innermost block."""
        level = len(self.blocks)
        return Scope([*self.blocks, block], self.inputs, dict.fromkeys(block.args, level))

    def add(self, op: Operation) -> None:
        """Appends `op` to the innermost block."""
        self.blocks[-1].add_op(op)
        if level := len(self.blocks) - 1:
            self.levels.update(dict.fromkeys(op.results, level))
