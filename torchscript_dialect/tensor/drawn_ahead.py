"""Numbers of a generator one by one, for samplers that take as many as it takes: they are drawn ahead in blocks.

A block is drawn, and the generator set back; what was taken of it is drawn once more at its end, so that the generator is where it
would be if each number had been drawn when it was asked for.
"""

from __future__ import annotations

from torchscript_dialect.tensor.generator import Generator, polar

FEWEST, MOST = 8, 4096
"""Numbers in a block: the first has the fewest, each that follows twice as many, up to the most."""


class DrawnAhead:
    """The numbers, inside of a `with` statement."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.waiting: float | None = None
        """The second of a pair of normal numbers."""
        self.block: list[float] = []
        self.place = 0
        self.size = FEWEST

    def __enter__(self) -> DrawnAhead:
        self.waiting = self.generator.waiting_normal
        return self

    def __exit__(self, *_: object) -> None:
        self._settle()
        self.generator.waiting_normal = self.waiting

    def uniform(self) -> float:
        """A number in [0, 1), a multiple of 2^-53."""
        if self.place == len(self.block):
            self._settle()
            with self.generator.drawn_again():
                self.block = self.generator.uniform(self.size, double=True).tolist()
            self.size = min(2 * self.size, MOST)
        self.place += 1
        return self.block[self.place - 1]

    def normal(self) -> float:
        """A number of the standard normal distribution; they come in pairs."""
        if self.waiting is not None:
            result, self.waiting = self.waiting, None
            return result
        first, second = self.uniform(), self.uniform()
        result, self.waiting = polar(first, second)
        return result

    def _settle(self) -> None:
        """Draw what was taken."""
        if self.place:
            self.generator.words(2 * self.place)
        self.block, self.place = [], 0
