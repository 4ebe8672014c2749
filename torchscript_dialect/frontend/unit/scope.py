"""What names mean in blocks inside each other."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Scope(Generic[T]):
    """The names that one block defines; it sees those of the blocks around it.

    All scopes of a function share a table from a name to the open scopes that define it, so a lookup is one step however deep
    blocks nest. A scope that is closed can still be asked while the one around it is the innermost that is open.
    """

    def __init__(self, parent: Scope[T] | None) -> None:
        self.here: dict[str, T] = {}
        self._open: dict[str, list[Scope[T]]] = {} if parent is None else parent._open

    def define(self, name: str, meaning: T) -> None:
        """Give a name a meaning, in the innermost open scope."""
        if name not in self.here:
            self._open.setdefault(name, []).append(self)
        self.here[name] = meaning

    def close(self) -> None:
        """The block ends: names mean what they meant around it."""
        for name in self.here:
            last = self._open[name].pop()
            assert last is self, f"a scope inside this one is open and defines {name}"

    def forget(self, name: str) -> list[Scope[T]]:
        """Take a name out of all open scopes; gives those that defined it, the outermost first."""
        scopes = self._open.pop(name, [])
        for scope in scopes:
            del scope.here[name]
        return scopes

    def find(self, name: str) -> T | None:
        """What a name means here; None for nothing."""
        meaning = self.here.get(name)
        if meaning is None:
            meaning = self._innermost(name, 1)
        return meaning

    def find_around(self, name: str) -> T | None:
        """What a name means in the scopes around this one, the innermost that is open; None for nothing."""
        return self._innermost(name, 2 if name in self.here else 1)

    def _innermost(self, name: str, place: int) -> T | None:
        scopes = self._open.get(name, ())
        return scopes[-place].here[name] if len(scopes) >= place else None
