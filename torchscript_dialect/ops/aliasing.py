"""Which memory the results of an op may be, and which it writes to: facts of its class (Note [Alias analysis] in
analysis/alias_analysis.py).

Of an operator they follow from the annotations in its schema, or stand next to it where the schema is silent: `aliases=` of
`registry.attach`. Structural ops carry theirs as a trait (dialects/interfaces.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import ANY, TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import VarType
from torchscript_dialect.types.text import AliasInfo


class Origin(Enum):
    """What the results are that no other field of `Aliasing` tells of."""

    FRESH = auto()
    """Memory of their own."""
    ANYWHERE = auto()
    """Any memory of their type that is known outside: what comes out of a container."""
    FIRST_OPERAND = auto()
    """The first operand, or views of it."""
    SAME_OPERAND = auto()
    """Result i is operand i."""
    HOLDS_OPERANDS = auto()
    """A container that holds references to the operands."""


@dataclass(frozen=True, slots=True)
class Aliasing:
    """Operands and results are given by their numbers; those of immutable types do not count."""

    results: Origin = Origin.FRESH
    views: tuple[tuple[int, int], ...] = ()
    """(result, operand): the result may be the operand or a view of it."""
    wildcards: tuple[int, ...] = ()
    """Results that may be any memory of their type that is known outside."""
    references: tuple[int, ...] = ()
    """Results that are references to what existed before, not objects of their own as a view is."""
    writes: tuple[tuple[int, bool], ...] = ()
    """Operands that are written to, and whether all that they hold references to is, too."""
    written_results: tuple[int, ...] = ()
    keeps: tuple[int, ...] = ()
    """Operands that are stored where nobody follows them: from then on they are known outside."""
    keeps_all: bool = False
    runs_others: bool = False
    """Lets other code run, which may write to all that is known outside."""
    copies_elements: bool = False
    """The result is fresh memory made of a list's elements: a list that only this op uses keeps them apart."""

    @property
    def may_write(self) -> bool:
        return bool(self.writes) or self.runs_others

    @property
    def may_keep(self) -> bool:
        """Whether an operand may be known outside afterwards, through a container or otherwise."""
        return self.keeps_all or bool(self.keeps) or self.results is Origin.HOLDS_OPERANDS


FRESH = Aliasing()
MAY_BE_OPERAND = Aliasing(results=Origin.FIRST_OPERAND)
"""Of an operator that gives its first operand, or a view of it, although its schema promises fresh memory."""


def aliasing_of_schema(schema: FunctionSchema) -> Aliasing | None:
    """What the annotations tell; None where the schema does not say what the results are."""
    if schema.is_varret:
        return None
    bound: dict[str, int] = {}
    writes: list[tuple[int, bool]] = []
    keeps: list[int] = []
    for index, argument in enumerate(schema.arguments):
        if argument.alias is None:
            continue
        alias = _innermost(argument.alias)
        for name in alias.before:
            bound.setdefault(name, index)
        if alias.is_write:
            writes.append((index, alias is not argument.alias))
        if AliasInfo.WILDCARD in alias.after:
            keeps.append(index)
    views: list[tuple[int, int]] = []
    wildcards: list[int] = []
    references: list[int] = []
    written_results: list[int] = []
    for index, returned in enumerate(schema.returns):
        if returned.alias is None:
            continue
        alias = _innermost(returned.alias)
        if AliasInfo.WILDCARD in alias.before:
            wildcards.append(index)
        views.extend((index, bound[name]) for name in alias.before if name in bound)
        if alias.is_write:
            written_results.append(index)
        if alias.is_write or _gives_what_it_gets(returned.type):
            references.append(index)
    found = Aliasing(
        views=tuple(views),
        wildcards=tuple(wildcards),
        references=tuple(references),
        writes=tuple(writes),
        written_results=tuple(written_results),
        keeps=tuple(keeps),
    )
    return FRESH if found == FRESH else found


def _innermost(alias: AliasInfo) -> AliasInfo:
    """The annotation itself, or that of the elements where only those have one."""
    inner = alias.contained[0] if alias.contained else None
    return inner if not alias.before and inner is not None else alias


def _gives_what_it_gets(type_: TorchScriptType) -> bool:
    """Whether an operator with this result, of any type, can only hand on a reference: `t`, `t?`, `Any`."""
    if isinstance(type_, OptionalType):
        type_ = type_.element
    return isinstance(type_, VarType) or type_ == ANY
