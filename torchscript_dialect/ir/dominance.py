"""Whether values are made before they are used, of which xDSL's verifier says nothing."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException


def verify_dominance(top: Operation) -> None:
    """Check that every op in `top` uses values that are made before it, in its block or in one around it. Of values of another block
    of a region with several, nothing is said: the order of these is no order of time.

    Raises:
        VerifyException: an op does not.
    """
    places = {op: place for place, op in enumerate(top.walk())}
    for op in places:
        for operand in op.operands:
            if not _is_made_before(operand, op, places):
                name = operand.name_hint or "a value without a name"
                raise VerifyException(f"{op.name} uses {name}, which is not made before it")


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
