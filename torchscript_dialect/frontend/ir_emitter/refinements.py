"""What a condition tells of the types of variables: where it holds and where it does not (PyTorch: RefinementSet)."""

from __future__ import annotations

from dataclasses import dataclass, field

from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.source_range import SourceRange

Facts = dict[str, TorchScriptType]


def _either(a: Facts, b: Facts) -> Facts:
    """What holds where both hold; two different types for one variable say nothing."""
    facts = dict(a)
    for name, type_ in b.items():
        if name not in facts:
            facts[name] = type_
        elif facts[name] != type_:
            del facts[name]
    return facts


def _common(a: Facts, b: Facts) -> Facts:
    return {name: type_ for name, type_ in a.items() if b.get(name) == type_}


@dataclass(frozen=True)
class Refinements:
    """Types of variables where the condition is true, and where it is false."""

    on_true: Facts = field(default_factory=Facts)
    on_false: Facts = field(default_factory=Facts)

    def negated(self) -> Refinements:
        return Refinements(self.on_false, self.on_true)

    def and_(self, other: Refinements) -> Refinements:
        return Refinements(
            _either(self.on_true, other.on_true), _common(self.on_false, other.on_false)
        )

    def or_(self, other: Refinements) -> Refinements:
        return Refinements(
            _common(self.on_true, other.on_true), _either(self.on_false, other.on_false)
        )


def insert_refinements(m: EmissionContext, range: SourceRange, refinements: Refinements) -> None:
    """Give the variables the types that the condition implies, in the current block."""
    for name, type_ in refinements.on_true.items():
        value = m.frame.get_value(range, name)
        m.frame.set_value(range, name, m.graph.unchecked_cast(value, type_))
