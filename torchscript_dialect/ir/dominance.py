"""Whether values are made before they are used, of which xDSL's verifier says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, SSAValue


def uses_before_values(top: Operation) -> Iterator[tuple[Operation, SSAValue]]:
    """The ops in `top` that use values which are not made before them, in their block or in one around it, each with the value. Of
    values of another block of a region with several, nothing is said: the order of these is no order of time.
    """
    places = {op: place for place, op in enumerate(top.walk())}
    for op in places:
        for operand in op.operands:
            if not _is_made_before(operand, op, places):
                yield op, operand


def _is_made_before(value: SSAValue, op: Operation, places: dict[Operation, int]) -> bool:
    maker = value.owner
    home = maker if isinstance(maker, Block) else maker.parent
    around: Operation | None = op
    while around is not None and around.parent is not None:
        if home is not None and around.parent.parent is home.parent:
            break
        around = around.parent_op()
    if home is None or around is None or around.parent is None:
        return False
    if around.parent is not home or isinstance(maker, Block):
        return True
    return places[maker] < places[around]
