"""What a pipeline's runs took, and what they did, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence


class PassTiming:
    """One pass of a pipeline, all its runs together."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.runs = 0
        self.seconds = 0.0
        self.changes = 0
        """Runs that changed something; runs of which that is not known count."""
        self.ops_before = 0
        """Operations in what it was run on, where they were counted."""
        self.ops_after = 0
        self.rewrites = Counter[str]()
        """How often each pattern fired, where the pass is made of patterns."""

    def add(self, seconds: float, *, changed: bool) -> None:
        """Count a run."""
        self.runs += 1
        self.seconds += seconds
        self.changes += changed


class Timings:
    """A row for each pass, in order; `str` makes a table of it."""

    def __init__(self, names: Sequence[str]) -> None:
        self._rows = [PassTiming(name) for name in names]

    def __getitem__(self, index: int) -> PassTiming:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[PassTiming]:
        return iter(self._rows)

    @property
    def seconds(self) -> float:
        """What all passes took."""
        return sum(row.seconds for row in self)

    def clear(self) -> None:
        """Begin at zero."""
        self._rows = [PassTiming(row.name) for row in self]

    def __str__(self) -> str:
        total = self.seconds or 1.0
        lines = [("pass", "runs", "ms", "%", "changes", "ops", "rewrites")]
        for row in self:
            ops = f"{row.ops_before} -> {row.ops_after}" if row.ops_before else ""
            rewrites = ", ".join(f"{name} {count}" for name, count in row.rewrites.items())
            share = f"{100 * row.seconds / total:.0f}"
            line = (row.name, str(row.runs), f"{1000 * row.seconds:.3f}", share, str(row.changes))
            lines.append((*line, ops, rewrites))
        lines.append(("total", "", f"{1000 * self.seconds:.3f}", "", "", "", ""))
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(_line(line, widths) for line in lines)

    __repr__ = __str__


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The numbers to the right, names and patterns to the left."""
    first, *numbers, last = zip(cells, widths, strict=True)
    padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in numbers), last[0]]
    return "  ".join(padded).rstrip()
