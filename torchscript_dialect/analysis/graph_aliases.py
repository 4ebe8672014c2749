"""The alias analysis of a graph, asked by Values and Nodes (PyTorch: torch/csrc/jit/python/python_ir.cpp, `AliasDb`)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.moves import move_after, move_before
from torchscript_dialect.ir import changes
from torchscript_dialect.ir.graph import Graph, Node, Value

# pyright: reportPrivateUsage=false

Values = Value | Sequence[Value]


class GraphAliasDb:
    """What may be the same memory in a graph (Note [Alias analysis] in alias_analysis.py), as the graph was when it was made.

    Moving nodes by its methods keeps it true; after other edits make a new one.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._aliases = AliasDb(graph._function)

    def may_alias(self, a: Values, b: Values) -> bool:
        """Whether a value of `a` may be the same memory as one of `b`."""
        return self._aliases.may_alias(_ssa(a), _ssa(b))

    def may_contain_alias(self, a: Values, b: Values) -> bool:
        """As `may_alias`, for the values and all that they hold references to."""
        return self._aliases.may_contain_alias(_ssa(a), _ssa(b))

    def has_writers(self, what: Values | Node) -> bool:
        """Whether any node may write to the value, to one of the values, or to an input or output of the node."""
        return self._aliases.has_writers(what._raw_op if isinstance(what, Node) else _ssa(what))

    def move_after_topologically_valid(self, node: Node, place: Node) -> bool:
        """Move a node, with those that depend on it, directly after another one of its block if the program stays the same.

        Gives whether it did.
        """
        return self._moved(move_after(self._aliases, node._raw_op, place._raw_op), node)

    def move_before_topologically_valid(self, node: Node, place: Node) -> bool:
        """As `move_after_topologically_valid`, directly before the other node, with those that it depends on."""
        return self._moved(move_before(self._aliases, node._raw_op, place._raw_op), node)

    def _moved(self, has_moved: bool, node: Node) -> bool:
        if has_moved:
            changes.edited(node._raw_op)
        return has_moved

    def __str__(self) -> str:
        return f"{self._graph}{self._aliases.describe()}\n"

    def dump(self) -> None:
        """Print the graph, and what points to what, to standard output."""
        print(self, end="")

    def to_graphviz_str(self) -> str:
        """A drawing for Graphviz: arrows from what points to what it points to, dashed ones to what it holds."""
        lines = ["digraph alias_db {", "  rankdir=LR", "  node [shape=rect, color=gray];"]
        for source, target, is_contained in self._aliases.edges():
            style = " [style=dashed, color=blue]" if is_contained else ""
            lines.append(f'  "{source}" -> "{target}"{style}')
        return "\n".join([*lines, "}", ""])


def _ssa(values: Values) -> SSAValue | Sequence[SSAValue]:
    return values._ssa if isinstance(values, Value) else [value._ssa for value in values]
