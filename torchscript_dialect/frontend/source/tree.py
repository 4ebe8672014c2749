"""Syntax trees: s-expressions with a source range on every compound (PyTorch: frontend/tree.h).

A compound has a `kind` (tokens.py) and subtrees; atoms are plain strings. tree_views.py gives each
kind a subclass with named accessors, so a tree is its own view: `compound` makes the right class
for a kind.
"""

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.frontend.source.tokens import kind_to_string
from torchscript_dialect.utils.source_range import Source, SourceRange

FLAT_WIDTH = 40
"""A subtree is printed in one line where indentation and text stay below this."""

VIEW_OF_KIND: dict[str, "type[Tree]"] = {}
"""The class of each kind, filled by the views."""


class Tree:
    """`(kind subtree...)` at the characters `lo` to `hi` of `source`, subtrees included."""

    __slots__ = ("hi", "kind", "lo", "source", "trees")

    def __init_subclass__(cls, kinds: tuple[str, ...] = ()) -> None:
        super().__init_subclass__()
        for kind in kinds:
            VIEW_OF_KIND[kind] = cls

    def __init__(
        self, kind: str, source: Source, lo: int, hi: int, trees: tuple[Any, ...] = ()
    ) -> None:
        self.kind = kind
        self.source = source
        self.lo = lo
        self.hi = hi
        self.trees = trees

    @property
    def range(self) -> SourceRange:
        return SourceRange(self.source, self.lo, self.hi)

    def map(self, fn: "Callable[[Any], Any]") -> "Tree":
        """The tree with `fn(subtree)` in place of each subtree."""
        return compound(self.kind, self.range, [fn(tree) for tree in self.trees])

    def same(self, other: "Tree") -> bool:
        """Whether kinds and atoms agree everywhere; ranges are not compared."""
        stack: list[tuple[Any, Any]] = [(self, other)]
        while stack:
            left, right = stack.pop()
            if isinstance(left, str) or isinstance(right, str):
                if left != right:
                    return False
                continue
            if left.kind != right.kind or len(left.trees) != len(right.trees):
                return False
            stack.extend(zip(left.trees, right.trees, strict=True))
        return True

    def __str__(self) -> str:
        return _print(self, _flat_forms(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {kind_to_string(self.kind)} at {self.range!r}>"


def compound(kind: str, range: SourceRange, trees: Sequence[Any]) -> Tree:
    """A tree of this kind, of the class of its view; its range is `range` widened to hold the
    subtrees.
    """
    lo, hi = range.start, range.end
    for tree in trees:
        if not isinstance(tree, str):
            if tree.lo < lo:
                lo = tree.lo
            if tree.hi > hi:
                hi = tree.hi
    return VIEW_OF_KIND.get(kind, Tree)(kind, range.source, lo, hi, tuple(trees))


def walk(tree: Tree) -> list[Tree]:
    """Every compound of the tree, each before its subtrees, in the order of the text as far as the
    tree keeps it.
    """
    found: list[Tree] = []
    stack: list[Any] = [tree]
    while stack:
        top = stack.pop()
        if not isinstance(top, str):
            found.append(top)
            stack.extend(reversed(top.trees))
    return found


def _width(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _flat_forms(tree: Tree) -> dict[int, str]:
    """By `id`, the one-line form of the trees for which it is shorter than `FLAT_WIDTH`."""
    flat: dict[int, str] = {}
    for top in reversed(walk(tree)):
        parts = [kind_to_string(top.kind)]
        for sub in top.trees:
            text = sub if isinstance(sub, str) else flat.get(id(sub))
            if text is None:
                break
            parts.append(text)
        else:
            text = f"({' '.join(parts)})"
            if _width(text) < FLAT_WIDTH:
                flat[id(top)] = text
    return flat


def _print(tree: Tree, flat: dict[int, str]) -> str:
    out: list[str] = []
    stack: list[tuple[Any, int]] = [
        (tree, 0)
    ]  # (what, indentation); an indentation of -1 closes a tree
    while stack:
        top, indent = stack.pop()
        if indent < 0:
            out.append(")")
            continue
        if indent:
            out.append("\n" + " " * indent)
        text = top if isinstance(top, str) else flat.get(id(top))
        if isinstance(top, str):
            out.append(top)
            continue
        if text is not None and indent + _width(text) < FLAT_WIDTH:
            out.append(text)
            continue
        out.append("(" + kind_to_string(top.kind))
        stack.append((")", -1))
        stack.extend((sub, indent + 2) for sub in reversed(top.trees))
    return "".join(out)
