"""The search: edits are tried one after the other, and kept where what is left is smaller and still interesting.

It is greedy, as C-Reduce is: parts go in chunks that get smaller, then one by one, then what is left gets simpler, until a round finds
nothing more. Every kept program is smaller than the one before, so it ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

Edit: TypeAlias = Callable[[], Any]
"""Changes a program in place. It may raise where it cannot."""

Maker: TypeAlias = Callable[[Any], Sequence[Edit]]
"""From a program to edits of it. Those of a copy are the same, in the same order."""


class Form(Protocol):
    """How programs of a kind are read, written, copied, measured and made smaller."""

    @property
    def makers(self) -> Sequence[Maker]:
        """Kinds of edits; those that take out most come first."""
        ...

    def read(self, text: str) -> Any:
        """The program that a text holds."""
        ...

    def write(self, program: Any) -> str:
        """Its text. Raises where there is none, as edits have made it invalid."""
        ...

    def copy(self, program: Any) -> Any:
        """A copy that can be edited."""
        ...

    def size(self, program: Any) -> tuple[int, ...]:
        """What must become less with every edit that is kept."""
        ...


class Search:
    """The program as small as it is by now in `text`; `tests` counts how often it was asked whether one is interesting."""

    def __init__(
        self,
        form: Form,
        text: str,
        is_interesting: Callable[[str], bool],
        *,
        seconds: float | None = None,
        found: Callable[[str], Any] | None = None,
    ) -> None:
        """`found` is told each smaller program; after some seconds, if they are given, the search ends."""
        self.form = form
        self.program = form.read(text)
        self.is_interesting = is_interesting
        self.found = found
        self.end = None if seconds is None else time.monotonic() + seconds
        self.tests = 0
        self.tried: set[str] = set()
        self.text = text
        self.size = form.size(self.program)

    def run(self) -> str:
        """Search until nothing makes the program smaller; gives its text. What the first text says besides the program (comments, the
        order of lines) is gone if that is not what is interesting.
        """
        self.take(self.form.copy(self.program), allow_same=True)
        changed = True
        while changed and not self.is_over:
            changed = False
            for make in self.form.makers:
                changed |= self.round(make)
        return self.text

    def round(self, make: Maker) -> bool:
        """Try all edits of a kind; whether one was kept."""
        changed, place = False, 0
        while not self.is_over:
            copy = self.form.copy(self.program)
            edits = make(copy)
            if place >= len(edits):
                break
            try:
                edits[place]()
                kept = self.take(copy)
            except Exception:  # an edit that makes no program, of which there are many kinds
                kept = False
            changed |= kept
            place += not kept
        return changed

    def take(self, candidate: Any, *, allow_same: bool = False) -> bool:
        """Keep a program if it is smaller, and interesting."""
        size = self.form.size(candidate)
        if size >= self.size and not allow_same:
            return False
        text = self.form.write(candidate)
        if text in self.tried:
            return False
        self.tried.add(text)
        self.tests += 1
        if not self.is_interesting(text):
            return False
        self.program, self.text, self.size = candidate, text, size
        if self.found is not None:
            self.found(text)
        return True

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.end is not None and time.monotonic() > self.end


def reduce_text(
    form: Form, text: str, is_interesting: Callable[[str], bool], *, seconds: float | None = None
) -> str:
    """The smallest text that is found to be interesting as that one is; the text itself where none is smaller."""
    return Search(form, text, is_interesting, seconds=seconds).run()


def chunks(count: int) -> list[tuple[int, int]]:
    """Where to cut parts of a list: all of it, halves, quarters, ... and each element."""
    found: list[tuple[int, int]] = []
    width = count
    while width:
        found += [(begin, min(begin + width, count)) for begin in range(0, count, width)]
        width //= 2
    return found
