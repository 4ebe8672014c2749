"""The patterns that are right whatever the memory: `canonicalize` of xDSL runs them.

See Note [Canonicalization] in dialects/canonicalization.py.
"""

from __future__ import annotations

from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns.control_flow import DECIDED, UNCHANGED, UseConditionOfIf
from torchscript_dialect.patterns.nones import DecideIsNone, DropUncheckedCast, UnwrapPresentValue
from torchscript_dialect.patterns.numbers import (
    AddIntConstants,
    ConstantToTheRight,
    EqualToItself,
    IntOfInt,
    IntPlusZero,
    IntTimesOne,
)
from torchscript_dialect.patterns.tuples import TUPLES

VALUES = (
    DecideIsNone(),
    UnwrapPresentValue(),
    DropUncheckedCast(),
    UseConditionOfIf(),
    EqualToItself(),
    IntOfInt(),
    ConstantToTheRight(),
    IntTimesOne(),
    IntPlusZero(),
    AddIntConstants(),
)
"""What is known of a value by a look at the op that makes it."""

CANONICAL = FrozenPatternSet((*TUPLES, *DECIDED, *UNCHANGED, *VALUES))
