"""What an operator does besides giving results that follow from its operands.

Most of it follows from the schema. What does not stands next to the operator: `effects=`, `training=` and `is_total=` of
`registry.attach`. Readers are the traits of ops in dialects/operators.py (Note [Effects]).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Flag, auto

from torchscript_dialect.ops.aliasing import aliasing_of_schema
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.mutability import is_mutable_type


class Effect(Flag):
    """What a run of an operator depends on or changes besides its operands."""

    NONE = 0
    ACTS = auto()
    """It changes what is outside of the program's memory: prints, seeds, sets a mode, waits, asks the clock, may stop the run."""
    OBSERVES = auto()
    """Its results depend on what other operators may change outside: a mode, the seed."""
    RANDOM = auto()
    """Two runs on the same operands may differ: it draws numbers, or gives memory as it finds it."""


def effects_of_schema(schema: FunctionSchema, overloads: Iterable[str]) -> Effect:
    """What the schema tells; `overloads` are the schema texts of all overloads of the operator.

    - An operator that gives nothing and writes to nothing is there for what it does outside: `aten::warn`. So is one that writes to
      what is no memory: a generator.
    - Where one overload takes a generator, all others draw from the global one: `aten::rand`.
    """
    aliasing = aliasing_of_schema(schema)
    writes = () if aliasing is None else aliasing.writes
    gives_nothing = not schema.returns and not schema.is_varret
    if gives_nothing and not writes:
        return Effect.ACTS
    if not all(is_mutable_type(schema.arguments[index].type) for index, _ in writes):
        return Effect.ACTS
    if any("Generator" in text for text in overloads):
        return Effect.RANDOM
    return Effect.NONE
