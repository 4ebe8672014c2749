"""Whether values are made before they are used, of which xDSL's verifier says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, SSAValue

_Step = Operation | Block
"""What is still to be looked at; a block behind all that is in it, where its values go out of sight."""


def uses_before_values(top: Operation) -> Iterator[tuple[Operation, SSAValue]]:
    """The ops in `top` that use values which are not made before them, in their block or in one around it, each with the value. Of
    values of another block of a region with several, nothing is said: the order of these is no order of time.
    """
    in_sight: set[SSAValue] = set()
    waiting: list[_Step] = [top]
    while waiting:
        step = waiting.pop()
        if isinstance(step, Block):
            in_sight.difference_update(step.args)
            for op in step.ops:
                in_sight.difference_update(op.results)
            continue
        if step is not top and step.prev_op is not None:
            in_sight.update(step.prev_op.results)
        for operand in step.operands:
            if operand not in in_sight and not _is_of_another_block(operand, step):
                yield step, operand
        if step is not top and step.next_op is not None:
            waiting.append(step.next_op)
        for region in step.regions:
            for block in region.blocks:
                waiting.append(block)
                in_sight.update(block.args)
                if block.first_op is not None:
                    waiting.append(block.first_op)


def _is_of_another_block(value: SSAValue, op: Operation) -> bool:
    """Whether a value is of a block beside one of those around an op, in a region of several."""
    home = value.owner if isinstance(value.owner, Block) else value.owner.parent
    around: Operation | None = op
    while home is not None and around is not None and around.parent is not None:
        if around.parent is home:
            return False
        if around.parent.parent is home.parent:
            return True
        around = around.parent_op()
    return False
