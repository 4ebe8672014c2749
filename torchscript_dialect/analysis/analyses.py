"""What passes know of functions: computed when one asks, kept until one changes what it was computed from.

Note [Analyses and passes]
Every run of a pipeline has one `Analyses`, which it hands to each pass over functions. An analysis is a class, or any callable, of a
`FuncOp`. A pass that changed a function keeps what it declares in `preserves`; one that changed nothing keeps all. A pass that
knows better while it runs, because what it did is true to an analysis in most cases only, calls `invalidate` itself.

Note [Settled passes]
A pass that has changed nothing of a function would change nothing again, until another one does: the executor's pipelines ask the same
simplifications in several places. `Settled` is an analysis like others: the passes that a function has gone through since it last
changed. One whose work depends on more than the function, such as the functions that it calls, does not say that it `settles`, nor
does a user's, and who changes a function between two pipelines calls `unsettle`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, TypeAlias, TypeVar

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb

T = TypeVar("T")
Analysis: TypeAlias = Callable[[FuncOp], T]


class Settled(set[Any]):
    """The passes that would change nothing of a function: Note [Settled passes]."""

    def __init__(self, function: FuncOp) -> None:
        """Nothing is known of a function."""


class Analyses:
    """The analyses of functions; see Note [Analyses and passes]."""

    def __init__(self) -> None:
        self._known: dict[FuncOp, dict[Analysis[Any], Any]] = {}
        self.rewrites = Counter[str]()
        """How often each pattern has fired, for the table of timings."""

    def of(self, analysis: Analysis[T], function: FuncOp) -> T:
        """What `analysis(function)` gives, computed once."""
        known = self._known.setdefault(function, {})
        if analysis not in known:
            known[analysis] = analysis(function)
        return known[analysis]

    def aliases(self, function: FuncOp) -> AliasDb:
        """What may be the same memory in a function, and who writes to it."""
        return self.of(AliasDb, function)

    def settled(self, function: FuncOp) -> Settled:
        """The passes that would change nothing of a function: Note [Settled passes]."""
        return self.of(Settled, function)

    def unsettle(self) -> None:
        """Functions were changed in a way that is true to all analyses but `Settled`."""
        for known in self._known.values():
            known.pop(Settled, None)

    def invalidate(
        self, function: FuncOp | None = None, preserved: Collection[Analysis[Any]] = ()
    ) -> None:
        """Forget what is known of a function, or of all functions, but for the analyses that are still true."""
        for one in list(self._known) if function is None else [function]:
            known = self._known.pop(one, {})
            kept = {analysis: known[analysis] for analysis in preserved if analysis in known}
            if kept:
                self._known[one] = kept
